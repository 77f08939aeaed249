/* axonometric.h: a plan seen in three dimensions, in parallel projection from above its bottom right corner.
 *
 * The same bodies as in the GLB file, without a roof. Faces are painted from the far corner to the near one, in the
 * order of the solid (solid.h), so that nearer faces cover hidden faces and lines. Only edges where the surface turns
 * are drawn. Several storeys are above each other on the sheet, the first one lowest. */
#ifndef QUIRE_KINDS_FLOORPLAN_AXONOMETRIC_H
#define QUIRE_KINDS_FLOORPLAN_AXONOMETRIC_H
#include "kinds/floorplan/draw/canvas/display_list.h"
#include "kinds/floorplan/draw/draw.h"

struct hand;

/* Only the marks, for tests. `hand` measures the names; NULL: no names are written. */
bool axonometric_compose(struct call *c, const struct plan *p, const struct draw_options *o, const struct hand *hand,
			 struct display_list *out, double *scale);

bool axonometric_draw(struct call *c, const struct plan *p, const struct draw_options *o, struct drawing *out);

#endif
