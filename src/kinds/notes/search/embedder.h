/* embedder.h: turns texts into vectors, with the built-in encoder (embedder.c) or a service (service.c). */
#ifndef QUIRE_KINDS_NOTES_SEARCH_EMBEDDER_H
#define QUIRE_KINDS_NOTES_SEARCH_EMBEDDER_H
#include "kinds/notes/search/search.h"

enum { DIMENSION_MAX = 16384 /* the largest models have 8192 */ };

struct embedder {
	struct text name; /* of the model; vectors of different models are never compared */
	size_t words;     /* number of words of a note to embed */
	size_t batch;     /* texts at once */
	/* Returns the vectors of n texts, consecutive, in the call's arena, or NULL with c->error set. Several threads
	 * may call it. Stops when the call is cancelled. */
	float *(*embed)(struct call *c, const struct embedder *e, const struct text *texts, size_t n, bool are_queries,
			size_t *dimension);
	void (*close)(struct embedder *e);
};

/* Returns NULL with c->error unset if there is no embedder ("none", or a build without the model). */
struct embedder *embedder_open(struct call *c, const struct search_options *options);
struct embedder *service_open(struct call *c, const struct search_options *options);

#endif
