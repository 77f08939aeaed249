/* room_use.h: the use of a room, guessed from its label and name.
 *
 * It is a guess, because the language has no such clause. The drawing's tints and the critic's rules use it, the checks
 * do not. */
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

/* `use` comes from the last word that names a use, because the noun comes last: a "Bedroom closet" is a closet. The
 * label takes precedence over the name. `said` has the uses of all words of the label and the name: "Kitchen and
 * dining" is both. */
struct room_uses {
	enum room_use use;
	unsigned said; /* a bit for each use */
};

struct room_uses room_uses_of(struct text name, struct text label);
enum room_use room_use_of(struct text name, struct text label);

#endif
