#include "work/history/state.h"

#include "base/log.h"
#include "work/temp.h"
#include "work/workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPEN_TRIES = 16 };

static bool is_owned(const struct stat *st) { return st->st_uid == geteuid(); }

/* A folder where this user could have a state folder. */
static const char *refuge(struct arena *a)
{
	const struct passwd *me = getpwuid(geteuid());
	struct stat st;

	if (me && me->pw_dir && stat(me->pw_dir, &st) == 0 && S_ISDIR(st.st_mode) && is_owned(&st))
		return text_format(a, "%s/.local/state/quire", me->pw_dir).at;
	return text_format(a, "/var/tmp/quire-%u", (unsigned)geteuid()).at;
}

static bool refuse(struct call *c, const char *path, const char *why)
{
	return fail(c, FAULT_DENIED, "the state folder %s %s; give a folder of your own, such as --state %s",
		    shown(c, text_of(path)), why, refuge(c->arena));
}

static bool no_state(struct call *c)
{
	return fail(c, FAULT_STORAGE,
		    "there is no folder for the history, so nothing can be written: none of $STATE_DIRECTORY, "
		    "$XDG_STATE_HOME and $HOME is set; give one with --state DIR, such as --state %s",
		    refuge(c->arena));
}

/* Parent folders must belong to this user or to root: another user could replace the state in their own folder. */
static bool make_level(struct call *c, const struct history *h, const char *path, int *parent)
{
	struct stat st;
	int fd = open_at(AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);

	/* Another process may delete the folder before it is opened. */
	for (int i = 0; fd < 0 && errno == ENOENT && *parent >= 0 && i < OPEN_TRIES; i++) {
		bool made = mkdir(path, 0700) == 0;
		if (!made && errno != EEXIST)
			return path_refuse(c, errno, "make the state folder", text_of(path));
		if (made && !flush_to_disk(c, *parent, false, path))
			return path_refuse(c, errno, "flush the folder of", text_of(path));
		fd = open_at(AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);
	}
	/* A parent folder without read permission is enough. */
	if (fd < 0 && errno == EACCES)
		fd = open_at(AT_FDCWD, path, O_PATH | O_DIRECTORY, 0);
	if (fd < 0 && (errno == ENOTDIR || errno == ELOOP))
		return fail(c, FAULT_STORAGE, "%s is in the way of the state folder: it is not a folder",
			    shown(c, text_of(path)));
	if (fd < 0 || fstat(fd, &st) != 0) {
		path_refuse(c, errno, "make the state folder", text_of(h->path));
		fd_drop(&fd);
		return false;
	}
	fd_drop(parent);
	*parent = fd;
	if (is_owned(&st) || st.st_uid == 0)
		return true;
	return refuse(c, h->path, "would be made below a folder of another user");
}

static bool make_state(struct call *c, const struct history *h)
{
	scoped(fd_drop) int parent = -1;
	char *path = arena_copy(c->arena, h->path, strlen(h->path) + 1);

	if (!make_level(c, h, "/", &parent))
		return false;
	for (char *at = path + 1; *at; at++) {
		if (*at != '/' || at[-1] == '/')
			continue;
		*at = '\0';
		bool made = make_level(c, h, path, &parent);
		*at = '/';
		if (!made)
			return false;
	}
	return make_level(c, h, path, &parent);
}

/* Other users must not even see which documents exist. */
static void narrow(struct call *c, const struct history *h)
{
	struct stat st;
	size_t wide = 0;
	int list = open_at(h->folder, ".", O_RDONLY | O_DIRECTORY, 0);
	bool is_wide = fstat(h->folder, &st) == 0 && st.st_mode & 077;

	if (is_wide && fchmod(h->folder, st.st_mode & 0700) != 0)
		warn(c, "the state folder %s is open to other users and its mode cannot be changed: chmod 700 it",
		     shown(c, text_of(h->path)));
	DIR *dir = folder_open(&list);
	if (!dir)
		return;
	for (const struct dirent *e; (e = readdir(dir));) {
		bool is_ours = fstatat(h->folder, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
			       is_owned(&st);
		wide += is_ours && st.st_mode & 077 && fchmodat(h->folder, e->d_name, st.st_mode & 0600, 0) == 0;
	}
	folder_close(&dir);
	if (is_wide || wide)
		warn(c, "the state folder %s was open to other users; its mode is 700 now", shown(c, text_of(h->path)));
}

static void remember(struct roots *roots, const struct stat *st)
{
	if (atomic_load(&roots->has_state))
		return;
	roots->state_dev = st->st_dev;
	roots->state_ino = st->st_ino;
	atomic_store_explicit(&roots->has_state, true, memory_order_release);
}

static int open_folder(const struct history *h) { return open_at(AT_FDCWD, h->path, O_RDONLY | O_DIRECTORY, 0); }

bool state_open(struct call *c, struct history *h, bool make)
{
	struct stat st;

	if (h->folder < 0) {
		if (!h->path)
			return !make || no_state(c);
		scoped(fd_drop) int fd = open_folder(h);
		for (int i = 0; fd < 0 && errno == ENOENT && make && i < OPEN_TRIES; i++) {
			if (!make_state(c, h))
				return false;
			fd = open_folder(h);
		}
		if (fd < 0 && errno == ENOENT && !make)
			return true;
		if (fd < 0 && errno == ENOTDIR)
			return fail(c, FAULT_STORAGE, "%s is in the way: the state folder must be a folder",
				    shown(c, text_of(h->path)));
		if (fd < 0 || fstat(fd, &st) != 0)
			return path_refuse(c, errno, "open the state folder", text_of(h->path));
		if (!is_owned(&st))
			return refuse(c, h->path, "belongs to another user");
		remember(&h->work->roots, &st);
		own_keep(LASTING_STATE_FOLDER, h->folder = fd);
		fd = -1;
	}
	if (make && !h->is_private) {
		narrow(c, h);
		h->is_private = true;
	}
	return true;
}

void state_close(struct history *h)
{
	if (h->folder >= 0)
		own_gone(LASTING_STATE_FOLDER);
	fd_drop(&h->folder);
}

bool state_stands(const struct history *h)
{
	struct stat named, open;
	int found = stat(h->path, &named);

	if (found != 0 && errno != ENOENT && errno != ENOTDIR)
		return true; /* a system error says nothing about the folder */
	return found == 0 && fstat(h->folder, &open) == 0 && named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

struct text state_command(struct arena *a, const struct history *h, const char *words)
{
	if (!h->is_named)
		return text_format(a, "quire %s", words);
	return text_format(a, "quire %s --state %s", words, text_shell(a, text_of(h->path)).at);
}

void state_advise(const struct work *w)
{
	struct stat st;

	for (size_t i = 0; i < w->roots.n; i++)
		if (fstatat(w->roots.items[i].fd, ".quire", &st, AT_SYMLINK_NOFOLLOW) == 0)
			log_line(LOG_WARNING,
				 "%.*s/.quire is ignored: the history is kept outside the documents now, and this "
				 "folder may be deleted",
				 TEXT_ARGS(w->roots.items[i].given));
}
