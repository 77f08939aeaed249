/* cover.c: a sweep line over x. A tree over the intervals between the boxes' y ends has the covered length of the line.
 * Each box is added and removed once, each time in log n steps. */
#include "kinds/floorplan/plan/cover.h"
#include "base/array.h"
#include "kinds/floorplan/plan/order.h"

struct node {
	int boxes;      /* boxes that cover its whole interval, but not that of its parent */
	double covered; /* of its interval */
};

struct cover {
	struct node *nodes; /* 1 is the root, 2i and 2i + 1 are the halves of i */
	double *ends;       /* y, in order, each once */
	size_t n;
};

static int number_order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static size_t end_find(const struct cover *c, double y)
{
	size_t low = 0, high = c->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (c->ends[middle] < y)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Adds a box to the intervals between the ends `from` and `to`, or removes it. The node is for low to high. */
static void interval_change(struct cover *c, size_t node, size_t low, size_t high, size_t from, size_t to, int by)
{
	struct node *at = &c->nodes[node];
	size_t middle = (low + high) / 2;

	if (from >= high || to <= low)
		return;
	if (from <= low && high <= to) {
		at->boxes += by;
	} else {
		interval_change(c, 2 * node, low, middle, from, to, by);
		interval_change(c, 2 * node + 1, middle, high, from, to, by);
	}
	at->covered = at->boxes         ? c->ends[high] - c->ends[low]
		      : high - low == 1 ? 0
					: c->nodes[2 * node].covered + c->nodes[2 * node + 1].covered;
}

double boxes_cover(struct arena *a, const struct box *boxes, size_t n)
{
	struct place_in_order *events = arena_array(a, 2 * n + 1, sizeof *events);
	struct cover c = {.ends = arena_array(a, 2 * n + 1, sizeof(double))};
	double area = 0;

	if (!n)
		return 0;
	for (size_t i = 0; i < n; i++) {
		events[2 * i] = (struct place_in_order){.key = boxes[i].x, .index = (uint32_t)(2 * i)};
		events[2 * i + 1] =
			(struct place_in_order){.key = boxes[i].x + boxes[i].width, .index = (uint32_t)(2 * i + 1)};
		c.ends[2 * i] = boxes[i].y;
		c.ends[2 * i + 1] = boxes[i].y + boxes[i].height;
	}
	order(a, events, 2 * n);
	array_sort(c.ends, 2 * n, sizeof *c.ends, number_order);
	for (size_t i = 0; i < 2 * n; i++)
		if (!i || c.ends[i] > c.ends[c.n - 1])
			c.ends[c.n++] = c.ends[i];
	if (c.n < 2)
		return 0;
	c.nodes = arena_array(a, 4 * c.n, sizeof *c.nodes);
	for (size_t i = 0; i < 2 * n; i++) {
		const struct box *b = &boxes[events[i].index / 2];

		if (i)
			area += c.nodes[1].covered * (events[i].key - events[i - 1].key);
		interval_change(&c, 1, 0, c.n - 1, end_find(&c, b->y), end_find(&c, b->y + b->height),
				events[i].index % 2 ? -1 : 1);
	}
	return area;
}
