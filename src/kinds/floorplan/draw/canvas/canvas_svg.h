/* canvas_svg.h: a display list as SVG 1.1.
 *
 * Text stays text, so it can be searched, copied and restyled. Its measured length is written with it, so that a viewer
 * without our fonts squeezes the text instead of drawing it over a wall. Layers become groups with their name. */
#ifndef QUIRE_FLOORPLAN_CANVAS_SVG_H
#define QUIRE_FLOORPLAN_CANVAS_SVG_H
#include "base/buffer.h"
#include "kinds/floorplan/draw/canvas/display_list.h"

struct canvas_svg {
	struct canvas canvas;
	struct buffer out;
	const char *family; /* CSS font family of everything except FACE_MONO */
	bool in_layer;
};

void canvas_svg_init(struct canvas_svg *s, struct arena *a, const char *family);

#endif
