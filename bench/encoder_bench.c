/* encoder_bench.c: measures the sentence encoder. Prints `name value unit`; pairs run in turn, medians of CPU time.
 *
 * It is compiled for this machine's processor, with the encoder's own steps in it, so that the dense layers can be
 * measured alone against a loop that only multiplies and adds in registers. */
#include "kinds/notes/search/embedder.h"
#include "kinds/notes/search/encoder/forward.h"

#define FORWARD forward_of_this_machine
void FORWARD(const struct weights *w, const uint16_t *tokens, size_t n, float *scratch, float out[WIDTH]);
#include "kinds/notes/search/encoder/forward_steps.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void forward_uncontracted(const struct weights *w, const uint16_t *tokens, size_t n, float *scratch, float out[WIDTH]);

enum { TURNS = 101, TOKENS = 96 /* a multiple of ROWS */, SUMS = 2 * ROWS, STEPS = 200000, TEXTS = 32 };

#ifdef __AVX512F__
typedef sixteen widest;
#else
typedef lanes widest;
#endif

static double ms(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *spent)
{
	qsort(spent, TURNS, sizeof *spent, by_value);
	return spent[TURNS / 2];
}

/* The paths that this processor has, and AVX2 without contraction, on the tokens of a note. */
static void measure_paths(const struct weights *w)
{
	enum { PLAIN, WIDE, UNCONTRACTED, WIDEST, PATHS };
	static const char *const names[] = {"plain", "avx2", "avx2_without_contraction", "avx512"};
	void (*const runs[])(const struct weights *, const uint16_t *, size_t, float *,
			     float *) = {forward_plain, forward_wide, forward_uncontracted, forward_widest};
	const bool has[] = {true, forward_wide_is_here(), forward_wide_is_here(), forward_widest_is_here()};
	static double spent[PATHS][TURNS];
	double middle[PATHS] = {0};
	uint16_t tokens[TOKENS];
	float out[WIDTH], *scratch = malloc(forward_scratch(TOKENS) * sizeof *scratch);

	for (size_t i = 0; i < TOKENS; i++)
		tokens[i] = (uint16_t)(PIECE_FIRST + i * 37);
	for (size_t turn = 0; turn < TURNS; turn++)
		for (size_t p = 0; p < PATHS; p++) {
			double began = ms(CLOCK_THREAD_CPUTIME_ID);
			if (has[p])
				runs[p](w, tokens, TOKENS, scratch, out);
			spent[p][turn] = ms(CLOCK_THREAD_CPUTIME_ID) - began;
		}
	for (size_t p = 0; p < PATHS; p++)
		if (has[p])
			printf("encode_%d_tokens_%s %.2f ms\n", (int)TOKENS, names[p], middle[p] = median(spent[p]));
	if (has[WIDE])
		printf("avx2 / without_contraction %.2f\n", middle[WIDE] / middle[UNCONTRACTED]);
	if (has[WIDEST])
		printf("avx512 / avx2_without_contraction %.2f\n", middle[WIDEST] / middle[UNCONTRACTED]);
	free(scratch);
}

/* Operations a millisecond of one dense layer. */
static double dense_rate(const struct dense *d, const float *x, float *y)
{
	double began = ms(CLOCK_THREAD_CPUTIME_ID);

	apply(d, x, TOKENS, y);
	return 2.0 * TOKENS * (double)d->n * (double)d->m / (ms(CLOCK_THREAD_CPUTIME_ID) - began);
}

/* The same of as many sums as the layers keep, all in registers. */
static double register_rate(void)
{
	widest sums[SUMS], factor = {0};

	for (int k = 0; k < SUMS; k++)
		__asm__ volatile("" : "=v"(sums[k]));
	double began = ms(CLOCK_THREAD_CPUTIME_ID);
	for (int i = 0; i < STEPS; i++) {
		__asm__ volatile("" : "+v"(factor));
		for (int k = 0; k < SUMS; k++)
			sums[k] = sums[k] * factor + factor;
	}
	for (int k = 0; k < SUMS; k++)
		__asm__ volatile("" : : "v"(sums[k]));
	return 2.0 * SUMS * STEPS * (sizeof(widest) / sizeof(float)) / (ms(CLOCK_THREAD_CPUTIME_ID) - began);
}

static void measure_layers(const struct weights *w)
{
	const struct dense *layers[] = {&w->layers[1].qkv, &w->layers[1].output, &w->layers[1].inner,
					&w->layers[1].outer};
	float *x = calloc(TOKENS * WIDTH_INNER, sizeof *x), *y = malloc(TOKENS * WIDTH_INNER * sizeof *y);
	static double shares[TURNS];

	for (size_t turn = 0; turn < TURNS; turn++) {
		double rate = 0;
		for (size_t i = 0; i < 4; i++)
			rate += dense_rate(layers[i], x, y) / 4;
		shares[turn] = rate / register_rate();
	}
	printf("dense_layers / multiply_add_in_registers %.2f\n", median(shares));
	free(x);
	free(y);
}

/* Texts by the embedder, which uses as many threads as it has processors (4 at most): wall clock, one and two. */
static void measure_threads(void)
{
	static const char words[] = "Change the oil every ten thousand kilometres and check the brakes before winter. ";
	struct arena a = {0};
	struct call c = {.arena = &a};
	struct embedder *e = embedder_open(&c, &(struct search_options){.state = -1});
	struct text texts[TEXTS];
	static double spent[2][TURNS];
	cpu_set_t all, one;
	size_t dimension;

	sched_getaffinity(0, sizeof all, &all);
	CPU_ZERO(&one);
	for (int cpu = 0; cpu < CPU_SETSIZE && !CPU_COUNT(&one); cpu++)
		if (CPU_ISSET(cpu, &all))
			CPU_SET(cpu, &one);
	for (size_t i = 0; i < TEXTS; i++)
		texts[i] = text_format(&a, "%s%s%s%s%s%zu", words, words, words, words, words, i);
	for (size_t turn = 0; turn < TURNS; turn++)
		for (size_t threads = 0; threads < 2; threads++) {
			struct arena answer = {0};
			c.arena = &answer;
			sched_setaffinity(0, sizeof all, threads ? &all : &one);
			double began = ms(CLOCK_MONOTONIC);
			e->embed(&c, e, texts, TEXTS, false, &dimension);
			spent[threads][turn] = ms(CLOCK_MONOTONIC) - began;
			arena_free(&answer);
		}
	printf("texts a second, %d threads / one %.2f\n", CPU_COUNT(&all), median(spent[0]) / median(spent[1]));
	e->close(e);
	arena_free(&a);
}

int main(void)
{
	struct weights w;

	if (!weights_read(weights_packed(), &w)) {
		puts("skipped: this build has no sentence model");
		return 0;
	}
	measure_paths(&w);
	measure_layers(&w);
	measure_threads();
	return 0;
}
