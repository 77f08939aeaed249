/* root.h: the path gate. Every name a caller gives becomes an open folder and a plain name in it here, or nothing.
 *
 * A root is an open directory. The kernel, not a comparison of strings, decides whether a path stays below it: openat2
 * with RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS, or, where openat2 is missing, a walk that opens one component at a time
 * and never follows a link blindly. An absolute path is translated first, by taking off the root's own components.
 *
 * Nothing is opened for reading before it is known to be a regular file that is not ours: O_PATH first. So a pipe is
 * never opened, and SQLite's locks are never lost to a stray close() of one of its files. */
#ifndef QUIRE_WORK_ROOT_H
#define QUIRE_WORK_ROOT_H
#include "base/call.h"

#include <sys/stat.h>

struct root {
	int fd;            /* O_PATH */
	struct text given; /* as configured, made absolute */
	struct text real;  /* as resolved when it was opened */
};

struct roots {
	struct root *items;
	size_t n;
	bool walk; /* no openat2 here: go component by component */
	/* Our own folders, which may not contain documents: known by device and inode, once they exist. */
	atomic_bool has_state;
	dev_t state_dev;
	ino_t state_ino;
};

/* A name below a root, links resolved, and what stood there when it was looked up. */
struct spot {
	const struct root *root;
	struct text path; /* below the root; no link, dot or double slash left in it */
	int folder;       /* the folder, open; -1: none. Of a name in folders not made yet, the deepest that exists */
	struct stat folder_stat;
	struct text missing; /* the folders to make below `folder`; empty: none */
	const char *name;    /* the last component */
	bool there;
	struct stat stat; /* when there */
};

enum spot_flags {
	SPOT_NEW = 1,     /* the name need not exist */
	SPOT_FOLDERS = 2, /* nor its folders */
	SPOT_LOCK = 4,    /* the folder will be locked and flushed: opened O_RDONLY, else O_PATH */
	SPOT_OWN = 16,    /* the name may be hidden: it is not a caller's */
	SPOT_FREE = 8     /* the name must be free: anything there, even a folder, is FAULT_EXISTS */
};

enum { PATH_LEN_MAX = 4095, PATH_TRIES = 100 };

bool root_open(struct call *c, struct root *r, struct arena *keep, const char *path);
bool roots_have_openat2(const struct root *r);

/* The path below its root, by its letters alone; false: outside every root. */
bool path_below(struct call *c, const struct roots *roots, struct text path, const struct root **root,
		struct text *plain);
bool spot_find(struct call *c, const struct roots *roots, struct text path, unsigned flags, struct spot *out);
/* The same by root and true path, as the history keeps them; a path that is a link now is refused. */
bool spot_at(struct call *c, const struct roots *roots, const struct root *root, struct text place, unsigned flags,
	     struct spot *out);
void spot_drop(struct spot *s); /* closes the folder */

/* The regular file of a spot that is there, for reading. *fd is -1 without an error when another program replaced it
 * just now: look the spot up again. */
bool spot_open(struct call *c, const struct spot *s, int *fd, struct stat *st);

/* A folder below a root, O_RDONLY; an empty path is the root itself. */
bool root_folder(struct call *c, const struct roots *roots, struct text path, unsigned flags, const struct root **root,
		 struct text *below, int *fd);

/* Opens a true path below a root (O_PATH) without following a link. -1: errno. */
int root_open_plain(struct arena *a, const struct roots *roots, const struct root *root, struct text path);

/* The path below its root in plain form, for what does not exist: dots and doubled slashes taken out. */
struct text path_plain(struct arena *a, struct text path);
struct text path_folder(struct text path); /* without the last component; empty: the root itself */
bool path_is_hidden(struct text path);     /* a part of it begins with a dot; . and .. do not count */
bool path_is_ours(struct text path);       /* .quire, or a temp file of ours */

/* Fails with the reason for an errno. `doing` is a verb: "read", "replace". */
bool path_refuse(struct call *c, int error, const char *doing, struct text path);

int open_at(int folder, const char *name, int flags,
	    mode_t mode); /* openat, close-on-exec, not interrupted; -1: errno */
void fd_drop(int *fd);    /* for scoped(): closes, keeps errno */
#define scoped(drop) __attribute__((cleanup(drop)))

#endif
