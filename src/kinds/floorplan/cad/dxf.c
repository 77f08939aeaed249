#include "kinds/floorplan/cad/dxf.h"

#include "base/map.h"
#include "kinds/floorplan/cad/dxf_out.h"
#include "kinds/floorplan/draw/sheet.h"
#include "kinds/floorplan/plan/outline.h"

#include <math.h>

static const struct dxf_layer layers[] = {
	{"ROOMS", 8},  {"WALLS", 7},  {"DOORS", 3},      {"WINDOWS", 5}, {"STAIRS", 6},
	{"LIFTS", 30}, {"LABELS", 2}, {"DIMENSIONS", 1}, {NULL, 0},
};

struct drafter {
	const struct plan *plan;
	struct dxf dxf;
	struct map blocks; /* maps a name to whether the block exists */
	int floor;
	double shift; /* of this floor along x */
	struct wall_graph walls;
	int *swings_into, *next_swing; /* chains of openings, by room; -1: the end */
};

static struct point turned(const struct drafter *d, double x, double y) { return (struct point){x + d->shift, -y}; }

static void rectangle(struct drafter *d, const char *layer, const struct box *b)
{
	struct point corners[] = {turned(d, b->x, b->y + b->height), turned(d, b->x + b->width, b->y + b->height),
				  turned(d, b->x + b->width, b->y), turned(d, b->x, b->y)};

	dxf_polyline(&d->dxf, layer, corners, 4, true);
}

static void polyline(struct drafter *d, const char *layer, const struct point *points, size_t n, bool closed)
{
	struct point *own = arena_array(d->dxf.arena, n + 1, sizeof *own);

	for (size_t i = 0; i < n; i++)
		own[i] = turned(d, points[i].x, points[i].y);
	dxf_polyline(&d->dxf, layer, own, n, closed);
}

static void line(struct drafter *d, const char *layer, bool dashed, struct point a, struct point b)
{
	dxf_line(&d->dxf, layer, dashed, turned(d, a.x, a.y), turned(d, b.x, b.y));
}

static int millimetres(const struct drafter *d, double length)
{
	return (int)fmin(round(1000 * length / d->plan->metre), 1e9);
}

/* The leaf hangs at the origin, closes along x and opens along y. */
static void leaf(struct drafter *d, double hinge, double toward, double width)
{
	double thick = fmin(0.045 * d->plan->metre, width / 3);
	struct point corners[] = {
		{hinge, 0}, {hinge + toward * thick, 0}, {hinge + toward * thick, width}, {hinge, width}};

	dxf_polyline(&d->dxf, "DOORS", corners, 4, true);
	dxf_arc(&d->dxf, "DOORS", (struct point){hinge, 0}, width, toward > 0 ? 0 : 90, toward > 0 ? 90 : 180);
}

static bool block_is_new(struct drafter *d, const char *name)
{
	bool was;

	map_at(&d->blocks, text_of(name), 1, &was);
	return !was;
}

static const char *door_block(struct drafter *d, const struct opening *o)
{
	double width = o->at.to - o->at.from;
	bool twin = o->type == OPENING_DOUBLE;
	const char *name = text_format(d->dxf.arena, "%s_%d", twin ? "DOUBLE_DOOR" : "DOOR", millimetres(d, width)).at;

	if (!block_is_new(d, name))
		return name;
	dxf_block_begin(&d->dxf, name);
	if (twin) {
		leaf(d, 0, 1, width / 2);
		leaf(d, width, -1, width / 2);
	} else {
		leaf(d, 0, 1, width);
	}
	dxf_block_end(&d->dxf);
	return name;
}

/* The middle of the block is the origin. */
static const char *window_block(struct drafter *d, const struct opening *o)
{
	double half = (o->at.to - o->at.from) / 2, thick = wall_thickness(d->plan, o->weight) / 2;
	const char *name =
		text_format(d->dxf.arena, "WINDOW_%dX%d", millimetres(d, 2 * half), millimetres(d, 2 * thick)).at;

	if (!block_is_new(d, name))
		return name;
	struct point frame[] = {{-half, -thick}, {half, -thick}, {half, thick}, {-half, thick}};

	dxf_block_begin(&d->dxf, name);
	dxf_polyline(&d->dxf, "WINDOWS", frame, 4, true);
	for (int i = -1; i <= 1; i += 2)
		dxf_line(&d->dxf, "WINDOWS", false, (struct point){-half, i * thick / 3},
			 (struct point){half, i * thick / 3});
	dxf_block_end(&d->dxf);
	return name;
}

static struct point on_wall(const struct opening *o, double along, double across)
{
	return o->at.vertical ? (struct point){o->at.line + across, along} : (struct point){along, o->at.line + across};
}

/* The block's x axis runs along the wall from the hinge, its y axis to the side that the leaf opens to. */
static void door(struct drafter *d, const struct opening *o)
{
	double face = o->leaf * wall_thickness(d->plan, o->weight) / 2;
	double hinge = o->hinge_high && o->type == OPENING_DOOR ? o->at.to : o->at.from;
	struct point at = on_wall(o, hinge, face),
		     along = on_wall(o, hinge == o->at.from ? o->at.to : o->at.from, face);
	struct point open = on_wall(o, hinge, face + o->leaf);
	/* In the drawing y points upwards. */
	struct point x = {along.x - at.x, at.y - along.y}, y = {open.x - at.x, at.y - open.y};
	bool mirrored = x.x * y.y - x.y * y.x < 0;

	dxf_insert(&d->dxf, "DOORS", door_block(d, o), turned(d, at.x, at.y), 1, mirrored,
		   atan2(x.y, x.x) * 180 / M_PI);
}

static void openings(struct drafter *d)
{
	for (size_t i = 0; i < d->walls.openings.n; i++) {
		const struct opening *o = &d->walls.openings.items[i];
		double half = wall_thickness(d->plan, o->weight) / 2, middle = (o->at.from + o->at.to) / 2;

		if (o->at.to - o->at.from < 1e-6)
			continue;
		switch (o->type) {
		case OPENING_DOOR:
		case OPENING_DOUBLE: door(d, o); break;
		case OPENING_PANEL:
		case OPENING_GAP:
			for (int side = -1; side <= 1; side += 2)
				line(d, "DOORS", true, on_wall(o, o->at.from, side * half),
				     on_wall(o, o->at.to, side * half));
			break;
		case OPENING_WINDOW: {
			struct point at = on_wall(o, middle, 0);

			dxf_insert(&d->dxf, "WINDOWS", window_block(d, o), turned(d, at.x, at.y), 1, false,
				   o->at.vertical ? 90 : 0);
			break;
		}
		}
	}
}

/* About the width of the widest usual letters, relative to their height. */
#define LETTER 0.75

static double letters(const struct drafter *d, struct text wording, double room)
{
	double usual = 0.25 * d->plan->metre, fits = room / (LETTER * (double)(wording.len ? wording.len : 1));

	return fmax(fmin(usual, fits), 0.02 * d->plan->metre);
}

static struct text area_shown(const struct drafter *d, double area)
{
	enum area_unit unit = d->plan->config.area_unit;

	return text_format(d->dxf.arena, "%.*f %s\xC2\xB2", unit == AREA_SQM ? 2 : 0, plan_area_in(d->plan, area, unit),
			   unit == AREA_SQM ? "m" : "ft");
}

static bool boxes_meet(const struct box *a, const struct box *b)
{
	return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

/* Is the place of a label free of sub-rooms, swings into the room, stairs and lifts? */
static bool is_clear(const struct drafter *d, int room, const struct box *label)
{
	const struct plan *p = d->plan;

	for (int i = p->rooms.items[room].first_child; i >= 0; i = p->rooms.items[i].next_sibling)
		if (p->rooms.items[i].placed && boxes_meet(label, &p->rooms.items[i].box))
			return false;
	for (int i = d->swings_into[room]; i >= 0; i = d->next_swing[i]) {
		struct box swing = opening_swing(p, &d->walls.openings.items[i]);

		if (boxes_meet(label, &swing))
			return false;
	}
	for (size_t i = 0; i < p->stairs.n; i++)
		if (p->stairs.items[i].floor == d->floor && boxes_meet(label, &p->stairs.items[i].box))
			return false;
	for (size_t i = 0; i < p->lifts.n; i++)
		if (p->lifts.items[i].floor == d->floor && boxes_meet(label, &p->lifts.items[i].box))
			return false;
	return true;
}

/* Moves a label to the nearest clear place, on a grid of the room. Returns false if there is none. */
static bool label_move(const struct drafter *d, int room, struct box *label)
{
	enum { STEPS = 8 };
	const struct box *in = &d->plan->rooms.items[room].box;
	double rim = wall_thickness(d->plan, WEIGHT_OUTER) / 2;
	double x = (in->width - label->width) / 2 - rim, y = (in->height - label->height) / 2 - rim, best = INFINITY;
	struct box found = *label;

	if (x < 0 || y < 0)
		return false;
	for (int i = -STEPS; i <= STEPS; i++)
		for (int k = -STEPS; k <= STEPS; k++) {
			struct box at = {label->x + x * i / STEPS, label->y + y * k / STEPS, label->width,
					 label->height};
			double off = length_of(at.x - label->x, at.y - label->y);

			if (off < best && is_clear(d, room, &at)) {
				best = off;
				found = at;
			}
		}
	*label = found;
	return best < INFINITY;
}

/* The name above the area, in the middle of the room or at the nearest free place. */
static void room_label(struct drafter *d, int room)
{
	enum { SIZES = 4 };
	const struct plan_room *r = &d->plan->rooms.items[room];
	struct text name = r->label.at && r->label.len ? r->label : name_words(d->dxf.arena, r->name);
	double usual = letters(d, name, r->box.width), size = usual;
	struct point middle = {r->box.x + r->box.width / 2, r->box.y + r->box.height / 2};

	for (int i = 0; i < SIZES; i++) {
		double tried = usual * (1 - 0.2 * i), width = LETTER * tried * (double)(name.len > 8 ? name.len : 8);
		struct box label = {middle.x - width / 2, middle.y - 1.3 * tried, width, 2.6 * tried};

		if (!label_move(d, room, &label))
			continue;
		size = tried;
		middle = (struct point){label.x + label.width / 2, label.y + label.height / 2};
		break;
	}
	middle.y -= 0.8 * size;

	struct point at = turned(d, middle.x, middle.y);

	dxf_text(&d->dxf, "LABELS", name, at, size, 0, DXF_MIDDLE);
	at.y -= 1.6 * size;
	dxf_text(&d->dxf, "LABELS", area_shown(d, r->box.width * r->box.height), at, 0.7 * size, 0, DXF_MIDDLE);
}

static void rooms(struct drafter *d)
{
	size_t openings = d->walls.openings.n;

	d->swings_into = arena_array(d->dxf.arena, d->plan->rooms.n + 1, sizeof *d->swings_into);
	d->next_swing = arena_array(d->dxf.arena, openings + 1, sizeof *d->next_swing);
	for (size_t i = 0; i < d->plan->rooms.n; i++)
		d->swings_into[i] = -1;
	for (size_t i = 0; i < openings; i++) {
		int into = d->walls.openings.items[i].into;

		if (into < 0)
			continue;
		d->next_swing[i] = d->swings_into[into];
		d->swings_into[into] = (int)i;
	}
	for (size_t i = 0; i < d->plan->rooms.n; i++) {
		const struct plan_room *r = &d->plan->rooms.items[i];

		if (r->floor != d->floor || !r->placed)
			continue;
		rectangle(d, "ROOMS", &r->box);
		room_label(d, (int)i);
	}
}

static void stairs(struct drafter *d)
{
	for (size_t i = 0; i < d->plan->stairs.n; i++) {
		const struct plan_stair *s = &d->plan->stairs.items[i];

		if (s->floor != d->floor || !s->placed)
			continue;
		for (size_t k = 0; k < s->part_count; k++) {
			polyline(d, "STAIRS", s->parts[k].outline, s->parts[k].points, true);
			for (size_t n = 0; n < s->parts[k].steps; n++)
				line(d, "STAIRS", false, s->parts[k].risers[n].a, s->parts[k].risers[n].b);
		}
		if (s->walk_points > 1)
			polyline(d, "STAIRS", s->walk, s->walk_points, false);
		struct text name = s->label.at && s->label.len ? s->label : s->name;
		bool upright = s->box.height > s->box.width;
		/* Next to the walking line: in the outer half of the flight at the box's edge. */
		double off = fmin(s->width / 4, fmin(s->box.width, s->box.height) / 4);
		struct point at = {s->box.x + (upright ? off : s->box.width / 2),
				   s->box.y + (upright ? s->box.height / 2 : off)};

		dxf_text(&d->dxf, "LABELS", name, turned(d, at.x, at.y),
			 fmin(letters(d, name, fmax(s->box.width, s->box.height)), 1.5 * off), upright ? 90 : 0,
			 DXF_MIDDLE);
	}
	for (size_t i = 0; i < d->plan->lifts.n; i++) {
		const struct plan_lift *l = &d->plan->lifts.items[i];
		const struct box *b = &l->box;

		if (l->floor != d->floor || !l->placed)
			continue;
		rectangle(d, "LIFTS", b);
		line(d, "LIFTS", false, (struct point){b->x, b->y}, (struct point){b->x + b->width, b->y + b->height});
		line(d, "LIFTS", false, (struct point){b->x + b->width, b->y}, (struct point){b->x, b->y + b->height});
		struct text name = l->label.at && l->label.len ? l->label : l->name;

		dxf_text(&d->dxf, "LABELS", name, turned(d, b->x + b->width / 2, b->y + b->height / 2),
			 letters(d, name, b->width), 0, DXF_MIDDLE);
	}
}

/* A dimension of the whole length along the top or the left, between the outermost centre lines. */
static void dimension(struct drafter *d, struct point a, struct point b, bool upright)
{
	double off = 1.2 * d->plan->metre, tick = 0.12 * d->plan->metre, length = upright ? b.y - a.y : b.x - a.x;
	struct point from = {a.x - (upright ? off : 0), a.y - (upright ? 0 : off)};
	struct point to = {b.x - (upright ? off : 0), b.y - (upright ? 0 : off)};
	struct text wording = text_format(d->dxf.arena, "%.*f", d->plan->unit == UNIT_MM ? 0 : 2, length);
	struct point at = turned(d, (from.x + to.x) / 2 - (upright ? 2 * tick : 0),
				 (from.y + to.y) / 2 - (upright ? 0 : 2 * tick));

	line(d, "DIMENSIONS", false, from, to);
	for (int i = 0; i < 2; i++) {
		struct point end = i ? to : from;

		line(d, "DIMENSIONS", false, (struct point){end.x - tick, end.y + tick},
		     (struct point){end.x + tick, end.y - tick});
		line(d, "DIMENSIONS", false, end,
		     (struct point){end.x + (upright ? off / 2 : 0), end.y + (upright ? 0 : off / 2)});
	}
	dxf_text(&d->dxf, "DIMENSIONS", wording, at, 0.2 * d->plan->metre, upright ? 90 : 0, DXF_MIDDLE);
}

/* Walls that meet have one outline, so that users of CAD programs can offset and fill it directly. */
static void walls(struct drafter *d)
{
	size_t n = d->walls.pieces.n;
	struct box *boxes = arena_array(d->dxf.arena, n + 1, sizeof *boxes);
	struct outline outline;

	for (size_t i = 0; i < n; i++)
		boxes[i] = piece_box(d->plan, &d->walls.pieces.items[i]);
	boxes_outline(d->dxf.arena, boxes, n, 1e-6 * d->plan->metre, &outline);
	for (size_t i = 0; i < outline.n; i++)
		polyline(d, "WALLS", outline.items[i].points, outline.items[i].n, true);
}

static void floor_whole(struct drafter *d)
{
	const struct plan_floor *f = &d->plan->floors.items[d->floor];

	wall_graph_make(d->dxf.arena, d->plan, d->floor, &d->walls);
	rooms(d);
	walls(d);
	for (size_t i = 0; i < d->walls.edges.n; i++) {
		const struct stretch *s = &d->walls.edges.items[i];

		line(d, "ROOMS", true,
		     s->vertical ? (struct point){s->line, s->from} : (struct point){s->from, s->line},
		     s->vertical ? (struct point){s->line, s->to} : (struct point){s->to, s->line});
	}
	openings(d);
	stairs(d);
	if (f->box.width > 0) {
		struct point corner = {f->box.x, f->box.y};

		dimension(d, corner, (struct point){f->box.x + f->box.width, f->box.y}, false);
		dimension(d, corner, (struct point){f->box.x, f->box.y + f->box.height}, true);
		dxf_text(&d->dxf, "LABELS", f->name,
			 turned(d, f->box.x, f->box.y + f->box.height + 1.2 * d->plan->metre), 0.4 * d->plan->metre, 0,
			 DXF_LEFT);
	}
}

bool dxf_write(struct call *c, const struct plan *p, const struct draw_options *o, struct drawing *out)
{
	struct drafter d = {.plan = p, .blocks = {.arena = c->arena}};
	double place = 0;

	dxf_open(&d.dxf, c->arena, p->unit, layers);
	for (size_t i = 0; i < p->floors.n; i++) {
		const struct box *b = &p->floors.items[i].box;

		if (!o->all_floors && (int)i != o->floor)
			continue;
		if (!goes_on(c))
			return false;
		d.floor = (int)i;
		/* The first one keeps its coordinates. */
		d.shift = place > 0 ? place - b->x : 0;
		floor_whole(&d);
		place = d.shift + b->x + b->width + 5 * p->metre;
	}
	*out = (struct drawing){
		.bytes = dxf_finish(&d.dxf), .mime = format_mimes[FORMAT_DXF], .scale = 1, .floor = o->floor};
	return true;
}
