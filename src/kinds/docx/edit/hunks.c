#include "kinds/docx/edit/hunks.h"

#include "base/array.h"
#include "base/map.h"
#include "base/utf8.h"

struct token {
	uint32_t from, to;
	uint32_t word;   /* equal for equal texts */
	uint32_t weight; /* how good an anchor it is */
};

struct tokens {
	ARRAY(struct token) list;
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
		*ARRAY_PUSH(a, &t.list) = (struct token){from, i, word, is_word ? 4 + (length < 12 ? length : 12) : 1};
	}
	return t;
}

struct differ {
	struct arena *arena;
	const struct token *old, *new;
	ARRAY(struct hunk) out; /* in tokens */
};

enum { HUNKS_MAX = 4000 };    /* more is no edit but another text: one change */
enum { CELLS_MAX = 1 << 20 }; /* of one table; larger ranges are divided at words that occur once */

static void add(struct differ *d, uint32_t from, uint32_t to, uint32_t new_from, uint32_t new_to)
{
	if (from == to && new_from == new_to)
		return;
	struct hunk *last = d->out.n ? &d->out.items[d->out.n - 1] : NULL;
	if (last && last->to == from && last->new_to == new_from) {
		last->to = to;
		last->new_to = new_to;
	} else {
		*ARRAY_PUSH(d->arena, &d->out) = (struct hunk){from, to, new_from, new_to};
	}
}

/* The heaviest common subsequence, by a table. */
static void by_table(struct differ *d, uint32_t from, uint32_t to, uint32_t new_from, uint32_t new_to)
{
	uint32_t n = to - from, m = new_to - new_from, width = m + 1;
	uint32_t *best = arena_array(d->arena, (size_t)(n + 1) * width, sizeof *best);

	for (uint32_t i = n; i-- > 0;)
		for (uint32_t k = m; k-- > 0;) {
			const struct token *o = &d->old[from + i];
			uint32_t skip = best[(i + 1) * width + k], other = best[i * width + k + 1];
			uint32_t value = skip > other ? skip : other;
			if (o->word == d->new[new_from + k].word) {
				uint32_t taken = best[(i + 1) * width + k + 1] + o->weight;
				value = taken > value ? taken : value;
			}
			best[i * width + k] = value;
		}
	for (uint32_t i = 0, k = 0; i < n || k < m;) {
		uint32_t here = i < n && k < m ? best[i * width + k] : 0;
		if (i < n && k < m &&
		    d->old[from + i].word == d->new[new_from + k].word &&here ==
			    best[(i + 1) * width + k + 1] + d->old[from + i].weight) {
			i++;
			k++;
		} else if (k == m || (i < n && here == best[(i + 1) * width + k])) {
			add(d, from + i, from + i + 1, new_from + k, new_from + k);
			i++;
		} else {
			add(d, from + i, from + i, new_from + k, new_from + k + 1);
			k++;
		}
	}
}

static void divide(struct differ *d, uint32_t from, uint32_t to, uint32_t new_from, uint32_t new_to, unsigned depth);

/* A word that stands once on both sides divides the problem; the heaviest one nearest to the middle. */
static bool by_single(struct differ *d, uint32_t from, uint32_t to, uint32_t new_from, uint32_t new_to, unsigned depth)
{
	uint32_t words = 0, middle = from + (to - from) / 2, found = UINT32_MAX, found_new = 0, near = UINT32_MAX;

	for (uint32_t i = from; i < to; i++)
		words = d->old[i].word >= words ? d->old[i].word + 1 : words;
	struct {
		uint32_t old, new, at;
	} *seen = arena_array(d->arena, words, sizeof *seen);
	for (uint32_t i = from; i < to; i++)
		seen[d->old[i].word].old++;
	for (uint32_t k = new_from; k < new_to; k++)
		if (d->new[k].word < words) {
			seen[d->new[k].word].new ++;
			seen[d->new[k].word].at = k;
		}
	for (uint32_t i = from; i < to; i++) {
		uint32_t w = d->old[i].word, away = i > middle ? i - middle : middle - i;
		if (seen[w].old == 1 && seen[w].new == 1 && d->old[i].weight > 1 && away < near) {
			near = away;
			found = i;
			found_new = seen[w].at;
		}
	}
	if (found == UINT32_MAX || depth > 64)
		return false;
	divide(d, from, found, new_from, found_new, depth + 1);
	divide(d, found + 1, to, found_new + 1, new_to, depth + 1);
	return true;
}

static void divide(struct differ *d, uint32_t from, uint32_t to, uint32_t new_from, uint32_t new_to, unsigned depth)
{
	while (from < to && new_from < new_to && d->old[from].word == d->new[new_from].word) {
		from++;
		new_from++;
	}
	while (from < to && new_from < new_to && d->old[to - 1].word == d->new[new_to - 1].word) {
		to--;
		new_to--;
	}
	if (from == to || new_from == new_to)
		add(d, from, to, new_from, new_to);
	else if ((uint64_t)(to - from + 1) * (new_to - new_from + 1) <= CELLS_MAX)
		by_table(d, from, to, new_from, new_to);
	else if (!by_single(d, from, to, new_from, new_to, depth))
		add(d, from, to, new_from, new_to);
}

/* Letters that stay keep their runs, also inside a word that changes. One letter of the old word stays in the hunk
 * where the change is at the word's border: "links" made of "link" belongs to that word, not to what stands beside it.
 */
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

struct hunks hunks_between(struct arena *a, const struct runes *old, const struct runes *new, const struct match *whole,
			   size_t whole_n)
{
	struct map words = {.arena = a};
	struct tokens from = tokens_of(a, &words, old, whole, whole_n), to = tokens_of(a, &words, new, NULL, 0);
	struct differ d = {.arena = a, .old = from.list.items, .new = to.list.items};

	divide(&d, 0, (uint32_t)from.list.n, 0, (uint32_t)to.list.n, 0);
	for (size_t i = 0; i < d.out.n; i++) {
		struct hunk *h = &d.out.items[i];
		*h = (struct hunk){h->from < from.list.n ? d.old[h->from].from : old->n,
				   h->to > h->from         ? d.old[h->to - 1].to
				   : h->from < from.list.n ? d.old[h->from].from
							   : old->n,
				   h->new_from < to.list.n ? d.new[h->new_from].from : new->n,
				   h->new_to > h->new_from   ? d.new[h->new_to - 1].to
				   : h->new_from < to.list.n ? d.new[h->new_from].from
							     : new->n};
		if (!is_whole(h, whole, whole_n))
			trim(h, old, new);
	}
	if (d.out.n > HUNKS_MAX) {
		struct hunk last = d.out.items[d.out.n - 1];
		d.out.items[0].to = last.to;
		d.out.items[0].new_to = last.new_to;
		d.out.n = 1;
	}
	return (struct hunks){d.out.items, d.out.n};
}
