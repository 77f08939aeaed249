/* encoding.h: parts written in UTF-16 as UTF-8. */
#ifndef QUIRE_KINDS_DOCX_PACKAGE_ENCODING_H
#define QUIRE_KINDS_DOCX_PACKAGE_ENCODING_H
#include "base/text.h"

bool encoding_is_utf16(struct text bytes);
/* Without byte order mark; the declaration's encoding says UTF-8. Absent: not UTF-16. */
struct text encoding_from_utf16(struct arena *a, struct text bytes);

#endif
