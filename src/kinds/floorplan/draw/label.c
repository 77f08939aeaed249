/* Labels of rooms: name, identifier, size and area.
 *
 * A label is inside its room and never on a sub-room, a stair, a lift, a door's leaf or arc, or another label. The free
 * places of a room are its largest empty rectangles. The arrangements of a label are tried from the fullest to the
 * smallest. The first that fits is put as near to the middle of the room as possible. A name that fits nowhere becomes
 * a number with an entry in a list below the plan. If a room is too small for a number, the number is outside the plan,
 * at the end of a line. */
#include "kinds/floorplan/draw/sheet.h"

#include "base/array.h"
#include "base/budget.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>

/* OVERLAPS_MAX is for one room. If more rooms overlap, no label is readable. */
enum { OBSTACLES_MAX = 48, OVERLAPS_MAX = 128, LINES_MAX = 7, PLACES_MAX = 600, ARC_PARTS = 6, KEYED_NAME_MAX = 24 };

/* One line of a label. */
struct label_line {
	struct text wording;
	enum face face;
	double size;
	enum text_role role;
	double width;
	double gap; /* space before it, if several parts are on one line */
};

struct arrangement {
	struct label_line lines[LINES_MAX];
	int n;
	bool one_line;        /* all parts are on one line */
	double width, height; /* not turned */
};

struct label {
	struct sheet *sheet;
	struct view *view;
	const struct plan_room *room;
	int index;
	uint32_t fill;
	struct text name, identifier, size, area;
	struct frame inside; /* between the walls */
	struct frame places[PLACES_MAX];
	size_t place_count;
	const struct obstacles *obstacles;
};

/* A label avoids the whole swing of a door if possible, or else its leaf and arc. */
enum hardness { SWING, HARD };

/* The obstacles of all rooms of a view. Each room has a chain. */
struct obstacle {
	struct frame at;
	enum hardness hardness;
	int next;
};

struct overlap {
	int room, next;
};

struct obstacles {
	ARRAY(struct obstacle) list;
	int first_room; /* of the plan on this floor */
	int *first;     /* by room of the floor, -1: none */
	ARRAY(struct overlap) overlaps;
	int *first_overlap; /* by room of the floor: rooms that overlap it */
};

static struct frame box_frame(const struct sheet *s, const struct view *v, const struct box *b, double more)
{
	return (struct frame){view_x(s, v, b->x) - more, view_y(s, v, b->y) - more,
			      view_x(s, v, b->x + b->width) + more, view_y(s, v, b->y + b->height) + more};
}

static struct frame room_inside(const struct sheet *s, const struct view *v, int room)
{
	struct frame f = box_frame(s, v, &s->plan->rooms.items[room].box, 0);
	const struct wall_side *w = wall_sides(&v->walls, room);
	double rim = 1.5 * s->size; /* the outline of the wall */

	f.top += w[SIDE_TOP].weight == WEIGHT_NONE ? 0 : wall_pixels(s, w[SIDE_TOP].weight) / 2 + rim;
	f.bottom -= w[SIDE_BOTTOM].weight == WEIGHT_NONE ? 0 : wall_pixels(s, w[SIDE_BOTTOM].weight) / 2 + rim;
	f.left += w[SIDE_LEFT].weight == WEIGHT_NONE ? 0 : wall_pixels(s, w[SIDE_LEFT].weight) / 2 + rim;
	f.right -= w[SIDE_RIGHT].weight == WEIGHT_NONE ? 0 : wall_pixels(s, w[SIDE_RIGHT].weight) / 2 + rim;
	return f;
}

static void obstacle_add(struct sheet *s, struct obstacles *o, int room, struct frame at, enum hardness hardness)
{
	struct obstacle *n = ARRAY_PUSH(s->call->arena, &o->list);

	*n = (struct obstacle){at, hardness, o->first[room - o->first_room]};
	o->first[room - o->first_room] = (int)o->list.n - 1;
}

/* A stair, a lift or their words are obstacles in every room they touch. */
static void obstacle_element(struct sheet *s, struct view *v, struct obstacles *o, struct frame f)
{
	for (size_t i = floor_rooms(s->plan, v->floor); i < floor_rooms(s->plan, v->floor + 1); i++) {
		const struct plan_room *r = &s->plan->rooms.items[i];

		if (r->placed && frames_meet(f, box_frame(s, v, &r->box, 0)))
			obstacle_add(s, o, (int)i, f, HARD);
	}
}

/* Leaf and arc of a door, the arc as a row of small frames: no letter may cross them. */
static void obstacle_leaves(struct sheet *s, struct obstacles *o, const struct opening *w, struct frame swing)
{
	double thick = leaf_thickness(s) + 2.5 * s->size, rim = 1.5 * s->size;
	bool vertical = w->at.vertical;
	double low = vertical ? swing.top : swing.left, high = vertical ? swing.bottom : swing.right;
	double near = vertical ? swing.left : swing.top, far = vertical ? swing.right : swing.bottom;
	double face = w->leaf > 0 ? near : far, reach = (far - near) * w->leaf;

	for (int at_high = 0; at_high <= 1; at_high++) {
		double hinge = at_high ? high : low, toward = at_high ? -1 : 1;
		struct frame leaf = {fmin(hinge, hinge + toward * thick), near, fmax(hinge, hinge + toward * thick),
				     far};

		if (w->type != OPENING_DOUBLE && w->hinge_high != at_high)
			continue;
		obstacle_add(s, o, w->into,
			     vertical ? (struct frame){leaf.top, leaf.left, leaf.bottom, leaf.right} : leaf, HARD);
		for (int i = 0; i < ARC_PARTS; i++) {
			double a = M_PI_2 * i / ARC_PARTS, b = M_PI_2 * (i + 1) / ARC_PARTS, r = fabs(reach);
			double u1 = hinge + toward * r * cos(a), u2 = hinge + toward * r * cos(b);
			double v1 = face + reach * sin(a), v2 = face + reach * sin(b);
			struct frame f = {fmin(u1, u2) - rim, fmin(v1, v2) - rim, fmax(u1, u2) + rim,
					  fmax(v1, v2) + rim};

			obstacle_add(s, o, w->into, vertical ? (struct frame){f.top, f.left, f.bottom, f.right} : f,
				     HARD);
		}
	}
}

/* Do they overlap by more than a tolerance, in plan units? */
static bool boxes_meet(const struct box *a, const struct box *b)
{
	double touch = 0.01;

	return a->x + touch < b->x + b->width && b->x + touch < a->x + a->width && a->y + touch < b->y + b->height &&
	       b->y + touch < a->y + a->height;
}

static int left_order(const void *a, const void *b)
{
	const struct plan_room *const *l = a, *const *r = b;

	if ((*l)->box.x != (*r)->box.x)
		return (*l)->box.x < (*r)->box.x ? -1 : 1;
	return *l < *r ? -1 : *l > *r;
}

/* The walls of another room that cross this one. */
static void obstacle_walls(struct sheet *s, struct view *v, struct obstacles *o, int room, int other)
{
	struct frame f = box_frame(s, v, &s->plan->rooms.items[other].box, 0);
	const struct wall_side *w = wall_sides(&v->walls, other);
	double half[4];

	for (int side = 0; side < 4; side++)
		half[side] = w[side].weight == WEIGHT_NONE ? 0 : wall_pixels(s, w[side].weight) / 2 + 1.5 * s->size;

	struct frame strips[] = {
		[SIDE_TOP] = {f.left, f.top - half[SIDE_TOP], f.right, f.top + half[SIDE_TOP]},
		[SIDE_RIGHT] = {f.right - half[SIDE_RIGHT], f.top, f.right + half[SIDE_RIGHT], f.bottom},
		[SIDE_BOTTOM] = {f.left, f.bottom - half[SIDE_BOTTOM], f.right, f.bottom + half[SIDE_BOTTOM]},
		[SIDE_LEFT] = {f.left - half[SIDE_LEFT], f.top, f.left + half[SIDE_LEFT], f.bottom}};

	for (int side = 0; side < 4; side++)
		if (half[side] > 0 && frames_meet(strips[side], box_frame(s, v, &s->plan->rooms.items[room].box, 0)))
			obstacle_add(s, o, room, strips[side], HARD);
}

static void overlap_add(struct sheet *s, struct view *v, struct obstacles *o, const struct plan_room *large,
			const struct plan_room *small)
{
	const struct plan_room *rooms = s->plan->rooms.items;

	obstacle_add(s, o, (int)(large - rooms),
		     box_frame(s, v, &small->box, wall_pixels(s, WEIGHT_OUTER) / 2 + 2 * s->size), SWING);
	for (int i = 0; i < 2; i++) {
		int room = (int)((i ? small : large) - rooms), other = (int)((i ? large : small) - rooms);

		obstacle_walls(s, v, o, room, other);
		*ARRAY_PUSH(s->call->arena, &o->overlaps) =
			(struct overlap){other, o->first_overlap[room - o->first_room]};
		o->first_overlap[room - o->first_room] = (int)o->overlaps.n - 1;
	}
}

/* If rooms overlap, the label of the larger one avoids the smaller one. */
static void overlaps_find(struct sheet *s, struct view *v, struct obstacles *o)
{
	size_t begin = floor_rooms(s->plan, v->floor), end = floor_rooms(s->plan, v->floor + 1), n = 0;
	const struct plan_room **order = arena_array(s->call->arena, end - begin + 1, sizeof *order);

	for (size_t i = begin; i < end; i++)
		if (s->plan->rooms.items[i].placed)
			order[n++] = &s->plan->rooms.items[i];
	array_sort(order, n, sizeof *order, left_order);
	for (size_t i = 0; i < n; i++) {
		size_t found = 0;

		for (size_t k = i + 1;
		     k < n && found < OVERLAPS_MAX && order[k]->box.x < order[i]->box.x + order[i]->box.width; k++) {
			budget_step();
			const struct plan_room *a = order[i], *b = order[k];
			bool larger = a->box.width * a->box.height > b->box.width * b->box.height;

			if (a->depth != b->depth || !boxes_meet(&a->box, &b->box))
				continue;
			overlap_add(s, v, o, larger ? a : b, larger ? b : a);
			found++;
		}
	}
}

static void obstacles_collect(struct sheet *s, struct view *v, struct obstacles *o)
{
	const struct plan *p = s->plan;

	size_t begin = floor_rooms(p, v->floor), end = floor_rooms(p, v->floor + 1);

	o->first_room = (int)begin;
	o->first = arena_array(s->call->arena, end - begin + 1, sizeof *o->first);
	o->first_overlap = arena_array(s->call->arena, end - begin + 1, sizeof *o->first_overlap);
	for (size_t i = 0; i < end - begin; i++)
		o->first[i] = o->first_overlap[i] = -1;
	overlaps_find(s, v, o);
	for (size_t i = begin; i < end; i++) {
		const struct plan_room *r = &p->rooms.items[i];

		if (r->placed && r->parent >= 0)
			obstacle_add(s, o, r->parent,
				     box_frame(s, v, &r->box, wall_pixels(s, WEIGHT_INNER) / 2 + 1.5 * s->size), HARD);
	}
	for (size_t i = 0; i < v->walls.openings.n; i++) {
		const struct opening *w = &v->walls.openings.items[i];
		struct box swing = opening_swing(p, w);

		if (swing.width <= 0 || w->into < 0)
			continue;
		obstacle_add(s, o, w->into, box_frame(s, v, &swing, 4 * s->size), SWING);
		obstacle_leaves(s, o, w, box_frame(s, v, &swing, 0));
	}
	for (size_t i = 0; i < p->stairs.n; i++)
		if (p->stairs.items[i].floor == v->floor && p->stairs.items[i].placed)
			obstacle_element(s, v, o, box_frame(s, v, &p->stairs.items[i].box, 8 * s->size));
	for (size_t i = 0; i < p->lifts.n; i++)
		if (p->lifts.items[i].floor == v->floor && p->lifts.items[i].placed)
			obstacle_element(s, v, o, box_frame(s, v, &p->lifts.items[i].box, 8 * s->size));
	for (size_t i = 0; i < v->words.n; i++) {
		struct frame f = v->words.items[i];
		double rim = 5 * s->size;

		obstacle_element(s, v, o, (struct frame){f.left - rim, f.top - rim, f.right + rim, f.bottom + rim});
	}
}

static int top_order(const void *a, const void *b)
{
	const struct frame *l = a, *r = b;

	return l->top < r->top ? -1 : l->top > r->top;
}

static void place_add(struct label *l, double left, double top, double right, double bottom)
{
	if (l->place_count < PLACES_MAX && right - left >= 4 && bottom - top >= 4)
		l->places[l->place_count++] = (struct frame){left, top, right, bottom};
}

/* Finds every empty rectangle that cannot grow: its left edge is the room's left edge or an obstacle's right edge, and
 * so on. */
static void places_find(struct label *l, const struct obstacles *o, enum hardness least)
{
	struct frame found[OBSTACLES_MAX] = {{0}};
	double left[OBSTACLES_MAX + 1], right[OBSTACLES_MAX + 1];
	size_t n = 0;

	l->place_count = 0;
	l->obstacles = o;
	for (int i = o->first[l->index - o->first_room]; i >= 0 && n < OBSTACLES_MAX; i = o->list.items[i].next)
		if (o->list.items[i].hardness >= least && frames_meet(o->list.items[i].at, l->inside))
			found[n++] = o->list.items[i].at;
	array_sort(found, n, sizeof *found, top_order);
	left[0] = l->inside.left;
	right[0] = l->inside.right;
	for (size_t i = 0; i < n; i++) {
		left[i + 1] = found[i].right;
		right[i + 1] = found[i].left;
	}
	for (size_t i = 0; i <= n; i++)
		for (size_t k = 0; k <= n; k++) {
			double at = l->inside.top;

			if (left[i] < l->inside.left || right[k] > l->inside.right || right[k] - left[i] < 4)
				continue;
			for (size_t m = 0; m < n; m++) {
				if (found[m].right <= left[i] || found[m].left >= right[k])
					continue;
				place_add(l, left[i], at, right[k], found[m].top);
				at = fmax(at, found[m].bottom);
			}
			place_add(l, left[i], at, right[k], l->inside.bottom);
		}
}

#define LEADING 1.34 /* distance of base lines, relative to the lower line's size */

static void line_add(const struct label *l, struct arrangement *a, struct text wording, enum face face, double size,
		     enum text_role role)
{
	if (!wording.len || a->n == LINES_MAX)
		return;
	a->lines[a->n++] = (struct label_line){.wording = wording,
					       .face = face,
					       .size = size,
					       .role = role,
					       .width = hand_width(&l->sheet->hand, face, wording) * size};
}

static void arrangement_measure(struct arrangement *a)
{
	a->width = a->height = 0;
	for (int i = 0; i < a->n; i++) {
		struct label_line *line = &a->lines[i];

		if (a->one_line) {
			line->gap = i ? 0.55 * a->lines[0].size : 0;
			a->width += line->width + line->gap;
			a->height = fmax(a->height, line->size * (TEXT_RISE + TEXT_DROP));
		} else {
			a->width = fmax(a->width, line->width);
			a->height += line->size * (i ? LEADING : TEXT_RISE + TEXT_DROP);
		}
	}
}

/* Splits the name at blanks into `rows` lines of similar length. Returns false if it has too few words. */
static bool name_wrap(const struct label *l, struct arrangement *a, int rows, double size)
{
	struct text rest = l->name;

	for (int row = rows; row > 1; row--) {
		double whole = hand_width(&l->sheet->hand, FACE_BOLD, rest), best = INFINITY;
		size_t cut = 0;

		for (size_t at = 1; at + 1 < rest.len; at++) {
			double off;

			if (rest.at[at] != ' ')
				continue;
			off = fabs(hand_width(&l->sheet->hand, FACE_BOLD, text_slice(rest, 0, at)) - whole / row);
			if (off < best) {
				best = off;
				cut = at;
			}
		}
		if (!cut)
			return false;
		line_add(l, a, text_slice(rest, 0, cut), FACE_BOLD, size, TEXT_MAIN);
		rest = text_slice(rest, cut + 1, rest.len);
	}
	line_add(l, a, rest, FACE_BOLD, size, TEXT_MAIN);
	return true;
}

/* The content of a label, from everything to only the name. */
enum content { SAYS_ALL, SAYS_NO_AREA, SAYS_NO_SIZE, SAYS_NAME, CONTENTS };

/* `size` is that of the name; the lines below are smaller, but never too small to read. */
static bool arrange(const struct label *l, enum content content, bool one_line, int rows, double size,
		    struct arrangement *a)
{
	double least = fmin(fmax(fmax(8.6 * l->sheet->size, 8.6), l->sheet->type_least), size);
	double figures = fmax(0.73 * size, least), mono = fmax(0.65 * size, least);
	struct text measures = content < SAYS_NO_SIZE ? l->size : (struct text){0};
	struct text area = content < SAYS_NO_AREA ? l->area : (struct text){0};

	*a = (struct arrangement){.one_line = one_line};
	if (one_line) {
		struct text more = measures;

		if (measures.len && area.len)
			more = text_format(l->sheet->call->arena, "%.*s  \xC2\xB7  %.*s", TEXT_ARGS(measures),
					   TEXT_ARGS(area));
		else if (area.len)
			more = area;
		if (!more.len)
			return false;
		line_add(l, a, l->name, FACE_BOLD, size, TEXT_MAIN);
		line_add(l, a, more, FACE_PLAIN, figures, TEXT_SOFT);
	} else {
		if (!name_wrap(l, a, rows, size))
			return false;
		if (content < SAYS_NAME)
			line_add(l, a, l->identifier, FACE_MONO, mono, TEXT_FAINT);
		line_add(l, a, measures, FACE_PLAIN, figures, TEXT_SOFT);
		line_add(l, a, area, FACE_PLAIN, figures, TEXT_SOFT);
	}
	arrangement_measure(a);
	return true;
}

/* The middle of a label of this size that is nearest to the middle of the room, within one of the free places. */
static bool spot_find(const struct label *l, double width, double height, struct point *out)
{
	double pad = 3 * l->sheet->size, best = INFINITY;
	struct point middle = {(l->inside.left + l->inside.right) / 2, (l->inside.top + l->inside.bottom) / 2};

	for (size_t i = 0; i < l->place_count; i++) {
		const struct frame *f = &l->places[i];
		double w = width / 2 + pad, h = height / 2 + pad;

		if (f->right - f->left < 2 * w || f->bottom - f->top < 2 * h)
			continue;

		struct point p = {fmin(fmax(middle.x, f->left + w), f->right - w),
				  fmin(fmax(middle.y, f->top + h), f->bottom - h)};
		double off = length_of(p.x - middle.x, p.y - middle.y);

		if (off < best - 1e-6) {
			best = off;
			*out = p;
		}
	}
	return best < INFINITY;
}

static void arrangement_paint(const struct label *l, const struct arrangement *a, bool upright, struct point at)
{
	double along = -a->width / 2, down = -a->height / 2;

	for (int i = 0; i < a->n; i++) {
		const struct label_line *line = &a->lines[i];
		struct lettering_style style = {line->face, line->size, text_colour(l->fill, line->role)};
		double u, v;

		if (a->one_line) {
			u = along + line->gap;
			v = (TEXT_RISE - TEXT_DROP) / 2 * a->lines[0].size;
			along = u + line->width;
		} else {
			u = 0;
			v = down + line->size * (i ? LEADING - TEXT_DROP : TEXT_RISE);
			down += line->size * (i ? LEADING : TEXT_RISE + TEXT_DROP);
		}
		text_paint(&l->sheet->list, LAYER_LABELS, line->wording, upright ? at.x + v : at.x + u,
			   upright ? at.y - u : at.y + v, style, a->one_line ? ANCHOR_START : ANCHOR_MIDDLE, upright,
			   line->width);
	}
}

/* The places avoid the first OBSTACLES_MAX obstacles. Check the other obstacles here. */
static bool spot_is_free(const struct label *l, struct point at, double width, double height)
{
	struct frame f = {at.x - width / 2, at.y - height / 2, at.x + width / 2, at.y + height / 2};

	for (int i = l->obstacles->first[l->index - l->obstacles->first_room]; i >= 0;
	     i = l->obstacles->list.items[i].next)
		if (l->obstacles->list.items[i].hardness == HARD && frames_meet(f, l->obstacles->list.items[i].at))
			return false;
	return true;
}

static bool arrangement_place(const struct label *l, const struct arrangement *a, bool upright)
{
	double width = upright ? a->height : a->width, height = upright ? a->width : a->height;
	struct point at = {0};

	if (!spot_find(l, width, height, &at) || !spot_is_free(l, at, width, height))
		return false;
	arrangement_paint(l, a, upright, at);
	return true;
}

static bool name_cut_place(const struct label *l, double size)
{
	struct arrangement a = {0};
	double widest = 0;
	size_t characters = utf8_count(l->name), least = characters > 16 ? 8 : (characters * 6 + 9) / 10;

	for (size_t i = 0; i < l->place_count; i++)
		if (l->places[i].bottom - l->places[i].top >= size + 6 * l->sheet->size)
			widest = fmax(widest, l->places[i].right - l->places[i].left - 6 * l->sheet->size);

	struct text cut = widest > 0 ? text_cut(l->sheet, FACE_BOLD, l->name, size, widest, least) : (struct text){0};

	if (!cut.len)
		return false;
	line_add(l, &a, cut, FACE_BOLD, size, TEXT_MAIN);
	arrangement_measure(&a);
	return arrangement_place(l, &a, false);
}

/* The sheet writes the number's line in the list. */
static bool number_place(const struct label *l, double size)
{
	struct sheet *s = l->sheet;
	int number = (int)s->keys.n + 1;

	if (s->sparse)
		return false;
	for (int i = 0; i < 3; i++, size = fmax(size * 0.78, s->type_least)) {
		struct arrangement a = {0};

		line_add(l, &a, text_format(s->call->arena, "%d", number), FACE_BOLD, size, TEXT_MAIN);
		arrangement_measure(&a);
		if (!arrangement_place(l, &a, false))
			continue;
		*ARRAY_PUSH(s->call->arena, &s->keys) = (struct key_entry){number, l->index, l->name};
		return true;
	}
	return false;
}

/* Tries all arrangements of one content at one size: on one line first, then wrapped. */
static bool level_try(const struct label *l, enum content content, double size)
{
	bool low = l->inside.right - l->inside.left > 1.8 * (l->inside.bottom - l->inside.top);
	struct arrangement a;

	if (arrange(l, content, false, 1, size, &a) && arrangement_place(l, &a, false))
		return true;
	if (low && arrange(l, content, true, 1, size, &a) && arrangement_place(l, &a, false))
		return true;
	for (int rows = 2; rows <= 3; rows++)
		if (arrange(l, content, false, rows, size, &a) && arrangement_place(l, &a, false))
			return true;
	return false;
}

static bool upright_try(const struct label *l, enum content content, double size)
{
	bool narrow = l->inside.bottom - l->inside.top > 1.3 * (l->inside.right - l->inside.left);
	struct arrangement a;

	return narrow && ((arrange(l, content, false, 1, size, &a) && arrangement_place(l, &a, true)) ||
			  (arrange(l, content, true, 1, size, &a) && arrangement_place(l, &a, true)));
}

/* Tries contents from the fullest to only the name, each one large, then turned, then small, then turned and small. */
static bool label_try(const struct label *l, enum content from)
{
	static const double sizes[2][3] = {{17, 15, 13}, {11, 10, 9}};
	/* A small room gets small letters even if large ones would fit, so that names do not dominate the walls. */
	double most = fmax(0.33 * fmin(l->inside.right - l->inside.left, l->inside.bottom - l->inside.top),
			   legible(l->sheet));

	for (int content = (int)from; content < CONTENTS; content++) {
		/* Skip a content that only leaves out something this label does not have. */
		if ((content == SAYS_NO_AREA && !l->area.len) || (content == SAYS_NO_SIZE && !l->size.len) ||
		    (content == SAYS_NAME && !l->identifier.len && from != SAYS_NAME))
			continue;
		for (int i = 0; i < 12; i++) {
			double size = fmax(sizes[i / 6][i % 3] * l->sheet->size * l->sheet->letters, legible(l->sheet));

			if (size > most)
				continue;
			if (i / 3 % 2 ? upright_try(l, (enum content)content, size)
				      : level_try(l, (enum content)content, size))
				return true;
		}
	}
	return false;
}

/* If no place is free: put the label within a swing, or else use a number, or else cut the name. */
static bool label_squeeze(struct label *l, const struct obstacles *o, bool whole)
{
	double size = legible(l->sheet);

	places_find(l, o, HARD);
	if (label_try(l, SAYS_ALL))
		return true;
	if (!whole)
		return false;
	/* The list has space for a usual name. A whole sentence would be cut there too. */
	return (utf8_count(l->name) <= KEYED_NAME_MAX && number_place(l, size)) || name_cut_place(l, size) ||
	       number_place(l, size);
}

/* Cuts the frame to the other one. Returns true if nothing was cut off. */
static bool frame_cut(struct frame *f, struct frame to)
{
	struct frame was = *f;

	*f = (struct frame){fmax(f->left, to.left), fmax(f->top, to.top), fmin(f->right, to.right),
			    fmin(f->bottom, to.bottom)};
	return f->left == was.left && f->top == was.top && f->right == was.right && f->bottom == was.bottom;
}

static void label(struct sheet *s, struct view *v, int index, struct obstacles *o)
{
	const struct plan_room *r = &s->plan->rooms.items[index];
	struct label l = {.sheet = s, .view = v, .room = r, .index = index, .fill = room_fill(s, r)};
	struct arena *a = s->call->arena;
	size_t first = s->list.marks.n;
	bool whole;

	l.name = room_words(s, r);
	if (!reads_the_same(r->name, l.name))
		l.identifier = wording_of(a, r->name);
	if (s->dimensions) {
		struct text w = length_words(s, r->box.width), h = length_words(s, r->box.height),
			    unit = length_unit_words(s);

		l.size = text_format(a, "%.*s \xC3\x97 %.*s%.*s", TEXT_ARGS(w), TEXT_ARGS(h), TEXT_ARGS(unit));
	}
	if (s->options.show_area)
		l.area = area_words(s, r->box.width * r->box.height);
	l.inside = room_inside(s, v, index);
	whole = frame_cut(&l.inside, view_frame(s, v)) || index == s->crop_room;
	s->list.subject = index;
	places_find(&l, o, SWING);
	if (!label_try(&l, SAYS_ALL) && !label_squeeze(&l, o, whole) && whole)
		*ARRAY_PUSH(a, &s->nameless) = index;
	s->list.subject = -1;
	/* Labels of overlapping rooms must not overlap. */
	for (int k = o->first_overlap[index - o->first_room]; k >= 0; k = o->overlaps.items[k].next)
		for (size_t i = first; i < s->list.marks.n && o->overlaps.items[k].room > index; i++)
			obstacle_add(s, o, o->overlaps.items[k].room, s->list.marks.items[i].frame, HARD);
}

struct outsider {
	int room;
	enum side side;
	double along; /* of the room's middle; then of its number */
	double depth; /* from the edge of the plan to the room's middle */
};

static int outsider_order(const void *a, const void *b)
{
	const struct outsider *l = a, *r = b;

	if (l->side != r->side)
		return (int)l->side - (int)r->side;
	return l->along < r->along ? -1 : l->along > r->along;
}

static struct outsider outsider_of(const struct sheet *s, const struct view *v, int room)
{
	const struct box *b = &s->plan->rooms.items[room].box;
	struct frame f = view_frame(s, v);
	double x = view_x(s, v, b->x + b->width / 2), y = view_y(s, v, b->y + b->height / 2);
	double off[] = {[SIDE_TOP] = y - f.top,
			[SIDE_RIGHT] = f.right - x,
			[SIDE_BOTTOM] = f.bottom - y,
			[SIDE_LEFT] = x - f.left};
	struct outsider o = {.room = room};

	/* Below and to the right, the text of a dimension chain is next to the plan. */
	for (int side = 0; side < 4; side++)
		if (off[side] < off[o.side] && !(v->chains[side] && (side == SIDE_BOTTOM || side == SIDE_RIGHT)))
			o.side = (enum side)side;
	o.along = o.side == SIDE_TOP || o.side == SIDE_BOTTOM ? x : y;
	o.depth = off[o.side];
	return o;
}

/* A number in the margin and a line to its room. */
static void outsider_paint(struct sheet *s, const struct view *v, const struct outsider *o, double at)
{
	struct frame f = view_frame(s, v);
	bool level = o->side == SIDE_TOP || o->side == SIDE_BOTTOM, less = o->side == SIDE_TOP || o->side == SIDE_LEFT;
	double edge = level ? (less ? f.top : f.bottom) : (less ? f.left : f.right), out = less ? -1 : 1;
	double inner = edge - out * o->depth, end = edge + out * 3 * s->size, size = legible(s);
	struct text number = text_format(s->call->arena, "%d", (int)s->keys.n + 1);
	struct lettering_style style = {FACE_BOLD, size, text_colour(s->colours->paper, TEXT_MAIN)};
	double width = text_width(s, style, number), half = level ? size / 2 : width / 2,
	       middle = end + out * (half + 2 * s->size);

	path_move(&s->list, level ? o->along : inner, level ? inner : o->along);
	path_line(&s->list, level ? at : end, level ? end : at);
	path_paint(&s->list, LAYER_SHEET, NO_COLOUR, sheet_pen(s, s->colours->fine, 0.8));
	put_text(s, LAYER_SHEET, number, level ? at : middle,
		 (level ? middle : at) + (TEXT_RISE - TEXT_DROP) / 2 * size, style, ANCHOR_MIDDLE);

	struct key_entry key = {(int)s->keys.n + 1, o->room, room_words(s, &s->plan->rooms.items[o->room])};

	*ARRAY_PUSH(s->call->arena, &s->keys) = key;
}

/* Puts the numbers of rooms that are too small for a number into the margin, side by side as far as possible. */
static void outsiders(struct sheet *s, struct view *v, size_t first)
{
	size_t n = s->nameless.n - first, kept = first;
	struct outsider *list = arena_array(s->call->arena, n + 1, sizeof *list);
	double gap = hand_width(&s->hand, FACE_BOLD, TEXT("888")) * legible(s),
	       last[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};

	if (!n || s->sparse)
		return;
	for (size_t i = 0; i < n; i++)
		list[i] = outsider_of(s, v, s->nameless.items[first + i]);
	array_sort(list, n, sizeof *list, outsider_order);
	for (size_t i = 0; i < n; i++) {
		struct outsider *o = &list[i];
		bool level = o->side == SIDE_TOP || o->side == SIDE_BOTTOM;
		struct frame f = view_frame(s, v);
		double at = fmax(o->along, last[o->side] + (level ? gap : 1.2 * legible(s)));

		if (at > (level ? f.right : f.bottom) || fabs(at - o->along) > 60 * s->size) {
			s->nameless.items[kept++] = o->room;
			continue;
		}
		last[o->side] = at;
		s->list.subject = o->room;
		outsider_paint(s, v, o, at);
		s->list.subject = -1;
	}
	s->nameless.n = kept;
}

void draw_labels(struct sheet *s, struct view *v)
{
	struct obstacles o = {0};
	size_t first = s->nameless.n;

	if (!s->plan->config.show_labels)
		return;
	obstacles_collect(s, v, &o);
	for (size_t i = floor_rooms(s->plan, v->floor); i < floor_rooms(s->plan, v->floor + 1); i++)
		if (s->plan->rooms.items[i].placed && view_shows(s, &s->plan->rooms.items[i].box))
			label(s, v, (int)i, &o);
	outsiders(s, v, first);
}
