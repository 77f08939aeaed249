/* judge_doors.c: finds door leaves that hit each other, a wall or a stair, and narrow doors and corridors. */
#include "base/budget.h"
#include "format/json.h"
#include "kinds/floorplan/critic/room.h"
#include "kinds/floorplan/plan/reading.h"

#include <math.h>

enum { ARC_POINTS = 8, SHAPE_MAX = ARC_POINTS + 2 };

/* A convex polygon. */
struct shape_of {
	struct point points[SHAPE_MAX];
	int n;
};

/* Where a leaf moves: a quarter of a disc. */
struct swing {
	struct shape_of shape;
	int floor, opening;
};

static void shadow(const struct shape_of *s, double x, double y, double *low, double *high)
{
	*low = INFINITY;
	*high = -INFINITY;
	for (int i = 0; i < s->n; i++) {
		double at = s->points[i].x * x + s->points[i].y * y;

		*low = fmin(*low, at);
		*high = fmax(*high, at);
	}
}

/* How deep two convex shapes overlap: the smallest shift that separates them; 0 if they do not overlap. */
static double depth_along(const struct shape_of *edges, const struct shape_of *a, const struct shape_of *b)
{
	double least = INFINITY;

	for (int i = 0; i < edges->n; i++) {
		struct point p = edges->points[i], q = edges->points[(i + 1) % edges->n];
		double x = q.y - p.y, y = p.x - q.x, length = sqrt(x * x + y * y);
		double low, high, from, to;

		if (length <= 0)
			continue;
		shadow(a, x / length, y / length, &low, &high);
		shadow(b, x / length, y / length, &from, &to);
		least = fmin(least, fmin(high - from, to - low));
		if (least <= 0)
			return 0;
	}
	return least;
}

static double shapes_depth(const struct shape_of *a, const struct shape_of *b)
{
	double first = depth_along(a, a, b);

	budget_step();
	return first <= 0 ? 0 : fmin(first, depth_along(b, a, b));
}

static struct box shape_box(const struct shape_of *s)
{
	double left, right, top, bottom;

	shadow(s, 1, 0, &left, &right);
	shadow(s, 0, 1, &top, &bottom);
	return (struct box){left, top, right - left, bottom - top};
}

static struct shape_of shape_of_box(const struct box *b)
{
	return (struct shape_of){
		{{b->x, b->y}, {b->x + b->width, b->y}, {b->x + b->width, b->y + b->height}, {b->x, b->y + b->height}},
		4};
}

/* Of equally spaced points on a quarter's arc. */
static const double sines[ARC_POINTS + 1] = {0,
					     0.19509032201612825,
					     0.3826834323650898,
					     0.5555702330196022,
					     0.7071067811865476,
					     0.8314696123025452,
					     0.9238795325112867,
					     0.9807852804032304,
					     1};

/* Hinged at `hinge` on the face of the wall, closing towards `other`. */
static struct shape_of quarter(const struct critic *k, const struct opening *o, double hinge, double other)
{
	double face = o->at.line + o->leaf * wall_thickness(k->plan, o->weight) / 2, radius = other - hinge;
	struct shape_of s = {.n = SHAPE_MAX};

	for (int i = -1; i <= ARC_POINTS; i++) {
		double u = i < 0 ? hinge : hinge + radius * sines[ARC_POINTS - i];
		double v = i < 0 ? face : face + o->leaf * fabs(radius) * sines[i];

		s.points[i + 1] = o->at.vertical ? (struct point){v, u} : (struct point){u, v};
	}
	return s;
}

/* Two doors whose leaves meet, as door_at() numbers them. */
struct doors_met {
	size_t one, other;
};

struct swings {
	ARRAY(struct swing) list;
	ARRAY(struct swept) boxes; /* first swings, then walls, then stairs */
	size_t walls, stairs;      /* where those begin */
	ARRAY(const struct wall_piece *) pieces;
	ARRAY(const struct plan_stair *) flights;
	ARRAY(const struct stair_part *) parts;
	struct critic *k;
	uint8_t *told; /* reported, by door (door_at()): 1 hits a wall, 2 a stair */
	ARRAY(struct doors_met) met;
};

static const struct opening *opening_of(const struct critic *k, const struct swing *s)
{
	return &k->walls[s->floor].openings.items[s->opening];
}

static void swing_add(struct swings *s, int floor, int opening, double hinge, double other)
{
	struct swing *w = ARRAY_PUSH(s->k->arena, &s->list);

	*w = (struct swing){.floor = floor, .opening = opening};
	w->shape = quarter(s->k, opening_of(s->k, w), hinge, other);
}

static void box_add(struct swings *s, struct box b, int floor)
{
	size_t index = s->boxes.n;

	*ARRAY_PUSH(s->k->arena, &s->boxes) = (struct swept){b, floor, (int)index};
}

static void collect(struct swings *s)
{
	struct critic *k = s->k;
	const struct plan *p = k->plan;

	for (size_t f = 0; f < p->floors.n; f++)
		for (size_t i = 0; i < k->walls[f].openings.n; i++) {
			const struct stretch *at = &k->walls[f].openings.items[i].at;
			enum opening_type type = k->walls[f].openings.items[i].type;
			bool high = k->walls[f].openings.items[i].hinge_high;

			if (type == OPENING_DOUBLE) {
				swing_add(s, (int)f, (int)i, at->from, (at->from + at->to) / 2);
				swing_add(s, (int)f, (int)i, at->to, (at->from + at->to) / 2);
			} else if (type == OPENING_DOOR) {
				swing_add(s, (int)f, (int)i, high ? at->to : at->from, high ? at->from : at->to);
			}
		}
	for (size_t i = 0; i < s->list.n; i++)
		box_add(s, shape_box(&s->list.items[i].shape), s->list.items[i].floor);
	s->walls = s->boxes.n;
	for (size_t f = 0; f < p->floors.n; f++)
		for (size_t i = 0; i < k->walls[f].pieces.n; i++) {
			box_add(s, piece_box(p, &k->walls[f].pieces.items[i]), (int)f);
			*ARRAY_PUSH(k->arena, &s->pieces) = &k->walls[f].pieces.items[i];
		}
	s->stairs = s->boxes.n;
	for (size_t i = 0; i < p->stairs.n; i++)
		for (size_t n = 0; p->stairs.items[i].placed && n < p->stairs.items[i].part_count; n++) {
			const struct stair_part *part = &p->stairs.items[i].parts[n];

			/* Curves are not convex, and landings have no steps. */
			if (part->kind != PART_FLIGHT && part->kind != PART_WINDERS)
				continue;
			struct shape_of shape = {.n = 4};

			for (int c = 0; c < 4; c++)
				shape.points[c] = part->outline[c];
			box_add(s, shape_box(&shape), p->stairs.items[i].floor);
			*ARRAY_PUSH(k->arena, &s->flights) = &p->stairs.items[i];
			*ARRAY_PUSH(k->arena, &s->parts) = part;
		}
}

/* The rooms that a door joins, for messages. */
static const struct way *way_of(const struct critic *k, const struct swing *s)
{
	int way = k->ways.of[s->floor][s->opening];

	return way < 0 ? NULL : &k->ways.list.items[way];
}

static struct text end_name(const struct critic *k, int room)
{
	return room < (int)k->plan->rooms.n ? k->plan->rooms.items[room].name
					    : text_of(word_of(SET_GLUE, GLUE_OUTSIDE));
}

static struct text door_name(const struct critic *k, const struct swing *s)
{
	const struct way *w = way_of(k, s);

	if (!w)
		return TEXT("?");
	return text_format(k->arena, "%.*s-%.*s", TEXT_ARGS(end_name(k, w->ends[0])),
			   TEXT_ARGS(end_name(k, w->ends[1])));
}

static uint32_t door_from(const struct critic *k, const struct opening *o)
{
	return o->connection >= 0 ? statement_from(k, k->plan->connections.items[o->connection].statement)
	       : o->room >= 0     ? room_from(k, o->room)
				  : 0;
}

static struct point middle(const struct opening *o)
{
	double along = (o->at.from + o->at.to) / 2;

	return o->at.vertical ? (struct point){o->at.line, along} : (struct point){along, o->at.line};
}

/* Suggests the other hand, the other side, or both. */
static void try_hangings(const struct critic *k, struct finding *f, const struct opening *o)
{
	if (!f || o->connection < 0)
		return;
	const struct plan_connection *c = &k->plan->connections.items[o->connection];
	const struct plan_end *other = c->into == c->from.room && !c->from.outside ? &c->to : &c->from;
	const struct json *hand =
		json_new_text(k->arena, text_of(word_of(SET_TURN, c->swing == TURN_LEFT ? TURN_RIGHT : TURN_LEFT)));

	if (o->type == OPENING_DOOR)
		finding_try(f, try_connection(k, o->connection, "swing", hand));
	finding_try(f, try_connection(k, o->connection, "opensInto", json_new_text(k->arena, other->name)));
}

/* Both leaves of a double door are next to each other in the list; the index of the first is the index of the door. A
 * door is reported once, no matter which of its leaves is in the way. */
static size_t door_at(const struct swings *s, size_t swing)
{
	const struct swing *a = &s->list.items[swing];
	bool second = swing && a[-1].floor == a->floor && a[-1].opening == a->opening;

	return second ? swing - 1 : swing;
}

static bool met_before(struct swings *s, size_t one, size_t other)
{
	for (size_t i = 0; i < s->met.n; i++)
		if (s->met.items[i].one == one && s->met.items[i].other == other)
			return true;
	*ARRAY_PUSH(s->k->arena, &s->met) = (struct doors_met){one, other};
	return false;
}

static void swings_meet(struct swings *s, size_t first, size_t second)
{
	struct critic *k = s->k;
	const struct swing *a = &s->list.items[first], *b = &s->list.items[second];
	const struct opening *one = opening_of(k, a), *other = opening_of(k, b);
	double depth = a->opening == b->opening ? 0 : metres(k, shapes_depth(&a->shape, &b->shape));

	/* In many good halls the tips of open leaves touch. An overlap of a few centimetres is not a problem. */
	if (depth < 0.08 || met_before(s, door_at(s, first), door_at(s, second)))
		return;
	bool said = one->connection >= 0 && other->connection >= 0;
	struct finding *f = find(k, RULE_SWINGS_MEET, said && depth >= 0.25 ? SEVERITY_WARNING : SEVERITY_INFO,
				 door_from(k, said ? other : one), a->floor,
				 "the leaves of the doors %s and %s can hit each other; their swings overlap by %s",
				 name_shown(k, door_name(k, a)), name_shown(k, door_name(k, b)),
				 length_shown(k, depth * k->plan->metre));

	finding_at(f, (middle(one).x + middle(other).x) / 2, (middle(one).y + middle(other).y) / 2);
	finding_names(k, f, door_name(k, a), door_name(k, b));
	try_hangings(k, f, other);
	try_hangings(k, f, one);
}

static void swing_hits(struct swings *s, size_t swing, const struct wall_piece *w, size_t box)
{
	struct critic *k = s->k;
	const struct swing *a = &s->list.items[swing];
	const struct opening *o = opening_of(k, a);
	struct shape_of wall = shape_of_box(&s->boxes.items[box].box);

	/* Skip the door's own wall, which is behind the face that the leaf hangs on. */
	if ((s->told[door_at(s, swing)] & 1) || (w->at.vertical == o->at.vertical && w->at.line == o->at.line))
		return;
	double depth = metres(k, shapes_depth(&a->shape, &wall));

	if (depth < 0.05)
		return;
	s->told[door_at(s, swing)] |= 1;
	struct finding *f =
		find(k, RULE_SWING_WALL, o->connection >= 0 ? SEVERITY_WARNING : SEVERITY_INFO, door_from(k, o),
		     a->floor, "the leaf of the door %s hits a wall before it is open; it would reach %s into it",
		     name_shown(k, door_name(k, a)), length_shown(k, depth * k->plan->metre));

	finding_at(f, middle(o).x, middle(o).y);
	finding_names(k, f, door_name(k, a), (struct text){0});
	try_hangings(k, f, o);
}

static void swing_over(struct swings *s, size_t swing, size_t part)
{
	struct critic *k = s->k;
	const struct swing *a = &s->list.items[swing];
	const struct opening *o = opening_of(k, a);
	struct shape_of shape = {.n = 4};

	for (int i = 0; i < 4; i++)
		shape.points[i] = s->parts.items[part]->outline[i];
	if ((s->told[door_at(s, swing)] & 2) || metres(k, shapes_depth(&a->shape, &shape)) < 0.08)
		return;
	s->told[door_at(s, swing)] |= 2;
	struct finding *f = find(k, RULE_SWING_STAIR, o->connection >= 0 ? SEVERITY_WARNING : SEVERITY_INFO,
				 door_from(k, o), a->floor, "the door %s swings over the steps of stair %s",
				 name_shown(k, door_name(k, a)), name_shown(k, s->flights.items[part]->name));

	finding_at(f, middle(o).x, middle(o).y);
	finding_names(k, f, door_name(k, a), s->flights.items[part]->name);
	try_hangings(k, f, o);
}

static bool boxes_meet(void *to, int first, int second)
{
	struct swings *s = to;
	size_t a = (size_t)(first < second ? first : second), b = (size_t)(first < second ? second : first);

	if (a >= s->walls)
		return true;
	if (b < s->walls)
		swings_meet(s, a, b);
	else if (b < s->stairs)
		swing_hits(s, a, s->pieces.items[b - s->walls], b);
	else
		swing_over(s, a, b - s->stairs);
	return s->k->out->n < FINDINGS_MAX;
}

void judge_swings(struct critic *k)
{
	struct swings s = {.k = k};

	collect(&s);
	s.told = arena_array(k->arena, s.list.n + 1, sizeof *s.told);
	sweep(k->arena, s.boxes.items, s.boxes.n, boxes_meet, &s);
}

static bool is_small(enum room_use use) { return use == USE_BATH || use == USE_LAUNDRY || use == USE_STORAGE; }

static double width_wanted(const struct critic *k, const struct way *w)
{
	for (int i = 0; i < 2; i++)
		if (w->ends[i] < k->ways.outside && is_small(k->uses[w->ends[i]]))
			return k->limits->small_door_width;
	return k->limits->door_width;
}

static void try_width(struct critic *k, struct finding *f, const struct opening *o, double wanted)
{
	if (o->connection < 0)
		return;
	struct json *size = json_new_object(k->arena);
	double height = k->plan->connections.items[o->connection].height;

	json_set(k->arena, size, "width",
		 json_new_number(k->arena, ceil(wanted * k->plan->metre * 1000 - 1e-6) / 1000));
	json_set(k->arena, size, "height", json_new_number(k->arena, height));
	finding_try(f, try_connection(k, o->connection, "size", size));
}

static void narrow(struct critic *k, const struct way *w, enum critic_rule rule, double wanted, const char *what)
{
	const struct opening *o = &k->walls[w->floor].openings.items[w->opening];
	struct finding *f =
		find(k, rule, SEVERITY_WARNING, door_from(k, o), w->floor, "%s %s-%s is %s wide; the minimum is %s",
		     what, name_shown(k, end_name(k, w->ends[0])), name_shown(k, end_name(k, w->ends[1])),
		     length_shown(k, w->width), length_shown(k, wanted * k->plan->metre));

	finding_at(f, w->at.x, w->at.y);
	finding_names(k, f, end_name(k, w->ends[0]), end_name(k, w->ends[1]));
	try_width(k, f, o, wanted);
}

#define SLACK 0.005 /* metres: the possible error of a rounded inch */

static void judge_doors(struct critic *k)
{
	const struct way *widest = NULL;
	bool open = false;

	for (size_t i = 0; i < k->ways.list.n; i++) {
		const struct way *w = &k->ways.list.items[i];
		bool out = w->ends[0] == k->ways.outside || w->ends[1] == k->ways.outside;

		open = open || (out && w->kind == WAY_OPEN_SIDE);
		if (w->opening < 0)
			continue;
		if (out && (!widest || w->width > widest->width))
			widest = w;
		if (w->kind == WAY_DOOR && metres(k, w->width) < width_wanted(k, w) - SLACK)
			narrow(k, w, RULE_DOOR_WIDTH, width_wanted(k, w), "the door");
	}
	if (widest && !open && metres(k, widest->width) < k->limits->entrance_width - SLACK &&
	    metres(k, widest->width) >= width_wanted(k, widest) - SLACK)
		narrow(k, widest, RULE_ENTRANCE_WIDTH, k->limits->entrance_width, "the widest entrance");
}

/* The clear length of a room's side, without the walls. */
static double net(const struct critic *k, int room, bool across)
{
	const struct plan_room *r = &k->plan->rooms.items[room];
	const struct wall_side *sides = wall_sides(&k->walls[r->floor], room);
	enum side low = across ? SIDE_LEFT : SIDE_TOP, high = across ? SIDE_RIGHT : SIDE_BOTTOM;

	return (across ? r->box.width : r->box.height) -
	       (wall_thickness(k->plan, sides[low].weight) + wall_thickness(k->plan, sides[high].weight)) / 2;
}

static void judge_corridors(struct critic *k)
{
	for (size_t i = 0; i < k->plan->rooms.n; i++) {
		const struct plan_room *r = &k->plan->rooms.items[i];
		bool across = r->box.width < r->box.height;
		double drawn = across ? r->box.width : r->box.height, clear = net(k, (int)i, across);

		if (!r->placed || k->uses[i] != USE_CIRCULATION ||
		    metres(k, clear) >= k->limits->corridor_width - SLACK)
			continue;
		/* Many authors write clear sizes. If a corridor is wide enough as written, this is only a remark. */
		bool meant = metres(k, drawn) >= k->limits->corridor_width - SLACK;
		struct finding *f =
			find(k, RULE_CORRIDOR_WIDTH, meant ? SEVERITY_INFO : SEVERITY_WARNING, room_from(k, (int)i),
			     r->floor, "%s is %s wide between its walls; the minimum is %s", name_shown(k, r->name),
			     length_shown(k, clear), length_shown(k, k->limits->corridor_width * k->plan->metre));

		finding_at(f, r->box.x + r->box.width / 2, r->box.y + r->box.height / 2);
		finding_names(k, f, r->name, (struct text){0});
	}
}

void judge_widths(struct critic *k)
{
	judge_doors(k);
	judge_corridors(k);
}
