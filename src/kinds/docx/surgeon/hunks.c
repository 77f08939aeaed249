#include "kinds/docx/surgeon/hunks.h"

#include "base/array.h"
#include "base/map.h"
#include "base/utf8.h"

struct tokens {
	ARRAY(struct match) list;
	ARRAY(struct sequence_item) items;
};

/* A word, or one other cluster. */
static struct tokens tokens_of(struct arena *a, struct map *words, const struct runes *r, const struct match *whole,
			       size_t whole_n)
{
	struct tokens t = {0};

	for (uint32_t i = 0; i < r->n;) {
		uint32_t from = i, length;
		while (whole_n && whole->to <= i) {
			whole++;
			whole_n--;
		}
		if (whole_n && whole->from == i) {
			i = whole->to;
		} else if (utf8_is_word(r->at[i])) {
			while (i < r->n && (utf8_is_word(r->at[i]) || !runes_may_cut(r, i)) &&
			       !(whole_n && whole->from == i && i > from))
				i++;
		} else {
			do
				i++;
			while (i < r->n && !runes_may_cut(r, i));
		}
		length = i - from;
		uint32_t word = *map_at(words, runes_slice(r, from, i), (uint32_t)words->n, NULL);
		bool is_word = utf8_is_word(r->at[from]);
		*ARRAY_PUSH(a, &t.list) = (struct match){from, i};
		*ARRAY_PUSH(a, &t.items) = (struct sequence_item){word, is_word ? 4 + (length < 12 ? length : 12) : 1};
	}
	return t;
}

enum { HUNKS_MAX = 4000 }; /* with more, the whole text is one change */

/* Unchanged letters keep their runs, even inside a changed word. If the change is at the word's border, one letter of
 * the old word stays in the hunk: the "s" of "links" belongs to "link", not to the text next to it. */
static void trim(struct hunk *h, const struct runes *old, const struct runes *new)
{
	struct hunk word = *h;

	if (h->from == h->to || h->new_from == h->new_to)
		return;
	while (h->from < h->to && h->new_from < h->new_to && old->at[h->from] == new->at[h->new_from] &&
	       runes_may_cut(old, h->from + 1) && runes_may_cut(new, h->new_from + 1)) {
		h->from++;
		h->new_from++;
	}
	while (h->from < h->to && h->new_from < h->new_to && old->at[h->to - 1] == new->at[h->new_to - 1] &&
	       runes_may_cut(old, h->to - 1) && runes_may_cut(new, h->new_to - 1)) {
		h->to--;
		h->new_to--;
	}
	if (h->from == h->to && h->from == word.to)
		do {
			h->from--;
			h->new_from--;
		} while (!runes_may_cut(old, h->from));
	else if (h->from == h->to && h->from == word.from)
		do {
			h->to++;
			h->new_to++;
		} while (!runes_may_cut(old, h->to));
}

static bool is_whole(const struct hunk *h, const struct match *whole, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (whole[i].from < h->to && h->from < whole[i].to)
			return true;
	return false;
}

/* Where a token begins in the text; after the last one, the text's end. */
static uint32_t begins(const struct match *tokens, size_t n, uint32_t token, uint32_t end)
{
	return tokens && token < n ? tokens[token].from : end;
}

/* Where the tokens [from, to) end. If there are none, where they would begin. */
static uint32_t ends(const struct match *tokens, size_t n, uint32_t from, uint32_t to, uint32_t end)
{
	return tokens && to > from ? tokens[to - 1].to : begins(tokens, n, from, end);
}

struct hunks hunks_between(struct arena *a, const struct runes *old, const struct runes *new, const struct match *whole,
			   size_t whole_n)
{
	struct map words = {.arena = a};
	struct tokens from = tokens_of(a, &words, old, whole, whole_n), to = tokens_of(a, &words, new, NULL, 0);
	const struct match *o = from.list.items, *n = to.list.items;
	struct hunks out =
		sequence_compare(a, from.items.items, (uint32_t)from.items.n, to.items.items, (uint32_t)to.items.n);

	for (size_t i = 0; i < out.n; i++) {
		struct hunk *h = &out.items[i];
		*h = (struct hunk){
			begins(o, from.list.n, h->from, old->n), ends(o, from.list.n, h->from, h->to, old->n),
			begins(n, to.list.n, h->new_from, new->n), ends(n, to.list.n, h->new_from, h->new_to, new->n)};
		if (!is_whole(h, whole, whole_n))
			trim(h, old, new);
	}
	if (out.n > HUNKS_MAX) {
		struct hunk last = out.items[out.n - 1];
		out.items[0].to = last.to;
		out.items[0].new_to = last.new_to;
		out.n = 1;
	}
	return out;
}
