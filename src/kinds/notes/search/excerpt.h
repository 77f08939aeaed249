/* excerpt.h: the beginning of a note as plain text, from which its vector is computed.
 *
 * The title and the first words without markup, code blocks and addresses. One vector of this text finds notes as well
 * as the mean or maximum over all parts of a note, at a tenth of the cost. */
#ifndef QUIRE_KINDS_NOTES_SEARCH_EXCERPT_H
#define QUIRE_KINDS_NOTES_SEARCH_EXCERPT_H
#include "base/text.h"

struct text excerpt_of(struct arena *a, struct text title, struct text text, size_t words);

#endif
