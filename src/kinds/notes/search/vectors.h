/* vectors.h: one vector for each number, stored as int8 with a scale, and cosines with another vector.
 *
 * Needs an eighth of the memory of doubles. The error of a cosine is less than 0.005. Does no locking; the engine
 * does. */
#ifndef QUIRE_KINDS_NOTES_SEARCH_VECTORS_H
#define QUIRE_KINDS_NOTES_SEARCH_VECTORS_H
#include "base/text.h"

struct vectors {
	size_t dimension; /* 0 before the first vector */
	int8_t *rows;
	float *scales; /* 1 / length, so that a cosine is a product; 0: a vector of zeros, or none */
	size_t cap;
};

/* Packs one vector and returns its scale. A vector that is not finite becomes zeros. */
float vector_packed(const float *from, size_t dimension, int8_t *to);

/* The dimension must be that of the others. */
void vectors_put(struct vectors *v, size_t number, size_t dimension, const int8_t *row, float scale);
static inline bool vectors_has(const struct vectors *v, size_t number)
{
	return number < v->cap && v->scales[number] > 0;
}
void vectors_drop(struct vectors *v, size_t number);
/* Cosines of numbers 0 to n with this vector; 0 for those without one. */
void vectors_compare(const struct vectors *v, const int8_t *row, float scale, size_t n, float *out);
void vectors_free(struct vectors *v);

#endif
