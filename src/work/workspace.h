/* workspace.h: shared by the files of this room: the workspace, a call's part of it, a document of a call. */
#ifndef QUIRE_WORK_WORKSPACE_H
#define QUIRE_WORK_WORKSPACE_H
#include "base/digest.h"
#include "work/beside.h"
#include "work/cache.h"
#include "work/lock.h"
#include "work/root.h"
#include "work/work.h"

#include <pthread.h>

struct history; /* history/state.h: the databases in the state folder, opened at first use */

/* What the history's upkeep has to do (history/prune.h). */
struct upkeep {
	atomic_bool is_due, is_aged;
	int64_t not_before; /* clock_ticks() */
};

struct work {
	struct arena arena; /* memory of roots and options */
	struct roots roots;
	struct cache *cache;
	struct history *history;
	bool read_only, allow_hidden;
	bool is_owner;
	const struct format *const *formats;
	/* The first folder of the pending commit that was found last: a running commit holds its lock. */
	struct {
		pthread_mutex_t mutex;
		int64_t id;
		int folder; /* -1: none */
	} met;
	struct beside_memory beside;
	struct upkeep upkeep;
	atomic_bool is_broken; /* a flush failed: nothing more is written */
	size_t document_max;
	int lock_wait_ms;
	int keep_days;
	size_t keep_bytes;
	long ticked_calls,
		trimmed_calls; /* calls that had ended at the last tick, and when memory went back; for ticks */
#ifdef QUIRE_DEBUG
	atomic_long steps_left; /* QUIRE_CRASH_AT: ends the process before this step of a commit; below 0: never */
#endif
};

struct document {
	struct work_call *held;
	const struct root *root;
	struct text path;  /* as given */
	struct text place; /* relative to the root */
	const char *name;
	struct text missing; /* folders to create below `folder` */
	int folder;          /* borrowed from the call's locks; -1: opened for reading */
	struct entry *entry; /* NULL: does not exist; the call has a reference */
	struct stat stat;    /* when it was read */
	bool is_certain;     /* while the file has this stat, it has these bytes */
	struct text revision;
};

/* A document that a commit wrote; it is added to the cache when the call ends. */
struct made {
	struct entry *entry;
	struct stat stat;
	int64_t named; /* when it got its name; real time, ms */
	bool exact;
};

struct work_call {
	struct work *work;
	struct call *call;
	struct locks locks;
	bool changing;
	bool recovered;                /* interrupted commits were already searched, for reads without the cache */
	bool has_state;                /* the state folder was there when this call looked */
	bool is_taking;                /* it takes in a file that was kept (history/taken.h) */
	ARRAY(struct text) taken;      /* such files that it found in its folders */
	int64_t waited_ms;             /* for programs that had documents open (writer.h) */
	bool has_revision;             /* c->revision is that of the documents being changed */
	ARRAY(struct entry *) entries; /* references until the call ends */
	ARRAY(struct made) made;
	ARRAY(struct arena) arenas; /* of failed parses: their messages are in it */
};

/* The call's documents and locks, created at first use. */
struct work_call *work_hold(struct call *c);
/* Room for a reference that the call drops when it ends. It is taken before the reference, so that none is lost. */
struct entry **work_place(struct work_call *h, struct call *c);

/* Adds the documents that the call wrote to the cache, before its locks are released, so that the next writer finds
 * them. At the end of the call nobody reads the old bytes any more, and the new ones may reuse their memory. */
void work_settle(struct work_call *h, struct arena *scratch, bool at_end);

/* Reads a document of documents_change() from its open file, and compares it with the cache. */
bool document_load(struct call *c, struct document *d, int fd, struct stat *st);

struct file_stamp stamp_of(const struct stat *st);
bool name_is_listed(const char *name); /* not hidden, and UTF-8 */

unsigned spot_owner(const struct call *c);                        /* SPOT_OWN if hidden names are allowed */
bool may_touch(struct call *c, struct text place, bool to_write); /* false: DENIED */
/* spot_find() for the caller: grant.c. `for_log`: the caller requested it, so the access log lists it. */
bool spot_granted(struct call *c, struct text path, unsigned flags, bool to_write, bool for_log, struct spot *out);

/* 1: the open file has these bytes; 0: it has others; -1: errno. */
int file_compare(int fd, struct text bytes);
bool file_read(struct call *c, int fd, struct text path, size_t max, struct stat *st, struct arena *a,
	       struct text *out);
bool file_write(int fd, struct text bytes); /* writes all of it; false: errno */

/* A flush of this failed. From now on no call of this process may write: the state of the kernel's buffers is
 * unknown. */
void work_break(struct work *w, const char *what);
bool work_takes_writes(struct call *c); /* false: STORAGE */
extern const char broken_advice[];

/* A point where tests kill a debug build, to check that nothing is lost. */
#ifdef QUIRE_DEBUG
void crash_step(struct work *w);
#else
#define crash_step(w) ((void)(w))
#endif

#endif
