/* history.h: what was written, by whom, and the way back.
 *
 * Every commit is one row with the delta and its inverse of each document (work.h). The same row finishes a commit that
 * a crash cut short. */
#ifndef QUIRE_WORK_HISTORY_H
#define QUIRE_WORK_HISTORY_H
#include "work/work.h"

struct history_entry {
	int64_t id;
	int64_t time; /* ms since 1970 */
	struct text who, tool, summary;
	struct text path;          /* relative to its root */
	struct text before, after; /* revisions; absent: made or deleted */
	bool is_undo, is_undone, can_undo;
	size_t documents; /* how many the commit changed in all */
	size_t bytes_added, bytes_removed;
};

/* Newest first; `before_id` 0 starts at the newest. */
bool history_list(struct call *c, struct text path, int64_t before_id, size_t most, struct history_entry **out,
		  size_t *n, bool *more);
/* Unified diff from a revision (or commit id as text) to another; absent `to`: the document as it is. */
bool history_diff(struct call *c, struct text path, struct text from, struct text to, struct text *diff);
/* The bytes as they were at a revision of the document's history. */
bool history_bytes(struct call *c, struct text path, struct text revision, struct text *bytes);
/* Takes back the newest commit on the document that is neither undone nor an undo (or `id`), all its documents
 * together; redo undoes the newest undo. Honours c->if_revision and c->dry_run. */
struct undone {
	int64_t id; /* the commit taken back */
	struct text summary;
	struct texts paths;
	struct text revision; /* of the document afterwards; absent when it is gone */
};
bool history_undo(struct call *c, struct text path, int64_t id, bool redo, struct undone *out);
bool history_forget(struct call *c, struct text path, size_t *forgotten); /* for what must not be kept */

#endif
