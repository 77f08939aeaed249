/* cast.h: names in a book: the characters, and finding a name in a text. */
#ifndef QUIRE_KINDS_HNPX_STORY_CAST_H
#define QUIRE_KINDS_HNPX_STORY_CAST_H
#include "base/text.h"

/* The offset of the name as whole words in the text, at or after `from`; SIZE_MAX: none. Compares both as written. */
size_t name_find(struct text t, struct text name, size_t from);

#endif
