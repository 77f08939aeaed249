/* forward.h: from tokens to a vector.
 *
 * The same steps (forward_steps.h) are compiled three times: for every processor, for AVX2 and for AVX-512.
 * encoder.c checks the processor before it calls the second or third. The results differ only by rounding. */
#ifndef QUIRE_KINDS_NOTES_SEARCH_ENCODER_FORWARD_H
#define QUIRE_KINDS_NOTES_SEARCH_ENCODER_FORWARD_H
#include "kinds/notes/search/encoder/weights.h"

/* Floats of scratch memory for n tokens, aligned to 32 bytes. */
size_t forward_scratch(size_t n);
void forward_plain(const struct weights *w, const uint16_t *tokens, size_t n, float *scratch, float out[WIDTH]);
bool forward_wide_is_here(void);
void forward_wide(const struct weights *w, const uint16_t *tokens, size_t n, float *scratch, float out[WIDTH]);
bool forward_widest_is_here(void);
void forward_widest(const struct weights *w, const uint16_t *tokens, size_t n, float *scratch, float out[WIDTH]);

#endif
