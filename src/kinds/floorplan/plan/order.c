#include "kinds/floorplan/plan/order.h"

#include "base/array.h"

#include <stdbool.h>
#include <string.h>

static inline bool is_before(const struct place_in_order *a, const struct place_in_order *b)
{
	if (a->group != b->group)
		return a->group < b->group;
	if (a->key != b->key)
		return a->key < b->key;
	return a->index < b->index;
}

/* Finds the end of each run, and returns the number of runs. */
static size_t find_runs(const struct place_in_order *items, size_t n, uint32_t *ends)
{
	size_t runs = 0;

	for (size_t i = 1; i < n; i++)
		if (is_before(&items[i], &items[i - 1]))
			ends[runs++] = (uint32_t)i;
	ends[runs++] = (uint32_t)n;
	return runs;
}

static void merge(struct place_in_order *to, const struct place_in_order *a, const struct place_in_order *a_end,
		  const struct place_in_order *b, const struct place_in_order *b_end)
{
	while (a < a_end && b < b_end)
		*to++ = is_before(b, a) ? *b++ : *a++;
	if (a < a_end)
		memcpy(to, a, (size_t)(a_end - a) * sizeof *a);
	else if (b < b_end)
		memcpy(to, b, (size_t)(b_end - b) * sizeof *b);
}

/* Each pass merges every two neighbouring runs, which halves their number. */
void order(struct arena *a, struct place_in_order *items, size_t n)
{
	if (n < 2)
		return;
	uint32_t *ends = array_room(a, n, sizeof *ends);
	size_t runs = find_runs(items, n, ends);
	struct place_in_order *from = items, *to = runs > 1 ? array_room(a, n, sizeof *to) : NULL;

	while (runs > 1) {
		size_t left = 0, start = 0;

		for (size_t i = 0; i < runs; i += 2) {
			size_t middle = ends[i], end = i + 1 < runs ? ends[i + 1] : middle;

			merge(to + start, from + start, from + middle, from + middle, from + end);
			ends[left++] = (uint32_t)end;
			start = end;
		}
		runs = left;
		struct place_in_order *merged = to;

		to = from;
		from = merged;
	}
	if (from != items)
		memcpy(items, from, n * sizeof *items);
}
