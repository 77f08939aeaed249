/* known.h: rows that a transaction has read or written, kept until it ends.
 *
 * Writers of a document wait for each other and a reader sees one snapshot. So a row stays as it was read until this
 * transaction changes it. Each row that is not read again saves a round trip to a server. Code that changes a row must
 * report the new state here, or forget the row. */
#ifndef QUIRE_KINDS_DOCJL_ROWS_KNOWN_H
#define QUIRE_KINDS_DOCJL_ROWS_KNOWN_H
#include "base/array.h"
#include "base/text.h"

enum { KNOWN_NODES = 32, KNOWN_RUNS = 16, WINDOW_RUNS = 3 };

struct node {
	int64_t uid, parent, ord;
	struct text type, name;
	int64_t run, slot; /* run 0: no computed label */
	int64_t after;     /* the sibling before it, if known; not a column */
	bool holds, is_auto;
};

struct run {
	int64_t run, stem, base, n;
	struct text prefix;
};

struct reference {
	int64_t src, k, dst; /* dst 0: broken */
	struct text text;
};
struct references {
	ARRAY(struct reference) items;
};

/* The last runs of a group that begin at `upto` or before, largest base first. */
struct run_window {
	int64_t stem, upto;
	struct text prefix;
	int n; /* fewer than WINDOW_RUNS: there are no lower ones */
	struct run runs[WINDOW_RUNS];
};

struct known {
	struct node nodes[KNOWN_NODES]; /* unordered; uid 0: free */
	struct run runs[KNOWN_RUNS];
	unsigned next_node, next_run;  /* the next ones to replace when the cache is full */
	struct run_window window;      /* stem 0: none */
	int64_t last_of, last;         /* the last child (0: none) of a container (-1: not known) */
	int64_t previous_of, previous; /* the sibling before a block (0: not known) */
	struct text label;             /* of the block `label_of`; 0: not known */
	int64_t label_of;
	int64_t uncited;             /* a block without references to it; 0: not known */
	ARRAY(struct text) prefixes; /* of numbered containers */
	bool has_prefixes;
	int64_t body_of, refs_of; /* uid; 0: none */
	struct text body;
	struct references refs;
};

struct node *known_node(struct known *k, int64_t uid); /* NULL: not known */
void known_node_is(struct known *k, const struct node *n);
void known_moved(struct known *k); /* blocks were added, removed or moved: the last child may have changed */
void known_node_gone(struct known *k, int64_t uid);
struct run *known_run(struct known *k, int64_t run);
void known_run_is(struct known *k, const struct run *r);
/* The run changed its base or length, or was removed (n is 0). */
void known_run_sized(struct known *k, int64_t run, int64_t base, int64_t n);
void known_forget_runs(struct known *k);  /* their numbers may have changed */
void known_forget_nodes(struct known *k); /* the runs and slots of many may have changed */
void known_relabelled(struct known *k);   /* a label may now belong to another block */

#endif
