/* loose.h: text in a form for loose comparison.
 *
 * Ignores case, accents and the form of apostrophes and quotation marks. It converts character by character, so that a
 * place in the loose text can be found in the source. */
#ifndef QUIRE_KINDS_HNPX_STORY_LOOSE_H
#define QUIRE_KINDS_HNPX_STORY_LOOSE_H
#include "base/text.h"

struct text loose_text(struct arena *a, struct text t);
/* The offset in the source of the character whose loose form contains the byte `at`. */
size_t loose_source(struct text t, size_t at);

#endif
