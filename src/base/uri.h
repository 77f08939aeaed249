/* uri.h: names as parts of an address, and back.
 *
 * Bytes that may not stand in a path of a URI are written as %XX; a slash stays, so that a path looks like one. */
#ifndef QUIRE_BASE_URI_H
#define QUIRE_BASE_URI_H
#include "base/text.h"

struct text uri_of(struct arena *a, const char *prefix, struct text path); /* the prefix stands as it is */
struct text uri_decode(struct arena *a, struct text chars);                /* absent: a broken escape */

#endif
