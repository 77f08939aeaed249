/* Any bytes: parsed, read and edited. What is no book is refused; what is one stays one under every edit, keeps the
 * bytes that the edit does not name, and its shifted nodes equal those of a fresh parse (asserted inside edits_book()).
 */
#include "kinds/hnpx/edits.h"
#include "kinds/hnpx/level.h"
#include "kinds/hnpx/manuscript.h"
#include "kinds/hnpx/reading.h"
#include "kinds/hnpx/render.h"
#include "kinds/hnpx/show.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* Every way of reading a book comes to an end. */
static void read_all(struct arena *a, const struct book *b)
{
	struct buffer out = {.arena = a};
	struct render_options options = {.ids = true, .headings = true, .start = BOOK_NONE};
	struct manuscript m = {b, TEXT("t"), TEXT("a"), TEXT("en")};

	for (uint32_t i = 0; i < b->n; i++)
		show_node(&out, a, b, i, 0);
	render_outline(&out, a, b, 0, &options);
	render_prose(&out, a, b, 0, &options);
	manuscript_markdown(a, &m);
	manuscript_epub(a, &m);
}

/* The last bytes choose an edit and a node; the words are part of the input too. */
static void edit(struct arena *a, const struct book *b, const uint8_t *choice, struct text words)
{
	struct edits e = {.arena = a, .book = b};
	uint32_t node = choice[1] % b->n;
	int level = b->nodes[node].level;
	struct sprout s = {.level = (enum level)(level + 1), .id = 7, .summary = TEXT("s"), .text = words};

	words.len = words.len ? xml_unwritable(words) : 0;
	s.text = words;
	if (text_is_blank(words) || book_find(b, s.id) != BOOK_NONE)
		return;
	switch (choice[0] % 6) {
	case 0:
		if (level == LEVEL_PARAGRAPH)
			return;
		if (level == LEVEL_BOOK)
			s.title = words;
		if (level == LEVEL_CHAPTER)
			s.location = words;
		if (level == LEVEL_BEAT && book_drops_summaries(b))
			s.summary = (struct text){0};
		edits_insert(&e, node, choice[2], &s, 1);
		break;
	case 1:
		if (node)
			edits_remove(&e, node);
		break;
	case 2:
		if (b->nodes[node].summary != b->nodes[node].summary_to)
			edits_summary(&e, node, words);
		break;
	case 3:
		if (level == LEVEL_PARAGRAPH)
			edits_prose(&e, node, words);
		break;
	case 4:
		if (level == LEVEL_CHAPTER)
			edits_attributes(&e, node, (struct attribute_edit[]){{"pov", words}, {"title", TEXT("x")}}, 2);
		break;
	default:
		if (node)
			edits_move(&e, b->nodes[node].parent, choice[2] % b->nodes[b->nodes[node].parent].children,
				   &node, 1);
		break;
	}
	struct book *after = edits_book(&e, a);
	uint32_t now = book_find(after, b->nodes[node].id);
	if (choice[0] % 6 == 3 && level == LEVEL_PARAGRAPH)
		require(text_same(node_prose(a, after, now).text, words));
	if (choice[0] % 6 == 5 && node)
		require(text_same(text_slice(b->bytes, b->nodes[node].from, b->nodes[node].to),
				  text_slice(after->bytes, after->nodes[now].from, after->nodes[now].to)));
	read_all(a, after);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct arena arena = {0};
	struct error error = {0};
	struct problems problems = {0};

	if (len < 3)
		return 0;
	struct text source = text_copy(&arena, (struct text){(const char *)bytes, len - 3});
	struct book *b = book_parse(&arena, source, &problems, &error);
	require(b || (error.message && error.code && (!strcmp(error.code, "INVALID_XML") || problems.list.n)));
	if (b) {
		read_all(&arena, b);
		edit(&arena, b, bytes + len - 3, text_slice(source, source.len / 2, source.len / 2 + 20));
	}
	arena_free(&arena);
	return 0;
}
