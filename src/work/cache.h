/* cache.h: caches documents that were read, with their trees.
 *
 * An entry's bytes and trees never change while anybody has a reference to it. References are counted, so threads share
 * entries without copying. The cache's mutex protects only the list of trees, and the time when the bytes were last
 * seen in the file.
 *
 * The result of an edit follows the entry that was edited: its bytes are made on demand, or at the latest when the call
 * ends. If nobody has a reference to the old entry by then, its memory is edited in place. So a small edit of a large
 * document is cheap.
 *
 * Entries are found by device and inode, and trusted by size, mtime and ctime. A stamp less than two seconds old is not
 * trusted, because file clocks are coarse and a store through mmap changes no stamp. Then the bytes are compared, and
 * also before every change. No comparison is needed for a file that we made ourselves, if every change since would have
 * changed its stamp (temp.h). The size of the cache is limited; the least recently used entries are dropped first. */
#ifndef QUIRE_WORK_CACHE_H
#define QUIRE_WORK_CACHE_H
#include "base/digest.h"
#include "work/work.h"

#include <sys/stat.h>

struct cache;

struct entry_tree {
	const struct format *format;
	const void *tree;
	struct arena arena;
	struct entry_tree *next;
};

struct entry {
	struct text bytes; /* absent while it follows another entry; see entry_bytes() */
	struct revision revision;
	struct arena arena; /* memory of the bytes */
	size_t room;        /* allocated size for the bytes */
	/* The entry that it follows until its bytes are made (the call has a reference), and the sorted edits. */
	struct entry *base;
	const struct splice *splices;
	size_t n;
	/* The rest is private to the cache. */
	struct entry_tree *trees;
	struct stat stamp;
	int64_t seen; /* when the file was known to have these bytes; real time, ms */
	int64_t used;
	atomic_uint refs;
	bool kept, exact; /* exact: our file, and any change would have changed its stamp */
	size_t weight;
	struct entry *same_bucket, *newer, *older;
};

struct cache *cache_new(size_t bytes_max);
void cache_free(struct cache *k);

/* The entry that may have this file's bytes, with a reference for the caller, or NULL. *trust says how certain that is:
 * LIKELY is enough for reading, CERTAIN also for changing. */
enum trust { TRUST_NONE, TRUST_LIKELY, TRUST_CERTAIN };
struct entry *cache_lookup(struct cache *k, const struct stat *st, enum trust *trust);
/* Records that the file had the entry's bytes at the given time, before it was read. Adds the entry to the cache if it
 * is new. */
void cache_seen(struct cache *k, struct entry *e, const struct stat *st, int64_t seen);
/* The same for a file that we just made. */
void cache_made(struct cache *k, struct entry *e, const struct stat *st, int64_t seen, bool exact);
void cache_forget(struct cache *k, struct entry *e); /* its file was replaced; existing references stay valid */
bool cache_age(struct cache *k, int64_t idle_ms);    /* drops entries that were idle this long; true: it dropped some */

struct entry *entry_new(void); /* with one reference, for the caller */
void entry_follow(struct entry *e, struct entry *base, const struct splice *sorted, size_t n);
struct text entry_bytes(struct entry *e); /* makes them if needed; for the call that planned it, before others see it */
/* Makes the bytes at the end of the call, when at most this call still has a reference to the base. */
void entry_settle(struct entry *e, struct arena *scratch);
void entry_drop(struct entry *e);
const void *entry_tree(struct cache *k, struct entry *e, const struct format *f); /* NULL: not parsed yet */
/* Gives a tree and its arena to the entry. Returns the entry's tree, which another thread may have set before. */
const void *entry_give_tree(struct cache *k, struct entry *e, const struct format *f, const void *tree,
			    struct arena *arena);

bool stat_is_same(const struct stat *a, const struct stat *b); /* size and times */
int64_t real_now(void); /* ms since 1970, never fixed by QUIRE_NOW: for comparing with file times */

#endif
