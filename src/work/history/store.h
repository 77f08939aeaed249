/* store.h: the records of commits, in one file for everything this user writes.
 *
 * Documents are known by their true absolute path (place.h): a document has one history whatever root it is reached
 * through. A record holds what leads from the bytes before to the bytes after; every few records hold the whole bytes,
 * so the cost of going back is bounded. Changes by other programs are recorded too, at the next commit: `before` is
 * always the `after` of the record before it (chain.h). */
#ifndef QUIRE_WORK_HISTORY_STORE_H
#define QUIRE_WORK_HISTORY_STORE_H
#include "store/store.h"
#include "work/root.h"
#include "work/work.h"

struct history;

/* OUTSIDE: what another program wrote or moved. */
enum record_kind { RECORD_EDIT, RECORD_UNDO, RECORD_REDO, RECORD_OUTSIDE };
enum record_state { RECORD_PENDING, RECORD_DONE, RECORD_PARTLY }; /* partly: a crash, and a foreign hand in between */

/* How a record leads to the bytes after it. NONE: they are those before, or there are none, or they are too large to be
 * kept. The last two are deflated, behind their length in four bytes. */
enum record_form { FORM_NONE, FORM_SPLICES, FORM_WHOLE, FORM_SPLICES_DEFLATED, FORM_WHOLE_DEFLATED };

/* A document of a commit. The path is that afterwards; the old path is set when it moved; a deleted one keeps its path
 * and has no revision after. */
struct record_document {
	struct text path, old_path;   /* absolute (place.h); old absent: not moved */
	struct text before, after;    /* revisions; absent: was not, is not */
	size_t added, removed;        /* bytes */
	struct text bytes_before;     /* to be recorded: lent; absent: was not */
	const struct splice *splices; /* to be recorded: from the bytes before, when there are both */
	size_t n;
	struct text bytes_after; /* to be recorded: of a new one; lent */
	bool can_undo;           /* once recorded: the history holds what it takes */
	enum record_form form;   /* once recorded */
	struct text delta;
	int64_t since; /* once recorded: records since the last whole bytes */
};

struct record {
	int64_t id, time;
	struct text who, tool, summary;
	enum record_kind kind;
	enum record_state state;
	int64_t undoes, undone_by; /* 0: none */
	bool is_cut;               /* documents of it were forgotten */
	struct record_document *documents;
	size_t n;
	bool is_unknown; /* history_record() failed, but the record may exist: only its flush failed */
};

struct history *history_new(struct work *w, const char *state, bool is_named);
void history_free(struct history *h);

/* Opens the state folder, creating it if needed, for data outside the database; the caller closes the descriptor. */
bool history_folder(struct call *c, int *fd);
/* A transaction on the history. A write makes folder and file where needed; a read gives NULL without an error when
 * there are none. */
bool history_begin(struct call *c, enum store_mode mode, struct transaction **out);
bool history_is_writable(struct call *c); /* false: error set; the folder is made */

/* Durable when it returns true; the record gets its id. What it undoes is marked in the same transaction. Bytes before
 * that the history did not know are recorded first, as a record of their own. */
bool history_record(struct call *c, struct record *r);
/* Records bytes that another program wrote and that the history does not know yet. Durable when it returns true. */
bool history_note(struct call *c, struct text place, struct text bytes);
/* Not flushed: when the mark is lost, recovery finds everything done and makes it again. */
bool history_mark(struct call *c, int64_t id, enum record_state state);
/* The commit did not happen after all, durably so. */
bool history_retract(struct call *c, const struct record *r);

/* The numbers of the commits that are not marked done, oldest first. False only when the history cannot be read. */
bool history_pending(struct call *c, int64_t **ids, size_t *n);
/* The path of the first document of a commit: enough to see whether its process still holds the lock. Absent: none. */
struct text history_first_path(struct call *c, int64_t id);
bool history_is_pending(struct call *c, int64_t id);
/* Does a pending commit name this document? True also when this is unknown. */
bool history_needs(struct call *c, const struct root *root, struct text path);
bool history_load(struct call *c, int64_t id, struct record *out); /* NOT_FOUND; deltas included */
/* The same without deltas, which may be many megabytes. */
bool history_outline(struct call *c, int64_t id, struct record *out);

/* Saves the rows of a file that is refused or damaged into a fresh one, which takes its place. *aside: where the old
 * one is now. */
bool history_rescue(struct call *c, int64_t *rows, const char **aside);

/* For the files of this room: */
bool record_read(struct transaction *t, struct arena *a, int64_t id, bool with_deltas, struct record *out, bool *found);
/* The newest record of the document at a path. *id 0: there is none. *after absent: the document was removed. */
struct last_record {
	int64_t id;
	struct text after;
	int64_t since; /* records since the last whole bytes */
};
bool record_last(struct transaction *t, struct arena *a, struct text place, struct last_record *out);
/* The place that a document without a history was moved from by another program; absent: none, or not certain. */
bool record_moved_from(struct call *c, struct transaction *t, struct text place, struct text revision,
		       struct text *out);

/* True for network and FUSE file systems: memory maps are not coherent there, and stat results may be stale. */
bool file_system_is_far(int fd);

#endif
