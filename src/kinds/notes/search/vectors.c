#include "kinds/notes/search/vectors.h"

#include "kinds/notes/search/heap.h"

#include <math.h>
#include <string.h>

float vector_packed(const float *from, size_t dimension, int8_t *to)
{
	float top = 0;
	double square = 0;

	for (size_t i = 0; i < dimension; i++)
		top = isfinite(from[i]) ? fmaxf(top, fabsf(from[i])) : INFINITY;
	if (!(top > 0 && isfinite(top))) {
		memset(to, 0, dimension);
		return 0;
	}
	for (size_t i = 0; i < dimension; i++) {
		to[i] = (int8_t)lrintf(from[i] / top * 127);
		square += (double)to[i] * to[i];
	}
	return (float)(1 / sqrt(square));
}

static void widen(struct vectors *v, size_t want)
{
	size_t cap = heap_room(v->cap, want);

	v->rows = heap_array(v->rows, cap * v->dimension, 1);
	v->scales = heap_array(v->scales, cap, sizeof *v->scales);
	memset(v->scales + v->cap, 0, (cap - v->cap) * sizeof *v->scales);
	v->cap = cap;
}

void vectors_put(struct vectors *v, size_t number, size_t dimension, const int8_t *row, float scale)
{
	v->dimension = dimension;
	if (number >= v->cap)
		widen(v, number + 64);
	memcpy(v->rows + number * dimension, row, dimension);
	v->scales[number] = scale;
}

void vectors_drop(struct vectors *v, size_t number)
{
	if (number < v->cap)
		v->scales[number] = 0;
}

static int32_t product(const int8_t *a, const int8_t *b, size_t n)
{
	int32_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (int16_t)(a[i] * b[i]);
	return sum;
}

void vectors_compare(const struct vectors *v, const int8_t *row, float scale, size_t n, float *out)
{
	for (size_t i = 0; i < n; i++) {
		out[i] = vectors_has(v, i)
				 ? (float)product(row, v->rows + i * v->dimension, v->dimension) * scale * v->scales[i]
				 : 0;
	}
}

void vectors_free(struct vectors *v)
{
	free(v->rows);
	free(v->scales);
	*v = (struct vectors){0};
}
