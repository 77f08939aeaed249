/* names.h: names of rooms that are not ASCII.
 *
 * The language takes only ASCII letters, digits and _ in names; what a person calls a room goes into its label. */
#ifndef QUIRE_KINDS_FLOORPLAN_NAMES_H
#define QUIRE_KINDS_FLOORPLAN_NAMES_H
#include "base/text.h"

/* The nearest name that the language takes: Kueche for Küche. A text of other scripts becomes Room1. */
struct text name_in_ascii(struct arena *a, struct text name);

/* "names are ASCII ...; write Kueche label "Küche"", or NULL when the text is ASCII. */
const char *name_advice(struct arena *a, struct text name);

#endif
