/* sketch.h: a first layout for a list of rooms.
 *
 * Every floor has a hall along its width with rooms on both sides, so that each room has a door to the hall and an
 * outer wall. Rooms keep their given size. With several floors, a room with a stair is at the same place on each. The
 * result is a valid plan to start with, not a design. */
#ifndef QUIRE_KINDS_FLOORPLAN_SKETCH_H
#define QUIRE_KINDS_FLOORPLAN_SKETCH_H
#include "kinds/floorplan/language/words.h"
#include "tool/field.h"

struct room_wanted {
	struct text name, floor; /* floor absent: Ground */
	struct maybe_number width, height, area;
};

bool sketch_plan(struct call *c, const struct room_wanted *rooms, size_t n, enum unit unit, struct text *out);

#endif
