/* cache.h: documents that were read before, with their trees.
 *
 * An entry's bytes and trees never change while anybody holds it, and entries are counted, so threads share them
 * without copying; only which trees there are, and when the bytes were last seen in the file, is under the cache's
 * mutex. The result of an edit follows the entry that was edited: its bytes are made when they are asked for, or else
 * when the call ends. If by then nobody holds the old entry any more, they are made of its memory, in place, so that a
 * small edit costs little however large the document is. Entries are found by device and inode and trusted by size,
 * mtime and ctime; within two seconds of such a stamp it is not trusted, since file clocks tick coarsely and a store
 * through mmap moves no stamp: then, and to change, bytes are compared. Only a file that we made ourselves, where every
 * change since would have moved its stamp (temp.h), is known without comparing. Bounded by bytes; what was used least
 * recently goes first. */
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
	struct text bytes; /* absent as long as it follows another; see entry_bytes() */
	struct revision revision;
	struct arena arena; /* holds the bytes */
	size_t room;        /* how much memory there is for them */
	/* What it follows until its bytes are made, counted by the call, and the edits, sorted. */
	struct entry *base;
	const struct splice *splices;
	size_t n;
	/* The rest belongs to the cache. */
	struct entry_tree *trees;
	struct stat stamp;
	int64_t seen; /* when the file was known to hold these bytes; real time, ms */
	int64_t used;
	atomic_uint refs;
	bool kept, exact; /* exact: ours, and any change of the file would have moved its stamp */
	size_t weight;
	struct entry *same_bucket, *newer, *older;
};

struct cache *cache_new(size_t bytes_max);
void cache_free(struct cache *k);

/* The entry that may hold this file's bytes, counted for the caller, or NULL. *trust says how certain that is: LIKELY
 * is enough for reading, CERTAIN for changing too. */
enum trust { TRUST_NONE, TRUST_LIKELY, TRUST_CERTAIN };
struct entry *cache_lookup(struct cache *k, const struct stat *st, enum trust *trust);
/* The file was seen (at the time given, before it was read) to hold the entry's bytes. Adds the entry to the cache if
 * it is new. */
void cache_seen(struct cache *k, struct entry *e, const struct stat *st, int64_t seen);
/* The same for a file that we made just now. */
void cache_made(struct cache *k, struct entry *e, const struct stat *st, int64_t seen, bool exact);
void cache_forget(struct cache *k, struct entry *e); /* its file was replaced; current holders keep it */
bool cache_age(struct cache *k, int64_t idle_ms);    /* drops entries that were idle this long; true: there were some */

struct entry *entry_new(void); /* counted once, for the caller */
void entry_follow(struct entry *e, struct entry *base, const struct splice *sorted, size_t n);
struct text
entry_bytes(struct entry *e); /* makes them if need be; for the call that planned it, before others see it */
/* Makes the bytes at the end of the call, when only this call may still hold the base. */
void entry_settle(struct entry *e, struct arena *scratch);
void entry_drop(struct entry *e);
const void *entry_tree(struct cache *k, struct entry *e, const struct format *f); /* NULL: not parsed yet */
/* Gives a tree and its arena to the entry. Returns the tree that the entry now has, which may be another thread's. */
const void *entry_give_tree(struct cache *k, struct entry *e, const struct format *f, const void *tree,
			    struct arena *arena);

bool stat_is_same(const struct stat *a, const struct stat *b); /* size and times */
int64_t real_now(void); /* ms since 1970, never fixed by QUIRE_NOW: for comparing with file times */

#endif
