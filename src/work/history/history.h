/* history.h: what changed, who changed it, and how to undo it.
 *
 * A state of a document is named by a revision, or by the number of the commit that produced it. Every revision that
 * is listed can be shown, compared and restored. */
#ifndef QUIRE_WORK_HISTORY_H
#define QUIRE_WORK_HISTORY_H
#include "work/work.h"

struct history_entry {
	int64_t id;
	int64_t time; /* ms since 1970 */
	struct text who, tool, summary;
	struct text path;          /* relative to the root */
	struct text before, after; /* revisions; absent: created, deleted, or no longer kept */
	bool is_undo, is_undone, is_outside;
	bool can_undo;    /* was tried: an undo of it would succeed now; also false if trying would read too much */
	size_t documents; /* number of documents that the commit changed */
	size_t bytes_added, bytes_removed;
};

/* Newest first; `before_id` 0 starts at the newest. An empty path lists all documents below the roots. NOT_FOUND:
 * neither the file nor a history exists. */
bool history_list(struct call *c, struct text path, int64_t before_id, size_t most, struct history_entry **out,
		  size_t *n, bool *more);
/* The bytes at a moment, and their revision. */
bool history_bytes(struct call *c, struct text path, struct text word, struct text *bytes, struct text *revision);
/* Unified diff between two moments. Absent `from`: before the newest commit; absent `to`: the document as it is now. */
bool history_diff(struct call *c, struct text path, struct text from, struct text to, struct text *diff);

/* Restores the bytes of a moment, whatever the document contains now. Its current bytes are recorded first, so the
 * restore can be undone. Honours c->if_revision and c->dry_run. */
struct restored {
	struct text revision;
	size_t size;
	bool changed; /* false: the document already has these bytes */
};
bool history_restore(struct call *c, struct text path, struct text word, struct restored *out);

/* Undoes the newest commit on the document that is neither undone nor an undo (or `id`), for all its documents
 * together; redo undoes the newest undo. A change by another program counts as such a commit only if it broke the
 * document (history_note_broken). Later changes stay if they do not overlap with it; else CONFLICT. Honours
 * c->if_revision and c->dry_run. */
struct undone {
	int64_t id; /* the commit that was undone */
	struct text summary;
	struct texts paths;
	struct text revision; /* of the document afterwards; absent if it was deleted */
};
bool history_undo(struct call *c, struct text path, int64_t id, bool redo, struct undone *out);
/* If another program made the document unreadable for every kind, and the history does not know that change yet,
 * records it, so that it has a number and can be undone. Locks the document, unless this call has it locked. True: it
 * was recorded. Sets no error. */
bool history_note_broken(struct call *c, struct text path);
/* If another program changed the document and the history does not know that change yet, records it, so that it is
 * listed and can be undone. A document without a history gets one: its bytes as they are now. True: there is nothing
 * more to record; false: try again later, since the document was locked or changed just now. Sets no error. */
bool history_note_change(struct call *c, struct text path);
/* The number of the newest record, of any document; 0: there is none. Cheap: for polling. Sets no error. */
int64_t history_newest(struct call *c);
/* For the error about a document that cannot be read: the call that undoes the change by another program that broke it.
 * NULL: no other program did, or this caller may not write. Sets no error. */
const char *history_advise_broken(struct call *c, struct text path);
bool history_forget(struct call *c, struct text path, size_t *forgotten); /* for documents that must not be kept */

#endif
