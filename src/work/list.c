/* list.c: lists files, and checks whether one changed; never reads a document. */
#include "work/workspace.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Folder trees are a few levels deep. A deeper one is a loop of mounts. */
enum { DEPTH_MAX = 64 };

struct name {
	struct text text; /* a folder's name ends in a slash, so that names sort like their paths */
	struct stat stat;
};

struct listing {
	struct call *c;
	const char *suffixes;
	size_t most;
	ARRAY(struct file_entry) files;
};

static int by_name(const void *a, const void *b)
{
	return text_order(((const struct name *)a)->text, ((const struct name *)b)->text);
}

static int64_t in_ns(struct timespec t) { return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec; }

struct file_stamp stamp_of(const struct stat *st)
{
	return (struct file_stamp){(uint64_t)st->st_dev, (uint64_t)st->st_ino, (uint64_t)st->st_size,
				   in_ns(st->st_mtim), in_ns(st->st_ctim)};
}

bool file_stamp_same(struct file_stamp a, struct file_stamp b)
{
	return a.device == b.device && a.inode == b.inode && a.size == b.size && a.modified == b.modified &&
	       a.changed == b.changed;
}

static struct file_entry entry_at(struct text path, const struct stat *st)
{
	struct file_stamp stamp = stamp_of(st);

	return (struct file_entry){path, (size_t)st->st_size, stamp.modified / 1000000, stamp};
}

/* Names that are not UTF-8 are left out: no request could contain them. */
bool name_is_listed(const char *name) { return name[0] != '.' && utf8_bad(text_of(name)) == strlen(name); }

/* If the folder is removed while it is read, the list ends. False: errno. */
static bool read_names(struct listing *l, DIR *dir, struct name **out, size_t *n)
{
	struct arena *a = l->c->arena;
	ARRAY(struct name) names = {0};

	for (struct dirent *e; errno = 0, (e = readdir(dir));) {
		struct stat st;
		if (!name_is_listed(e->d_name) ||
		    (e->d_type != DT_DIR && e->d_type != DT_REG && e->d_type != DT_UNKNOWN))
			continue;
		if (e->d_type == DT_REG && !text_ends_in(text_of(e->d_name), l->suffixes))
			continue;
		if (fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		if (S_ISDIR(st.st_mode))
			*ARRAY_PUSH(a, &names) = (struct name){text_format(a, "%s/", e->d_name), st};
		else if (S_ISREG(st.st_mode) && text_ends_in(text_of(e->d_name), l->suffixes))
			*ARRAY_PUSH(a, &names) = (struct name){text_copy(a, text_of(e->d_name)), st};
	}
	if (errno && errno != ENOENT)
		return false;
	if (names.n)
		array_sort(names.items, names.n, sizeof *names.items, by_name);
	*out = names.items;
	*n = names.n;
	return true;
}

/* A folder that is unreadable or gone counts as empty; any other error is reported. */
static bool is_passed_over(int error)
{
	return error == EACCES || error == ENOENT || error == ENOTDIR || error == ELOOP;
}

static bool list_folder(struct listing *l, int fd, struct text path, int depth)
{
	struct call *c = l->c;
	const struct caller *caller = c->caller;
	struct name *names = NULL;
	size_t n = 0;
	DIR *dir = folder_open(&fd);

	if (!dir)
		return path_refuse(c, errno, "list", path);
	bool goes = (read_names(l, dir, &names, &n) || path_refuse(c, errno, "list", path)) && goes_on(c);
	for (size_t i = 0; goes && i < n && l->files.n < l->most; i++) {
		struct text name = names[i].text,
			    full = path.len ? text_format(c->arena, "%.*s/%.*s", TEXT_ARGS(path), TEXT_ARGS(name))
					    : name;
		if (!S_ISDIR(names[i].stat.st_mode)) {
			if (!caller || !caller->may || caller->may(caller, full, false))
				*ARRAY_PUSH(c->arena, &l->files) = entry_at(full, &names[i].stat);
			continue;
		}
		struct text folder = text_slice(full, 0, full.len - 1);
		const char *last = text_string(c->arena, text_slice(name, 0, name.len - 1));
		int next = open_at(dirfd(dir), last, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
		if (next < 0)
			goes = is_passed_over(errno) || path_refuse(c, errno, "list", folder);
		else if (depth < DEPTH_MAX)
			goes = list_folder(l, next, folder, depth + 1);
		else
			fd_drop(&next);
	}
	folder_close(&dir);
	return goes;
}

bool work_list(struct call *c, struct text folder, const char *suffixes, size_t most, struct file_entry **out,
	       size_t *n)
{
	struct listing l = {.c = c, .suffixes = suffixes, .most = most};
	const struct root *root;
	struct text below;
	int fd;

	if (!root_folder(c, &c->work->roots, folder, spot_owner(c), &root, &below, &fd)) {
		/* For a key, a folder without granted documents must look the same as a missing folder. */
		if (!c->caller || !c->caller->may)
			return false;
		c->error = (struct error){0};
		*out = NULL;
		*n = 0;
		return true;
	}
	if (!list_folder(&l, fd, below, 0))
		return false;
	*out = l.files.items;
	*n = l.files.n;
	return true;
}

bool work_look(struct call *c, struct text path, struct file_stamp *out)
{
	scoped(spot_drop) struct spot s = {.folder = -1};
	struct error error = c->error;
	bool is_there = spot_granted(c, path, spot_owner(c), false, true, &s);

	if (is_there)
		*out = stamp_of(&s.stat);
	c->error = error;
	return is_there;
}

bool work_stamp(struct call *c, struct text path, struct text *out)
{
	scoped(spot_drop) struct spot s = {.folder = -1};

	*out = (struct text){0};
	if (!spot_granted(c, path, spot_owner(c), false, true, &s)) {
		if (c->error.fault != FAULT_NOT_FOUND)
			return false;
		c->error = (struct error){0};
		return true;
	}
	*out = text_format(c->arena, "%llx-%llx-%llx-%llx.%lx-%llx.%lx", (unsigned long long)s.stat.st_dev,
			   (unsigned long long)s.stat.st_ino, (unsigned long long)s.stat.st_size,
			   (unsigned long long)s.stat.st_mtim.tv_sec, (unsigned long)s.stat.st_mtim.tv_nsec,
			   (unsigned long long)s.stat.st_ctim.tv_sec, (unsigned long)s.stat.st_ctim.tv_nsec);
	return true;
}

struct walk_folder {
	struct text path; /* as work_list() takes it; empty: the first root */
	size_t root;      /* length of the root's part, with its slash */
};

bool work_names(struct call *c, size_t most, int ms, bool (*see)(void *of, struct text path), void *of)
{
	ARRAY(struct walk_folder) queue = {0};
	int64_t end = clock_ticks() + ms;
	bool goes = true;

	for (size_t i = 0; work_root(c->work, i).at; i++) {
		struct text path = text_format(c->arena, "%.*s", TEXT_ARGS(work_root(c->work, i)));
		*ARRAY_PUSH(c->arena, &queue) = (struct walk_folder){path, path.len + 1};
	}
	for (size_t at = 0; goes && at < queue.n; at++) {
		const struct walk_folder folder = queue.items[at];
		const struct root *root;
		struct text below;
		int fd;

		if (!root_folder(c, &c->work->roots, folder.path, 0, &root, &below, &fd)) {
			c->error = (struct error){0};
			continue;
		}
		DIR *dir = folder_open(&fd);
		for (struct dirent *e; goes && dir && (e = readdir(dir));) {
			if (!name_is_listed(e->d_name))
				continue;
			if (!most-- || clock_ticks() > end) {
				folder_close(&dir);
				return false;
			}
			struct text path = text_format(c->arena, "%.*s/%s", TEXT_ARGS(folder.path), e->d_name);
			struct text place = text_slice(path, folder.root, path.len);
			struct stat st = {0};
			bool is_unknown =
				e->d_type == DT_UNKNOWN && !fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW);
			if (e->d_type == DT_DIR || (is_unknown && S_ISDIR(st.st_mode)))
				*ARRAY_PUSH(c->arena, &queue) = (struct walk_folder){path, folder.root};
			else if ((e->d_type == DT_REG || (is_unknown && S_ISREG(st.st_mode))) &&
				 (!c->caller || !c->caller->may || c->caller->may(c->caller, place, false)))
				goes = see(of, place);
		}
		folder_close(&dir);
	}
	return true;
}
