/* glb.h: a plan as a glTF 2.0 model in one binary file.
 *
 * Metres; y upwards, x as in the plan, z along the plan's y. One node for each storey, named as its floor, with a mesh
 * for its walls, its slab and its stairs. */
#ifndef QUIRE_KINDS_FLOORPLAN_GLB_H
#define QUIRE_KINDS_FLOORPLAN_GLB_H
#include "kinds/floorplan/draw/draw.h"

bool glb_write(struct call *c, const struct plan *p, const struct draw_options *o, struct drawing *out);

#endif
