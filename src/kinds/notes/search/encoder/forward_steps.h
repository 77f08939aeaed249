/* forward_steps.h: the model's arithmetic, compiled by forward_plain.c, forward_wide.c and forward_widest.c under the
 * name FORWARD.
 *
 * Computes eight numbers at a time with the compiler's vector types: one wide register, or two or eight narrow ones.
 * The dense layers, where nearly all time goes, compute sixteen at a time with AVX-512. Every form adds the same
 * numbers in the same order, but the wide ones round once where the plain one multiplies, rounds and adds (fused
 * multiply-add). So vectors differ in the seventh digit between processors. */
#include <math.h>
#include <string.h>

enum { LANES = 8, HEADS = 4, ROWS = 6 /* of a block: 12 sums and their factors fill 16 registers */ };

typedef float lanes __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));

#define STEP static inline __attribute__((always_inline))

STEP lanes at(const float *p) { return *(const lanes *)p; }
STEP void put(float *p, lanes x) { *(lanes *)p = x; }
STEP lanes all(float x) { return (lanes){x, x, x, x, x, x, x, x}; }
STEP float sum(lanes x) { return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7])); }

#ifdef __AVX2__
#include <immintrin.h>
STEP lanes widened(const int8_t *p)
{
	return (lanes)_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)p)));
}
#else
STEP lanes widened(const int8_t *p) { return (lanes){p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]}; }
#endif

#ifdef __AVX512F__
typedef float sixteen __attribute__((vector_size(PANEL * sizeof(float)), aligned(4), may_alias));

STEP sixteen panel_widened(const int8_t *p)
{
	return (sixteen)_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)p)));
}
STEP void panel_put(float *p, sixteen x, const float *scale, const float *bias)
{
	*(sixteen *)p = x * *(const sixteen *)scale + *(const sixteen *)bias;
}

/* Up to six rows of x times two panels: 12 sums and their factors fill half of the 32 registers, and 12 sums are
 * enough to keep both multipliers busy. */
enum { BLOCK = 2 * PANEL };
STEP void block(const float *x, size_t rows, const struct dense *d, size_t from, float *y)
{
	sixteen low[ROWS], high[ROWS];
	const int8_t *w = d->panels + from * d->n, *next = w + PANEL * d->n;

	for (size_t r = 0; r < rows; r++)
		low[r] = high[r] = (sixteen){0};
	for (size_t i = 0; i < d->n; i++, w += PANEL, next += PANEL) {
		sixteen first = panel_widened(w), second = panel_widened(next);
		for (size_t r = 0; r < rows; r++) {
			sixteen factor = (sixteen)_mm512_set1_ps(x[r * d->n + i]);
			low[r] += factor * first;
			high[r] += factor * second;
		}
	}
	for (size_t r = 0; r < rows; r++) {
		panel_put(y + r * d->m + from, low[r], d->scale + from, d->bias + from);
		panel_put(y + r * d->m + from + PANEL, high[r], d->scale + from + PANEL, d->bias + from + PANEL);
	}
}
#else
/* Up to six rows of x times one panel of 16 outputs. */
enum { BLOCK = PANEL };
STEP void block(const float *x, size_t rows, const struct dense *d, size_t from, float *y)
{
	lanes low[ROWS], high[ROWS];
	const int8_t *w = d->panels + from * d->n;

	for (size_t r = 0; r < rows; r++)
		low[r] = high[r] = all(0);
	for (size_t i = 0; i < d->n; i++, w += PANEL) {
		lanes first = widened(w), second = widened(w + LANES);
		for (size_t r = 0; r < rows; r++) {
			lanes factor = all(x[r * d->n + i]);
			low[r] += factor * first;
			high[r] += factor * second;
		}
	}
	for (size_t r = 0; r < rows; r++) {
		put(y + r * d->m + from, low[r] * at(d->scale + from) + at(d->bias + from));
		put(y + r * d->m + from + LANES, high[r] * at(d->scale + from + LANES) + at(d->bias + from + LANES));
	}
}
#endif

/* y[n][d->m] = x[n][d->n] times the weights. A block's weights stay in the cache for all rows. */
_Static_assert(!(WIDTH % BLOCK) && !(3 * WIDTH_NARROW % BLOCK) && !(WIDTH_INNER % BLOCK), "layers are whole blocks");
static void apply(const struct dense *d, const float *x, size_t n, float *y)
{
	for (size_t from = 0; from < d->m; from += BLOCK) {
		size_t r = 0;
		for (; r + ROWS <= n; r += ROWS)
			block(x + r * d->n, ROWS, d, from, y + r * d->m);
		switch (n - r) {
		case 5: block(x + r * d->n, 5, d, from, y + r * d->m); break;
		case 4: block(x + r * d->n, 4, d, from, y + r * d->m); break;
		case 3: block(x + r * d->n, 3, d, from, y + r * d->m); break;
		case 2: block(x + r * d->n, 2, d, from, y + r * d->m); break;
		case 1: block(x + r * d->n, 1, d, from, y + r * d->m); break;
		default: break;
		}
	}
}

/* Normalises each row to mean 0 and variance 1, then scales and shifts it. */
static void normalise(const struct norm *norm, const float *x, size_t n, size_t width, float *y)
{
	for (size_t t = 0; t < n; t++, x += width, y += width) {
		lanes total = all(0), square = all(0);
		for (size_t i = 0; i < width; i += LANES)
			total += at(x + i);
		lanes mean = all(sum(total) / (float)width);
		for (size_t i = 0; i < width; i += LANES)
			square += (at(x + i) - mean) * (at(x + i) - mean);
		lanes factor = all(1 / sqrtf(sum(square) / (float)width + 1e-6f));
		for (size_t i = 0; i < width; i += LANES)
			put(y + i, (at(x + i) - mean) * factor * at(norm->scale + i) + at(norm->bias + i));
	}
}

/* One attention head for one token: the softmax weights of all tokens, then the weighted sum of their values. */
static void look(const float *query, const float *keys, size_t n, size_t width, float *shares, float *y)
{
	size_t size = width / HEADS, stride = 3 * width;
	float scale = 1 / sqrtf((float)size), top = -INFINITY, total = 0;

	for (size_t u = 0; u < n; u++) {
		lanes product = all(0);
		for (size_t i = 0; i < size; i += LANES)
			product += at(query + i) * at(keys + u * stride + i);
		shares[u] = sum(product) * scale;
		top = shares[u] > top ? shares[u] : top;
	}
	for (size_t u = 0; u < n; u++)
		total += shares[u] = expf(shares[u] - top);
	for (size_t i = 0; i < size; i += LANES) {
		lanes mixed = all(0);
		for (size_t u = 0; u < n; u++)
			mixed += all(shares[u] / total) * at(keys + width + u * stride + i);
		put(y + i, mixed);
	}
}

/* A row of qkv has the queries of all heads, then the keys, then the values. */
static void attend(const float *qkv, size_t n, size_t width, float *shares, float *y)
{
	for (size_t head = 0; head < HEADS; head++)
		for (size_t t = 0; t < n; t++) {
			size_t from = head * (width / HEADS);
			look(qkv + t * 3 * width + from, qkv + width + from, n, width, shares, y + t * width + from);
		}
}

STEP void add(float *x, const float *y, size_t n)
{
	for (size_t i = 0; i < n; i += LANES)
		put(x + i, at(x + i) + at(y + i));
}

static void embed(const struct weights *w, const uint16_t *tokens, size_t n, float *x)
{
	enum { HALF = WIDTH_NARROW / 2 };

	for (size_t t = 0; t < n; t++, x += WIDTH_NARROW) {
		const int8_t *row = w->embeddings + (size_t)tokens[t] * WIDTH_NARROW;
		float scale = 2 * w->embedding_scales[tokens[t]];
		for (size_t i = 0; i < HALF; i++) {
			float angle = (float)t * w->frequencies[i];
			x[i] = scale * row[i] + sinf(angle);
			x[HALF + i] = scale * row[HALF + i] + cosf(angle);
		}
	}
}

void FORWARD(const struct weights *w, const uint16_t *tokens, size_t n, float *scratch, float out[WIDTH])
{
	float *x = scratch, *y = x + n * WIDTH, *h = y + n * WIDTH, *wide = h + n * WIDTH;
	float *mean = wide + n * WIDTH_INNER, *shares = mean + WIDTH;

	embed(w, tokens, n, x);
	for (const struct layer *l = w->layers; l < w->layers + 2; l++) {
		normalise(&l->before, x, n, l->width, h);
		apply(&l->qkv, h, n, wide);
		attend(wide, n, l->width, shares, h);
		apply(&l->output, h, n, y);
		if (l->residual.n) {
			apply(&l->residual, x, n, h);
			memcpy(x, h, n * WIDTH * sizeof *x);
		}
		add(x, y, n * WIDTH);
		normalise(&l->between, x, n, WIDTH, h);
		apply(&l->inner, h, n, wide);
		for (size_t i = 0; i < n * WIDTH_INNER; i++)
			wide[i] = wide[i] > 0 ? wide[i] : 0;
		apply(&l->outer, wide, n, y);
		add(x, y, n * WIDTH);
	}
	memset(mean, 0, WIDTH * sizeof *mean);
	for (size_t t = 0; t < n; t++)
		add(mean, x + t * WIDTH, WIDTH);
	for (size_t i = 0; i < WIDTH; i++)
		mean[i] /= (float)n;
	apply(&w->last, mean, 1, out);
	float square = 0;
	for (size_t i = 0; i < WIDTH; i++) {
		out[i] = tanhf(out[i]);
		square += out[i] * out[i];
	}
	for (size_t i = 0; i < WIDTH; i++)
		out[i] /= sqrtf(square > 1e-12f ? square : 1e-12f);
}
