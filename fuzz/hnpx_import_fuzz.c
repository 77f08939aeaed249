/* Any text as a manuscript, Markdown or plain by the first byte: the resulting book is valid, each paragraph has the
 * text that was read, and no word of the manuscript is lost. */
#include "must.h"
#include "base/utf8.h"
#include "format/xml.h"
#include "kinds/hnpx/import/manuscript_book.h"
#include "kinds/hnpx/tree/reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

enum { WORD_MIN = 2 };

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static void words_stay(struct text source, struct text book)
{
	for (size_t i = 0; i < source.len;) {
		size_t from = i;
		while (i < source.len && is_letter(source.at[i]))
			i++;
		if (i - from >= WORD_MIN)
			MUST(text_find(book, text_slice(source, from, i), 0) != SIZE_MAX);
		i += i == from;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct arena arena = {0};
	struct error error = {0};
	struct text root;

	if (!len)
		return 0;
	struct text source = text_copy(&arena, (struct text){(const char *)bytes + 1, len - 1});
	source.len = utf8_bad(source);
	source.len = source.len ? xml_unwritable(source) : 0;
	struct manuscript_parts m = manuscript_read(&arena, source, bytes[0] & 1);
	struct text made = manuscript_book(&arena, &m, &root);
	struct book *b = book_parse(&arena, made, NULL, &error);
	MUST(b && b->n == m.list.n && text_same(book_id(&arena, b, 0), root));
	for (uint32_t i = 0; i < b->n; i++) {
		MUST(b->nodes[i].level == m.list.items[i].level);
		if (b->nodes[i].level == LEVEL_PARAGRAPH)
			MUST(text_same(text_trim(node_shown_prose(&arena, b, i)), text_trim(m.list.items[i].words)));
	}
	words_stay(source, made);
	arena_free(&arena);
	return 0;
}
