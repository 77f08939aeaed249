/* driver.h: the functions that SQLite and PostgreSQL each implement; for the store's own files only.
 *
 * A session is one connection. It serves one transaction at a time and is kept between them. */
#ifndef QUIRE_STORE_DRIVER_H
#define QUIRE_STORE_DRIVER_H
#include "store/store.h"

#include <pthread.h>

enum trouble {
	TROUBLE_NONE,
	TROUBLE_BUSY,  /* another program keeps the database locked */
	TROUBLE_AGAIN, /* a retry of the whole transaction may succeed */
	TROUBLE_FULL,
	TROUBLE_READ_ONLY,
	TROUBLE_DAMAGED,
	TROUBLE_LOST,    /* no connection; nothing was committed */
	TROUBLE_UNKNOWN, /* the connection ended during the commit */
	TROUBLE_LATE,    /* a statement took longer than allowed */
	TROUBLE_FLUSH,   /* it is unknown whether the written data is on the disk */
	TROUBLE_LIMIT,   /* the call has used up its time or memory */
	TROUBLE_OTHER
};

struct session {
	const struct driver *driver;
	struct store *store;
	struct session *next; /* in the list of idle sessions */
	bool writes;
	enum trouble trouble; /* the first failure of this transaction, and its message */
	char said[240];
	uint64_t device, inode; /* of the file that is open */
};

/* A transaction is a session that is in use. */
struct transaction {
	struct session session;
};

struct driver {
	/* NULL with c->error set: refused. NULL without an error: the file does not exist yet and `mode` only reads. */
	struct session *(*open)(struct call *c, struct store *s, enum store_mode mode);
	void (*close)(struct session *);
	bool (*is_current)(struct session *); /* can an idle session be used again? */
	bool (*begin)(struct session *, enum store_mode mode);
	bool (*commit)(struct session *);
	void (*rollback)(struct session *);
	void *(*prepared)(struct session *, const char *sql);
	void (*bind)(struct query *, struct text value, int64_t number, int type);
	bool (*row)(struct query *);
	struct text (*column)(struct query *, int column);
	int64_t (*number)(struct query *, int column);
	bool (*run)(struct query *);
	void (*end)(struct query *);
};
enum { BIND_NULL, BIND_INT, BIND_TEXT, BIND_BYTES };

extern const struct driver sqlite_driver, postgres_driver;

struct store {
	struct store_options options; /* the texts are copies */
	const struct driver *driver;
	pthread_mutex_t lock; /* protects the list of idle sessions */
	struct session *idle;
	size_t n_idle;
	atomic_bool flush_failed;
	atomic_bool is_settled; /* SQLite: the journal that this process found on opening is flushed */
	pthread_mutex_t writer; /* SQLite: threads of this process wait here, not in busy loops */
};

int64_t sqlite_last_id(struct session *s);
bool sqlite_compact(struct session *s); /* call it outside of a transaction */
bool sqlite_rescue(struct call *c, const struct store_options *options, const char *to, int64_t *rows,
		   struct texts *lost);

/* database_file.c: the file of a store. */
enum { DATABASE_PATH_MAX = 4096 + 16 };
struct database_file {
	bool is_there, has_wal, has_shm; /* has_wal: it exists and is not empty */
	bool is_remote;                  /* a network or FUSE file system */
	uint64_t device, inode, size;
};
/* False: a link, not a regular file, or a rollback journal that names another file. */
bool database_file_look(struct call *c, const struct store_options *o, struct database_file *out);
/* Locks the file's folder; -1: error set. Close the descriptor to unlock. */
int database_file_lock(struct call *c, const struct store_options *o);
/* Creates the empty file in the locked folder, with its mode, and flushes the folder. */
bool database_file_make(struct call *c, const struct store_options *o, int folder);

#endif
