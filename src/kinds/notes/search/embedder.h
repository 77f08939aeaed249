/* embedder.h: what turns texts into vectors: the built-in encoder (embedder.c) or a service (service.c). */
#ifndef QUIRE_KINDS_NOTES_SEARCH_EMBEDDER_H
#define QUIRE_KINDS_NOTES_SEARCH_EMBEDDER_H
#include "kinds/notes/search/search.h"

enum { DIMENSION_MAX = 16384 /* the largest models have 8192 */ };

struct embedder {
	struct text name; /* of the model: vectors of two models never meet */
	size_t words;     /* of a note that are worth reading */
	size_t batch;     /* texts at once */
	/* Vectors of n texts, one behind the other, in the call's arena; NULL: c->error says why. May be called from
	 * several threads. Gives up when the call is cancelled. */
	float *(*embed)(struct call *c, const struct embedder *e, const struct text *texts, size_t n, bool are_queries,
			size_t *dimension);
	void (*close)(struct embedder *e);
};

/* NULL with c->error unset: there is none ("none", or a build without the model). */
struct embedder *embedder_open(struct call *c, const struct search_options *options);
struct embedder *service_open(struct call *c, const struct search_options *options);

#endif
