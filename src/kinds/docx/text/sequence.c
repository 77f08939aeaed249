#include "kinds/docx/text/sequence.h"
#include "base/array.h"

#include <stdbool.h>

struct differ {
	struct arena *arena;
	const struct sequence_item *old, *new;
	ARRAY(struct hunk) out; /* in tokens */
};

enum { CELLS_MAX = 1 << 20 }; /* of one table; larger ranges are split at words that occur once */

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
	scoped(arena_free) struct arena scratch = {0}; /* freed after each table: a long document has many */
	uint32_t *best = arena_array(&scratch, (size_t)(n + 1) * width, sizeof *best);

	for (uint32_t i = n; i-- > 0;)
		for (uint32_t k = m; k-- > 0;) {
			const struct sequence_item *o = &d->old[from + i];
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

/* Finds the word nearest to the middle that occurs once on both sides. */
static bool find_single(const struct differ *d, uint32_t from, uint32_t to, uint32_t new_from, uint32_t new_to,
			uint32_t *found, uint32_t *found_new)
{
	scoped(arena_free) struct arena scratch = {0};
	uint32_t words = 0, middle = from + (to - from) / 2, near = UINT32_MAX;

	for (uint32_t i = from; i < to; i++)
		words = d->old[i].word >= words ? d->old[i].word + 1 : words;
	struct {
		uint32_t old, new, at;
	} *seen = arena_array(&scratch, words, sizeof *seen);
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
			*found = i;
			*found_new = seen[w].at;
		}
	}
	return near != UINT32_MAX;
}

/* Splits the problem at such a word. */
static bool by_single(struct differ *d, uint32_t from, uint32_t to, uint32_t new_from, uint32_t new_to, unsigned depth)
{
	uint32_t found, found_new;

	if (depth > 64 || !find_single(d, from, to, new_from, new_to, &found, &found_new))
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

struct hunks sequence_compare(struct arena *a, const struct sequence_item *old, uint32_t n,
			      const struct sequence_item *new, uint32_t m)
{
	struct differ d = {.arena = a, .old = old, .new = new};

	divide(&d, 0, n, 0, m, 0);
	return (struct hunks){d.out.items, d.out.n};
}
