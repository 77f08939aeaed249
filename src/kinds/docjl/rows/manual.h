/* manual.h: one document inside one transaction.
 *
 *	struct manual m;
 *	if (!manual_open(c, id, MANUAL_WRITE, &m))
 *		return false;
 *	... node_find(), node_insert(), place_take() ...
 *	return manual_commit(&m) || manual_fail(&m);      manual_close() where nothing is written
 *
 * Writers of one document wait for each other at its row, so data that was read stays valid until the commit. */
#ifndef QUIRE_KINDS_DOCJL_ROWS_MANUAL_H
#define QUIRE_KINDS_DOCJL_ROWS_MANUAL_H
#include "kinds/docjl/block/block.h"
#include "kinds/docjl/block/label.h"
#include "kinds/docjl/docjl.h"
#include "kinds/docjl/rows/known.h"
#include "kinds/docjl/rows/seal.h"

enum { DEPTH_MAX = 64, CHANGES_MAX = 1000, RUN_MAX = 256 };

/* A manipulated file may contain any number. Within these bounds a sum of a few numbers does not overflow. */
enum bound { BOUND_SLOT = 40, BOUND_ORD = 61 };
static inline int64_t bounded(int64_t n, enum bound bits)
{
	int64_t most = (int64_t)1 << bits;

	return n > most ? most : n < -most ? -most : n;
}

struct label_change {
	struct text before, after;
};
/* The numbers from..to of a group were shifted by `by`. */
struct label_range {
	int64_t stem; /* uid */
	struct text prefix, number;
	int64_t from, to, by;
};

/* What this transaction deletes. manual_commit() refuses to delete blocks that nobody agreed to (tools/consent.c). */
struct loss {
	int64_t blocks;
	ARRAY(struct text) labels; /* of the blocks that were deleted with those below them */
	ARRAY(struct text) broken; /* "src -> dst": references that lose their target */
	bool is_agreed;
};

struct manual {
	struct call *c;
	struct transaction *t;
	struct docjl *kind;
	int64_t doc;
	struct text id, metadata;
	int64_t created_at, modified_at, revision, blocks, next_uid, next_run, audit_seq, irregular;
	bool is_sealed;         /* its newest entry contains its state */
	struct text audit_hash; /* absent: no entry yet */

	/* The label changes of this transaction, in order. An undo does the inverse. */
	struct json *steps; /* array; NULL: none */
	ARRAY(struct label_range) ranges;
	ARRAY(struct label_change) changes; /* at most CHANGES_MAX; the ranges have the rest */
	int64_t changed;                    /* number of blocks whose label changed */
	ARRAY(struct text) fresh;           /* labels that did not exist before */
	ARRAY(int64_t) touched;             /* uids */
	int64_t undoes;                     /* seq of the entry that this change rolls back; 0: none */
	struct json *bindings;              /* references that a fresh label repaired, for the undo; NULL: none */
	bool renumbers;                     /* labels of nested blocks may have changed */
	int64_t bound;                      /* broken references that a fresh label repaired */
	bool may_have_broken;               /* false: there are no broken references */
	struct loss loss;
	struct known known;
	struct seals seals;
	ARRAY(struct text) lines; /* for the JSON lines file, after the commit */
};

enum manual_mode { MANUAL_READ, MANUAL_WRITE };
bool manual_open(struct call *c, struct text id, enum manual_mode mode, struct manual *m);
/* Makes the hashes of all rows, with an entry: for a document of version 1 (manual_open() does it), or to accept the
 * rows as they are now. `altered` (NULL: none) are the names of the rows that differed. */
void manual_seal(struct manual *m, struct json *altered);
void manual_close(struct manual *m); /* rolls back what was not committed */
/* False, with an error, if the transaction failed. Functions that found nothing call this to be sure that there is
 * nothing. */
bool manual_is_sound(struct manual *m);
struct text manual_revision(struct manual *m); /* as callers see it */
/* Fails with DOCUMENT_NOT_FOUND and the most similar name. */
bool manual_missing(struct call *c, struct docjl *kind, struct transaction *t, struct text id);
bool manual_may(struct call *c, struct text id, bool to_write);

/* Nodes. */

/* On a server: reads in one round trip all rows that an edit of the block, or of its direct children, will need. */
enum look { LOOK_AT, LOOK_IN };
void manual_look(struct manual *m, struct text label, enum look look);
bool node_read(struct manual *m, int64_t uid, struct node *out);              /* false: there is none */
void node_row(struct manual *m, struct query *q, int from, struct node *out); /* NODE_COLUMNS from the column `from` */
/* Reads the first row of a query for NODE_COLUMNS and ends the query. Returns false if there is no row. */
bool node_of(struct manual *m, struct query *q, struct node *out);
#define NODE_COLUMNS "uid, parent, ord, type, container, name, run, slot, auto_label"
bool run_read(struct manual *m, int64_t run, struct run *out);  /* false: there is none */
struct text node_label(struct manual *m, const struct node *n); /* absent: it has none */
struct text uid_label(struct manual *m, int64_t uid);
struct text uid_number(struct manual *m, int64_t uid);                 /* 4.2 of sec:4.2; absent: not numbered */
int64_t label_uid(struct manual *m, struct text label);                /* 0: no block has it */
bool node_find(struct manual *m, struct text label, struct node *out); /* fails with BLOCK_NOT_FOUND and a suggestion */
struct uids {
	ARRAY(int64_t) items;
};
/* The blocks with these labels, on a server in one statement; 0: no block has the label. */
void labels_uids(struct manual *m, const struct text *labels, size_t n, int64_t *uids);
/* The same. Fails with BLOCK_NOT_FOUND as node_find() does. */
bool labels_find(struct manual *m, const struct text *labels, size_t n, struct uids *out);
int64_t node_depth(struct manual *m, int64_t uid); /* number of containers above it, plus itself; 0: the top */
bool node_is_below(struct manual *m, int64_t uid, int64_t above);    /* or the same */
struct text node_path_label(struct manual *m, const struct node *n); /* its label, or "(no label)" */

/* The whole subtree in document order, the node first. */
struct nodes {
	ARRAY(struct node) items;
};
void node_subtree(struct manual *m, const struct node *n, struct nodes *out);
void node_children(struct manual *m, int64_t parent, struct nodes *out);
int64_t node_previous(struct manual *m, const struct node *n); /* uid of the sibling before; 0: none */
int64_t node_last_child(struct manual *m, int64_t parent);     /* uid; 0: none */
/* The block as JSON, or the whole subtree if with_children is set. */
const struct json *node_block(struct manual *m, const struct node *n, bool with_children);
const struct json *node_stored(struct manual *m, int64_t uid); /* the stored form */
void node_store(struct manual *m, int64_t uid, struct text stored);

/* The ord of a place among siblings: after `after` (uid; 0: first) below the parent (uid; 0: top). */
int64_t ord_behind(struct manual *m, int64_t parent, int64_t after);
void bind_number(struct query *q, const struct node *n); /* its run and slot: two values */
void node_insert(struct manual *m, const struct node *n);
void node_place(struct manual *m, int64_t uid, int64_t parent, int64_t ord);
void node_drop(struct manual *m, int64_t uid); /* the row and its body; labels and references are handled before */
void body_write(struct manual *m, int64_t uid, const struct json *block, bool is_new); /* with its references */

/* Labels (rows/run.c, rows/naming.c). */

/* Primitive steps, each recorded in m->steps. */
void label_name(struct manual *m, struct node *n, struct text name, bool is_auto); /* absent: none */
void label_put(struct manual *m, struct node *n, int64_t stem, struct text prefix, int64_t number, bool is_auto);
void label_take_away(struct manual *m, struct node *n); /* leaves a hole */
void label_shift(struct manual *m, int64_t stem, struct text prefix, int64_t from, int64_t to, int64_t by);
/* uid at a number of a group; 0: free. */
int64_t group_at(struct manual *m, int64_t stem, struct text prefix, int64_t number);
/* The last of the consecutive numbers that begin at `number`. */
int64_t group_last(struct manual *m, int64_t stem, struct text prefix, int64_t number);
int64_t group_largest(struct manual *m, int64_t stem, struct text prefix); /* 0: empty */
bool node_group(struct manual *m, const struct node *n, int64_t *stem, struct text *prefix, int64_t *number);

/* Gives a new label by the rules: a positional one where it belongs, or else the next plain number. May fail. */
bool label_give(struct manual *m, struct node *n, struct text prefix);
/* Sets a label that the caller chose. It is positional if its stem is the number of a container above. */
bool label_choose(struct manual *m, struct node *n, struct text label);
/* After a move: makes a name positional if it matches the block's new place. */
void label_settle(struct manual *m, struct node *n);
/* Closes the hole at a number: shifts the consecutive numbers after it down. */
void label_close(struct manual *m, int64_t stem, struct text prefix, int64_t number);
/* Turns positional labels in the subtree into names if their stem is outside it, because the block leaves that
 * container. */
void labels_keep_as_names(struct manual *m, const struct nodes *subtree);
void counter_see(struct manual *m, const struct label *l, bool holds);
/* Checks that every label is still unique, in irregular documents where two paths may lead to one label. May fail. */
bool labels_are_unique(struct manual *m);
bool label_refuse(struct manual *m, struct text label); /* the label belongs to another block */
/* Records a changed label for the result. */
void label_changed(struct manual *m, struct text before, struct text after);
/* The same for the labels computed from a container whose number changed from `before` to `after`. */
void labels_below(struct manual *m, int64_t uid, struct text before, struct text after);

/* References (rows/refs.c). */

void refs_of(struct manual *m, int64_t src, struct references *out);
void refs_to(struct manual *m, int64_t dst, struct references *out);
void ref_write(struct manual *m, const struct reference *r, bool is_new);
/* Called when the block is removed: references to it keep its label as text. */
void refs_break(struct manual *m, int64_t dst, struct text label);
/* Repairs broken references whose label exists now. */
void refs_bind(struct manual *m);

/* The trail (rows/audit.c). */

struct entry {
	int64_t seq, ts, uid;
	struct text op, user, label, details, touched, prev, hash;
	struct text state; /* of the document after it (rows/seal.h); absent: an entry of version 1 */
};
/* Adds the entry of this write, increases the revision and commits. A dry run rolls back instead. */
bool manual_write(struct manual *m, const char *op, int64_t uid, struct text label, struct json *details);
/* The same without the commit: several entries in one transaction. */
const struct json *label_ranges(struct manual *m); /* [{prefix, stem, from, to, by}] of all shifts of this write */
void manual_record(struct manual *m, const char *op, int64_t uid, struct text label, struct json *details);
bool manual_commit(struct manual *m, const char *doing);
struct text audit_id(struct arena *a, struct text document, int64_t seq);
bool audit_parse(struct text id, struct text *document, int64_t *seq);
/* Opens an object with the first members of every written entry. is_exact adds the time in milliseconds. */
void entry_head(struct json_out *o, struct arena *a, const struct entry *e, struct text document, bool is_exact);
void entry_hash(const struct entry *e, struct text document, unsigned char out[32]);
void entry_read(struct query *q, struct arena *a, struct entry *out); /* columns in ENTRY_COLUMNS' order */
#define ENTRY_COLUMNS "seq, ts, op, usr, uid, label, details, touched, prev, hash, state"
struct text entry_line(struct arena *a, const struct entry *e, struct text document); /* for the JSON lines file */
/* Records a refusal for the auditor: of a document or, if absent, of the server (a wrong key, too many requests). Never
 * fails the call. */
enum { REFUSAL_OF_SERVER = 0 }; /* instead of a document's number */
void refusal_note(struct call *c, struct docjl *kind, struct text document, const char *op, struct text label);

#endif
