/* manual.h: one document inside one transaction.
 *
 *	struct manual m;
 *	if (!manual_open(c, id, MANUAL_WRITE, &m))
 *		return false;
 *	... node_find(), node_insert(), place_take() ...
 *	return manual_commit(&m) || manual_fail(&m);      manual_close() where nothing is written
 *
 * Writers of one document wait for each other at its row, so what is read stays true until the commit. */
#ifndef QUIRE_KINDS_DOCJL_ROWS_MANUAL_H
#define QUIRE_KINDS_DOCJL_ROWS_MANUAL_H
#include "kinds/docjl/block/block.h"
#include "kinds/docjl/block/label.h"
#include "kinds/docjl/docjl.h"
#include "kinds/docjl/rows/known.h"

enum { DEPTH_MAX = 64, CHANGES_MAX = 1000, RUN_MAX = 256 };

/* Numbers in a file may be anything; within these bounds sums of a few do not overflow. */
enum bound { BOUND_SLOT = 40, BOUND_ORD = 61 };
static inline int64_t bounded(int64_t n, enum bound bits)
{
	int64_t most = (int64_t)1 << bits;

	return n > most ? most : n < -most ? -most : n;
}

struct label_change {
	struct text before, after;
};
/* Numbers from..to of a group went `by` up or down. */
struct label_range {
	int64_t stem; /* uid */
	struct text prefix, number;
	int64_t from, to, by;
};

struct manual {
	struct call *c;
	struct transaction *t;
	struct docjl *kind;
	int64_t doc;
	struct text id, metadata;
	int64_t created_at, modified_at, revision, blocks, next_uid, next_run, audit_seq, irregular;
	struct text audit_hash; /* absent: no entry yet */

	/* What this transaction did to labels, in order; the inverse is the undo. */
	struct json *steps; /* array; NULL: none */
	ARRAY(struct label_range) ranges;
	ARRAY(struct label_change) changes; /* at most CHANGES_MAX; ranges tell the rest */
	int64_t changed;                    /* blocks whose label is another now */
	ARRAY(struct text) fresh;           /* labels that did not exist before */
	ARRAY(int64_t) touched;             /* uids */
	int64_t undoes;                     /* seq of the entry that this change rolls back; 0: none */
	struct json *bindings;              /* references that a fresh label repaired, for the undo; NULL: none */
	bool renumbers;                     /* labels of blocks below others may be new */
	int64_t bound;                      /* broken references that a fresh label repaired */
	bool may_have_broken;               /* references; false: there are none */
	struct known known;
	ARRAY(struct text) lines; /* for the JSON lines file, after the commit */
};

enum manual_mode { MANUAL_READ, MANUAL_WRITE };
bool manual_open(struct call *c, struct text id, enum manual_mode mode, struct manual *m);
void manual_close(struct manual *m); /* rolls back what was not committed */
/* Says why the transaction failed, when it did; for functions that found nothing and must know whether that is so. */
bool manual_is_sound(struct manual *m);
struct text manual_revision(struct manual *m); /* as callers see it */
/* False: DOCUMENT_NOT_FOUND with the nearest name. */
bool manual_missing(struct call *c, struct docjl *kind, struct transaction *t, struct text id);
bool manual_may(struct call *c, struct text id, bool to_write);

/* Nodes. */

/* On a server: reads in one round trip what an edit of the block, or of the blocks directly in it, will ask for. */
enum look { LOOK_AT, LOOK_IN };
void manual_look(struct manual *m, struct text label, enum look look);
bool node_read(struct manual *m, int64_t uid, struct node *out);              /* false: there is none */
void node_row(struct manual *m, struct query *q, int from, struct node *out); /* NODE_COLUMNS from the column `from` */
/* The first row of a query for NODE_COLUMNS; false: it has none. Ends the query. */
bool node_of(struct manual *m, struct query *q, struct node *out);
#define NODE_COLUMNS "uid, parent, ord, type, container, name, run, slot, auto_label"
bool run_read(struct manual *m, int64_t run, struct run *out);  /* false: there is none */
struct text node_label(struct manual *m, const struct node *n); /* absent: it has none */
struct text uid_label(struct manual *m, int64_t uid);
struct text uid_number(struct manual *m, int64_t uid);                 /* 4.2 of sec:4.2; absent: not numbered */
int64_t label_uid(struct manual *m, struct text label);                /* 0: nothing bears it */
bool node_find(struct manual *m, struct text label, struct node *out); /* false: BLOCK_NOT_FOUND with what is near */
int64_t node_depth(struct manual *m, int64_t uid);                /* containers above it, itself included; 0: the top */
bool node_is_below(struct manual *m, int64_t uid, int64_t above); /* or the same */
struct text node_path_label(struct manual *m, const struct node *n); /* its label, or "(no label)" */

/* The whole subtree in document order, the node first. */
struct nodes {
	ARRAY(struct node) items;
};
void node_subtree(struct manual *m, const struct node *n, struct nodes *out);
void node_children(struct manual *m, int64_t parent, struct nodes *out);
int64_t node_previous(struct manual *m, const struct node *n); /* uid of the sibling before; 0: none */
int64_t node_last_child(struct manual *m, int64_t parent);     /* uid; 0: none */
/* The block as JSON; with_children: the subtree. */
const struct json *node_block(struct manual *m, const struct node *n, bool with_children);
const struct json *node_stored(struct manual *m, int64_t uid); /* the stored form */
void node_store(struct manual *m, int64_t uid, struct text stored);

/* A place among siblings: behind `after` (uid; 0: first) of the parent (uid; 0: top). */
int64_t ord_behind(struct manual *m, int64_t parent, int64_t after);
void bind_number(struct query *q, const struct node *n); /* its run and slot: two values */
void node_insert(struct manual *m, const struct node *n);
void node_place(struct manual *m, int64_t uid, int64_t parent, int64_t ord);
void node_drop(struct manual *m, int64_t uid); /* the row and its body; labels and references were seen to before */
void body_write(struct manual *m, int64_t uid, const struct json *block, bool is_new); /* with its references */

/* Labels (rows/run.c, rows/naming.c). */

/* Primitive steps, each recorded in m->steps. */
void label_name(struct manual *m, struct node *n, struct text name, bool is_auto); /* absent: none */
void label_put(struct manual *m, struct node *n, int64_t stem, struct text prefix, int64_t number, bool is_auto);
void label_take_away(struct manual *m, struct node *n); /* leaves a hole */
void label_shift(struct manual *m, int64_t stem, struct text prefix, int64_t from, int64_t to, int64_t by);
/* uid at a number of a group; 0: free. */
int64_t group_at(struct manual *m, int64_t stem, struct text prefix, int64_t number);
/* The last number of the consecutive ones that begin at `number`. */
int64_t group_last(struct manual *m, int64_t stem, struct text prefix, int64_t number);
int64_t group_largest(struct manual *m, int64_t stem, struct text prefix); /* 0: empty */
bool node_group(struct manual *m, const struct node *n, int64_t *stem, struct text *prefix, int64_t *number);

/* Gives a new label by the rules: positional where it belongs, else the next plain number. False: refused. */
bool label_give(struct manual *m, struct node *n, struct text prefix);
/* A label that the caller chose; positional when its stem is the number of a container above. */
bool label_choose(struct manual *m, struct node *n, struct text label);
/* Makes a kept name positional where it is one, after the block came to a place. */
void label_settle(struct manual *m, struct node *n);
/* Closes the hole at a number: the consecutive ones behind it move down. */
void label_close(struct manual *m, int64_t stem, struct text prefix, int64_t number);
/* Positional labels below `n` whose stem is not below n become names: the block leaves that container. */
void labels_keep_as_names(struct manual *m, const struct nodes *subtree);
void counter_see(struct manual *m, const struct label *l, bool holds);
/* In documents where two ways lead to one label: is each still unique? False: refused. */
bool labels_are_unique(struct manual *m);
bool label_refuse(struct manual *m, struct text label); /* the label belongs to another block */
/* Notes a change of label for the answer. */
void label_changed(struct manual *m, struct text before, struct text after);
/* The same for the labels computed from a container whose number was `before` and is `after`. */
void labels_below(struct manual *m, int64_t uid, struct text before, struct text after);

/* References (rows/refs.c). */

void refs_of(struct manual *m, int64_t src, struct references *out);
void refs_to(struct manual *m, int64_t dst, struct references *out);
void ref_write(struct manual *m, const struct reference *r, bool is_new);
/* The block goes: references to it keep its label as text. */
void refs_break(struct manual *m, int64_t dst, struct text label);
/* Broken references to labels that exist now point to them. */
void refs_bind(struct manual *m);

/* The trail (rows/audit.c). */

struct entry {
	int64_t seq, ts, uid;
	struct text op, user, label, details, touched, prev, hash;
};
/* Adds the entry of this write, raises the revision, and commits; in a dry run rolls back instead. */
bool manual_write(struct manual *m, const char *op, int64_t uid, struct text label, struct json *details);
/* The same without the commit: several entries in one transaction. */
const struct json *label_ranges(struct manual *m); /* [{prefix, stem, from, to, by}] of what this write renumbered */
void manual_record(struct manual *m, const char *op, int64_t uid, struct text label, struct json *details);
bool manual_commit(struct manual *m, const char *doing);
struct text audit_id(struct arena *a, struct text document, int64_t seq);
bool audit_parse(struct text id, struct text *document, int64_t *seq);
/* Opens an object with what every account of an entry begins with; is_exact: the time in milliseconds too. */
void entry_head(struct json_out *o, struct arena *a, const struct entry *e, struct text document, bool is_exact);
void entry_hash(const struct entry *e, struct text document, unsigned char out[32]);
void entry_read(struct query *q, struct arena *a, struct entry *out); /* columns in ENTRY_COLUMNS' order */
#define ENTRY_COLUMNS "seq, ts, op, usr, uid, label, details, touched, prev, hash"
struct text entry_line(struct arena *a, const struct entry *e, struct text document); /* for the JSON lines file */
/* Keeps a refusal for the auditor, of a document or, absent, of the server (a wrong key, too many requests). Never
 * fails the call. */
enum { REFUSAL_OF_SERVER = 0 }; /* instead of a document's number */
void refusal_note(struct call *c, struct docjl *kind, struct text document, const char *op, struct text label);

#endif
