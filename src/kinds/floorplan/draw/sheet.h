/* sheet.h: the paper a plan is drawn on, and the state that all parts of the drawing share.
 *
 * Strokes and letters are measured in pixels times `size`. The size depends on the sheet and not on the plan, so small
 * and large buildings are equally readable. A picture larger than usual keeps size 1 and shows more. The scale of the
 * plan is chosen last, from the space inside the margins. Each drawn floor is a view. All views have one scale and one
 * origin.
 *
 *	sheet_compose(c, plan, options, &s)    decides everything, leaves it in s.list
 *	sheet_paint(&s, &drawing)              bytes
 *	sheet_free(&s) */
#ifndef QUIRE_FLOORPLAN_SHEET_H
#define QUIRE_FLOORPLAN_SHEET_H
#include "kinds/floorplan/draw/canvas/canvas_cairo.h"
#include "kinds/floorplan/draw/canvas/display_list.h"
#include "kinds/floorplan/draw/draw.h"
#include "kinds/floorplan/draw/theme.h"
#include "kinds/floorplan/plan/wall_graph.h"

#include <math.h>

/* For a room whose name did not fit: a number in the room and a line in the list below the plan. */
struct key_entry {
	int number;
	int room;
	struct text name;
};

struct view {
	int floor;
	struct frame cell; /* on the sheet: all that belongs to this floor */
	double left, top;  /* on the sheet: the corner of the sheet's `world` */
	struct wall_graph walls;
	int chains[4];             /* dimension chains outside each side, by enum side */
	ARRAY(struct frame) words; /* words next to stairs; labels avoid them */
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
	bool has_north;
	double north; /* degrees clockwise from the top */

	double size;       /* of strokes and letters: 1 on a sheet of DRAW_WIDTH */
	double letters;    /* the plan's factor on the size of labels */
	double type_least; /* smallest text size: 7 pt on paper, 0 on a screen */
	bool sparse;       /* too small for titles, dimensions and lists */
	double scale;      /* sheet units per plan unit; 0: nothing to draw */
	struct box world;  /* the part that every view shows, plan units */
	bool cropped;      /* the world is a part of the floor: marks are cut at its edge */
	int crop_room;     /* the requested room; -1: none */
	struct view *views;
	size_t view_count;

	struct frame area;               /* on the sheet: for views, titles and lists */
	int paper;                       /* enum paper; -1: a picture */
	double page_width, page_height;  /* points; PDF only */
	int page_scale;                  /* 50 for 1:50; 0: not a true scale */
	int scale_limit;                 /* the scale is at most 1 to this, for other pages of the set; 0: any */
	const struct sheet_table *table; /* the page shows this table instead of a floor; NULL: a floor */
	int number, of;                  /* sheet 2 of 3 of a set; 0: a page by itself */

	ARRAY(struct key_entry) keys;
	double key_height;   /* height of the list below */
	ARRAY(int) nameless; /* rooms without space even for a number */
	uint32_t materials;  /* hatched, a bit for each enum material */
	struct display_list list;
};

/* A sheet unit is half a point. So on A4, letters and strokes look like those of a usual picture. */
#define PAGE_UNIT 0.5

bool sheet_compose(struct call *c, const struct plan *p, const struct draw_options *o, struct sheet *out);
void sheet_paint(struct sheet *s, struct drawing *out);
void sheet_free(struct sheet *s);

/* A sheet set: one page for each floor. The pages share scale and paper. */
struct sheet_set {
	struct sheet *pages;
	size_t n;
};
bool sheet_set_compose(struct call *c, const struct plan *p, const struct draw_options *o, struct sheet_set *out);
void sheet_set_paint(struct sheet_set *set, struct drawing *out);
void sheet_set_free(struct sheet_set *set);

static inline bool is_paper(const struct sheet *s) { return s->options.format == FORMAT_PDF; }

double view_x(const struct sheet *s, const struct view *v, double x);
double view_y(const struct sheet *s, const struct view *v, double y);
struct frame view_frame(const struct sheet *s, const struct view *v); /* the world on the sheet */
bool view_shows(const struct sheet *s, const struct box *b);          /* is any of it within the world? */
bool floor_is_empty(const struct plan *p, int floor);

/* Pens of the sheet: widths in pixels at size 1. On paper the nearest standard pen is used (page.c). */
struct pen sheet_pen(const struct sheet *s, uint32_t colour, double width);
double page_pen(double width);

/* The smallest text of a label. */
static inline double legible(const struct sheet *s) { return fmax(fmax(9 * s->size, 9), s->type_least); }

/* measure.c: lengths and areas as text, in the requested units: 12'-6 1/2", 3.81, 136 ft². A length is written as a
 * whole number of steps (1/8 in, 1 cm, 1 mm). A chain rounds its breakpoints and not its parts, so the parts add up. */
double length_steps(const struct sheet *s, double length);
struct text steps_words(const struct sheet *s, double steps);
struct text length_words(const struct sheet *s, double length);
struct text length_unit_words(const struct sheet *s); /* " m" if a pair of lengths needs it, or else empty */
struct text area_words(const struct sheet *s, double area);

/* wording.c: texts of the drawing. The label, or the name with blanks added. */
struct text room_words(const struct sheet *s, const struct plan_room *r);
struct text name_words(struct arena *a, struct text name);
bool reads_the_same(struct text name, struct text wording);

/* A drawing shows one line of at most this many characters of any text. */
enum { WORDING_MAX = 120 /* more than fits into any room */, TITLE_MAX = 300 };
struct text wording_of(struct arena *a, struct text t);
struct text plan_title_words(struct arena *a, const struct plan *p);
struct text capitals(struct arena *a, struct text t);

/* The wording cut to the width, with an ellipsis at its end. Absent if fewer than `least` characters are left. */
struct text text_cut(struct sheet *s, enum face face, struct text wording, double size, double width, size_t least);
/* Splits the wording at blanks into lines of at most this width. The rest is cut on the last line. Returns the number
 * of lines. */
size_t text_lines(struct arena *a, const struct hand *h, struct lettering_style style, struct text wording,
		  double width, struct text *lines, size_t most);

/* A title: one line if it fits, at most a third smaller, or else several lines. */
enum { TITLE_LINES = 3 };
struct title {
	struct lettering_style style;
	struct text lines[TITLE_LINES];
	size_t n;
};
struct title title_set(struct arena *a, const struct hand *h, struct text wording, double size, double least,
		       double width);
static inline double title_leading(const struct title *t) { return 1.25 * t->style.size; }

double text_width(const struct sheet *s, struct lettering_style style, struct text wording);
void put_text(struct sheet *s, enum layer layer, struct text wording, double x, double y, struct lettering_style style,
	      enum anchor anchor);
struct lettering_style on_paper(const struct sheet *s, enum face face, double size, enum text_role role);

/* The parts, in the order they are painted. */
void draw_rooms(struct sheet *s, struct view *v);
void draw_stairs(struct sheet *s, struct view *v);
void draw_walls(struct sheet *s, struct view *v);
void draw_openings(struct sheet *s, struct view *v);
void draw_lifts(struct sheet *s, struct view *v);
void draw_labels(struct sheet *s, struct view *v);
void draw_dimensions(struct sheet *s, struct view *v);

uint32_t room_fill(const struct sheet *s, const struct plan_room *r);
uint32_t element_ground(const struct sheet *s, int floor, int style, const struct box *b);

/* Counts the chains of each side, before the scale is known. */
void count_chains(struct sheet *s, struct view *v);

/* crop.c: refuses options that contradict each other, and finds the room or floor that crop names. */
bool options_check(struct call *c, const struct plan *p, struct draw_options *o, int *crop_room);

/* layout.c: scale, height and the cells of the views. False: the plan does not fit the paper. */
bool sheet_lay_out(struct sheet *s);
/* The space around the plan, in sheet units. */
struct margins {
	double title, footer;            /* of the whole sheet */
	double left, right, top, bottom; /* of each view */
	double panel;                    /* the summary, part of bottom */
	double heading;                  /* the floor's name, part of top */
};
struct margins margins_of(const struct sheet *s);
double scale_for(const struct sheet *s, const struct margins *m, double width, double height);

/* page.c: paper, standard scales, frame and title block. */
bool page_choose(struct sheet *s);
struct text scale_words(const struct sheet *s);
void title_block(struct sheet *s);

/* table_page.c: a table on separate pages. */
size_t table_rows_a_page(const struct sheet *s);
void table_paint(struct sheet *s, size_t first, size_t rows);

/* furniture.c: titles, scale bar, north arrow, the list of numbered rooms. */
void furniture(struct sheet *s);
struct title picture_title(const struct sheet *s); /* no lines: there is no title, or the title block has it */
double key_height_of(struct sheet *s);
bool north_read(struct text value, double *degrees);

/* The box of a door's leaf and arc on the floor, in plan units; empty for other openings. */
struct box opening_swing(const struct plan *p, const struct opening *o);
double leaf_thickness(const struct sheet *s);

/* Whole pixels for edges of filled shapes; thickness of a wall on the sheet. */
double wall_pixels(const struct sheet *s, enum wall_weight w);
struct frame piece_frame(const struct sheet *s, const struct view *v, const struct stretch *at, enum wall_weight w);

/* hatch.c: walls by material, on request. */
enum material {
	MATERIAL_NONE,
	MATERIAL_BRICK,
	MATERIAL_CONCRETE,
	MATERIAL_STONE,
	MATERIAL_WOOD,
	MATERIAL_INSULATION,
	MATERIAL_GLASS,
	MATERIALS
};
enum material material_of(const struct plan_style *style);
const char *material_name(enum material m);
void hatch_paint(struct sheet *s, enum layer layer, enum material m, struct frame f);

/* Not hypot(), which needs glibc 2.35. Lengths on a sheet are too small to overflow. */
static inline double length_of(double x, double y) { return sqrt(x * x + y * y); }

#endif
