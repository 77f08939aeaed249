/* work.h: the only access to documents on disk.
 *
 * The bytes that a call reads stay the same until the call ends, whatever others write meanwhile. Opening for changing
 * locks the document's folder first and reads under the lock. So a handler replaces exactly the bytes it has read:
 * there is no re-run and no lost update between quire processes. Changes by programs that do not lock are found by
 * exchanging names and comparing the displaced file (CONFLICT). The lock is flock(2) on the folder's descriptor: it
 * leaves no files, is never stale after a crash, keeps its inode, and covers names that do not exist yet. Several
 * folders are locked together, in the order of (device, inode).
 *
 * A commit is a list of changes to any number of documents, all or nothing:
 *   1. results in temp files `.NAME.quire~` beside their targets, flushed
 *   2. one row with every delta in the history, committed: from here the commit will happen
 *   3. exchange each with its target, check the displaced file (naming.h), remove it; flush each folder; mark the row
 *      as done
 *
 * A crash before 2 leaves temps, which the next call on that name, or the next writing call in that folder, removes:
 * nobody has the folder locked. After a crash after 2, the next call on the root finishes the commit: a document with
 * revision `before` gets the delta, one with `after` is done, any other is not changed, but reported. */
#ifndef QUIRE_WORK_WORK_H
#define QUIRE_WORK_WORK_H
#include "base/call.h"
#include "base/digest.h"
#include "format/splice.h"

/* A caller's path may not be hidden: no component begins with a dot, neither as given nor after its links are followed.
 * A link may not change the ending of the name. The error is FAULT_PATH, whether or not the file exists. A kind may use
 * its format's own hidden names (`.obsidian/app.json`): with DOCUMENT_OWN, or with c->own_names set around the call. */
struct document;
struct draft;

struct work_options {
	const char *const *roots; /* NULL-terminated; relative paths are relative to the first one */
	const char *state;        /* the absolute path of the state folder; NULL: none, and nothing can be written */
	bool state_is_named;      /* it is not the default of a user's shell, so commands in messages must name it */
	bool allow_hidden;        /* callers may use names that begin with a dot */
	bool read_only;           /* no writes, no state folder, files opened read-only */
	/* The user at this machine: a document keeps its history wherever it was moved from. */
	bool is_owner;
	const struct format *const *formats; /* NULL-terminated, or NULL: an undo must leave these formats readable */
	size_t document_max;                 /* 0: 64 MiB */
	size_t cache_max;                    /* bytes of cached documents and trees; 0: 256 MiB */
	int lock_wait_ms;                    /* 0: 10 s */
	int keep_days;                       /* age of the history; 0: 90 */
	size_t keep_bytes;                   /* 0: 256 MB */
};

/* Only opens the roots: no scan, no database. False: c->error says which root and why. */
bool work_open(struct call *c, const struct work_options *options, struct work **out);
void work_close(struct work *w);
bool work_is_read_only(const struct work *w);
/* A root whose file system cannot exchange names (naming.h): there, a save by another program just before ours may be
 * overwritten. NULL: there is none, or it cannot be tested. A read-only server creates no file for the test. */
const char *work_not_exchanging(struct call *c, const struct work *w);
struct text work_root(const struct work *w, size_t i); /* for messages; absent after the last one */

/* Releases the call's documents and locks. The code that made the call calls this once, after the result was
 * encoded. */
void work_release(struct call *c);
/* Housekeeping: drops cached documents that were idle for a while; the ticker calls it every second. */
void work_tick(struct work *w);

/* How a kind parses a format: no side effects, arena in, tree out. Trees are cached with the document and shared
 * between threads, so they never change. The bytes live as long as the tree. */
struct format {
	const char *name;
	void *(*parse)(struct arena *, struct text bytes, struct error *);
	/* For kinds that pass trees with their edits (struct change): sets the position of the new bytes, once, before
	 * anybody else sees the tree. */
	void (*place)(void *tree, struct text bytes);
	/* For a format that is not text: what a reader sees in it, as lines, so that two versions can be compared.
	 * Reads only the bytes. NULL: it is text. */
	bool (*words)(struct call *c, struct text bytes, struct text *out);
};

bool document_open(struct call *c, struct text path, struct document **out); /* for reading */

/* Opens for changing. All documents that the call will write are passed at once, so that everybody locks folders in the
 * same order; a second call in one handler asserts. They are locked until the call ends. DOCUMENT_NEW: the name must
 * not exist yet. Parent folders must exist, unless `make_folders`: then the commit creates them. c->if_revision refers
 * to the first document. */
enum document_want {
	DOCUMENT_THERE,
	DOCUMENT_NEW,
	DOCUMENT_EITHER,
	DOCUMENT_OWN =
		4 /* added to one of the others: the name comes from the kind, not the caller: `.trash/note.md` */
};
struct want {
	struct text path;
	enum document_want want;
	bool make_folders;
};
bool documents_change(struct call *c, const struct want *wants, size_t n, struct document **out);
/* For a handler that finds, under the locks, that it must change other documents: releases the locks, so that
 * documents_change() can be called once more. Documents opened before stay readable until the call ends, but can no
 * longer be changed. */
void documents_release(struct call *c);

bool document_exists(const struct document *d);      /* false for a new one */
struct text document_path(const struct document *d); /* as given */
/* Relative to its root, links resolved: the name in history and grants. */
struct text document_place(const struct document *d);
/* The same name in every process, used as the key of stored state. */
struct text document_key(struct call *c, const struct document *d);
struct text document_bytes(const struct document *d);    /* absent for a new one */
struct text document_revision(const struct document *d); /* absent for a new one */
/* NULL: error set, with line and column. */
const void *document_tree(struct call *c, struct document *d, const struct format *f);

enum change_kind { CHANGE_SPLICE, CHANGE_WHOLE, CHANGE_MOVE, CHANGE_DELETE };
struct change {
	enum change_kind kind;
	struct document *document;
	const struct splice *splices; /* SPLICE, and MOVE if the moved document changes too */
	size_t n;
	struct text bytes; /* WHOLE: also for every new document */
	/* WHOLE: an export, and the document that it was made from, if any. A new file gets that document's mode
	 * without execute bits. An existing executable file is not replaced. */
	bool is_export;
	const struct document *source;
	/* The draft that is saved here, if any: with the commit's record, it gets the result's revision as `saved`
	 * (draft.h). */
	const struct draft *draft;
	struct document *target; /* MOVE: the new name, opened DOCUMENT_NEW in the same documents_change() */
	/* Optional with SPLICE: the tree of the result and its arena, so that the next call need not parse;
	 * format->place() sets its bytes. Work takes ownership of the arena, even if the commit fails. */
	const void *tree;
	const struct format *format;
	struct arena *tree_arena;
};

/* True when done. Also true for a dry run: then the reply says what would change, and nothing was written. A commit
 * that changes no byte writes nothing. document_revision() then returns the new revisions. */
bool work_commit(struct call *c, const struct change *changes, size_t n, const char *summary, ...)
	__attribute__((format(printf, 4, 5)));

/* Opens the state folder, for a cache that may be deleted at any time; the caller closes it. -1: there is none, or this
 * workspace is read-only. Sets no error. */
int work_state_folder(struct call *c);

/* Shows whether a file changed. A file that changes twice within one tick of its file system's clock (a few ms) may
 * keep its stamp, and a store through a memory map changes it late. So do not trust a stamp that is less than two
 * seconds older than the read. */
struct file_stamp {
	uint64_t device, inode, size;
	int64_t modified, changed; /* mtime and ctime, ns since 1970 */
};
bool file_stamp_same(struct file_stamp a, struct file_stamp b);

/* The regular files below a folder of a root whose name ends in one of the suffixes (".md .markdown"; "": every file),
 * sorted by path. Links, names that begin with a dot, and everything in such folders are left out. With c->own_names,
 * the given folder itself may be hidden. An empty folder means the first root. */
struct file_entry {
	struct text path; /* relative to the root */
	size_t size;
	int64_t modified; /* ms since 1970 */
	struct file_stamp stamp;
};
bool work_list(struct call *c, struct text folder, const char *suffixes, size_t most, struct file_entry **out,
	       size_t *n);

/* Shows the names of the files below all roots that the caller may read, relative to their roots, breadth first, until
 * see() returns false. False: it ended after `most` names or `ms` milliseconds, before it saw everything. */
bool work_names(struct call *c, size_t most, int ms, bool (*see)(void *of, struct text path), void *of);

/* Removes the folder and its subfolders if they are empty, for use after a move of all files. Sets no error. */
void work_prune(struct call *c, struct text folder);

/* Reads a document without the cache, into the given arena: for kinds that index thousands of small files themselves.
 * Everything else is as in document_open(): path gate, grant, size limit; interrupted commits are finished first (once
 * per call). Does not set the call's revision. An index for all callers must not depend on the caller that comes first:
 * set c->caller to NULL while it lists and reads, and check the grant for each result. */
struct file_content {
	struct text place; /* relative to its root, links resolved */
	struct text bytes; /* a NUL byte follows */
	struct revision revision;
	struct file_stamp stamp; /* taken before the first byte was read */
};
bool work_read(struct call *c, struct text path, struct arena *a, struct file_content *out);
/* The same for many files of few folders, one after another: the folder stays open, so that a file costs an open, a
 * stat, a read and a close. What is not a plain file there is read by work_read(). Starts zeroed with `folder` -1. */
struct near {
	int folder;
	struct text path, place; /* of the folder, in the call's arena */
};
bool work_read_near(struct call *c, struct near *near, struct text path, struct arena *a, struct file_content *out);
void near_drop(struct near *near);
/* The stamp of a file as it is now. False: there is none, or it may not be read; sets no error. */
bool work_look(struct call *c, struct text path, struct file_stamp *out);
/* After a commit: the stamp of the file as it was written. False: another program could change it and keep its stamp.
 */
bool document_stamp(const struct document *d, struct file_stamp *out);

/* Called once a second while there are subscribers: returns a text that changes with the file. Absent: no file. */
bool work_stamp(struct call *c, struct text path, struct text *out);

#endif
