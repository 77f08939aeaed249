/* store.h: the records of commits, in one file for everything this user writes.
 *
 * Documents are identified by their true absolute path (place.h), so a document has one history for all roots that
 * contain it. A record contains the edits from the bytes before to the bytes after. Every few records contain the whole
 * bytes, which bounds the cost of reading an old revision. Changes by other programs are recorded too, at the next
 * commit: `before` is always the `after` of the previous record (chain.h). */
#ifndef QUIRE_WORK_HISTORY_STORE_H
#define QUIRE_WORK_HISTORY_STORE_H
#include "store/store.h"
#include "work/root.h"
#include "work/work.h"

struct history;

/* OUTSIDE: a change or move by another program. */
enum record_kind { RECORD_EDIT, RECORD_UNDO, RECORD_REDO, RECORD_OUTSIDE };
/* partly: after a crash, another program changed a document before recovery. */
enum record_state { RECORD_PENDING, RECORD_DONE, RECORD_PARTLY };

/* How a record stores the bytes after it. NONE: they equal the bytes before, or there are none, or they are too large
 * to be kept. The last two forms are deflated, after their length in four bytes. */
enum record_form { FORM_NONE, FORM_SPLICES, FORM_WHOLE, FORM_SPLICES_DEFLATED, FORM_WHOLE_DEFLATED };

/* A document of a commit. The path is the one after the commit. The old path is set if the document moved. A deleted
 * document keeps its path and has no revision `after`. */
struct record_document {
	struct text path, old_path; /* absolute (place.h); old_path absent: not moved */
	struct text before, after;  /* revisions; absent: did not exist before, does not exist after */
	size_t added, removed;      /* bytes */
	struct text bytes_before;   /* to be recorded: borrowed; absent: did not exist */
	/* To be recorded: edits of the bytes before, if the document exists before and after. */
	const struct splice *splices;
	size_t n;
	struct text bytes_after; /* to be recorded: of a new document; borrowed */
	bool can_undo;           /* once recorded: the history has everything that an undo needs */
	enum record_form form;   /* once recorded */
	struct text delta;
	int64_t since; /* once recorded: records since the last whole bytes */
	/* To be recorded: the draft that is saved with this document, and its new revisions (draft.h); absent: none. */
	struct text draft, draft_revisions;
	struct text draft_before; /* once recorded: its revisions before, if the commit is retracted */
};

struct record {
	int64_t id, time;
	struct text who, tool, summary;
	enum record_kind kind;
	enum record_state state;
	int64_t undoes, undone_by; /* 0: none */
	bool is_cut;               /* the history of some of its documents was forgotten */
	struct record_document *documents;
	size_t n;
	bool is_unknown; /* history_record() failed, but the record may exist: only its flush failed */
};

struct history *history_new(struct work *w, const char *state, bool is_named);
void history_free(struct history *h);

/* Opens the state folder, creating it if needed, for data outside the database; the caller closes the descriptor. */
bool history_folder(struct call *c, int *fd);
/* Begins a transaction on the history. A write creates folder and file if needed. A read returns NULL without an error
 * if they do not exist. */
bool history_begin(struct call *c, enum store_mode mode, struct transaction **out);
bool history_is_writable(struct call *c); /* false: error set; creates the folder if needed */

/* Durable when it returns true; the record gets its id. The commit that it undoes is marked in the same transaction. If
 * the history does not know the bytes before, they are recorded first, as a record of their own. */
bool history_record(struct call *c, struct record *r);
/* Records bytes that another program wrote and that the history does not know yet. Durable when it returns true. */
bool history_note(struct call *c, struct text place, struct text bytes);
/* Not flushed: if the mark is lost, recovery finds everything done and sets it again. */
bool history_mark(struct call *c, int64_t id, enum record_state state);
/* Records durably that the commit did not happen. */
bool history_retract(struct call *c, const struct record *r);

/* The numbers of the commits that are not marked done, oldest first. False only when the history cannot be read. */
bool history_pending(struct call *c, int64_t **ids, size_t *n);
/* The path of the first document of a commit: enough to check whether its process still holds the lock. Absent:
 * none. */
struct text history_first_path(struct call *c, int64_t id);
bool history_is_pending(struct call *c, int64_t id);
/* Does a pending commit contain this document? True also when this is unknown. */
bool history_needs(struct call *c, const struct root *root, struct text path);
bool history_load(struct call *c, int64_t id, struct record *out); /* NOT_FOUND; deltas included */
/* The same without deltas, which may be many megabytes. */
bool history_outline(struct call *c, int64_t id, struct record *out);

/* Saves the rows of a refused or damaged file into a new one, which replaces it. *aside: the new name of the old
 * file. *lost: what could not be read. */
bool history_rescue(struct call *c, int64_t *rows, const char **aside, struct texts *lost);

/* For the files of this room: */
/* Adds to the sums of all roots that contain the document. */
void roots_add(struct transaction *t, struct text path, int64_t bytes);
bool record_read(struct transaction *t, struct arena *a, int64_t id, bool with_deltas, struct record *out, bool *found);
/* The newest record of the document at a path. *id 0: there is none. *after absent: the document was removed. */
struct last_record {
	int64_t id;
	struct text after;
	int64_t since; /* records since the last whole bytes */
};
bool record_last(struct transaction *t, struct arena *a, struct text place, struct last_record *out);
/* The path from which another program moved a document without a history to this place; absent: none, or not
 * certain. */
bool record_moved_from(struct call *c, struct transaction *t, struct text place, struct text revision,
		       struct text *out);

/* True for network and FUSE file systems: memory maps are not coherent there, and stat results may be stale. */
bool file_system_is_far(int fd);

#endif
