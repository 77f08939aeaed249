/* rename.h: plans and applies new paths of notes, and updates every link to them.
 *
 *	moves_plan(c, v, moves, n, &plan)    under the exclusive lock
 *	moves_apply(c, &plan, ...)           locks, compares with the plan, commits all or nothing
 *
 * Each link is resolved with the new names. A link that would mean another note, or none, is rewritten in its own form;
 * so is one that would hold in quire only and held in every program before. All other links are unchanged. This also
 * protects links to other notes that the new name would capture. */
#ifndef QUIRE_KINDS_NOTES_EDIT_RENAME_H
#define QUIRE_KINDS_NOTES_EDIT_RENAME_H
#include "kinds/notes/edit/front.h"
#include "kinds/notes/vault/vault.h"

struct move {
	uint32_t node; /* NODE_NONE: a file that is not in the graph */
	bool is_file;  /* it has no links; set by moves_plan() */
	struct text from, to;
	struct text title; /* title in the front matter after the move; absent: none */
};

struct rewrite {
	char class; /* link_class() */
	struct text old, new;
	struct text shown; /* what a link without a shown text showed before; absent: leave it without */
};

struct rewritten_note {
	struct text path; /* before */
	struct revision revision;
	uint32_t move; /* its own move, or UINT32_MAX */
	ARRAY(struct rewrite) links;
};

struct move_plan {
	struct move *moves;
	size_t n_moves;
	struct text folder_from, folder_to; /* the folder that moves, if one does; set before moves_plan() */
	struct text changed; /* the note that `change` of moves_apply() is for; absent: that of the first move */
	struct text removed; /* a note that goes; absent: none */
	ARRAY(struct rewritten_note) notes; /* every note that changes or moves */
	size_t links, linking;              /* links rewritten, and notes they are in; set by moves_apply() */
};

/* Fails with LINK_INTEGRITY if no form of link can name a note. */
bool moves_plan(struct call *c, struct vault *v, struct move *moves, size_t n, struct move_plan *out);

/* Plans that every link that means `from`, or that has this name and means nothing, means `to`. */
bool retarget_plan(struct call *c, struct vault *v, uint32_t from, struct text name, uint32_t to,
		   struct move_plan *out);
/* Adds that `from` goes and that `into` changes, after retarget_plan(). */
bool merge_plan(struct call *c, struct vault *v, uint32_t from, uint32_t into, struct move_plan *plan);

enum applied { APPLIED, APPLY_AGAIN, APPLY_FAILED };
/* Locks all documents. The document of the first move is first, because if_revision refers to it. APPLY_AGAIN: a note
 * changed since the plan; plan again. `change` is called under the lock with the first note's bytes and returns the new
 * ones. */
enum applied moves_apply(struct call *c, struct move_plan *plan,
			 bool (*change)(struct call *c, const void *context, struct text bytes, struct text *out),
			 const void *context, const char *summary, struct text *result);

#endif
