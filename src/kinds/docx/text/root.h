/* root.h: adds a row to a small part (relationships, content types, comments). */
#ifndef QUIRE_KINDS_DOCX_TEXT_ROOT_H
#define QUIRE_KINDS_DOCX_TEXT_ROOT_H
#include "base/text.h"

struct text root_with_child(struct arena *a, struct text bytes, struct text more); /* `more` before the root's end */
struct text root_prefix(struct text bytes); /* "p:" if the root has a prefix, otherwise "" */

#endif
