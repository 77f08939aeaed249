/* encoding.h: converts parts from UTF-16 to UTF-8. */
#ifndef QUIRE_KINDS_DOCX_PACKAGE_ENCODING_H
#define QUIRE_KINDS_DOCX_PACKAGE_ENCODING_H
#include "base/text.h"

bool encoding_is_utf16(struct text bytes);
/* The result has no byte order mark, and its declaration says UTF-8. Absent if the bytes are not UTF-16. */
struct text encoding_from_utf16(struct arena *a, struct text bytes);

#endif
