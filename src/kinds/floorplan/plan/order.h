/* order.h: things in the order of a number.
 *
 * Sorted are small keys that name the things, not the things. Plans are mostly written in order, row after row, so the
 * runs that are there are merged: what is in order costs one look, and nothing costs more than n log n. */
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
