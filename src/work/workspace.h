/* workspace.h: what the files of this room share: the workspace, what a call holds of it, a document of a call. */
#ifndef QUIRE_WORK_WORKSPACE_H
#define QUIRE_WORK_WORKSPACE_H
#include "base/digest.h"
#include "work/cache.h"
#include "work/lock.h"
#include "work/root.h"
#include "work/work.h"

#include <pthread.h>

struct history; /* history_store.h: the databases below the state folder, opened at their first use */

struct work {
	struct arena arena; /* roots and options */
	struct roots roots;
	struct cache *cache;
	struct history *history;
	bool read_only, allow_hidden;
	bool is_owner;
	const struct format *const *formats;
	/* The first folder of the last pending commit that was found: a running commit holds its lock. */
	struct {
		pthread_mutex_t mutex;
		int64_t id;
		int folder; /* -1: none */
	} met;
	atomic_bool is_broken; /* a flush failed: nothing more is written */
	size_t document_max;
	int lock_wait_ms;
	int keep_days;
	size_t keep_bytes;
#ifdef QUIRE_DEBUG
	atomic_long
		steps_left; /* QUIRE_CRASH_AT: ends the process before this many steps of a commit; below 0: never */
#endif
};

struct document {
	struct work_call *held;
	const struct root *root;
	struct text path;  /* as given */
	struct text place; /* below the root */
	const char *name;
	struct text missing; /* folders to make below `folder` */
	int folder;          /* lent by the call's locks; -1: opened to read */
	struct entry *entry; /* NULL: not there; counted by the call */
	struct stat stat;    /* when it was read */
	bool is_certain;     /* as long as the file has this stat, it has these bytes */
	struct text revision;
};

/* A document that a commit has written, for the cache when the call ends. */
struct made {
	struct entry *entry;
	struct stat stat;
	int64_t named; /* when; real time, ms */
	bool exact;
};

struct work_call {
	struct work *work;
	struct locks locks;
	bool changing;
	bool recovered;                /* commits cut short were looked for, for reads past the cache */
	bool has_state;                /* the state folder was there when this call looked */
	bool has_revision;             /* the call's revision is that of the documents being changed */
	ARRAY(struct entry *) entries; /* counted until the call ends */
	ARRAY(struct made) made;
	ARRAY(struct arena) arenas; /* of parses that failed: the message lives there */
};

/* What the call holds, made at its first use. */
struct work_call *work_hold(struct call *c);
/* Counts an entry for the call, which drops it when it ends. */
void work_keep(struct work_call *h, struct call *c, struct entry *e);

/* Gives the documents that the call wrote to the cache, before its locks are released, so the next writer finds them.
 * At the end of the call no one reads the old bytes any more, and the new ones may reuse their memory. */
void work_settle(struct call *c, struct work_call *h, bool at_end);

/* Reads a document of documents_change() from its open file, comparing with what the cache has. */
bool document_load(struct call *c, struct document *d, int fd, struct stat *st);

struct file_stamp stamp_of(const struct stat *st);
bool name_is_listed(const char *name); /* not hidden, and text */

unsigned spot_owner(const struct call *c);                        /* SPOT_OWN where hidden names are allowed */
bool may_touch(struct call *c, struct text place, bool to_write); /* false: DENIED */
/* spot_find() for the caller: grant.c. `for_log`: the caller asked for it, so the access log names it. */
bool spot_granted(struct call *c, struct text path, unsigned flags, bool to_write, bool for_log, struct spot *out);

/* 1: the open file holds these bytes; 0: others; -1: errno. */
int file_compare(int fd, struct text bytes);
bool file_read(struct call *c, int fd, struct text path, size_t max, struct stat *st, struct arena *a,
	       struct text *out);
bool file_write(int fd, struct text bytes); /* all of it, or errno */

/* A flush of this failed. From here no call of this process may write: the state of the kernel's buffers is unknown. */
void work_break(struct work *w, const char *what);
bool work_takes_writes(struct call *c); /* false: STORAGE */
extern const char broken_advice[];

/* A point where tests kill a debug build, to prove that nothing is lost. */
#ifdef QUIRE_DEBUG
void crash_step(struct work *w);
#else
#define crash_step(w) ((void)(w))
#endif

#endif
