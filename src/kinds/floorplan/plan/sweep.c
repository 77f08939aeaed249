/* sweep.c: finds overlapping boxes without comparing all pairs.
 *
 * A sweep line moves over x. The boxes that it crosses are ordered by y, so a new box is compared only with its
 * neighbours. In a plan without overlaps each box has at most two neighbours. With overlaps the work grows with their
 * number. */
#include "kinds/floorplan/plan/order.h"
#include "kinds/floorplan/plan/reading.h"

#include <math.h>
#include <string.h>

static const double slack = 0.01;

struct line {
	struct swept **items; /* crossed boxes, by y */
	size_t n;
	double tallest;
};

static size_t place(const struct line *l, double y)
{
	size_t low = 0, high = l->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (l->items[middle]->box.y < y)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void leave(struct line *l, const struct swept *s)
{
	size_t i = place(l, s->box.y);

	while (i < l->n && l->items[i] != s)
		i++;
	if (i < l->n)
		memmove(&l->items[i], &l->items[i + 1], (--l->n - i) * sizeof *l->items);
}

static bool meets(const struct swept *a, const struct swept *b)
{
	return fmin(a->box.x + a->box.width, b->box.x + b->box.width) - fmax(a->box.x, b->box.x) > slack &&
	       fmin(a->box.y + a->box.height, b->box.y + b->box.height) - fmax(a->box.y, b->box.y) > slack;
}

static bool enter(struct line *l, struct swept *s, bool (*meet)(void *, int, int), void *to)
{
	size_t at = place(l, s->box.y);

	for (size_t i = at; i-- > 0 && l->items[i]->box.y + l->tallest > s->box.y;)
		if (meets(l->items[i], s) && !meet(to, l->items[i]->index, s->index))
			return false;
	for (size_t i = at; i < l->n && l->items[i]->box.y < s->box.y + s->box.height; i++)
		if (meets(l->items[i], s) && !meet(to, l->items[i]->index, s->index))
			return false;
	memmove(&l->items[at + 1], &l->items[at], (l->n++ - at) * sizeof *l->items);
	l->items[at] = s;
	l->tallest = fmax(l->tallest, s->box.height);
	return true;
}

void sweep(struct arena *a, struct swept *items, size_t n, bool (*meet)(void *, int first, int second), void *to)
{
	struct place_in_order *starts = array_room(a, n + 1, sizeof *starts),
			      *ends = array_room(a, n + 1, sizeof *ends);
	struct line l = {.items = array_room(a, n + 1, sizeof *l.items)};

	for (size_t i = 0; i < n; i++) {
		starts[i] = (struct place_in_order){items[i].box.x, items[i].group, (uint32_t)i};
		ends[i] = (struct place_in_order){items[i].box.x + items[i].box.width, items[i].group, (uint32_t)i};
	}
	order(a, starts, n);
	order(a, ends, n);
	for (size_t i = 0, gone = 0; i < n; i++) {
		if (i && starts[i].group != starts[i - 1].group) {
			l.n = 0;
			l.tallest = 0;
		}
		for (; gone < n && (ends[gone].group < starts[i].group ||
				    (ends[gone].group == starts[i].group && ends[gone].key <= starts[i].key + slack));
		     gone++)
			leave(&l, &items[ends[gone].index]);
		if (!enter(&l, &items[starts[i].index], meet, to))
			return;
	}
}
