/* Any bytes as a broken book: XML with a book as its root is repaired into a valid book, a second repair changes
 * nothing, and no word of the text is lost. Of bytes that are not XML, those with bare characters become XML by
 * replacing only these, and what can be read of any others is XML. */
#include "must.h"
#include "format/xml.h"
#include "kinds/hnpx/repair/rough.h"
#include "kinds/hnpx/tree/book.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

enum { WORD_MIN = 4 };

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* An attribute's value may contain the character that ends a tag. */
static size_t past_markup(struct text t, size_t at)
{
	char end = t.at[at] == '<' ? '>' : ';', quote = 0;

	for (; at < t.len && (quote || t.at[at] != end); at++)
		if (end == '>' && (t.at[at] == quote || (!quote && (t.at[at] == '"' || t.at[at] == '\''))))
			quote = quote ? 0 : t.at[at];
	return at + 1;
}

/* Compares the words between tags, in plain letters; skips references, tags and comments. */
static void words_stay(struct text before, struct text after)
{
	for (size_t i = 0; i < before.len;) {
		if (before.at[i] == '<' || before.at[i] == '&') {
			i = past_markup(before, i);
			continue;
		}
		size_t from = i;
		while (i < before.len && is_letter(before.at[i]))
			i++;
		if (i - from >= WORD_MIN)
			MUST(text_find(after, text_slice(before, from, i), 0) != SIZE_MAX);
		i += i == from;
	}
}

/* Undoing the escapes gives the source again. */
static void only_escapes(struct text before, struct text after)
{
	size_t at = 0;

	for (size_t i = 0; i < before.len; i++) {
		struct text rest = text_slice(after, at, after.len);
		if (rest.len && rest.at[0] == before.at[i] &&
		    !(before.at[i] == '&' && text_starts(rest, "&amp;") &&
		      !text_starts(text_slice(before, i, before.len), "&amp;"))) {
			at++;
		} else if (before.at[i] == '&' && text_starts(rest, "&amp;")) {
			at += 5;
		} else {
			MUST(before.at[i] == '<' && text_starts(rest, "&lt;"));
			at += 4;
		}
	}
	MUST(at == after.len);
}

static bool begins_book(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (t.at[i] == '<' && i + 1 < t.len && ((t.at[i + 1] | 32) >= 'a' && (t.at[i + 1] | 32) <= 'z'))
			return text_starts(text_slice(t, i, t.len), "<book>") ||
			       text_starts(text_slice(t, i, t.len), "<book ");
	return false;
}

static void reads_roughly(struct arena *a, struct text source)
{
	static const struct xml_limits limits = {.depth = 64, .attributes = 256, .nodes = 2000000};
	struct mends mends = {0}, rest = {0};
	struct error error = {0};

	if (rough_escape(a, source, &mends)) {
		MUST(mends.list.n && xml_parse(a, mends.bytes, &limits, &error));
		only_escapes(source, mends.bytes);
	}
	rough_read(a, source, &rest);
	MUST(!begins_book(rest.bytes) || xml_parse(a, rest.bytes, &limits, &error) || error.fault == FAULT_TOO_LARGE);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct arena arena = {0};
	struct error error = {0};
	struct mends mends = {0}, again = {0};
	struct text source = text_copy(&arena, (struct text){(const char *)bytes, len});

	if (mend_book(&arena, source, &mends, &error)) {
		MUST(book_parse(&arena, mends.bytes, NULL, &error));
		words_stay(source, mends.bytes);
		MUST(mend_book(&arena, mends.bytes, &again, &error));
		MUST(!again.list.n && text_same(again.bytes, mends.bytes));
	} else {
		MUST(error.message);
	}
	reads_roughly(&arena, source);
	arena_free(&arena);
	return 0;
}
