/* sheet.h: the paper a plan is drawn on, and what all parts of the drawing share.
 *
 * Sizes of strokes and letters are pixels times `size`, which follows the sheet and not the plan, so a hut and a
 * hospital read alike. The scale of the plan is chosen last, from what the margins leave. Each floor drawn is a view;
 * all views have one scale and one origin. sheet_compose() decides everything and leaves it in the display list. */
#ifndef QUIRE_FLOORPLAN_SHEET_H
#define QUIRE_FLOORPLAN_SHEET_H
#include "kinds/floorplan/draw/canvas/canvas_cairo.h"
#include "kinds/floorplan/draw/canvas/display_list.h"
#include "kinds/floorplan/draw/draw.h"
#include "kinds/floorplan/draw/theme.h"
#include "kinds/floorplan/draw/wall_graph.h"

#include <math.h>

/* Where a room's name did not fit: a number in the room and a line in the list below the plan. */
struct key_entry {
	int number;
	int room;
	struct text name;
};

struct view {
	int floor;
	struct frame cell; /* on the sheet: all that belongs to this floor */
	double left, top;  /* on the sheet: where the corner of the sheet's `world` lies */
	struct wall_graph walls;
	int chains[4]; /* dimension chains outside each side, by enum side */
};

struct sheet {
	struct call *call;
	const struct plan *plan;
	struct draw_options options;
	const struct colours *colours;
	struct hand hand;
	struct lettering *own; /* to be freed with the sheet; NULL: the caller's */
	enum unit length_unit;
	enum area_unit area_unit;
	bool dimensions;

	double size;      /* of strokes and letters: 1 on a sheet of DRAW_WIDTH */
	double letters;   /* the plan's factor on the size of labels */
	bool sparse;      /* too small for titles, dimensions and lists */
	double scale;     /* sheet units per plan unit; 0: nothing to draw */
	struct box world; /* what every view shows, plan units */
	struct view *views;
	size_t view_count;
	double page_width, page_height; /* points; PDF only */
	int page_scale;                 /* 50 for 1:50; 0: not a true scale */

	ARRAY(struct key_entry) keys;
	double key_height; /* what the list below takes */
	struct display_list list;
};

/* Sheet units of half a point: on A4 letters and strokes come out as on a screen sheet of the usual width. */
#define PAGE_UNIT 0.5

bool sheet_compose(struct call *c, const struct plan *p, const struct draw_options *o, struct sheet *out);
void sheet_paint(struct sheet *s, struct drawing *out);
void sheet_free(struct sheet *s);

double view_x(const struct sheet *s, const struct view *v, double x);
double view_y(const struct sheet *s, const struct view *v, double y);

/* Pens of the sheet: widths in pixels at size 1. */
struct pen sheet_pen(const struct sheet *s, uint32_t colour, double width);

/* Lengths and areas in words, in the units asked for: 12'-6", 3.81, 136 ft². */
struct text length_words(const struct sheet *s, double length);
struct text length_unit_words(const struct sheet *s); /* " m" where a pair of lengths needs it, else empty */
struct text area_words(const struct sheet *s, double area);

/* The label, or the name with blanks put in. */
struct text room_words(const struct sheet *s, const struct plan_room *r);
struct text name_words(struct arena *a, struct text name);
enum { WORDING_MAX = 120 }; /* characters of one label: more than any room has place for */
struct text wording_of(struct arena *a, struct text t);
uint32_t room_fill(const struct sheet *s, const struct plan_room *r);

void put_text(struct sheet *s, enum layer layer, struct text wording, double x, double y, struct lettering_style style,
	      enum anchor anchor);

/* The wording cut to the width with an ellipsis at its end; absent when not even `least` characters are left. */
struct text text_cut(struct sheet *s, enum face face, struct text wording, double size, double width, size_t least);

/* The parts, in the order they are painted. */
void draw_rooms(struct sheet *s, struct view *v);
void draw_walls(struct sheet *s, struct view *v);
void draw_openings(struct sheet *s, struct view *v);
void draw_stairs(struct sheet *s, struct view *v);
void draw_labels(struct sheet *s, struct view *v);
void draw_dimensions(struct sheet *s, struct view *v);

/* How many chains each side will have; before the scale is known. */
void count_chains(struct sheet *s, struct view *v);

/* Where a door's leaf and arc lie, plan units, as seen on the floor; empty for other openings. */
struct box opening_swing(const struct plan *p, const struct opening *o);

/* Whole pixels for edges of filled shapes; thickness of a wall on the sheet. */
double wall_pixels(const struct sheet *s, enum wall_weight w);
struct frame piece_frame(const struct sheet *s, const struct view *v, const struct stretch *at, enum wall_weight w);

/* Lengths are of a sheet, so no care for overflow is needed; hypot() would ask for glibc 2.35. */
static inline double length_of(double x, double y) { return sqrt(x * x + y * y); }

#endif
