/* labels.h: the labels of a tree that was read, computed without more statements. */
#ifndef QUIRE_KINDS_DOCJL_TREE_LABELS_H
#define QUIRE_KINDS_DOCJL_TREE_LABELS_H
#include "kinds/docjl/tree/tree.h"

struct loading {
	struct tree *t;
	struct run_at {
		int64_t run, stem, base;
		struct text prefix;
	} * runs;
	size_t n_runs;
};

void tree_index(struct tree *t);        /* when all nodes are read */
void loading_labels(struct loading *l); /* when all runs are read, in any order */

#endif
