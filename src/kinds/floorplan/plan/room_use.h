/* room_use.h: what a room is for, guessed from its label and name.
 *
 * A guess: the language does not say it. The drawing's tints and the critic's rules hang on it, the checks do not. */
#ifndef QUIRE_KINDS_FLOORPLAN_ROOM_USE_H
#define QUIRE_KINDS_FLOORPLAN_ROOM_USE_H
#include "base/text.h"

#include <stdbool.h>

enum room_use {
	USE_OTHER,
	USE_LIVING,
	USE_DINING,
	USE_KITCHEN,
	USE_WORK,
	USE_BATH, /* toilets too */
	USE_LAUNDRY,
	USE_SLEEPING,
	USE_ENTRANCE,
	USE_CIRCULATION,
	USE_STORAGE,
	USE_GARAGE,
	USE_OUTDOORS,
	ROOM_USES
};

/* `use` by the last word that says something, as the noun comes last: a "Bedroom closet" is a closet. The label wins.
 * `said` holds what any word of the label or the name says: "Kitchen and dining" is both. */
struct room_uses {
	enum room_use use;
	unsigned said; /* a bit for each use */
};

struct room_uses room_uses_of(struct text name, struct text label);
enum room_use room_use_of(struct text name, struct text label);

#endif
