/* rename.h: notes that get other paths, and every link that must follow.
 *
 *	moves_plan(c, v, moves, n, &plan)    under the exclusive lock
 *	moves_apply(c, &plan, ...)           locks, compares with the plan, commits all or nothing
 *
 * The graph is asked what each link would mean with the new names. A link that would mean another note, or none, is
 * rewritten in its own form; all others stay as they are. So links that do not name a renamed note, but would be caught
 * by its new name, keep their meaning too. */
#ifndef QUIRE_KINDS_NOTES_EDIT_RENAME_H
#define QUIRE_KINDS_NOTES_EDIT_RENAME_H
#include "kinds/notes/edit/front.h"
#include "kinds/notes/vault/vault.h"

struct move {
	uint32_t node; /* NODE_NONE: a file that is no note */
	struct text from, to;
	struct text title; /* of the front matter afterwards; absent: none */
};

struct rewrite {
	bool is_markdown;
	struct text old, new;
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
	ARRAY(struct rewritten_note) notes; /* every note that changes or moves */
	size_t links, linking;              /* links rewritten, and notes they are in; set by moves_apply() */
};

/* False: LINK_INTEGRITY, when a link could not be written. */
bool moves_plan(struct call *c, struct vault *v, struct move *moves, size_t n, struct move_plan *out);

enum applied { APPLIED, APPLY_AGAIN, APPLY_FAILED };
/* Locks all documents, the first move's first (if_revision speaks of it). APPLY_AGAIN: a note changed since the plan;
 * plan again. `change` is called under the lock with the first note's bytes and returns the new ones. */
enum applied moves_apply(struct call *c, struct move_plan *plan,
			 bool (*change)(struct call *c, const void *context, struct text bytes, struct text *out),
			 const void *context, const char *summary, struct text *result);

#endif
