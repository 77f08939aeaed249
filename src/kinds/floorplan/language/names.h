/* names.h: names of rooms that are not ASCII.
 *
 * The language allows only ASCII letters, digits and _ in names. Other text belongs in a room's label. */
#ifndef QUIRE_KINDS_FLOORPLAN_NAMES_H
#define QUIRE_KINDS_FLOORPLAN_NAMES_H
#include "base/text.h"

/* The nearest name that the language allows: Kueche for Küche. A text in another script becomes Room1. */
struct text name_in_ascii(struct arena *a, struct text name);

/* "names are ASCII ...; write Kueche label "Küche"", or NULL when the text is ASCII. */
const char *name_advice(struct arena *a, struct text name);

#endif
