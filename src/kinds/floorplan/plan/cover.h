/* cover.h: the area that boxes cover together. Overlaps count once. */
#ifndef QUIRE_KINDS_FLOORPLAN_COVER_H
#define QUIRE_KINDS_FLOORPLAN_COVER_H
#include "kinds/floorplan/plan/plan.h"

double boxes_cover(struct arena *a, const struct box *boxes, size_t n);

#endif
