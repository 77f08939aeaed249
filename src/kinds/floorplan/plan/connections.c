/* connections.c: places doors and openings on the wall that two rooms share. */
#include "kinds/floorplan/plan/reading.h"

#include <math.h>

enum side opposite(enum side s)
{
	switch (s) {
	case SIDE_TOP: return SIDE_BOTTOM;
	case SIDE_RIGHT: return SIDE_LEFT;
	case SIDE_BOTTOM: return SIDE_TOP;
	case SIDE_LEFT: return SIDE_RIGHT;
	}
	return s;
}

static bool is_vertical(enum side s) { return s == SIDE_LEFT || s == SIDE_RIGHT; }

static struct shared side_of(const struct box *b, enum side s)
{
	bool vertical = is_vertical(s);

	return (struct shared){.vertical = vertical,
			       .side = s,
			       .line = s == SIDE_LEFT    ? b->x
				       : s == SIDE_RIGHT ? b->x + b->width
				       : s == SIDE_TOP   ? b->y
							 : b->y + b->height,
			       .low = vertical ? b->y : b->x,
			       .high = vertical ? b->y + b->height : b->x + b->width};
}

double share_tolerance(const struct plan *p, const struct box *a, const struct box *b)
{
	double small = fmin(fmin(a->width, a->height), fmin(b->width, b->height));

	return fmax(fmin(0.1 * p->metre, 0.02 * small), 1e-6);
}

/* Finds the shared wall on the given side of the first box, or (-1) on the side where they share most. */
bool boxes_share(const struct plan *p, const struct box *a, const struct box *b, int side, struct shared *out)
{
	double tolerance = share_tolerance(p, a, b), best = tolerance;

	enum side first = side >= 0 ? (enum side)side : SIDE_TOP, last = side >= 0 ? (enum side)side : SIDE_LEFT;

	for (enum side s = first; s <= last; s++) {
		struct shared one = side_of(a, s), other = side_of(b, opposite(s));

		if (fabs(one.line - other.line) > tolerance)
			continue;
		one.low = fmax(one.low, other.low);
		one.high = fmin(one.high, other.high);
		if (one.high - one.low > best) {
			best = one.high - one.low;
			*out = one;
		}
	}
	return best > tolerance;
}

bool is_ancestor(const struct plan *p, int above, int below)
{
	for (int i = p->rooms.items[below].parent; i >= 0; i = p->rooms.items[i].parent)
		if (i == above)
			return true;
	return false;
}

/* The first room on the floor that has the name of `first`. */
static int first_on(const struct reading *r, int first, int floor)
{
	for (int i = first; i >= 0; i = r->next_same[i])
		if (r->plan->rooms.items[i].floor == floor)
			return i;
	return -1;
}

int room_on(const struct reading *r, struct text name, int floor)
{
	const uint32_t *first = map_find(&r->rooms, name);

	return first ? first_on(r, (int)*first, floor) : -1;
}

/* The first and the second floor that have both ends. `stamps` are by floor. */
static void floors_of_both(const struct reading *r, int from, int to, int *stamps, int stamp, int found[2])
{
	const struct plan_room *rooms = r->plan->rooms.items;
	int n = 0;

	found[0] = found[1] = -1;
	for (int i = from; i >= 0; i = r->next_same[i])
		stamps[rooms[i].floor] = stamp;
	for (int i = to; i >= 0 && n < 2; i = r->next_same[i])
		if (stamps[rooms[i].floor] == stamp) {
			stamps[rooms[i].floor] = 0;
			found[n++] = rooms[i].floor;
		}
}

/* Finds the floor: the one that the text names, or else the one with both ends, or else the first floor of each end. */
static void bind(struct reading *r, struct plan_connection *k, const struct connect_syntax *t, int floor, int *stamps,
		 int stamp)
{
	const struct plan_room *rooms = r->plan->rooms.items;
	const uint32_t *from = k->from.outside ? NULL : map_find(&r->rooms, k->from.name);
	const uint32_t *to = k->to.outside ? NULL : map_find(&r->rooms, k->to.name);
	const struct name *named = t->from.floor.text.at ? &t->from.floor : &t->to.floor;
	const uint32_t *named_floor = named->text.at ? map_find(&r->floors, named->text) : NULL;
	int found[2] = {-1, -1};

	k->also_floor = -1;
	if (named_floor) {
		/* Each end may name a different floor; the checks report that. */
		const uint32_t *other = t->to.floor.text.at ? map_find(&r->floors, t->to.floor.text) : named_floor;

		k->from.room = from ? first_on(r, (int)*from, (int)*named_floor) : -1;
		k->to.room = to && other ? first_on(r, (int)*to, (int)*other) : -1;
		k->floor = (int)*named_floor;
		return;
	}
	if (floor < 0) {
		/* For a connection to outside, only the room decides. */
		floors_of_both(r,
			       from                    ? (int)*from
			       : k->from.outside && to ? (int)*to
						       : -1,
			       to                      ? (int)*to
			       : k->to.outside && from ? (int)*from
						       : -1,
			       stamps, stamp, found);
		floor = found[0];
		k->also_floor = found[1];
	}
	if (floor >= 0) {
		k->from.room = from ? first_on(r, (int)*from, floor) : -1;
		k->to.room = to ? first_on(r, (int)*to, floor) : -1;
		k->floor = floor;
		return;
	}
	k->from.room = from ? (int)*from : -1;
	k->to.room = to ? (int)*to : -1;
	k->floor = from ? rooms[*from].floor : to ? rooms[*to].floor : -1;
}

/* The length of a side without a room of the same floor behind it. */
static double free_length(const struct plan *p, int room, enum side side)
{
	struct shared own = side_of(&p->rooms.items[room].box, side);
	double left = own.high - own.low;

	for (size_t i = 0; i < p->rooms.n; i++) {
		const struct plan_room *other = &p->rooms.items[i];
		struct shared s;

		if ((int)i != room && other->floor == p->rooms.items[room].floor && other->placed &&
		    other->depth == p->rooms.items[room].depth &&
		    boxes_share(p, &p->rooms.items[room].box, &other->box, (int)side, &s))
			left -= s.high - s.low;
	}
	return left;
}

/* The side with the longest free part. Within another room, not a side on that room's own wall. */
static enum side longest_free(const struct plan *p, int room, int within)
{
	enum side best = SIDE_TOP;
	double most = -1;

	for (enum side s = SIDE_TOP; s <= SIDE_LEFT; s++) {
		double length = free_length(p, room, s);

		if (within >= 0 && fabs(side_of(&p->rooms.items[room].box, s).line -
					side_of(&p->rooms.items[within].box, s).line) < 1e-6)
			length = 0;

		if (length > most + 1e-9) {
			most = length;
			best = s;
		}
	}
	return best;
}

/* Computed once for each room, because it compares the room with all others. */
static enum side side_outside(struct reading *r, int room)
{
	if (!r->outside)
		r->outside = arena_array(r->arena, r->plan->rooms.n + 1, sizeof *r->outside);
	if (!r->outside[room])
		r->outside[room] = (uint8_t)(1 + longest_free(r->plan, room, -1));
	return (enum side)(r->outside[room] - 1);
}

static void occupy(struct plan_connection *k, const struct shared *s)
{
	k->placed = true;
	k->vertical = s->vertical;
	k->line = s->line;
	k->low = s->low;
	k->high = s->high;
}

/* Parent and sub-room: the wall is the inner one's. */
static bool lay_within(struct plan *p, struct plan_connection *k, struct plan_end *inner, struct plan_end *outer)
{
	const struct box *box = &p->rooms.items[inner->room].box;
	enum side side = inner->side >= 0   ? (enum side)inner->side
			 : outer->side >= 0 ? (enum side)outer->side
					    : longest_free(p, inner->room, outer->room);
	struct shared s = side_of(box, side);

	inner->side = (int)side;
	outer->side = (int)opposite(side);
	occupy(k, &s);
	return true;
}

static bool lay(struct reading *r, struct plan_connection *k)
{
	struct plan *p = r->plan;
	struct plan_end *from = &k->from, *to = &k->to;
	struct shared s;

	if (from->outside || to->outside) {
		struct plan_end *in = from->outside ? to : from;

		if (in->room < 0 || !p->rooms.items[in->room].placed)
			return false;
		if (in->side < 0)
			in->side = (int)side_outside(r, in->room);
		s = side_of(&p->rooms.items[in->room].box, (enum side)in->side);
		occupy(k, &s);
		return true;
	}
	if (from->room < 0 || to->room < 0 || from->room == to->room)
		return false;
	const struct plan_room *a = &p->rooms.items[from->room], *b = &p->rooms.items[to->room];

	if (!a->placed || !b->placed || a->floor != b->floor)
		return false;
	if (is_ancestor(p, to->room, from->room))
		return lay_within(p, k, from, to);
	if (is_ancestor(p, from->room, to->room))
		return lay_within(p, k, to, from);
	int want = from->side >= 0 ? from->side : to->side >= 0 ? (int)opposite((enum side)to->side) : -1;
	bool agree = from->side < 0 || to->side < 0 || opposite((enum side)from->side) == (enum side)to->side;

	if (agree && boxes_share(p, &a->box, &b->box, want, &s)) {
		from->side = (int)s.side;
		to->side = (int)opposite(s.side);
		occupy(k, &s);
		k->shared = true;
		return true;
	}
	return false; /* they have no common wall there; the checks report it */
}

static void measure(struct reading *r, struct plan_connection *k, const struct connect_syntax *t)
{
	struct plan *p = r->plan;
	const struct plan_config *c = &p->config;
	const struct plan_room *a = k->from.room >= 0 ? &p->rooms.items[k->from.room] : NULL;
	const struct plan_room *b = k->to.room >= 0 ? &p->rooms.items[k->to.room] : NULL;
	bool given = c->given[CONFIG_DOOR_SIZE] || c->given[CONFIG_DOOR_WIDTH];

	/* The settings are for one leaf. */
	k->width = k->type != CONNECTION_DOUBLE_DOOR ? c->door_width
		   : given                           ? 2 * c->door_width
						     : door_rows[k->type].metres * p->metre;
	k->height = c->door_height;
	k->full = t->size.there && t->size.full;
	if (t->size.there) {
		k->width = in_plan(r, &t->size.width);
		k->height = in_plan(r, &t->size.height);
	}
	if (k->full)
		k->height = a && b ? fmin(a->height, b->height) : a ? a->height : b ? b->height : c->default_height;
}

/* The leaf is on the side of the line with the room that it opens into. */
static void hang(struct plan_connection *k, const struct connect_syntax *t)
{
	const struct plan_end *from = &k->from, *to = &k->to;
	bool into_from = to->outside;

	if (t->opens.text.at) {
		bool is_from = t->opens_outside ? from->outside : text_same(t->opens.text, from->name);
		bool is_to = t->opens_outside ? to->outside : text_same(t->opens.text, to->name);

		into_from = is_from ? true : is_to ? false : into_from;
	}
	k->into = into_from ? from->room : to->room;
	k->swing = t->swing >= 0 ? (enum turn)t->swing : TURN_RIGHT;
	/* A room is behind its own side: if its right side is on the line, the room is to the left of the line. */
	enum side beyond_from = from->side >= 0 ? (enum side)from->side
				: to->side >= 0 ? opposite((enum side)to->side)
						: SIDE_TOP;

	k->leaf = into_from ? opposite(beyond_from) : beyond_from;
	/* Seen from below, a horizontal wall has the smaller x on the left; seen from above, the larger. Seen from the
	 * right, a vertical wall has the larger y on the left; seen from the left, the smaller. */
	bool left_is_high = k->leaf == SIDE_TOP || k->leaf == SIDE_RIGHT;

	k->hinge_high = (k->swing == TURN_LEFT) == left_is_high;
}

static void position(struct plan_connection *k, double margin)
{
	double length = k->high - k->low, half = k->width / 2;

	k->wanted_width = k->width;

	if (k->width > length) {
		k->width = length;
		half = length / 2;
	}
	double keep = fmin(half + margin, length / 2);

	k->centre = fmin(fmax(k->low + length * k->percent / 100, k->low + keep), k->high - keep);
}

static struct plan_end end_of(const struct end_syntax *e)
{
	return (struct plan_end){
		.name = e->name.text, .room = -1, .outside = e->outside, .side = e->side, .side_given = e->side >= 0};
}

void read_connections(struct reading *r)
{
	struct plan *p = r->plan;
	size_t n = 0;

	for (size_t i = 0; i < r->syntax->statements.n; i++)
		n += r->syntax->statements.items[i]->kind == STATEMENT_CONNECT;
	ARRAY_RESERVE(r->arena, &p->connections, n + 1);
	int *stamps = arena_array(r->arena, p->floors.n + 1, sizeof *stamps);

	for (size_t i = 0; i < r->syntax->statements.n; i++) {
		const struct statement *s = r->syntax->statements.items[i];

		if (s->kind != STATEMENT_CONNECT || s->broken)
			continue;
		struct plan_connection *k = ARRAY_PUSH(r->arena, &p->connections);
		int floor = s->parent >= 0 ? r->index[s->parent] : -1;
		*k = (struct plan_connection){.type = s->connect->type,
					      .from = end_of(&s->connect->from),
					      .to = end_of(&s->connect->to),
					      .percent = s->connect->at.there ? s->connect->at.value : 50,
					      .into = -1,
					      .statement = (uint32_t)i};
		bind(r, k, s->connect, floor, stamps, (int)i + 1);
		measure(r, k, s->connect);
		if (!lay(r, k))
			continue;
		hang(k, s->connect);
		position(k, 0.1 * p->metre);
	}
}
