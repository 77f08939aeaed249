/* order.h: sorts things by a number.
 *
 * Sorts small keys with the index of the things, not the things themselves. Most plans are written in order, row by
 * row. So existing runs are merged: a sorted list costs one pass, and nothing costs more than n log n. */
#ifndef QUIRE_KINDS_FLOORPLAN_ORDER_H
#define QUIRE_KINDS_FLOORPLAN_ORDER_H
#include "base/arena.h"

#include <stdint.h>

struct place_in_order {
	double key;
	int group;      /* before the key */
	uint32_t index; /* the last criterion, so no two items are equal */
};

void order(struct arena *a, struct place_in_order *items, size_t n);

#endif
