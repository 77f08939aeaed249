/* words.h: the words of a Word file, for comparing two versions of it without a session. */
#ifndef QUIRE_KINDS_DOCX_READ_WORDS_H
#define QUIRE_KINDS_DOCX_READ_WORDS_H
#include "base/call.h"
#include "format/zip.h"

/* A line for each paragraph of every story: its label, then its text, with tags where looks differ. False: error set.
 */
bool docx_words(struct call *c, struct text bytes, const struct zip_limits *limits, struct text *out);

#endif
