/* containers.h: the containers of a document one after another, in document order.
 *
 * Each step reads a few rows by key, on a server many steps at once. So whoever stops early has read only what was
 * needed, and the memory used does not depend on the document. */
#ifndef QUIRE_KINDS_DOCJL_TREE_CONTAINERS_H
#define QUIRE_KINDS_DOCJL_TREE_CONTAINERS_H
#include "kinds/docjl/rows/manual.h"

enum { WALK_DEPTH = DEPTH_MAX };

struct container {
	struct node node;
	int64_t depth; /* 1: at the top */
	struct text label;
	const struct json *stored;
	bool holds_containers;
};
struct containers {
	struct manual *m;
	int64_t depth_max;
	struct container path[WALK_DEPTH]; /* from the top to the last one */
	int64_t depth;                     /* of the last one; 0: at the beginning */
	bool is_over;
	/* On a server: containers that were read, and how many of them were used. */
	struct {
		ARRAY(struct container) items;
		ARRAY(struct run) runs; /* of each, for its label */
		size_t used;
	} page;
};

/* `depth_max`: deeper containers are left out. */
void containers_begin(struct containers *w, struct manual *m, int64_t depth_max);
/* The next container, or NULL. It is valid until the step that leaves it. */
const struct container *containers_next(struct containers *w);

#endif
