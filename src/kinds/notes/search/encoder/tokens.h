/* tokens.h: a text as numbers of the model's subword pieces.
 *
 * Chooses the split into pieces with the highest sum of scores (Viterbi). A run of characters that are in no piece is
 * one token 0. */
#ifndef QUIRE_KINDS_NOTES_SEARCH_ENCODER_TOKENS_H
#define QUIRE_KINDS_NOTES_SEARCH_ENCODER_TOKENS_H
#include "kinds/notes/search/encoder/weights.h"

/* Writes at most `most` tokens and returns their number. */
size_t tokens_of(const struct weights *w, struct text t, uint16_t *out, size_t most);

#endif
