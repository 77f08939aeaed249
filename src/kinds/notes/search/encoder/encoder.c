#include "kinds/notes/search/encoder/encoder.h"

#include "kinds/notes/search/encoder/forward.h"
#include "kinds/notes/search/encoder/tokens.h"

#include <string.h>

bool encoder_is_here(void)
{
	struct weights w;

	return weights_read(weights_packed(), &w);
}

static bool forward_plain_is_here(void) { return true; }

static const struct {
	bool (*is_here)(void);
	void (*run)(const struct weights *w, const uint16_t *tokens, size_t n, float *scratch, float *out);
} paths[] = {
	[ENCODER_PLAIN] = {forward_plain_is_here, forward_plain},
	[ENCODER_AVX2] = {forward_wide_is_here, forward_wide},
	[ENCODER_AVX512] = {forward_widest_is_here, forward_widest},
};

enum encoder_path encoder_best(void)
{
	return paths[ENCODER_AVX512].is_here() ? ENCODER_AVX512
	       : paths[ENCODER_AVX2].is_here() ? ENCODER_AVX2
					       : ENCODER_PLAIN;
}

void encoder_encode_by(enum encoder_path path, struct text t, float out[ENCODER_DIMENSION])
{
	struct weights w;
	uint16_t tokens[ENCODER_TOKENS];
	struct arena scratch = {0};

	memset(out, 0, ENCODER_DIMENSION * sizeof *out);
	if (!weights_read(weights_packed(), &w))
		return;
	size_t n = tokens_of(&w, t, tokens, ENCODER_TOKENS);
	if (!n)
		return;
	float *room = arena_array(&scratch, forward_scratch(n), sizeof *room);
	paths[path].run(&w, tokens, n, room, out);
	arena_free(&scratch);
}

void encoder_encode(struct text t, float out[ENCODER_DIMENSION]) { encoder_encode_by(encoder_best(), t, out); }
