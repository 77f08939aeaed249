/* excerpt.h: the plain beginning of a note, which stands for its meaning.
 *
 * The title and the first words without markup, code blocks and addresses. One vector of this says as much about a note
 * as the mean or the maximum over all its parts, and costs a tenth. */
#ifndef QUIRE_KINDS_NOTES_SEARCH_EXCERPT_H
#define QUIRE_KINDS_NOTES_SEARCH_EXCERPT_H
#include "base/text.h"

struct text excerpt_of(struct arena *a, struct text title, struct text text, size_t words);

#endif
