/* names.h: finds a name in a text, as whole words. */
#ifndef QUIRE_KINDS_HNPX_PROSE_NAMES_H
#define QUIRE_KINDS_HNPX_PROSE_NAMES_H
#include "base/text.h"

/* The offset of the name as whole words in the text, at or after `from`; SIZE_MAX: none. Compares both as written. */
size_t name_find(struct text t, struct text name, size_t from);
size_t name_count(struct text t, struct text name);

#endif
