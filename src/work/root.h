/* root.h: the path gate. It turns every path from a caller into an open folder and a plain name in it, or refuses it.
 *
 * A root is an open directory. The kernel, not a comparison of strings, decides whether a path stays below it: openat2
 * with RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS, or, where openat2 is missing, a walk that opens one component at a time
 * and never follows a link blindly. An absolute path is translated first: the root's own components are removed.
 *
 * Files are opened with O_PATH first, and for reading only if they are regular files that are not ours. So a pipe is
 * never opened, and SQLite's locks are never lost by a stray close() of one of its files. */
#ifndef QUIRE_WORK_ROOT_H
#define QUIRE_WORK_ROOT_H
#include "base/call.h"
#include "base/own.h"

#include <sys/stat.h>

struct root {
	int fd;            /* O_PATH */
	struct text given; /* as configured, made absolute */
	struct text real;  /* as resolved when it was opened */
};

struct roots {
	struct root *items;
	size_t n;
	bool walk; /* openat2 is missing: walk component by component */
	/* Our own folders, which may not contain documents. They are identified by device and inode, once they
	 * exist. */
	atomic_bool has_state;
	dev_t state_dev;
	ino_t state_ino;
};

/* A name below a root, links resolved, and the file that was there when it was looked up. */
struct spot {
	const struct root *root;
	struct text path; /* relative to the root, without links, dots or double slashes */
	/* The open folder; -1: none. For a name in folders that do not exist yet: the deepest existing one. */
	int folder;
	struct stat folder_stat;
	struct text missing; /* the folders to create below `folder`; empty: none */
	const char *name;    /* the last component */
	bool there;
	struct stat stat; /* if it exists */
};

enum spot_flags {
	SPOT_NEW = 1,     /* the name need not exist */
	SPOT_FOLDERS = 2, /* its folders need not exist either */
	SPOT_LOCK = 4,    /* the folder will be locked and flushed: opened O_RDONLY, else O_PATH */
	SPOT_OWN = 16,    /* the name may be hidden, because it is not from a caller */
	SPOT_FREE = 8     /* the name must be free: anything there, even a folder, is FAULT_EXISTS */
};

enum { PATH_LEN_MAX = 4095, PATH_TRIES = 100 };

bool root_open(struct call *c, struct root *r, struct arena *keep, const char *path);
bool roots_have_openat2(const struct root *r);

/* The path relative to its root, by text comparison only; false: outside every root. */
bool path_below(struct call *c, const struct roots *roots, struct text path, const struct root **root,
		struct text *plain);
bool spot_find(struct call *c, const struct roots *roots, struct text path, unsigned flags, struct spot *out);
/* The same by root and true path, as the history stores them. A path that is a link now is refused. */
bool spot_at(struct call *c, const struct roots *roots, const struct root *root, struct text place, unsigned flags,
	     struct spot *out);
void spot_drop(struct spot *s); /* closes the folder */

/* Opens the existing regular file of a spot for reading. If *fd is -1 without an error, another program has just
 * replaced it: look the spot up again. */
bool spot_open(struct call *c, const struct spot *s, int *fd, struct stat *st);

/* Opens a folder below a root, O_RDONLY; an empty path is the root itself. */
bool root_folder(struct call *c, const struct roots *roots, struct text path, unsigned flags, const struct root **root,
		 struct text *below, int *fd);

/* Opens a true path below a root (O_PATH) without following links. -1: errno. */
int root_open_plain(struct arena *a, const struct roots *roots, const struct root *root, struct text path);

/* The path relative to its root in plain form, for names that do not exist: without dots and double slashes. */
struct text path_plain(struct arena *a, struct text path);
struct text path_folder(struct text path); /* without the last component; empty: the root itself */
bool path_is_hidden(struct text path);     /* a component begins with a dot; . and .. do not count */
bool path_is_ours(struct text path);       /* .quire, or a temp file of ours */

/* Fails with a message for an errno. `doing` is a verb: "read", "replace". */
bool path_refuse(struct call *c, int error, const char *doing, struct text path);

#endif
