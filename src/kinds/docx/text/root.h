/* root.h: a small part (relationships, content types, comments) with one more row. */
#ifndef QUIRE_KINDS_DOCX_TEXT_ROOT_H
#define QUIRE_KINDS_DOCX_TEXT_ROOT_H
#include "base/text.h"

struct text root_with_child(struct arena *a, struct text bytes, struct text more); /* `more` before the root's end */
struct text root_prefix(struct text bytes); /* "p:" where the root is written with a prefix, else "" */

#endif
