/* The words of notes and queries, excerpts, snippets and the index, from any bytes.
 *
 * Input: texts separated by bytes 0x1e. The first byte of each decides whether it is added as a note, replaced, renamed
 * or removed. Then each is a query. Scores are between 0 and 1, a note contains the words it was added with, and a
 * snippet is a part of its text. */
#include "must.h"
#include "kinds/notes/search/encoder/tokens.h"
#include "kinds/notes/search/excerpt.h"
#include "kinds/notes/search/search.h"
#include "kinds/notes/search/words.h"

#include <string.h>

static void ask(struct call *c, struct search *s, struct text words)
{
	struct search_query q = {.words = words, .mode = SEARCH_WORDS, .limit = 4};
	struct search_found found;

	if (!search_find(c, s, &q, &found))
		return;
	MUST(found.n <= found.total && found.total <= found.notes);
	for (size_t i = 0; i < found.n; i++) {
		MUST(found.items[i].score > 0 && found.items[i].score <= 1);
		MUST(!i || found.items[i].score <= found.items[i - 1].score);
		MUST(search_has(s, found.items[i].path));
	}
}

static bool has_words(struct text t)
{
	struct words words = words_of(t);
	struct word word;

	while (words_next(&words, &word)) {
		MUST(word.from < word.to && word.to <= t.len && word.term.len && word.term.len <= TERM_MAX);
		if (!word.is_stop)
			return true;
	}
	return false;
}

static void put(struct call *c, struct search *s, struct text path, struct text t)
{
	struct search_note note = {.path = path, .title = t, .tags = {&t, 1}, .text = t};

	search_put(s, &note);
	MUST(search_has(s, path));
	if (has_words(t)) {
		struct search_query q = {.words = t, .mode = SEARCH_WORDS, .path = path, .limit = 1};
		struct search_found found;
		MUST(search_find(c, s, &q, &found));
	}
}

static void cut(struct call *c, struct search *s, struct text words, struct text t)
{
	for (size_t most = 1; most < 60; most += 13) {
		struct text snippet = search_snippet(c, s, words, t, most), inner = snippet;
		size_t points = 0;
		for (size_t i = 0; i < snippet.len; i++)
			points += (snippet.at[i] & 0xC0) != 0x80;
		MUST(points <= most);
		if (text_starts(inner, "..."))
			inner = text_slice(inner, 3, inner.len);
		if (text_ends(inner, "..."))
			inner.len -= 3;
		MUST(!inner.len || text_find(t, inner, 0) != SIZE_MAX);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = {0};
	struct call c = {.arena = &arena};
	struct text rest = {(const char *)data, size}, before = TEXT("first");
	struct search *s;

	MUST(search_open(&c, &(struct search_options){.embed = TEXT("none"), .state = -1}, &s));
	for (int i = 0; i < 16 && rest.len; i++) {
		const char *end = memchr(rest.at, 0x1e, rest.len);
		struct text t = text_slice(rest, 0, end ? (size_t)(end - rest.at) : rest.len);
		rest = text_slice(rest, t.len + 1, rest.len);
		struct text path = text_slice(t, 0, 3);
		switch (t.len ? t.at[0] % 4 : 0) {
		case 1: search_remove(s, before); break;
		default: put(&c, s, path, t);
		}
		ask(&c, s, t);
		cut(&c, s, before, t);
		struct text excerpt = excerpt_of(&arena, path, t, 20);
		MUST(excerpt.len <= 20 * 12 + path.len + 200);
		before = path;
	}
	search_close(s);
	struct weights w;
	uint16_t tokens[128];
	if (weights_read(weights_packed(), &w)) {
		size_t n = tokens_of(&w, (struct text){(const char *)data, size}, tokens, 128);
		MUST(n <= 128);
		for (size_t i = 0; i < n; i++)
			MUST(tokens[i] < PIECES);
	}
	arena_free(&arena);
	return 0;
}
