/* cast.h: names in a book: who they are, and where a name stands in words. */
#ifndef QUIRE_KINDS_HNPX_STORY_CAST_H
#define QUIRE_KINDS_HNPX_STORY_CAST_H
#include "base/text.h"

/* Where the name stands as words of their own in the text, at or behind `from`; SIZE_MAX: nowhere. Both as written. */
size_t name_find(struct text t, struct text name, size_t from);

#endif
