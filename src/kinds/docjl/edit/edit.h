/* edit.h: the edits of a document. Each edit stores in `record` the data for its undo. Nothing is committed here. */
#ifndef QUIRE_KINDS_DOCJL_EDIT_EDIT_H
#define QUIRE_KINDS_DOCJL_EDIT_EDIT_H
#include "kinds/docjl/rows/manual.h"

/* The place after `after` (0: first) below `parent` (0: top). */
struct spot {
	int64_t parent, after;
};
struct place_words {
	struct text parent, position, anchor; /* labels; position absent: end */
	const char *parent_name;              /* name of the argument, for messages */
};
extern const char *const place_positions[]; /* the words for position, NULL-terminated */
bool manual_spot(struct manual *m, const struct place_words *w, struct spot *out);

/* Converts a caller's block to its normal form, with a warning for each conversion. `had`: the block that is updated;
 * NULL: a new one. */
struct json *block_read(struct call *c, const struct json *written, const struct json *had);
/* The block must be in its normal form. On failure the error lists everything that is wrong. */
bool block_insert(struct manual *m, const struct json *block, struct spot s, struct node *out, struct json *record);
bool block_update(struct manual *m, struct node *n, const struct json *updates, struct json *record,
		  const struct json **before);
bool block_move(struct manual *m, struct node *n, struct spot s, struct json *record);

struct removal {
	bool cascade, renumber;
	int64_t count;
	struct texts_list broken; /* "src -> dst" */
};
bool block_remove(struct manual *m, struct node *n, struct removal *r, struct json *record);

struct target_change {
	struct text before, after;
};
bool block_retarget(struct manual *m, const struct target_change *list, size_t n, struct json *record, int64_t *count);

/* Undoes an entry of the trail, as a new change. The record's `as` is the name of the change. */
bool block_undo(struct manual *m, const struct entry *e, struct json *record, int64_t *uid, struct text *label);

/* Checks a block and its children. Fails with SCHEMA_VALIDATION_FAILED. */
bool blocks_hold(struct manual *m, const struct json *block, struct text label);
/* Restores a deleted subtree with the uids, labels and reference targets from the entry's `details`. */
bool subtree_restore(struct manual *m, const struct json *details, struct spot s);
void place_record(struct manual *m, struct json *record, const char *key, struct spot s);
const struct json *refs_record(struct manual *m, int64_t uid);
void label_follow(struct manual *m, const struct node *n, struct text before, struct text after);
bool subtree_levels(struct manual *m, const struct nodes *subtree, int64_t by);
/* Turns labels computed from this container into names, because its number is removed. */
void dependents_to_names(struct manual *m, int64_t uid, struct json *renamed);

#endif
