/* unseen.h: characters that a person does not see but a program reads: zero-width, tag, bidirectional and control
 * characters.
 *
 * Joiners and variation selectors are ordinary where a script or an emoji wants them, and so are the tags of a flag and
 * the direction marks of a text in a right-to-left script. A text may hide orders to a model in the others. */
#ifndef QUIRE_BASE_UNSEEN_H
#define QUIRE_BASE_UNSEEN_H
#include "base/text.h"

enum unseen { UNSEEN_NONE, UNSEEN_ZERO_WIDTH, UNSEEN_TAG, UNSEEN_DIRECTION, UNSEEN_CONTROL, UNSEEN_SORTS };
extern const char *const unseen_names[]; /* "zero-width", "tag", "bidirectional", "control" */

/* Finds the next unseen character at or after *at, and returns its sort. *at is then its offset, and *len its bytes.
 * UNSEEN_NONE: there is none. */
enum unseen unseen_next(struct text t, size_t *at, size_t *len);
/* The text without them; the text itself if it has none. */
struct text unseen_without(struct arena *a, struct text t);

#endif
