/* work.h: the one way to documents on disk.
 *
 * Reading lends bytes that stay as they are until the call ends, whatever others write meanwhile. Opening to change
 * takes the lock of the document's folder first and reads under it, so what a handler plans on is what it replaces:
 * there is no re-run and no lost update between quires. Changes by programs that do not lock are found by exchanging
 * names and comparing the displaced file (CONFLICT). The lock is flock(2) on the folder's descriptor: nothing to
 * litter, nothing stale after a crash, the same inode before and after, and it covers names that do not exist yet.
 * Several folders are locked in the order of (device, inode), all at once.
 *
 * A commit is a list of changes to any number of documents, all or nothing:
 *   1. results in temp files `.NAME.quire~` beside their targets, flushed
 *   2. one row with every delta in the history, committed: from here the commit will happen
 *   3. exchange each with its target, look at what came out (naming.h), remove it; flush each folder; mark the row done
 * A crash before 2 leaves temps, which the next call on that name removes (nobody has the folder locked). A crash after
 * 2 is finished by the next call on the root: a document whose revision is `before` gets the delta, one at `after` is
 * done, any other is left alone and reported. */
#ifndef QUIRE_WORK_WORK_H
#define QUIRE_WORK_WORK_H
#include "base/call.h"
#include "base/digest.h"
#include "format/splice.h"

/* A path that a caller names may not be hidden: no part of it begins with a dot, neither as given nor once its links
 * are followed, and a link does not change the ending of the name. FAULT_PATH, whether or not there is such a file. A
 * kind may use its format's own hidden names (`.obsidian/app.json`): DOCUMENT_OWN, or c->own_names set around the call.
 */
struct document;

struct work_options {
	const char *const *roots; /* NULL-terminated; the first one takes relative paths */
	const char *state;        /* the absolute path of the state folder; NULL: none, and nothing can be written */
	bool state_is_named;      /* it is not the default of a person's shell: commands in messages name it */
	bool allow_hidden;        /* callers may use names that begin with a dot */
	bool read_only;           /* no write, no state, files opened read-only */
	bool is_owner;            /* the person at the machine: a document keeps its past wherever it came from */
	const struct format *const *formats; /* NULL-terminated, or NULL: what an undo must leave readable */
	size_t document_max;                 /* 0: 64 MiB */
	size_t cache_max;                    /* bytes of cached documents and trees; 0: 256 MiB */
	int lock_wait_ms;                    /* 0: 10 s */
	int keep_days;                       /* history; 0: 90 */
	size_t keep_bytes;                   /* 0: 256 MB */
};

/* Opens the roots, nothing else: no scan, no database. False: c->error says which root and why. */
bool work_open(struct call *c, const struct work_options *options, struct work **out);
void work_close(struct work *w);
bool work_is_read_only(const struct work *w);
/* A root whose file system cannot exchange names, where a save in the last moment before ours may be overwritten
 * (naming.h); NULL: there is none, or it cannot be tested. A read-only server creates no file for the test. */
const char *work_not_exchanging(struct call *c, const struct work *w);
struct text work_root(const struct work *w, size_t i); /* for messages; absent behind the last */

/* Releases the call's documents and locks. The maker of the call calls it once, after the result was encoded. */
void work_release(struct call *c);
/* Housekeeping: drops cached documents that were idle for a while; the ticker calls it every second. */
void work_tick(struct work *w);

/* How a kind reads a format: pure, arena in, tree out. Trees are cached with the document and shared between threads,
 * so they never change. The bytes stay as long as the tree. */
struct format {
	const char *name;
	void *(*parse)(struct arena *, struct text bytes, struct error *);
	/* For kinds that give trees with their edits (struct change): where the new bytes are, given once, before
	 * anybody else sees the tree. */
	void (*place)(void *tree, struct text bytes);
};

bool document_open(struct call *c, struct text path, struct document **out); /* to read */

/* To change: everything the call will write is named at once, so that folders are locked in one order by everybody; a
 * second call in one handler asserts. Locked until the call ends. DOCUMENT_NEW: the name must not exist yet. Folders on
 * the way must exist unless `make_folders`: then the commit makes them. c->if_revision speaks of the first document. */
enum document_want {
	DOCUMENT_THERE,
	DOCUMENT_NEW,
	DOCUMENT_EITHER,
	DOCUMENT_OWN =
		4 /* in addition to one of these: the name comes from the kind, not the caller: `.trash/note.md` */
};
struct want {
	struct text path;
	enum document_want want;
	bool make_folders;
};
bool documents_change(struct call *c, const struct want *wants, size_t n, struct document **out);
/* For a handler that finds under the locks that it must change other documents than it named: drops the locks, so that
 * documents_change() can be called once more. What it opened so far stays readable until the call ends, and can no
 * longer be changed. */
void documents_release(struct call *c);

bool document_exists(const struct document *d);      /* false for a new one */
struct text document_path(const struct document *d); /* as given */
struct text
document_place(const struct document *d); /* relative to its root, links resolved: the name in history and grants */
struct text document_key(struct call *c,
			 const struct document *d);      /* one name for it in every process: state is kept by it */
struct text document_bytes(const struct document *d);    /* absent for a new one */
struct text document_revision(const struct document *d); /* absent for a new one */
const void *document_tree(struct call *c, struct document *d,
			  const struct format *f); /* NULL: error set, with line and column */

enum change_kind { CHANGE_SPLICE, CHANGE_WHOLE, CHANGE_MOVE, CHANGE_DELETE };
struct change {
	enum change_kind kind;
	struct document *document;
	const struct splice *splices; /* SPLICE, and MOVE when the moved document changes too */
	size_t n;
	struct text bytes; /* WHOLE: also every new document */
	/* WHOLE: an export, and the document that it was made from, if there is one. A new file takes that one's mode,
	 * without execute bits; an existing file that can be executed is not replaced. */
	bool is_export;
	const struct document *source;
	struct document *target; /* MOVE: the new name, opened DOCUMENT_NEW in the same documents_change() */
	/* Optional with SPLICE: the tree of the result and the arena that holds it, so the next call need not parse;
	 * format->place() gives it its bytes. Work takes ownership of the arena, even if the commit fails. */
	const void *tree;
	const struct format *format;
	struct arena *tree_arena;
};

/* True when done, or when this was a dry run: then the reply says what would change and nothing was written. A commit
 * that changes no byte writes nothing. The new revisions are those of document_revision() afterwards. */
bool work_commit(struct call *c, const struct change *changes, size_t n, const char *summary, ...)
	__attribute__((format(printf, 4, 5)));

/* The state folder, open, for a cache that may be deleted at any time; the caller closes it. -1: there is none, or this
 * workspace is read-only. Sets no error. */
int work_state_folder(struct call *c);

/* Tells a file that changed from one that did not. A file that is changed twice within one tick of its file system's
 * clock (a few ms) may keep its stamp, and a store through a memory map moves it late: do not trust a stamp that is
 * less than two seconds older than the read. */
struct file_stamp {
	uint64_t device, inode, size;
	int64_t modified, changed; /* mtime and ctime, ns since 1970 */
};
bool file_stamp_same(struct file_stamp a, struct file_stamp b);

/* The regular files below a folder of a root whose name ends in one of the suffixes (".md .markdown"; "": every file),
 * in the order of their paths. Links, names that begin with a dot, and what such folders hold are left out; with
 * c->own_names the folder named may itself be a hidden one. An empty folder is the first root. */
struct file_entry {
	struct text path; /* relative to the root */
	size_t size;
	int64_t modified; /* ms since 1970 */
	struct file_stamp stamp;
};
bool work_list(struct call *c, struct text folder, const char *suffixes, size_t most, struct file_entry **out,
	       size_t *n);

/* Removes the folder, and those below it, where they hold nothing: after a move of all its files. Sets no error. */
void work_prune(struct call *c, struct text folder);

/* Reads a document past the cache, into the arena given: for kinds that keep an index of their own over thousands of
 * small files. Everything else is as with document_open(): the path gate, the grant, the size limit, and commits cut
 * short are finished first (once a call). Does not set the call's revision. An index that serves every caller must not
 * depend on who came first: set c->caller to NULL while it lists and reads, and ask the grant for each answer. */
struct file_content {
	struct text place; /* relative to its root, links resolved */
	struct text bytes; /* a NUL byte follows */
	struct revision revision;
	struct file_stamp stamp; /* taken before the first byte was read */
};
bool work_read(struct call *c, struct text path, struct arena *a, struct file_content *out);
/* The stamp of a file as it is now. False: there is none, or it may not be read; sets no error. */
bool work_look(struct call *c, struct text path, struct file_stamp *out);
/* After a commit: the stamp of the file as it was written. False: another program could change it and keep its stamp.
 */
bool document_stamp(const struct document *d, struct file_stamp *out);

/* Polled once a second while there are subscribers: changes when the file does. Absent: no file. */
bool work_stamp(struct call *c, struct text path, struct text *out);

#endif
