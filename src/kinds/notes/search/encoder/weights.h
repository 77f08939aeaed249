/* weights.h: the packed model, as tools/model/pack.mjs writes it.
 *
 * Numbers are little-endian and every part begins at a multiple of 64 bytes. So the pointers below point directly into
 * the program's constants. An int8 weight times its scale is the weight. */
#ifndef QUIRE_KINDS_NOTES_SEARCH_ENCODER_WEIGHTS_H
#define QUIRE_KINDS_NOTES_SEARCH_ENCODER_WEIGHTS_H
#include "base/text.h"

enum {
	WIDTH_NARROW = 256, /* of the embedding and the first layer's attention */
	WIDTH = 512,
	WIDTH_INNER = 1536,
	PIECES = 8000,
	EMBEDDINGS = 8002,
	PIECE_SLOTS = 1 << 15,
	PIECE_FIRST = 6, /* earlier pieces are control marks and never occur in a text */
	PANEL = 16
};

/* n inputs, m outputs. The weights of 16 neighbouring outputs are stored together, input by input. */
struct dense {
	size_t n, m;
	const float *scale, *bias;
	const int8_t *panels;
};

struct norm {
	const float *scale, *bias;
};

struct layer {
	size_t width;
	struct norm before;
	struct dense qkv, output;
	struct dense residual; /* only the first layer has it, because it changes the width; n is 0 if there is none */
	struct norm between;
	struct dense inner, outer;
};

struct weights {
	const uint32_t *piece_ends;
	const float *piece_scores;
	const uint16_t *piece_slots;
	const char *piece_bytes;
	size_t piece_longest;
	const float *embedding_scales;
	const int8_t *embeddings;
	const float *frequencies; /* of the position's signal */
	struct layer layers[2];
	struct dense last;
};

/* Returns false if the bytes have another layout, or the processor is not little-endian. */
bool weights_read(struct text packed, struct weights *out);
struct text weights_packed(void); /* built into the program; empty: built without the model */

#endif
