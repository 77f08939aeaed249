/* ways.h: computations on the whole graph: shortest paths, ranks, connected parts.
 *
 * `may` says which notes exist for the caller; NULL: all. */
#ifndef QUIRE_KINDS_NOTES_GRAPH_WAYS_H
#define QUIRE_KINDS_NOTES_GRAPH_WAYS_H
#include "kinds/notes/graph/graph.h"

struct ways {
	const struct graph *g;
	struct arena *a;
	bool (*may)(const void *context, const struct node *n);
	const void *context;
};

/* The notes on a shortest path along the links, or along them in both directions. Returns 0 if there is none. */
size_t ways_path(const struct ways *w, uint32_t from, uint32_t to, bool both, uint32_t **out);

/* PageRank with damping 0.85. The rank of notes without links is spread over all notes. Returns one number for each
 * index, on the heap. */
double *ways_rank(const struct graph *g);

/* Connected parts, ignoring the direction of links. */
struct parts {
	size_t n, largest;
};
struct parts ways_parts(const struct ways *w);

#endif
