/* draw.h: a plan becomes a picture.
 *
 * The way is plan -> wall graph -> display list -> canvas. Everything is decided in the display list, which is pure
 * data; a canvas (PNG and PDF by cairo, SVG by a writer of our own) only puts it down. The same plan and options give
 * the same bytes: no date, no system fonts, no order that hangs on addresses. */
#ifndef QUIRE_FLOORPLAN_DRAW_H
#define QUIRE_FLOORPLAN_DRAW_H
#include "base/call.h"
#include "kinds/floorplan/plan/plan.h"

struct lettering;

enum { DRAW_SIDE_MIN = 64, DRAW_SIDE_MAX = 4096, DRAW_WIDTH = 1200, DRAW_HEIGHT = 1568 };

/* DRAW_DEFAULTS draws the first floor as PNG the way the plan itself asks for. */
struct draw_options {
	enum draw_format format;
	int width, height; /* pixels; width is the sheet's, height its upper bound */
	int floor;         /* index; one that does not exist is refused */
	bool all_floors;
	enum draw_layout layout;
	bool show_area, show_floor_summary;
	int show_dimensions;         /* 0 or 1; -1: as the plan says */
	int theme;                   /* enum theme; -1: the plan's */
	int area_unit;               /* enum area_unit; -1: the plan's */
	int length_unit;             /* enum unit; -1: the plan's */
	int page_scale;              /* PDF: 50 for 1:50; 0: the largest usual one that fits A4, else A3 */
	struct lettering *lettering; /* the kind's state: fonts stay loaded between calls. NULL: for this call alone */
};

#define DRAW_DEFAULTS                                                                                                  \
	(struct draw_options)                                                                                          \
	{                                                                                                              \
		.width = DRAW_WIDTH, .height = DRAW_HEIGHT, .show_dimensions = -1, .theme = -1, .area_unit = -1,       \
		.length_unit = -1                                                                                      \
	}

struct drawing {
	struct text bytes;
	const char *mime;
	int width, height; /* pixels; of a PDF: points */
	double scale;      /* pixels (points) per plan unit; 0: nothing was there to draw */
};

/* False: the error says which library, font or floor is missing. Warnings go to the call. */
bool plan_draw(struct call *c, const struct plan *p, const struct draw_options *o, struct drawing *out);

/* Fonts and their measures, made at once and loaded at the first drawing. Any number of threads may draw with one. */
struct lettering *lettering_new(void);
void lettering_free(struct lettering *l);

/* Lets go of all that fontconfig keeps for the process; for tests that look for leaks, after lettering_free(). */
void lettering_end(void);

#endif
