/* edit_relative.c: convert_to_relative. A room gets a direction only if that gives exactly its place. */
#include "base/map.h"
#include "kinds/floorplan/edit/edit.h"

#include <math.h>

struct converting {
	struct edit *e;
	bool *known; /* by room: depends on the anchor, or is the anchor */
	bool *above; /* the anchor depends on it, so it must not depend on the anchor */
	bool *asked;
	bool *hidden; /* an earlier room has its name, so no direction reaches it */
	int *order;   /* known rooms that a direction can name, in the order of finding them */
	size_t n;
	size_t *tried; /* by room: how many of these were tried without success */
};

struct found {
	bool there;
	int reference;
	enum direction direction;
	int alignment; /* -1: the default */
	double gap;
};

static bool close_to(double a, double b) { return fabs(a - b) < 1e-9; }

/* The gap as it will be written. If it needs more decimals, the direction would move the room. */
static double written(double n) { return round(n * 1e6) / 1e6; }

static void learn(struct converting *g, int room)
{
	g->known[room] = true;
	if (!g->hidden[room])
		g->order[g->n++] = room;
}

static bool gap_of(int way, double start, double length, double ref, double ref_length, double *gap)
{
	*gap = way > 0 ? start - (ref + ref_length) : ref - (start + length);
	if (*gap < -1e-9)
		return false;
	*gap = fmax(written(*gap), 0);
	return close_to(way > 0 ? ref + ref_length + *gap : ref - length - *gap, start);
}

/* The alignment that keeps the room's place along the other axis; -2 if there is none. */
static int alignment_of(enum axis axis, double start, double length, double ref, double ref_length)
{
	if (close_to(start, ref))
		return -1;
	for (int i = 0; i < (int)word_count(SET_ALIGNMENT); i++)
		if ((alignment_rows[i].axis == axis || alignment_rows[i].axis == AXIS_BOTH) &&
		    close_to(ref + alignment_rows[i].share * (ref_length - length), start))
			return i;
	return -2;
}

static bool try(const struct box *b, const struct box *ref, int direction, struct found *out)
{
	const struct direction_row *way = &direction_rows[direction];
	double across = 0, down = 0;

	*out = (struct found){.there = true, .direction = (enum direction)direction, .alignment = -1};
	if (way->dx && !gap_of(way->dx, b->x, b->width, ref->x, ref->width, &across))
		return false;
	if (way->dy && !gap_of(way->dy, b->y, b->height, ref->y, ref->height, &down))
		return false;
	if (way->dx && way->dy) {
		out->gap = across;
		return close_to(across, down);
	}
	out->gap = way->dx ? across : down;
	out->alignment = way->dx ? alignment_of(AXIS_Y, b->y, b->height, ref->y, ref->height)
				 : alignment_of(AXIS_X, b->x, b->width, ref->x, ref->width);
	return out->alignment > -2;
}

/* Prefers straight to diagonal, near to far, earlier to later. */
static double cost(const struct found *f)
{
	const struct direction_row *way = &direction_rows[f->direction];

	return f->gap + (way->dx && way->dy ? 1e6 : 0) + (f->alignment >= 0 ? 1e-3 : 0);
}

static bool is_better(const struct found *one, const struct found *best)
{
	double difference = cost(one) - cost(best);

	return !best->there || difference < -1e-12 || (difference <= 1e-12 && one->reference < best->reference);
}

/* A room is converted as soon as possible, so rooms that were tried before without success need not be tried again. */
static struct found best_clause(struct converting *g, int room)
{
	const struct plan_room *rooms = g->e->plan->rooms.items, *r = &rooms[room];
	struct found best = {0}, one;

	for (; g->tried[room] < g->n; g->tried[room]++) {
		int i = g->order[g->tried[room]];

		for (int d = 0; d < (int)word_count(SET_DIRECTION); d++)
			if (try(&r->box, &rooms[i].box, d, &one)) {
				one.reference = i;
				if (is_better(&one, &best))
					best = one;
			}
	}
	return best;
}

static void write_clause(struct converting *g, int room, const struct found *f)
{
	struct edit *e = g->e;
	const struct statement *s = room_statement(e, room);
	const struct clause_span *at = statement_clause(s, CLAUSE_AT);
	struct buffer b = {.arena = e->arena};
	struct relative_params p = {.direction = (int)f->direction,
				    .reference = e->plan->rooms.items[f->reference].name,
				    .gap = {f->gap, f->gap > 0},
				    .alignment = f->alignment};

	uint32_t place = clause_place(e, s, CLAUSE_RELATIVE);

	put_relative(e, &b, &p);
	if (place == at->span.to) {
		/* The coordinates are directly before the place: replace them by the direction, without its leading
		 * blank. */
		edit_replace(e, at->span, text_slice(buffer_text(&b), 1, b.len));
	} else {
		cut_clause(e, at->span);
		edit_insert(e, place, buffer_text(&b));
	}
	learn(g, room);
}

static bool is_wanted(const struct convert_to_relative_params *p, struct text name)
{
	if (!p->targetRooms.n)
		return true;
	for (size_t i = 0; i < p->targetRooms.n; i++)
		if (text_same(p->targetRooms.items[i], name))
			return true;
	return false;
}

static void begin(struct converting *g, const struct convert_to_relative_params *p, int anchor)
{
	struct arena *a = g->e->arena;
	const struct plan_room *rooms = g->e->plan->rooms.items;
	size_t n = g->e->plan->rooms.n;
	struct map names = {.arena = a};

	g->known = arena_array(a, n + 1, sizeof *g->known);
	g->above = arena_array(a, n + 1, sizeof *g->above);
	g->asked = arena_array(a, n + 1, sizeof *g->asked);
	g->hidden = arena_array(a, n + 1, sizeof *g->hidden);
	g->order = arena_array(a, n + 1, sizeof *g->order);
	g->tried = arena_array(a, n + 1, sizeof *g->tried);
	for (size_t i = 0; i < n; i++) {
		if (rooms[i].floor != rooms[anchor].floor || rooms[i].depth)
			continue;
		map_at(&names, rooms[i].name, (uint32_t)i, &g->hidden[i]);
		g->asked[i] = is_wanted(p, rooms[i].name);
	}
	for (int i = anchor; i >= 0 && !g->above[i]; i = rooms[i].has_at ? -1 : rooms[i].reference)
		g->above[i] = true;
	learn(g, anchor);
}

/* One pass over the rooms. Returns false if nothing more was found, or if the call must end. */
static bool convert_some(struct converting *g, int anchor, struct buffer *done)
{
	const struct plan *plan = g->e->plan;
	bool moved = false;

	for (size_t i = 0; i < plan->rooms.n; i++) {
		const struct plan_room *r = &plan->rooms.items[i];

		if (g->known[i] || r->floor != plan->rooms.items[anchor].floor || r->depth)
			continue;
		if (!r->has_at && r->reference >= 0 && g->known[r->reference]) {
			learn(g, (int)i);
			moved = true;
			continue;
		}
		if (!r->has_at || r->relative || !g->asked[i] || g->above[i])
			continue;
		if (!goes_on(g->e->c))
			return edit_refuse(g->e, "the call was ended");
		struct found f = best_clause(g, (int)i);

		if (!f.there)
			continue;
		write_clause(g, (int)i, &f);
		buffer_format(done, "%s%s", done->len ? ", " : "", shown(g->e->c, r->name));
		moved = true;
	}
	return moved;
}

bool edit_convert_to_relative(struct edit *e, const struct operation *op)
{
	const struct convert_to_relative_params *p = op->params;
	const struct plan *plan = e->plan;
	int anchor = find_target(e, p->anchorRoom);
	struct converting g = {.e = e};
	struct buffer done = {.arena = e->arena}, kept = {.arena = e->arena};

	if (anchor < 0)
		return false;
	if (plan->rooms.items[anchor].depth)
		return edit_refuse(e, "%s is a sub-room; the anchor is a room of a floor", shown(e->c, p->anchorRoom));
	for (size_t i = 0; i < p->targetRooms.n; i++)
		if (find_target(e, p->targetRooms.items[i]) < 0)
			return false;
	begin(&g, p, anchor);
	while (convert_some(&g, anchor, &done))
		continue;
	if (e->refused)
		return false;
	for (size_t i = 0; i < plan->rooms.n; i++)
		if (!g.known[i] && g.asked[i] && plan->rooms.items[i].has_at)
			buffer_format(&kept, "%s%s", kept.len ? ", " : "", shown(e->c, plan->rooms.items[i].name));
	if (done.len)
		edit_say(e, "relative now: %s", buffer_text(&done).at);
	if (kept.len)
		edit_say(e, "kept at their coordinates, for no direction gives exactly their place: %s",
			 buffer_text(&kept).at);
	return true;
}
