/* dxf.h: a plan as a CAD drawing.
 *
 * Layers ROOMS, WALLS, DOORS, WINDOWS, STAIRS, LIFTS, LABELS, DIMENSIONS. One drawing unit is one unit of the plan. y
 * is reversed, because it points upwards in CAD. Doors and windows are blocks, one for each size, inserted at their
 * places. Floors are side by side, each with its name below. */
#ifndef QUIRE_KINDS_FLOORPLAN_DXF_H
#define QUIRE_KINDS_FLOORPLAN_DXF_H
#include "kinds/floorplan/draw/draw.h"

bool dxf_write(struct call *c, const struct plan *p, const struct draw_options *o, struct drawing *out);

#endif
