#include "kinds/notes/search/encoder/encoder.h"

#include "kinds/notes/search/encoder/forward.h"
#include "kinds/notes/search/encoder/tokens.h"

#include <string.h>

bool encoder_is_here(void)
{
	struct weights w;

	return weights_read(weights_packed(), &w);
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
	if (path == ENCODER_BEST && forward_wide_is_here())
		forward_wide(&w, tokens, n, room, out);
	else
		forward_plain(&w, tokens, n, room, out);
	arena_free(&scratch);
}

void encoder_encode(struct text t, float out[ENCODER_DIMENSION]) { encoder_encode_by(ENCODER_BEST, t, out); }
