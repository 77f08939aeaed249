/* loose.h: words as a reader compares them.
 *
 * Case, accents and the form of apostrophes and quotation marks are left aside, character by character: so a place in
 * the loose text can be found again in the source. */
#ifndef QUIRE_KINDS_HNPX_STORY_LOOSE_H
#define QUIRE_KINDS_HNPX_STORY_LOOSE_H
#include "base/text.h"

struct text loose_text(struct arena *a, struct text t);
/* Where the character whose loose form holds the byte `at` begins in the source. */
size_t loose_source(struct text t, size_t at);

#endif
