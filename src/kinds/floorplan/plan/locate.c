#include "kinds/floorplan/plan/locate.h"

#include <math.h>

static int column(const struct locator *l, double x)
{
	double at = l->box.width > 0 ? (x - l->box.x) / l->box.width * l->columns : 0;

	return at < 0 ? 0 : at >= l->columns ? l->columns - 1 : (int)at;
}

static int row(const struct locator *l, double y)
{
	double at = l->box.height > 0 ? (y - l->box.y) / l->box.height * l->rows : 0;

	return at < 0 ? 0 : at >= l->rows ? l->rows - 1 : (int)at;
}

static void cells_of(const struct locator *l, const struct box *b, int *left, int *right, int *top, int *bottom)
{
	*left = column(l, b->x);
	*right = column(l, b->x + b->width);
	*top = row(l, b->y);
	*bottom = row(l, b->y + b->height);
}

static bool is_here(const struct plan *p, size_t room, int floor)
{
	return p->rooms.items[room].floor == floor && p->rooms.items[room].placed;
}

/* The number of entries that the grid would have. */
static size_t entries(const struct plan *p, int floor, const struct locator *l)
{
	size_t n = 0;

	for (size_t i = 0; i < p->rooms.n; i++) {
		int left, right, top, bottom;

		if (!is_here(p, i, floor))
			continue;
		cells_of(l, &p->rooms.items[i].box, &left, &right, &top, &bottom);
		n += (size_t)(right - left + 1) * (size_t)(bottom - top + 1);
	}
	return n;
}

static void fill(const struct plan *p, int floor, struct locator *l, uint32_t *at)
{
	for (size_t i = 0; i < p->rooms.n; i++) {
		int left, right, top, bottom;

		if (!is_here(p, i, floor))
			continue;
		cells_of(l, &p->rooms.items[i].box, &left, &right, &top, &bottom);
		for (int y = top; y <= bottom; y++)
			for (int x = left; x <= right; x++) {
				uint32_t *cell = &at[y * l->columns + x];

				if (l->rooms)
					l->rooms[*cell] = (int)i;
				++*cell;
			}
	}
}

/* The box around the rooms themselves: stairs and lifts do not matter here. */
static struct box bounds(const struct plan *p, int floor, size_t *rooms)
{
	double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;

	*rooms = 0;
	for (size_t i = 0; i < p->rooms.n; i++) {
		const struct box *b = &p->rooms.items[i].box;

		if (!is_here(p, i, floor))
			continue;
		++*rooms;
		left = fmin(left, b->x);
		right = fmax(right, b->x + b->width);
		top = fmin(top, b->y);
		bottom = fmax(bottom, b->y + b->height);
	}
	return *rooms ? (struct box){left, top, right - left, bottom - top} : (struct box){0};
}

void locator_make(struct arena *a, const struct plan *p, int floor, struct locator *out)
{
	size_t rooms, cells;

	*out = (struct locator){.box = bounds(p, floor, &rooms)};
	out->columns = out->rows = (int)ceil(sqrt((double)rooms)) + 1;
	/* Overlapping rooms fill many cells each. Make the grid coarser, so that it does not become too large. */
	while (out->columns > 1 && entries(p, floor, out) > 16 * rooms + 64)
		out->columns = out->rows = out->columns / 2;
	cells = (size_t)out->columns * (size_t)out->rows;
	uint32_t *counts = arena_array(a, cells + 1, sizeof *counts), sum = 0;

	fill(p, floor, out, counts);
	out->first = arena_array(a, cells + 1, sizeof *out->first);
	for (size_t i = 0; i <= cells; i++) {
		uint32_t n = i < cells ? counts[i] : 0;

		out->first[i] = counts[i] = sum;
		sum += n;
	}
	out->rooms = arena_array(a, sum + 1, sizeof *out->rooms);
	fill(p, floor, out, counts);
}

int locate(const struct plan *p, const struct locator *l, double x, double y, int but)
{
	int best = -1, cell = row(l, y) * l->columns + column(l, x);

	for (uint32_t i = l->first[cell]; i < l->first[cell + 1]; i++) {
		const struct plan_room *r = &p->rooms.items[l->rooms[i]];

		if (l->rooms[i] != but && x >= r->box.x && x <= r->box.x + r->box.width && y >= r->box.y &&
		    y <= r->box.y + r->box.height && (best < 0 || r->depth > p->rooms.items[best].depth))
			best = l->rooms[i];
	}
	return best;
}
