/* encoder.h: the meaning of a sentence as a vector.
 *
 * Universal Sentence Encoder Lite: two transformer layers over subword tokens, averaged, 512 numbers of unit length.
 * The cosine of two texts' vectors says how near they are in meaning. English only. The weights are part of the program
 * (weights.h), int8 with float32 arithmetic. Nothing is loaded and no state is kept between calls, so any number of
 * threads may encode at once. */
#ifndef QUIRE_KINDS_NOTES_SEARCH_ENCODER_ENCODER_H
#define QUIRE_KINDS_NOTES_SEARCH_ENCODER_ENCODER_H
#include "base/text.h"

enum {
	ENCODER_DIMENSION = 512,
	ENCODER_TOKENS = 128 /* the model was trained with this limit; later tokens are ignored */
};

bool encoder_is_here(void); /* false: this program was built without the weights */
/* Accepts any bytes. A text without tokens gives zeros. */
void encoder_encode(struct text t, float out[ENCODER_DIMENSION]);

/* For tests and the bench, which compare the paths. Those up to encoder_best() can run on this processor. */
enum encoder_path { ENCODER_PLAIN, ENCODER_AVX2, ENCODER_AVX512 };
enum encoder_path encoder_best(void);
void encoder_encode_by(enum encoder_path path, struct text t, float out[ENCODER_DIMENSION]);

#endif
