/* store.h: the state folder and the records of commits in it.
 *
 * One file for everything this user writes, documents known by their true absolute path: a document has one history
 * whatever root it is reached through. Two connections to it: the writer's commits wait for the disk, and readers do
 * not wait for them. */
#ifndef QUIRE_WORK_HISTORY_STORE_H
#define QUIRE_WORK_HISTORY_STORE_H
#include "work/history/db.h"
#include "work/root.h"
#include "work/work.h"

struct history;

enum record_kind { RECORD_EDIT, RECORD_UNDO, RECORD_REDO };
enum record_state { RECORD_PENDING, RECORD_DONE, RECORD_PARTLY }; /* partly: a crash, and a foreign hand in between */

/* A document of a commit. The path is that afterwards; the old path is set when it moved; a deleted one keeps its path
 * and has no revision after. A delta or inverse is packed splices, or the whole bytes; absent where there are none. */
struct record_document {
	struct text path, old_path; /* absolute (place.h); old absent: not moved */
	struct text before, after;  /* revisions; absent: was not, is not */
	struct text delta, inverse;
	bool delta_is_whole, inverse_is_whole, can_undo;
	size_t added, removed;
};

struct record {
	int64_t id, time;
	struct text who, tool, summary;
	enum record_kind kind;
	enum record_state state;
	int64_t undoes, undone_by; /* 0: none */
	struct record_document *documents;
	size_t n;
	bool is_unknown; /* history_record() failed, and the record may exist all the same: its flush did */
};

struct history *history_new(struct work *w, const char *state);
void history_free(struct history *h);

/* The state folder, made where needed, for what is not SQL; the descriptor is the caller's to close. */
bool history_folder(struct call *c, int *fd);
/* The connections. The writer makes folder and file where needed; the reader is NULL without an error when there are
 * none. */
bool history_writer(struct call *c, struct db **out);
bool history_reader(struct call *c, struct db **out);

/* Durable when it returns true; the record gets its id. What it undoes is marked in the same transaction. */
bool history_record(struct call *c, struct record *r);
/* Not flushed: when the mark is lost, recovery finds everything done and makes it again. */
bool history_mark(struct call *c, int64_t id, enum record_state state);
/* The commit did not happen after all, durably so. */
bool history_retract(struct call *c, const struct record *r);
/* The numbers of the commits that are not marked done, oldest first. False only when the history cannot be read. */
bool history_pending(struct call *c, int64_t **ids, size_t *n);
/* The path of the first document of a commit: enough to see whether its process still holds the lock. Absent: none. */
struct text history_first_path(struct call *c, int64_t id);
bool history_is_pending(struct call *c, int64_t id);
/* Does a pending commit name this document? Yes also when that cannot be told. */
bool history_needs(struct call *c, const struct root *root, struct text path);
bool history_load(struct call *c, int64_t id, struct record *out); /* NOT_FOUND; deltas included */
/* The same without deltas, which may be many megabytes. */
bool history_outline(struct call *c, int64_t id, struct record *out);

/* Where memory mapped by two machines, or by the kernel and a daemon, is not one memory, and what a stat says may be
 * old. */
bool file_system_is_far(int fd);

#endif
