/* outline.c: a sweep line over x counts the boxes that cover each of its intervals. Where an interval becomes covered
 * or free, there is an edge along the line. A second sweep line moves over y. The covered area is on the right of each
 * edge, so each end has a successor. */
#include "kinds/floorplan/plan/outline.h"

#include "base/array.h"
#include "base/budget.h"

#include <stdlib.h>
#include <string.h>

/* The coordinates of all boxes along one axis, in order, each once. */
struct ruler {
	double *at;
	size_t n;
};

/* Corners are places on the two axes. */
struct corner {
	uint32_t x, y;
};

struct edge {
	struct corner from, to;
	bool used;
};

/* A box on the two axes: from[0] to to[0] along x, from[1] to to[1] along y. */
struct span {
	uint32_t from[2], to[2];
};

struct tracer {
	struct arena *arena;
	struct ruler axes[2];
	struct span *spans;
	size_t n;
	ARRAY(struct edge) edges;
};

static int number_order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void ruler_make(struct arena *a, struct ruler *r, const struct box *boxes, size_t n, bool upright, double touch)
{
	size_t kept = 0;

	r->at = arena_array(a, 2 * n + 1, sizeof *r->at);
	for (size_t i = 0; i < n; i++) {
		const struct box *b = &boxes[i];

		r->at[2 * i] = upright ? b->y : b->x;
		r->at[2 * i + 1] = upright ? b->y + b->height : b->x + b->width;
	}
	array_sort(r->at, 2 * n, sizeof *r->at, number_order);
	for (size_t i = 0; i < 2 * n; i++)
		if (!kept || r->at[i] > r->at[kept - 1] + touch)
			r->at[kept++] = r->at[i];
	r->n = kept;
}

/* The last place at or before the coordinate. */
static uint32_t ruler_find(const struct ruler *r, double at)
{
	size_t low = 0, high = r->n;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (r->at[middle] <= at)
			low = middle;
		else
			high = middle;
	}
	return (uint32_t)low;
}

/* An edge across the sweep's axis at `at`, between two places of the other axis. */
static void edge_add(struct tracer *t, int axis, uint32_t at, uint32_t low, uint32_t high, bool enters)
{
	/* With y downwards: up along a left edge, right along a top edge. */
	bool falls = enters == (axis == 0);
	uint32_t from = falls ? high : low, to = falls ? low : high;
	struct edge *e = ARRAY_PUSH(t->arena, &t->edges);

	*e = axis == 0 ? (struct edge){{at, from}, {at, to}, false} : (struct edge){{from, at}, {to, at}, false};
}

/* Compares the coverage before and after the line, between two places of the other axis. */
static void edges_find(struct tracer *t, int axis, uint32_t at, const int *before, const int *after, uint32_t low,
		       uint32_t high)
{
	for (uint32_t i = low; i < high;) {
		int change = (after[i] > 0) - (before[i] > 0);
		uint32_t end = i + 1;

		while (end < high && (after[end] > 0) - (before[end] > 0) == change)
			end++;
		if (change)
			edge_add(t, axis, at, i, end, change > 0);
		i = end;
	}
}

struct event {
	uint32_t at;
	int by; /* 1: the box begins here, -1: it ends */
	const struct span *box;
};

static int event_order(const void *a, const void *b)
{
	const struct event *l = a, *r = b;

	return l->at < r->at ? -1 : l->at > r->at;
}

static void sweep(struct tracer *t, int axis)
{
	int other = 1 - axis;
	struct event *events = arena_array(t->arena, 2 * t->n + 1, sizeof *events);
	int *before = arena_array(t->arena, t->axes[other].n + 1, sizeof *before);
	int *after = arena_array(t->arena, t->axes[other].n + 1, sizeof *after);

	for (size_t i = 0; i < t->n; i++) {
		events[2 * i] = (struct event){t->spans[i].from[axis], 1, &t->spans[i]};
		events[2 * i + 1] = (struct event){t->spans[i].to[axis], -1, &t->spans[i]};
	}
	array_sort(events, 2 * t->n, sizeof *events, event_order);
	for (size_t i = 0, next; i < 2 * t->n; i = next) {
		uint32_t low = UINT32_MAX, high = 0;

		for (next = i; next < 2 * t->n && events[next].at == events[i].at; next++) {
			const struct span *b = events[next].box;

			budget_step();
			for (uint32_t k = b->from[other]; k < b->to[other]; k++)
				after[k] += events[next].by;
			low = b->from[other] < low ? b->from[other] : low;
			high = b->to[other] > high ? b->to[other] : high;
		}
		edges_find(t, axis, events[i].at, before, after, low, high);
		if (high > low)
			memcpy(&before[low], &after[low], (high - low) * sizeof *before);
	}
}

static int corner_order(struct corner a, struct corner b)
{
	if (a.x != b.x)
		return a.x < b.x ? -1 : 1;
	return a.y < b.y ? -1 : a.y > b.y;
}

static int edge_order(const void *a, const void *b)
{
	return corner_order(((const struct edge *)a)->from, ((const struct edge *)b)->from);
}

/* If two boxes touch only at a corner, two edges begin there. The one to the right stays at the same box. */
static bool turns_right(const struct edge *a, const struct edge *b)
{
	int dx = (a->to.x > a->from.x) - (a->to.x < a->from.x), dy = (a->to.y > a->from.y) - (a->to.y < a->from.y);

	return (b->to.x > b->from.x) - (b->to.x < b->from.x) == -dy &&
	       (b->to.y > b->from.y) - (b->to.y < b->from.y) == dx;
}

static struct edge *edge_next(const struct tracer *t, const struct edge *e)
{
	struct edge *found = NULL;
	size_t low = 0, high = t->edges.n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (corner_order(t->edges.items[middle].from, e->to) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < t->edges.n && !corner_order(t->edges.items[low].from, e->to); low++)
		if (!t->edges.items[low].used && (!found || turns_right(e, &t->edges.items[low])))
			found = &t->edges.items[low];
	return found;
}

static void loop_trace(struct tracer *t, struct edge *e, struct outline *out)
{
	ARRAY(struct point) points = {0};

	for (; e; e = edge_next(t, e)) {
		e->used = true;
		*ARRAY_PUSH(t->arena, &points) = (struct point){t->axes[0].at[e->from.x], t->axes[1].at[e->from.y]};
	}
	*ARRAY_PUSH(t->arena, out) = (struct outline_loop){points.items, points.n};
}

void boxes_outline(struct arena *a, const struct box *boxes, size_t n, double touch, struct outline *out)
{
	struct tracer t = {.arena = a, .spans = arena_array(a, n + 1, sizeof *t.spans)};

	*out = (struct outline){0};
	for (int axis = 0; axis < 2; axis++)
		ruler_make(a, &t.axes[axis], boxes, n, axis == 1, touch);
	for (size_t i = 0; i < n; i++) {
		const struct box *b = &boxes[i];
		struct span s = {{ruler_find(&t.axes[0], b->x), ruler_find(&t.axes[1], b->y)},
				 {ruler_find(&t.axes[0], b->x + b->width), ruler_find(&t.axes[1], b->y + b->height)}};

		if (s.from[0] < s.to[0] && s.from[1] < s.to[1])
			t.spans[t.n++] = s;
	}
	sweep(&t, 0);
	sweep(&t, 1);
	if (t.edges.n)
		array_sort(t.edges.items, t.edges.n, sizeof *t.edges.items, edge_order);
	for (size_t i = 0; i < t.edges.n; i++)
		if (!t.edges.items[i].used)
			loop_trace(&t, &t.edges.items[i], out);
}
