/* hunks.h: the differences between two texts, by words.
 *
 * The unchanged words between changes are anchors: their characters keep their runs, links and fields. A hunk replaces
 * the code points [from, to) of the old text by [new_from, new_to) of the new one. Hunks are in order and never split a
 * cluster. */
#ifndef QUIRE_KINDS_DOCX_SURGEON_HUNKS_H
#define QUIRE_KINDS_DOCX_SURGEON_HUNKS_H
#include "kinds/docx/surgeon/match.h"
#include "kinds/docx/text/sequence.h"

/* `whole`: ranges of the old text that change as one or not at all (placeholders), in order; may be NULL. */
struct hunks hunks_between(struct arena *a, const struct runes *old, const struct runes *new, const struct match *whole,
			   size_t whole_n);

#endif
