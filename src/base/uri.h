/* uri.h: encodes names as parts of a URI, and decodes them.
 *
 * Bytes that a URI's path must not contain are written as %XX; a slash stays, so a path still looks like one. */
#ifndef QUIRE_BASE_URI_H
#define QUIRE_BASE_URI_H
#include "base/text.h"

struct text uri_of(struct arena *a, const char *prefix, struct text path); /* the prefix is copied unchanged */
struct text uri_decode(struct arena *a, struct text chars);                /* absent: a broken escape */

#endif
