/* ways.c: the ways between rooms.
 *
 * Doors and gaps are the openings of the wall graph, so ways agree with the drawing. Sides that are open to each other
 * are its edges. Stairs and lifts come from the verticals. */
#include "base/budget.h"
#include "kinds/floorplan/critic/room.h"

#include <math.h>

double point_distance(struct point a, struct point b)
{
	double x = a.x - b.x, y = a.y - b.y;

	return sqrt(x * x + y * y);
}

/* The room at a point next to the line, farther away than the distance within which the wall graph joins lines. */
static int beside(const struct critic *k, int floor, const struct stretch *s, double along, double across, int but)
{
	return s->vertical ? locate(k->plan, &k->locators[floor], s->line + across, along, but)
			   : locate(k->plan, &k->locators[floor], along, s->line + across, but);
}

static int or_outside(const struct critic *k, int room) { return room < 0 ? k->ways.outside : room; }

static struct way *add(struct critic *k, enum way_kind kind, int floor, int a, int b)
{
	struct way *w = ARRAY_PUSH(k->arena, &k->ways.list);

	*w = (struct way){.kind = kind, .ends = {a, b}, .floor = floor, .opening = -1};
	return w;
}

static struct point on(const struct stretch *s, double along)
{
	return s->vertical ? (struct point){s->line, along} : (struct point){along, s->line};
}

static void add_openings(struct critic *k, int floor)
{
	double off = 0.12 * k->plan->metre;

	for (size_t i = 0; i < k->walls[floor].openings.n; i++) {
		const struct opening *o = &k->walls[floor].openings.items[i];
		double middle = (o->at.from + o->at.to) / 2;
		int a, b;

		if (o->type == OPENING_WINDOW)
			continue;
		if (o->connection >= 0) {
			const struct plan_connection *c = &k->plan->connections.items[o->connection];

			a = c->from.outside ? k->ways.outside : c->from.room;
			b = c->to.outside ? k->ways.outside : c->to.room;
			if (a < 0 || b < 0)
				continue;
		} else {
			a = o->room;
			b = or_outside(k, beside(k, floor, &o->at, middle, -o->leaf * off, o->room));
		}
		struct way *w = add(k, o->type == OPENING_GAP ? WAY_GAP : WAY_DOOR, floor, a, b);

		w->opening = (int)i;
		w->at = on(&o->at, middle);
		w->width = o->at.to - o->at.from;
	}
}

static double end_along(const struct critic *k, const struct stretch *s, int room)
{
	const struct box *b = &k->plan->rooms.items[room].box;

	return s->vertical ? b->y + b->height : b->x + b->width;
}

/* An edge may pass several rooms on either side. Adds a way for each pair of rooms that face each other. */
static void add_edges(struct critic *k, int floor)
{
	double off = 0.12 * k->plan->metre, least = 0.3 * k->plan->metre;

	for (size_t i = 0; i < k->walls[floor].edges.n; i++) {
		const struct stretch *s = &k->walls[floor].edges.items[i];

		for (double at = s->from; s->to - at > least;) {
			double in = at + least / 3, to = s->to;
			int low = beside(k, floor, s, in, -off, -1), high = beside(k, floor, s, in, off, -1);

			if (low >= 0)
				to = fmin(to, end_along(k, s, low));
			if (high >= 0)
				to = fmin(to, end_along(k, s, high));
			to = fmax(to, at + least);
			if (low != high) {
				struct way *w = add(k, WAY_OPEN_SIDE, floor, or_outside(k, low), or_outside(k, high));

				w->at = on(s, (at + to) / 2);
				w->width = to - at;
			}
			at = to;
		}
	}
}

static double walk_length(const struct plan_stair *s)
{
	double run = 0;

	for (size_t i = 1; i < s->walk_points; i++)
		run += point_distance(s->walk[i - 1], s->walk[i]);
	return sqrt(run * run + s->rise * s->rise);
}

static void add_verticals(struct critic *k)
{
	const struct plan *p = k->plan;

	for (size_t i = 0; i < p->verticals.n; i++) {
		int last = -1;
		double climb = 0;

		for (size_t n = 0; n < p->verticals.items[i].n; n++) {
			const struct plan_stop *s = &p->verticals.items[i].stops[n];
			bool stair = s->kind == ELEMENT_STAIR;
			const struct box *b = stair ? &p->stairs.items[s->index].box : &p->lifts.items[s->index].box;
			int room = locate(p, &k->locators[s->floor], b->x + b->width / 2, b->y + b->height / 2, -1);

			if (room >= 0 && last >= 0) {
				struct way *w = add(k, stair ? WAY_STAIR : WAY_LIFT, s->floor, last, room);

				w->at = (struct point){b->x + b->width / 2, b->y + b->height / 2};
				w->climb = climb;
				w->width = stair ? p->stairs.items[s->index].width : b->width;
			}
			last = room >= 0 ? room : last;
			climb = stair ? walk_length(&p->stairs.items[s->index]) : 0;
		}
	}
}

static bool leads_out(const struct critic *k, const struct way *w)
{
	return w->ends[0] == k->ways.outside || w->ends[1] == k->ways.outside;
}

/* The open side of an upper floor is a balcony, not an exit. The lowest floor with a way out is the ground.
 */
static void drop_balconies(struct critic *k)
{
	int ground = (int)k->plan->floors.n;
	size_t kept = 0;

	for (size_t i = 0; i < k->ways.list.n; i++)
		if (leads_out(k, &k->ways.list.items[i]) && k->ways.list.items[i].floor < ground)
			ground = k->ways.list.items[i].floor;
	for (size_t i = 0; i < k->ways.list.n; i++) {
		const struct way *w = &k->ways.list.items[i];

		if (w->kind != WAY_OPEN_SIDE || !leads_out(k, w) || w->floor <= ground)
			k->ways.list.items[kept++] = *w;
	}
	k->ways.list.n = kept;
}

static void link_openings(struct critic *k)
{
	k->ways.of = arena_array(k->arena, k->plan->floors.n + 1, sizeof *k->ways.of);
	for (size_t f = 0; f < k->plan->floors.n; f++) {
		size_t n = k->walls[f].openings.n;

		k->ways.of[f] = arena_array(k->arena, n + 1, sizeof **k->ways.of);
		for (size_t i = 0; i < n; i++)
			k->ways.of[f][i] = -1;
	}
	for (size_t i = 0; i < k->ways.list.n; i++)
		if (k->ways.list.items[i].opening >= 0)
			k->ways.of[k->ways.list.items[i].floor][k->ways.list.items[i].opening] = (int)i;
}

static void link_rooms(struct critic *k)
{
	struct ways *w = &k->ways;
	size_t rooms = (size_t)w->outside + 1;

	w->first = arena_array(k->arena, rooms, sizeof *w->first);
	w->next = arena_array(k->arena, 2 * w->list.n + 1, sizeof *w->next);
	for (size_t i = 0; i < rooms; i++)
		w->first[i] = -1;
	for (size_t link = 2 * w->list.n; link-- > 0;) {
		int room = w->list.items[link / 2].ends[link % 2];

		w->next[link] = w->first[room];
		w->first[room] = (int)link;
	}
}

void ways_make(struct critic *k)
{
	k->ways = (struct ways){.outside = (int)k->plan->rooms.n};
	for (size_t i = 0; i < k->plan->floors.n; i++) {
		add_openings(k, (int)i);
		add_edges(k, (int)i);
	}
	k->has_doors = k->ways.list.n > 0;
	add_verticals(k);
	drop_balconies(k);
	link_rooms(k);
	link_openings(k);
}

struct heap {
	struct reach {
		double distance;
		int way;
	} * items;
	size_t n, cap;
};

static void heap_push(struct arena *a, struct heap *h, double distance, int way)
{
	size_t i = h->n;

	(void)ARRAY_PUSH(a, h);
	for (; i && h->items[(i - 1) / 2].distance > distance; i = (i - 1) / 2)
		h->items[i] = h->items[(i - 1) / 2];
	h->items[i] = (struct reach){distance, way};
}

static struct reach heap_pop(struct heap *h)
{
	struct reach top = h->items[0], last = h->items[--h->n];
	size_t i = 0;

	for (size_t child; (child = 2 * i + 1) < h->n; i = child) {
		if (child + 1 < h->n && h->items[child + 1].distance < h->items[child].distance)
			child++;
		if (h->items[child].distance >= last.distance)
			break;
		h->items[i] = h->items[child];
	}
	h->items[i] = last;
	return top;
}

double *ways_distances(const struct critic *k, const double *start, bool by_lift)
{
	const struct ways *w = &k->ways;
	double *out = arena_array(k->arena, w->list.n + 1, sizeof *out);
	struct heap heap = {0};

	for (size_t i = 0; i < w->list.n; i++) {
		out[i] = start[i];
		if (isfinite(start[i]))
			heap_push(k->arena, &heap, start[i], (int)i);
	}
	while (heap.n) {
		struct reach at = heap_pop(&heap);
		const struct way *from = &w->list.items[at.way];

		if (at.distance > out[at.way])
			continue;
		for (int e = 0; e < 2; e++) {
			if (from->ends[e] == w->outside)
				continue;
			for (int link = w->first[from->ends[e]]; link >= 0; link = w->next[link]) {
				budget_step();
				const struct way *to = &w->list.items[link / 2];
				double distance =
					at.distance + point_distance(from->at, to->at) + (from->climb + to->climb) / 2;

				if (distance < out[link / 2] && (by_lift || to->kind != WAY_LIFT)) {
					out[link / 2] = distance;
					heap_push(k->arena, &heap, distance, link / 2);
				}
			}
		}
	}
	return out;
}
