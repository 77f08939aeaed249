/* step.h: one node of a book as results show it: its id, its level, its place and time, its summary. */
#ifndef QUIRE_KINDS_HNPX_STORY_STEP_H
#define QUIRE_KINDS_HNPX_STORY_STEP_H
#include "kinds/hnpx/hnpx.h"

struct step {
	struct text id, type, title, location, time, pov, summary;
};
extern const struct shape step_shape;

struct step step_of(struct arena *a, const struct book *b, uint32_t node);
struct objects steps_above(struct arena *a, const struct book *b, uint32_t node); /* from the book down */

uint32_t sibling_behind(const struct book *b, uint32_t node);
uint32_t above_at(const struct book *b, uint32_t node, int level); /* itself, or the node above it; BOOK_NONE */

#endif
