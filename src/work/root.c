#include "work/root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { LINKS_MAX = 40, AGAIN_MAX = 64 };

static const struct refusal {
	int error;
	enum fault fault;
	const char *why;
} refusals[] = {
	{ENOENT, FAULT_NOT_FOUND, "there is no such file; check the name, or list the files"},
	{ENOTDIR, FAULT_NOT_FOUND, "a part of the path is a file, not a folder"},
	{EACCES, FAULT_DENIED, "the permissions of the file or its folder do not allow it to this process"},
	{EPERM, FAULT_DENIED, "the system does not allow it to this process"},
	{EROFS, FAULT_READ_ONLY, "the file system is read-only"},
	{EXDEV, FAULT_PATH,
	 "it leads outside the root, by .. or by a link; only relative links that stay inside are followed"},
	{ELOOP, FAULT_PATH, "it goes through too many links, or through a link that only the kernel may follow"},
	{ENAMETOOLONG, FAULT_PATH, "the name is too long"},
	{EISDIR, FAULT_PATH, "it is a folder, not a file"},
	{EEXIST, FAULT_EXISTS, "the name is taken; choose another, or change the file that is there"},
	{ENOSPC, FAULT_STORAGE, "the disk is full; free some space and try again"},
	{EDQUOT, FAULT_STORAGE, "the disk quota is used up; free some space and try again"},
	{EMFILE, FAULT_STORAGE,
	 "too many files are open; try again in a moment, name documents of fewer folders, or raise the "
	 "limit (ulimit -n)"},
	{ENFILE, FAULT_STORAGE, "too many files are open on this machine; try again in a moment"},
};

bool path_refuse(struct call *c, int error, const char *doing, struct text path)
{
	for (size_t i = 0; i < ARRAY_COUNT(refusals); i++)
		if (refusals[i].error == error)
			return fail(c, refusals[i].fault, "cannot %s %s: %s", doing, shown(c, path), refusals[i].why);
	const char *why = strerrordesc_np(error);
	return fail(c, FAULT_STORAGE, "cannot %s %s: the system says: %s", doing, shown(c, path),
		    why ? why : "unknown error");
}

/* The next component of a path from *at on, or an empty text at the end. Skips slashes and single dots. */
static struct text next_component(struct text path, size_t *at)
{
	for (;;) {
		while (*at < path.len && path.at[*at] == '/')
			++*at;
		size_t from = *at;
		while (*at < path.len && path.at[*at] != '/')
			++*at;
		struct text t = {path.at + from, *at - from};
		if (!text_is(t, "."))
			return t;
	}
}

struct text path_plain(struct arena *a, struct text path)
{
	char *to = arena_alloc(a, path.len + 1);
	size_t len = 0, at = 0;

	for (struct text t; (t = next_component(path, &at)).len;) {
		if (len)
			to[len++] = '/';
		memcpy(to + len, t.at, t.len);
		len += t.len;
	}
	to[len] = '\0';
	return (struct text){to, len};
}

struct text path_folder(struct text path)
{
	size_t len = path.len;

	while (len && path.at[len - 1] != '/')
		len--;
	return (struct text){path.at, len ? len - 1 : 0};
}

static struct text path_name(struct text path)
{
	size_t len = path_folder(path).len;

	return len ? text_slice(path, len + 1, path.len) : path;
}

bool path_is_ours(struct text path)
{
	size_t at = 0;

	for (struct text t; (t = next_component(path, &at)).len;)
		if (text_is(t, ".quire") || (t.at[0] == '.' && text_ends(t, ".quire~")))
			return true;
	return false;
}

bool path_is_hidden(struct text path)
{
	size_t at = 0;

	for (struct text t; (t = next_component(path, &at)).len;)
		if (t.at[0] == '.' && !text_is(t, ".."))
			return true;
	return false;
}

static bool is_hidden(struct call *c, struct text path)
{
	return fail(c, FAULT_PATH,
		    "%s is hidden: names that begin with a dot, and links to them, are not documents (--allow-hidden "
		    "changes that)",
		    shown(c, path));
}

/* The name from its last dot on; empty: no dot. */
static struct text ending_of(struct text path)
{
	struct text name = path_name(path);
	size_t at = name.len;

	while (at > 1 && name.at[at - 1] != '.')
		at--;
	return at > 1 ? text_slice(name, at - 1, name.len) : TEXT("");
}

/* Checks a caller's name. A link must not turn another file into a document: x.hnpx -> Makefile. */
static bool may_be_named(struct call *c, struct text given, struct text resolved, struct text path, unsigned flags)
{
	if (flags & SPOT_OWN)
		return true;
	if (path_is_hidden(given) || path_is_hidden(resolved))
		return is_hidden(c, path);
	struct text want = ending_of(path_plain(c->arena, given)), is = ending_of(resolved);
	/* A name without an ending is allowed, because no kind with endings accepts it as a document. */
	if (!want.len || (want.len == is.len && strncasecmp(want.at, is.at, is.len) == 0))
		return true;
	return fail(c, FAULT_PATH, "%s is a link to a file with another extension; use the path of that file",
		    shown(c, path));
}

/* Removes the components of `prefix` from the front of an absolute path; false: the path does not begin with them. */
static bool strip(struct text path, struct text prefix, struct text *rest)
{
	size_t at = 0, prefix_at = 0;

	for (struct text want; (want = next_component(prefix, &prefix_at)).len;)
		if (!text_same(want, next_component(path, &at)))
			return false;
	*rest = text_slice(path, at, path.len);
	while (rest->len && rest->at[0] == '/')
		*rest = text_slice(*rest, 1, rest->len);
	return true;
}

/* Finds the root of a path and the part below it. It only translates; the kernel checks the rest. */
static bool translate(struct call *c, const struct roots *roots, struct text path, const struct root **root,
		      struct text *rest)
{
	if (!path.len)
		return fail(c, FAULT_PATH, "the path is empty; give a file below the root");
	if (text_has_nul(path))
		return fail(c, FAULT_PATH, "the path %s contains a NUL character, which file names cannot have",
			    shown(c, path));
	if (path.len > PATH_LEN_MAX)
		return fail(c, FAULT_PATH, "the path %s is longer than %d bytes", shown(c, path), PATH_LEN_MAX);
	*root = &roots->items[0];
	*rest = path;
	if (path.at[0] != '/')
		return true;
	for (size_t i = 0; i < roots->n; i++) {
		*root = &roots->items[i];
		if (strip(path, (*root)->given, rest) || strip(path, (*root)->real, rest))
			return true;
	}
	return fail(c, FAULT_PATH, "%s is outside the root; use a path relative to it", shown(c, path));
}

static int open_beneath(int root, const char *path, bool follow)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | (follow ? 0 : RESOLVE_NO_SYMLINKS),
	};

	/* EAGAIN: something was renamed while a .. was resolved; the kernel wants a retry. */
	for (int i = 0; i < AGAIN_MAX; i++) {
		int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof how);
		if (fd >= 0 || (errno != EAGAIN && errno != EINTR))
			return own_fd(fd);
	}
	return -1;
}

bool roots_have_openat2(const struct root *r)
{
	int fd = open_beneath(r->fd, ".", true);

	/* An old seccomp filter returns EPERM for system calls it does not know. */
	if (fd < 0)
		return errno != ENOSYS && errno != EPERM;
	fd_drop(&fd);
	return true;
}

struct walk {
	int root, at;
	char done[PATH_MAX]; /* relative to the root, links resolved */
	char todo[PATH_MAX];
	size_t done_len;
	int links;
	bool follow;
};

static int step_into(int from, const char *name, struct stat *st)
{
	int fd = open_at(from, name, O_PATH | O_NOFOLLOW, 0);

	if (fd >= 0 && fstat(fd, st) != 0)
		fd_drop(&fd);
	return fd;
}

/* Goes to the parent. It never opens "..", which another process could change meanwhile, but walks down from the root
 * again. */
static bool walk_up(struct walk *w)
{
	if (!w->done_len)
		return errno = EXDEV, false;
	w->done_len = path_folder((struct text){w->done, w->done_len}).len;
	int fd = open_at(w->root, ".", O_PATH | O_DIRECTORY, 0);
	size_t at = 0;
	for (struct text t; fd >= 0 && (t = next_component((struct text){w->done, w->done_len}, &at)).len;) {
		char name[NAME_MAX + 1];
		memcpy(name, t.at, t.len);
		name[t.len] = '\0';
		int next = open_at(fd, name, O_PATH | O_NOFOLLOW | O_DIRECTORY, 0);
		fd_drop(&fd);
		fd = next;
	}
	fd_drop(&w->at);
	w->at = fd;
	return fd >= 0;
}

/* Puts a link's target before the rest of the path. */
static bool walk_link(struct walk *w, int link, const char *rest)
{
	char target[PATH_MAX];
	struct statfs fs;
	ssize_t n = readlinkat(link, "", target, sizeof target);
	size_t rest_len = strlen(rest);

	if (n < 0)
		return false;
	if (!w->follow || ++w->links > LINKS_MAX || fstatfs(link, &fs) != 0 || fs.f_type == PROC_SUPER_MAGIC)
		return errno = ELOOP, false;
	if (n == 0 || target[0] == '/')
		return errno = EXDEV, false;
	if ((size_t)n + rest_len >= sizeof w->todo)
		return errno = ENAMETOOLONG, false;
	memmove(w->todo + n, rest, rest_len + 1); /* `rest` begins with a slash unless it is empty */
	memcpy(w->todo, target, (size_t)n);
	return true;
}

/* Returns the descriptor and clears the variable, so that its scope does not close it. */
static int give_away(int *fd)
{
	int given = *fd;

	*fd = -1;
	return given;
}

static bool walk_down(struct walk *w, struct text name, const char *rest)
{
	char component[NAME_MAX + 1];
	struct stat st;
	size_t at = 0;

	if (name.len > NAME_MAX || w->done_len + name.len + 2 > sizeof w->done)
		return errno = ENAMETOOLONG, false;
	memcpy(component, name.at, name.len);
	component[name.len] = '\0';
	scoped(fd_drop) int next = step_into(w->at, component, &st);
	if (next < 0)
		return false;
	if (S_ISLNK(st.st_mode))
		return walk_link(w, next, rest);
	if (!S_ISDIR(st.st_mode) && (next_component(text_of(rest), &at).len || *rest))
		return errno = ENOTDIR, false;
	if (w->done_len)
		w->done[w->done_len++] = '/';
	memcpy(w->done + w->done_len, component, name.len);
	w->done_len += name.len;
	fd_drop(&w->at);
	w->at = give_away(&next);
	memmove(w->todo, rest, strlen(rest) + 1);
	return true;
}

/* Does the same as openat2, one component at a time; it also returns the resolved path. */
static int walk_beneath(struct arena *a, int root, const char *path, bool follow, struct text *resolved)
{
	struct walk *w = arena_new(a, struct walk);
	size_t len = strlen(path);

	if (len >= sizeof w->todo)
		return errno = ENAMETOOLONG, -1;
	if (path[0] == '/')
		return errno = EXDEV, -1;
	memcpy(w->todo, path, len + 1);
	w->root = root;
	w->follow = follow;
	w->at = open_at(root, ".", O_PATH | O_DIRECTORY, 0);
	while (w->at >= 0) {
		size_t at = 0;
		struct text name = next_component(text_of(w->todo), &at);
		const char *rest = w->todo + at;
		bool went;
		if (!name.len) {
			*resolved = text_copy(a, (struct text){w->done, w->done_len});
			return w->at;
		}
		if (text_is(name, "..")) {
			went = walk_up(w);
			memmove(w->todo, rest, strlen(rest) + 1);
		} else {
			went = walk_down(w, name, rest);
		}
		if (!went)
			fd_drop(&w->at);
	}
	return -1;
}

/* The kernel's name of an open file, relative to the root; false: it has none there (deleted, or no /proc). */
static bool true_path(struct arena *a, const struct root *root, int fd, struct text *out)
{
	char link[64], file[PATH_MAX + 16], top[PATH_MAX + 16];
	struct text rest;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, file, sizeof file);
	snprintf(link, sizeof link, "/proc/self/fd/%d", root->fd);
	ssize_t m = readlink(link, top, sizeof top);
	if (n <= 0 || m <= 0 || (size_t)n >= sizeof file || (size_t)m >= sizeof top || file[0] != '/')
		return false;
	if (!strip((struct text){file, (size_t)n}, (struct text){top, (size_t)m}, &rest))
		return false;
	*out = text_copy(a, rest);
	return true;
}

static bool goes_up(struct text path)
{
	size_t at = 0;

	for (struct text t; (t = next_component(path, &at)).len;)
		if (text_is(t, ".."))
			return true;
	return false;
}

/* Opens the file of the path (O_PATH) and returns its true path below the root if `resolved` is given. -1: errno. */
static int resolve(struct arena *a, const struct roots *roots, const struct root *root, struct text path, bool follow,
		   struct text *resolved)
{
	const char *name = path.len ? text_string(a, path) : ".";
	bool is_asked = resolved;
	struct text unasked;

	resolved = is_asked ? resolved : &unasked;
	if (roots->walk)
		return walk_beneath(a, root->fd, name, follow, resolved);
	/* A plain path without a link in it is its own true path: no system call is needed. */
	bool is_plain = !goes_up(path) && text_same(path_plain(a, path), path);
	int fd = open_beneath(root->fd, name, follow && !is_plain);
	if (fd >= 0 && is_plain) {
		*resolved = text_copy(a, path);
		return fd;
	}
	if (fd < 0 && errno == ELOOP && follow && is_plain)
		fd = open_beneath(root->fd, name, follow);
	/* openat2 kept returning EAGAIN; resolve the path component by component. */
	if (fd < 0 && errno == EAGAIN)
		return walk_beneath(a, root->fd, name, follow, resolved);
	if (fd >= 0 && is_asked && !true_path(a, root, fd, resolved)) {
		fd_drop(&fd);
		return walk_beneath(a, root->fd, name, follow, resolved);
	}
	return fd;
}

int root_open_plain(struct arena *a, const struct roots *roots, const struct root *root, struct text path)
{
	return resolve(a, roots, root, path, false, NULL);
}

bool root_open(struct call *c, struct root *r, struct arena *keep, const char *path)
{
	char *real = realpath(path, NULL);

	if (!real)
		return fail(c, FAULT_NOT_FOUND, "the root %s cannot be opened: %s", shown(c, text_of(path)),
			    strerrordesc_np(errno));
	r->real = text_copy(keep, text_of(real));
	free(real);
	r->fd = open_at(AT_FDCWD, r->real.at, O_PATH | O_DIRECTORY, 0);
	if (r->fd < 0)
		return fail(c, FAULT_PATH, "the root %s cannot be opened as a folder: %s", shown(c, text_of(path)),
			    strerrordesc_np(errno));
	if (path[0] == '/') {
		r->given = text_copy(keep, text_of(path));
		return true;
	}
	char *here = realpath(".", NULL);
	r->given = here ? text_format(keep, "%s/%s", here, path) : r->real;
	free(here);
	return true;
}

void spot_drop(struct spot *s) { fd_drop(&s->folder); }

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_state(const struct roots *roots, const struct stat *folder)
{
	return atomic_load_explicit(&roots->has_state, memory_order_acquire) && folder->st_dev == roots->state_dev &&
	       folder->st_ino == roots->state_ino;
}

/* Opens the spot's folder by its true path, without links. */
static bool open_folder(struct call *c, const struct roots *roots, struct text folder, unsigned flags, struct text path,
			struct spot *s)
{
	scoped(fd_drop) int fd = folder.len ? resolve(c->arena, roots, s->root, folder, false, NULL) : -1;

	if (folder.len && fd < 0)
		return path_refuse(c, errno, "open the folder of", path);
	s->folder =
		open_at(folder.len ? fd : s->root->fd, ".", (flags & SPOT_LOCK ? O_RDONLY : O_PATH) | O_DIRECTORY, 0);
	if (s->folder < 0 || fstat(s->folder, &s->folder_stat) != 0)
		return path_refuse(c, errno, "open the folder of", path);
	if (is_state(roots, &s->folder_stat))
		return fail(c, FAULT_PATH, "%s belongs to quire itself and is not a document", shown(c, path));
	return true;
}

static const char *file_noun(mode_t mode)
{
	return S_ISDIR(mode) ? "a folder" : S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
}

/* Finds an existing file. *again: another program moved it between two checks. */
static bool spot_there(struct call *c, const struct roots *roots, struct text path, struct text below, int fd,
		       struct text resolved, unsigned flags, struct spot *s, bool *again)
{
	struct stat st;

	if (fstat(fd, &s->stat) != 0)
		return path_refuse(c, errno, "look at", path);
	if (!S_ISREG(s->stat.st_mode))
		return fail(c, flags & SPOT_FREE ? FAULT_EXISTS : FAULT_PATH, "%s is %s, not a regular file",
			    shown(c, path), file_noun(s->stat.st_mode));
	if (path_is_ours(resolved))
		return fail(c, FAULT_PATH, "%s belongs to quire itself and is not a document", shown(c, path));
	if (!may_be_named(c, below, resolved, path, flags))
		return false;
	s->path = resolved;
	s->name = text_string(c->arena, path_name(resolved));
	if (!open_folder(c, roots, path_folder(resolved), flags, path, s)) {
		*again = c->error.fault == FAULT_NOT_FOUND;
		return false;
	}
	if (fstatat(s->folder, s->name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !is_same_file(&st, &s->stat)) {
		*again = true;
		return false;
	}
	s->there = true;
	return true;
}

/* Opens the deepest existing folder of `folder`, and finds the plain names of the missing ones. */
static int open_deepest(struct call *c, const struct roots *roots, const struct root *root, struct text folder,
			bool may_miss, struct text *resolved, struct text *missing)
{
	struct text prefix = folder;

	for (;;) {
		int fd = resolve(c->arena, roots, root, prefix, true, resolved);
		*missing = text_slice(folder, prefix.len ? prefix.len + 1 : 0, folder.len);
		if (fd >= 0 || errno != ENOENT || !may_miss || !prefix.len)
			return fd;
		prefix = path_folder(prefix);
	}
}

/* Finds a name that does not exist: only its folder can be opened. */
static bool spot_new(struct call *c, const struct roots *roots, struct text path, struct text below, unsigned flags,
		     struct spot *s, bool *again)
{
	struct text plain = path_plain(c->arena, below), name = path_name(plain), resolved;
	struct stat st;
	size_t at = 0;

	if (!name.len || text_is(name, "..") || below.at[below.len - 1] == '/' || text_ends(below, "/."))
		return fail(c, FAULT_PATH, "%s names a folder, not a file", shown(c, path));
	if (name.len > NAME_MAX)
		return path_refuse(c, ENAMETOOLONG, "make", path);
	scoped(fd_drop) int fd =
		open_deepest(c, roots, s->root, path_folder(plain), flags & SPOT_FOLDERS, &resolved, &s->missing);
	if (fd < 0 && errno == ENOENT)
		return fail(c, FAULT_NOT_FOUND, "the folder of %s does not exist; make it first", shown(c, path));
	if (fd < 0)
		return path_refuse(c, errno, "open the folder of", path);
	for (struct text t; (t = next_component(s->missing, &at)).len;)
		if (text_is(t, ".."))
			return path_refuse(c, ENOENT, "open the folder of", path);
		else if (t.len > NAME_MAX)
			return path_refuse(c, ENAMETOOLONG, "make", path);
	if (fstat(fd, &st) != 0)
		return path_refuse(c, errno, "open the folder of", path);
	if (!S_ISDIR(st.st_mode))
		return path_refuse(c, ENOTDIR, "make", path);
	s->name = text_string(c->arena, name);
	s->path = path_plain(
		c->arena, text_format(c->arena, "%.*s/%.*s/%s", TEXT_ARGS(resolved), TEXT_ARGS(s->missing), s->name));
	if (path_is_ours(s->path))
		return fail(c, FAULT_PATH, "%s belongs to quire itself and is not a document", shown(c, path));
	if (!may_be_named(c, below, s->path, path, flags))
		return false;
	if (!open_folder(c, roots, resolved, flags, path, s)) {
		*again = c->error.fault == FAULT_NOT_FOUND;
		return false;
	}
	if (!is_same_file(&st, &s->folder_stat))
		return *again = true, false;

	at = 0;
	struct text first = s->missing.len ? next_component(s->missing, &at) : name;
	if (fstatat(s->folder, text_string(c->arena, first), &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT ? true : path_refuse(c, errno, "look at", path);
	if (S_ISLNK(st.st_mode))
		return fail(c, FAULT_PATH,
			    "%s goes through a link whose target does not exist; use the path of the target",
			    shown(c, path));
	return *again = true, false;
}

/* `path` is the caller's name, for messages; `below` is the name to look up. */
static bool find_below(struct call *c, const struct roots *roots, const struct root *root, struct text below,
		       struct text path, unsigned flags, struct spot *out)
{
	struct text resolved;
	struct spot s = {.root = root, .folder = -1};

	for (int i = 0; i < PATH_TRIES; i++) {
		bool again = false, found;
		scoped(fd_drop) int fd = resolve(c->arena, roots, s.root, below, true, &resolved);
		if (fd >= 0)
			found = spot_there(c, roots, path, below, fd, resolved, flags, &s, &again);
		else if (errno == ENOENT && flags & SPOT_NEW)
			found = spot_new(c, roots, path, below, flags, &s, &again);
		else
			return path_refuse(c, errno, "open", path);
		if (found) {
			*out = s;
			return true;
		}
		spot_drop(&s);
		if (!again)
			return false;
		c->error = (struct error){0};
	}
	return fail(c, FAULT_CONFLICT, "another program keeps replacing %s; try again", shown(c, path));
}

bool path_below(struct call *c, const struct roots *roots, struct text path, const struct root **root,
		struct text *plain)
{
	struct text below;

	if (!translate(c, roots, path, root, &below))
		return false;
	*plain = path_plain(c->arena, below);
	return true;
}

bool spot_find(struct call *c, const struct roots *roots, struct text path, unsigned flags, struct spot *out)
{
	const struct root *root;
	struct text below;

	if (!translate(c, roots, path, &root, &below))
		return false;
	if (!below.len)
		return fail(c, FAULT_PATH, "%s is the root itself, not a file in it", shown(c, path));
	/* Before any lookup: a hidden name is refused whether or not it exists. */
	if (!(flags & SPOT_OWN) && path_is_hidden(below) && !path_is_ours(below))
		return is_hidden(c, path);
	return find_below(c, roots, root, below, path, flags, out);
}

bool spot_at(struct call *c, const struct roots *roots, const struct root *root, struct text place, unsigned flags,
	     struct spot *out)
{
	struct spot s = {.folder = -1};

	if (!find_below(c, roots, root, place, place, flags | SPOT_OWN, &s))
		return false;
	if (!text_same(s.path, place)) {
		spot_drop(&s);
		return fail(c, FAULT_CONFLICT, "%s is now reached through a link", shown(c, place));
	}
	*out = s;
	return true;
}

bool spot_open(struct call *c, const struct spot *s, int *fd, struct stat *st)
{
	/* It was a regular file a moment ago; if it is a pipe now, O_NONBLOCK prevents a hang. */
	*fd = open_at(s->folder, s->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
	if (*fd < 0)
		return errno == ENOENT || errno == ELOOP ? true : path_refuse(c, errno, "read", s->path);
	if (fstat(*fd, st) != 0) {
		path_refuse(c, errno, "read", s->path);
		fd_drop(fd);
		return false;
	}
	if (!is_same_file(st, &s->stat))
		fd_drop(fd);
	return true;
}

bool root_folder(struct call *c, const struct roots *roots, struct text path, unsigned flags, const struct root **root,
		 struct text *below, int *fd)
{
	struct text rest = {"", 0};
	struct stat st;

	*root = &roots->items[0];
	if (path.len && !translate(c, roots, path, root, &rest))
		return false;
	if (!(flags & SPOT_OWN) && path_is_hidden(rest))
		return is_hidden(c, path);
	scoped(fd_drop) int at = resolve(c->arena, roots, *root, rest, true, below);
	if (at < 0 || fstat(at, &st) != 0)
		return path_refuse(c, errno, "open the folder", path);
	if (!(flags & SPOT_OWN) && path_is_hidden(*below))
		return is_hidden(c, path);
	if (!S_ISDIR(st.st_mode))
		return fail(c, FAULT_PATH, "%s is not a folder", shown(c, path));
	*fd = open_at(at, ".", O_RDONLY | O_DIRECTORY, 0);
	if (*fd < 0)
		return path_refuse(c, errno, "open the folder", path);
	return true;
}
