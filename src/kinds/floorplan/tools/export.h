/* export.h: the output formats of a plan, and writing them to a file.
 *
 * words.def names each format once: word, MIME type, picture or data. The word is the file extension. export.c adds the
 * writer. A new format is one row in words.def and one in export.c; render_floorplan, export_floorplan and `quire
 * floorplan draw` then support it.
 *
 *	export_format(c, args->format, args->output_path, &o.format)    the extension decides
 *	export_make(c, plan, &o, &drawing)                              the bytes
 *	export_write(c, &(struct export_target){...}, &drawing)         the file */
#ifndef QUIRE_KINDS_FLOORPLAN_EXPORT_H
#define QUIRE_KINDS_FLOORPLAN_EXPORT_H
#include "kinds/floorplan/draw/draw.h"

/* `format` is an enum draw_format, or -1 to use the extension. Refuses an unknown extension, or one that contradicts
 * the format. */
bool export_format(struct call *c, int format, struct text path, enum draw_format *out);

/* Is the format not a picture? Only export_floorplan writes such formats. */
bool format_is_data(enum draw_format format);

/* Runs the format's writer. */
bool export_make(struct call *c, const struct plan *p, const struct draw_options *o, struct drawing *out);

struct export_target {
	struct text path;   /* the file to write */
	struct text source; /* the file of the plan; absent: the plan was given as text */
	bool overwrite;
};
/* Replaces an existing file only with `overwrite`. Never replaces the plan itself or a document of any kind. */
bool export_write(struct call *c, const struct export_target *t, const struct drawing *d);

#endif
