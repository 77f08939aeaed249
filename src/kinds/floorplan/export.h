/* export.h: the formats a plan can be written as, and the file that takes one.
 *
 * words.def names each format once: word, MIME type, picture or data. The word is the file extension. export.c adds the
 * writer. A new format is one row in words.def and one in export.c; render_floorplan, export_floorplan and `quire
 * floorplan draw` then know it.
 *
 *	export_format(c, args->format, args->output_path, &o.format)    the extension decides
 *	export_make(c, plan, &o, &drawing)                              the bytes
 *	export_write(c, &(struct export_target){...}, &drawing)         the file
 */
#ifndef QUIRE_KINDS_FLOORPLAN_EXPORT_H
#define QUIRE_KINDS_FLOORPLAN_EXPORT_H
#include "kinds/floorplan/draw/draw.h"

/* `format` is an enum draw_format, or -1: by the extension. An unknown extension, or one that contradicts the format,
 * is refused. */
bool export_format(struct call *c, int format, struct text path, enum draw_format *out);

/* Not a picture: only export_floorplan writes it. */
bool format_is_data(enum draw_format format);

/* Runs the format's writer. */
bool export_make(struct call *c, const struct plan *p, const struct draw_options *o, struct drawing *out);

struct export_target {
	struct text path;   /* the file to write */
	struct text source; /* the file of the plan; absent: the plan came as text */
	bool overwrite;
};
/* An existing file is replaced only with `overwrite`; the plan itself and documents of any kind never. */
bool export_write(struct call *c, const struct export_target *t, const struct drawing *d);

#endif
