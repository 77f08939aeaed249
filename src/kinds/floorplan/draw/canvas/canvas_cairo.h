/* canvas_cairo.h: display lists as PNG and PDF, and the fonts of every drawing.
 *
 * Only this file uses cairo, pango and fontconfig, which load at the first drawing. Fonts come from our own list, never
 * from the system's choice. Hinting is off and positions are not rounded. So a width is the same on every machine with
 * the same font files, and is proportional to the size. The public half is in draw.h (lettering_new). */
#ifndef QUIRE_FLOORPLAN_CANVAS_CAIRO_H
#define QUIRE_FLOORPLAN_CANVAS_CAIRO_H
#include "base/call.h"
#include "kinds/floorplan/draw/canvas/display_list.h"

struct lettering;

enum family {
	FAMILY_SANS,
	FAMILY_SERIF,
	FAMILY_MONO,
	FAMILY_NOTO,
	FAMILY_LIBERATION,
	FAMILY_LIBERATION_SERIF,
	FAMILY_LIBERATION_MONO,
	FAMILIES
};

/* The lettering of one drawing: the font that its plan requests, and the fonts that its wording needs. */
struct hand {
	struct lettering *lettering;
	enum family family;
	bool wide; /* needs more than the core fonts: another family, or text beyond Latin, Greek and Cyrillic */
};

/* `wanted` is a CSS-like list of families or absent; `wording` is all text of the drawing. Fails if a library or the
 * font is missing. A family that is not installed, or a character that no font has, gives a warning that names the
 * package. */
bool hand_choose(struct call *c, struct lettering *l, struct text wanted, const struct text *wording, size_t n,
		 struct hand *out);

double hand_width(const struct hand *h, enum face face, struct text wording); /* at size 1 */
const char *hand_family(const struct hand *h);                                /* for CSS */

/* `most`: more bytes than that are avoided by fewer colours; 0: any number. */
struct canvas *canvas_png(struct call *c, const struct hand *h, size_t most);

/* A page for each list; the lists' units are `unit` points each. */
struct canvas *canvas_pdf(struct call *c, const struct hand *h, double unit);

#endif
