/* rough.h: a book whose bytes are not XML, because of a slip in a text editor.
 *
 * The commonest slip is a bare & or < in prose; rough_escape() mends those and changes nothing else. rough_read() makes
 * XML of whatever can be read, for showing only: it leaves out what cannot be read, closes what is open, and says so.
 * The result keeps the lines of the file. Both know the six elements of the format, so every other < is a character. */
#ifndef QUIRE_KINDS_HNPX_REPAIR_ROUGH_H
#define QUIRE_KINDS_HNPX_REPAIR_ROUGH_H
#include "kinds/hnpx/repair/mend.h"

/* False: the result is not XML either. `out` is only set if it is. */
bool rough_escape(struct arena *a, struct text bytes, struct mends *out);
/* out->list: what was left out or guessed, in order. The result may still not be a book. */
void rough_read(struct arena *a, struct text bytes, struct mends *out);
/* The words around a place, in one line. */
const char *rough_around(struct arena *a, struct text bytes, size_t at);

#endif
