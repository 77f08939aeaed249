#include "kinds/floorplan/cad/dxf.h"

#include "base/map.h"
#include "kinds/floorplan/cad/dxf_out.h"
#include "kinds/floorplan/draw/sheet.h"

#include <math.h>

static const struct dxf_layer layers[] = {
	{"ROOMS", 8},  {"WALLS", 7},  {"DOORS", 3},      {"WINDOWS", 5}, {"STAIRS", 6},
	{"LIFTS", 30}, {"LABELS", 2}, {"DIMENSIONS", 1}, {NULL, 0},
};

struct drafter {
	const struct plan *plan;
	struct dxf dxf;
	struct map blocks; /* name to whether it was made */
	int floor;
	double shift; /* of this floor along x */
	struct wall_graph walls;
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

/* Its middle is the origin. */
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

/* A block's x axis lies along the wall from the hinge, its y axis to the side the leaf opens to. */
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

static double letters(const struct drafter *d, struct text wording, double room)
{
	double usual = 0.25 * d->plan->metre, fits = room / (0.75 * (double)(wording.len ? wording.len : 1));

	return fmax(fmin(usual, fits), 0.02 * d->plan->metre);
}

static struct text area_shown(const struct drafter *d, double area)
{
	enum area_unit unit = d->plan->config.area_unit;

	return text_format(d->dxf.arena, "%.*f %s\xC2\xB2", unit == AREA_SQM ? 2 : 0, plan_area_in(d->plan, area, unit),
			   unit == AREA_SQM ? "m" : "ft");
}

static void rooms(struct drafter *d)
{
	for (size_t i = 0; i < d->plan->rooms.n; i++) {
		const struct plan_room *r = &d->plan->rooms.items[i];

		if (r->floor != d->floor || !r->placed)
			continue;
		struct text name = r->label.at && r->label.len ? r->label : name_words(d->dxf.arena, r->name);
		double size = letters(d, name, r->box.width);
		/* What lies within takes the middle. */
		double y = r->box.y + (r->first_child < 0 ? r->box.height / 2 : fmin(2 * size, r->box.height / 4));
		struct point at = turned(d, r->box.x + r->box.width / 2, y);

		rectangle(d, "ROOMS", &r->box);
		dxf_text(&d->dxf, "LABELS", name, at, size, 0, DXF_MIDDLE);
		at.y -= 1.6 * size;
		dxf_text(&d->dxf, "LABELS", area_shown(d, r->box.width * r->box.height), at, 0.7 * size, 0, DXF_MIDDLE);
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

		dxf_text(&d->dxf, "LABELS", name, turned(d, s->box.x + s->box.width / 2, s->box.y + s->box.height / 2),
			 letters(d, name, fmax(s->box.width, s->box.height)), s->box.height > s->box.width ? 90 : 0,
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

/* The whole length along the top and the left, between the outermost centre lines. */
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

static void floor_whole(struct drafter *d)
{
	const struct plan_floor *f = &d->plan->floors.items[d->floor];

	wall_graph_make(d->dxf.arena, d->plan, d->floor, &d->walls);
	rooms(d);
	for (size_t i = 0; i < d->walls.pieces.n; i++) {
		struct box b = piece_box(d->plan, &d->walls.pieces.items[i]);

		rectangle(d, "WALLS", &b);
	}
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

	dxf_open(&d.dxf, c->arena, o->dxf_version, p->unit, layers);
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
