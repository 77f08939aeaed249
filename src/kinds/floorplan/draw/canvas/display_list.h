/* display_list.h: a drawing as data.
 *
 * Marks are painted in order. A mark is a path (filled, stroked or both) or a line of text with its measured frame;
 * each belongs to a layer and may name the room it is about. Coordinates are those of the sheet: x to the right, y
 * downwards. One unit is a pixel (in a PDF half a point). Nothing here depends on a plan or a library. Tests read this
 * list. */
#ifndef QUIRE_FLOORPLAN_DISPLAY_LIST_H
#define QUIRE_FLOORPLAN_DISPLAY_LIST_H
#include "base/array.h"
#include "base/text.h"

#include <stdint.h>

/* 0xRRGGBB, or none. */
#define NO_COLOUR UINT32_MAX

struct frame {
	double left, top, right, bottom;
};

static inline bool frames_meet(struct frame a, struct frame b)
{
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

enum layer {
	LAYER_ROOMS,
	LAYER_WALLS,
	LAYER_EDGES, /* dashed: where two open sides meet */
	LAYER_WINDOWS,
	LAYER_DOORS,
	LAYER_STAIRS,
	LAYER_LIFTS,
	LAYER_LABELS,
	LAYER_DIMENSIONS,
	LAYER_SHEET,
	LAYERS
};
extern const char *const layer_names[LAYERS];

enum step_type { STEP_MOVE, STEP_LINE, STEP_ARC, STEP_CLOSE };

struct step {
	enum step_type type;
	double x, y; /* the point; of an arc its centre */
	double radius, from,
		to; /* of an arc: angles in radians, growing clockwise on the sheet; to < from turns back */
};

struct pen {
	uint32_t colour;
	double width;
	double on, off; /* dashes; 0: a whole line */
};

enum face { FACE_PLAIN, FACE_BOLD, FACE_MONO };
enum anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

struct lettering_style {
	enum face face;
	double size;
	uint32_t colour;
};

enum mark_type { MARK_PATH, MARK_TEXT };

struct mark {
	enum mark_type type;
	enum layer layer;
	int subject; /* what it is about, numbered by the code that makes the list; -1: nothing */

	/* a path */
	size_t first, n; /* its steps */
	uint32_t fill;
	struct pen pen;
	bool clipped;     /* only the part within the list's clip is visible */
	bool fill_on_top; /* the fill hides the inner half of the stroke, so that overlapping shapes look like one */

	/* a line of text */
	struct text wording;
	double x, y; /* of its anchor on the base line */
	struct lettering_style style;
	enum anchor anchor;
	bool upright;   /* turned: reads upwards */
	double advance; /* measured length */
	struct frame frame;
};

struct display_list {
	struct arena *arena;
	double width, height;
	uint32_t paper;
	size_t open;   /* first step of the path being made */
	int subject;   /* of the marks made next */
	bool clipping; /* the marks made next are clipped */
	struct frame clip;
	struct text title;
	ARRAY(struct step) steps;
	ARRAY(struct mark) marks;
};

/* A path is made of steps and ended by path_paint(). */
void path_move(struct display_list *d, double x, double y);
void path_line(struct display_list *d, double x, double y);
void path_arc(struct display_list *d, double x, double y, double radius, double from, double to);
void path_close(struct display_list *d);
void path_frame(struct display_list *d, struct frame b);
struct mark *path_paint(struct display_list *d, enum layer layer, uint32_t fill, struct pen pen);

/* A single line, the most common mark. */
void line_paint(struct display_list *d, enum layer layer, double x1, double y1, double x2, double y2, struct pen pen);

#define NO_PEN ((struct pen){.colour = NO_COLOUR})

/* How far a line of text of size 1 reaches above and below its base line, in every font of the list. */
#define TEXT_RISE 0.76
#define TEXT_DROP 0.22

/* `advance` is the measured length at the style's size. */
void text_paint(struct display_list *d, enum layer layer, struct text wording, double x, double y,
		struct lettering_style style, enum anchor anchor, bool upright, double advance);

struct frame text_frame(double x, double y, double size, enum anchor anchor, bool upright, double advance);

/* A painter. begin() starts the picture, or its next page if the format has pages. finish() ends it and returns its
 * bytes, in the arena of the first list. Changes of layer and clip are reported to the canvas. */
struct canvas {
	void (*begin)(struct canvas *, const struct display_list *);
	void (*layer)(struct canvas *, enum layer);
	void (*clip)(struct canvas *, const struct frame *); /* NULL: end of the clip */
	void (*path)(struct canvas *, const struct mark *, const struct step *);
	void (*text)(struct canvas *, const struct mark *);
	struct text (*finish)(struct canvas *);
};

void display_list_replay(const struct display_list *d, struct canvas *canvas);

#endif
