/* tokens.h: a text as numbers of the model's subword pieces.
 *
 * Of all ways to cut the text into pieces the one with the highest sum of scores (Viterbi). A character in no piece is
 * token 0, and a run of them is one. */
#ifndef QUIRE_KINDS_NOTES_SEARCH_ENCODER_TOKENS_H
#define QUIRE_KINDS_NOTES_SEARCH_ENCODER_TOKENS_H
#include "kinds/notes/search/encoder/weights.h"

/* At most `most` tokens; returns how many. */
size_t tokens_of(const struct weights *w, struct text t, uint16_t *out, size_t most);

#endif
