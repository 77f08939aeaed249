/* draw.h: draws a plan as a picture.
 *
 * The steps are plan -> wall graph -> display list -> canvas. The display list is pure data and contains every
 * decision. A canvas (PNG and PDF by cairo, SVG by our own writer) only paints it. The same plan and options give the
 * same bytes: no system fonts, no order that depends on addresses. Only a sheet set has a date. */
#ifndef QUIRE_FLOORPLAN_DRAW_H
#define QUIRE_FLOORPLAN_DRAW_H
#include "base/call.h"
#include "kinds/floorplan/plan/plan.h"

struct lettering;

enum { DRAW_SIDE_MIN = 64, DRAW_SIDE_MAX = 4096, DRAW_WIDTH = 1200, DRAW_HEIGHT = 1568 };
#define DRAW_ZOOM_MIN 0.1
#define DRAW_ZOOM_MAX 50

/* A table for a sheet set: texts, row by row. */
struct sheet_table {
	struct text title;
	size_t columns, rows;
	const struct text *heads, *units; /* by column; a unit is below its head, empty: none */
	const struct text *cells;
	const bool *is_number; /* by column: aligned to the right */
};

/* DRAW_DEFAULTS draws the first floor as PNG with the settings of the plan. */
struct draw_options {
	enum draw_format format;
	int width, height; /* pixels; width is the sheet's, height its upper bound */
	int floor;         /* index; must exist */
	bool floor_given;  /* `floor` was given, so a crop must be on it */
	bool all_floors;
	enum draw_layout layout;
	bool show_area, show_floor_summary;
	int show_dimensions;             /* 0 or 1; -1: as the plan says */
	int theme;                       /* enum theme; -1: the plan's */
	int area_unit;                   /* enum area_unit; -1: the plan's */
	int length_unit;                 /* enum unit; -1: the plan's */
	int page_scale;                  /* PDF: 50 for 1:50; 0: the largest standard one that fits */
	int paper;                       /* PDF: enum paper; -1: the smallest that fits the plan */
	bool sheet_set;                  /* PDF: a page for each floor, with frame and title block */
	const struct sheet_table *table; /* follows the floors of a sheet set, on separate pages; NULL: none */
	struct text date;                /* of a sheet set; absent: the head's, else today */
	struct text crop;                /* Room, Floor.Room or Floor: draw only this part. Absent: all */
	bool zoom_given;                 /* then: */
	double zoom;                     /* 2: half the width and height, around the middle */
	struct text north;               /* top, right, bottom, left or degrees; absent: as the head says */
	bool hatch;                      /* walls hatched by material */
	enum schedule schedule;
	bool schedule_given;
	enum draw_view view;
	size_t png_most;             /* bytes of a PNG that fewer colours try to keep; 0: any number */
	struct lettering *lettering; /* of the kind: fonts stay loaded between calls. NULL: only for this call */
};

#define DRAW_DEFAULTS                                                                                                  \
	(struct draw_options)                                                                                          \
	{                                                                                                              \
		.width = DRAW_WIDTH, .height = DRAW_HEIGHT, .show_dimensions = -1, .theme = -1, .area_unit = -1,       \
		.length_unit = -1, .paper = -1                                                                         \
	}

struct drawing {
	struct text bytes;
	const char *mime;
	int width, height; /* pixels; of a PDF: points */
	double scale;      /* pixels (points) per plan unit; 0: there was nothing to draw */
	int pages;         /* of a PDF */
	int floor;         /* the drawn floor: crop may name another one than the options */
};

/* On failure the error says which library, font, floor or room is missing. Warnings are added to the call. */
bool plan_draw(struct call *c, const struct plan *p, const struct draw_options *o, struct drawing *out);

/* Fonts and their measures. Fonts are loaded at the first drawing. Any number of threads may share one lettering. */
struct lettering *lettering_new(void);
void lettering_free(struct lettering *l);

#endif
