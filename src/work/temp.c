#include "work/temp.h"

#include "base/digest.h"
#include "work/history/store.h"
#include "work/lock.h"
#include "work/workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { MAKE_TRIES = 10, ATTRIBUTES_MAX = 64 << 10 };
/* Small files are left to the file system, which writes several of them together. */
static const size_t reserve_min = (size_t)256 << 10;

static const char *beside(struct arena *a, const char *name, const char *ending)
{
	/* A name of maximum length leaves no room for the extra characters of a temp's name. */
	if (1 + strlen(name) + strlen(ending) > NAME_MAX)
		return text_format(a, ".%s%s", revision_of(text_of(name)).chars, ending).at;
	return text_format(a, ".%s%s", name, ending).at;
}

const char *temp_name(struct arena *a, const char *name) { return beside(a, name, ".quire~"); }
const char *old_name(struct arena *a, const char *name) { return beside(a, name, ".old.quire~"); }

void temp_drop(struct temp *t) { fd_drop(&t->fd); }

bool temp_named(struct temp *t, const char *name, struct stat *st)
{
	if (fstatat(t->folder, name, st, AT_SYMLINK_NOFOLLOW) != 0 || st->st_ino != t->written.st_ino ||
	    st->st_dev != t->written.st_dev)
		return t->exact = false;
	/* A rename changes only the ctime. */
	t->exact = t->exact && st->st_size == t->written.st_size && st->st_mtim.tv_sec == t->written.st_mtim.tv_sec &&
		   st->st_mtim.tv_nsec == t->written.st_mtim.tv_nsec;
	return true;
}

void temp_erase(struct temp *t)
{
	if (t->name)
		unlinkat(t->folder, t->name, 0);
	t->name = NULL;
	temp_drop(t);
}

bool temp_open(struct call *c, int folder, const char *name, struct temp *out)
{
	struct temp t = {.folder = folder, .name = temp_name(c->arena, name), .exact = false};
	struct stat st;

	t.fd = open_at(folder, t.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	if (t.fd < 0)
		return false;
	if (fstat(t.fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		temp_drop(&t);
		return false;
	}
	t.written = st;
	*out = t;
	return true;
}

void temp_sweep(struct call *c, const struct root *root, int folder, const char *name, struct text path)
{
	struct temp t;

	if (!temp_open(c, folder, name, &t))
		return;
	if (history_needs(c, root, path))
		temp_drop(&t);
	else
		temp_erase(&t);
}

void temp_sweep_idle(struct call *c, const struct root *root, int folder, const char *name, struct text path)
{
	struct stat st;

	if (c->work->read_only || fstatat(folder, temp_name(c->arena, name), &st, AT_SYMLINK_NOFOLLOW) != 0)
		return;
	scoped(fd_drop) int locked = open_at(folder, ".", O_RDONLY | O_DIRECTORY, 0);
	if (locked >= 0 && lock_try(locked))
		temp_sweep(c, root, folder, name, path);
}

void temp_sweep_missing(struct call *c, struct text path)
{
	scoped(spot_drop) struct spot s = {.folder = -1};
	struct error error = c->error;

	if (!c->work->read_only && spot_find(c, &c->work->roots, path, SPOT_NEW | SPOT_OWN, &s) && !s.there &&
	    !s.missing.len)
		temp_sweep_idle(c, s.root, s.folder, s.name, s.path);
	c->error = error;
}

static bool make_file(struct call *c, struct temp *t, const char *name, struct text path, mode_t mode)
{
	for (int i = 0; i < MAKE_TRIES; i++) {
		t->fd = open_at(t->folder, t->name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
		if (t->fd >= 0)
			return true;
		if (errno == EINTR)
			continue;
		if (errno != EEXIST)
			return path_refuse(c, errno, "write beside", path);
		struct temp old;
		if (!temp_open(c, t->folder, name, &old))
			break;
		temp_erase(&old);
	}
	return fail(c, FAULT_LOCKED, "cannot replace the temporary file %s beside %s; delete it and retry", t->name,
		    shown(c, path));
}

static const char access_list[] = "system.posix_acl_access";

/* Copies ACLs and user attributes. System labels are set by the system. */
static bool is_copied(const char *attribute)
{
	return strncmp(attribute, "user.", 5) == 0 || strcmp(attribute, access_list) == 0;
}

/* The folder's default ACL could grant more than the document's own mode. */
static bool drop_inherited(int fd)
{
	return fgetxattr(fd, access_list, NULL, 0) < 0 || fremovexattr(fd, access_list) == 0;
}

static bool copy_attributes(struct arena *a, int from, int to)
{
	char *names = NULL, *value = NULL;
	ssize_t len = flistxattr(from, NULL, 0);

	if (len <= 0)
		return len == 0 || errno == ENOTSUP;
	names = arena_alloc(a, ATTRIBUTES_MAX);
	value = arena_alloc(a, ATTRIBUTES_MAX);
	len = flistxattr(from, names, ATTRIBUTES_MAX);
	for (char *name = names; len > 0 && name < names + len; name += strlen(name) + 1) {
		if (!is_copied(name))
			continue;
		ssize_t n = fgetxattr(from, name, value, ATTRIBUTES_MAX);
		if (n < 0 && errno == ENODATA)
			continue;
		if (n < 0 || (fsetxattr(to, name, value, (size_t)n, 0) != 0 && errno != ENOTSUP && errno != EPERM))
			return false;
	}
	return len >= 0;
}

/* Owner first: changing the owner clears the set-user bits. A process that may not change the owner keeps the file, but
 * must not keep those bits. */
static bool copy_metadata(struct arena *a, int from, int to)
{
	struct stat want, have;

	if (fstat(from, &want) != 0 || fstat(to, &have) != 0)
		return false;
	mode_t mode = want.st_mode & 07777;
	if (want.st_uid != have.st_uid || want.st_gid != have.st_gid) {
		if (fchown(to, want.st_uid, want.st_gid) != 0) {
			if (errno != EPERM && errno != EINVAL)
				return false;
			mode &= 0777;
			if (want.st_gid != have.st_gid && fchown(to, (uid_t)-1, want.st_gid) != 0 && errno != EPERM)
				return false;
		}
	}
	return drop_inherited(to) && fchmod(to, mode) == 0 && copy_attributes(a, from, to);
}

/* True on file systems that map clean pages read-only, so that the first store into a page changes the stamp, even
 * after a read. Files in memory do not do this, and where other machines write, a stat may be outdated. */
static bool has_visible_stores(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && (fs.f_type == EXT4_SUPER_MAGIC || fs.f_type == XFS_SUPER_MAGIC ||
					 fs.f_type == (__fsword_t)BTRFS_SUPER_MAGIC);
}

/* Tests it, since it depends on kernel and file system: Linux has exact times since 6.13, on some file systems.
 * Elsewhere the clock of files advances only every few milliseconds. */
static bool has_exact_times(int fd, struct stat *last)
{
	if (fstat(fd, last) != 0 || !has_visible_stores(fd))
		return false;
	for (int i = 0; i < 2; i++) {
		struct timespec before = last->st_ctim;
		if (fchmod(fd, last->st_mode & 07777) != 0 || fstat(fd, last) != 0 ||
		    (before.tv_sec == last->st_ctim.tv_sec && before.tv_nsec == last->st_ctim.tv_nsec))
			return false;
	}
	return true;
}

bool flush_to_disk(struct call *c, int fd, bool whole, const char *what)
{
	int r;

	/* An interruption is not a failure: no error was reported and none was lost. */
	do
		r = whole ? syncfs(fd) : fsync(fd);
	while (r != 0 && errno == EINTR);
	if (r != 0)
		work_break(c->work, what);
	return r == 0;
}

/* Reserves space for the whole file. So a full disk fails before a byte is written, and the file system need not
 * allocate page by page (a sixth of the cost of writing). Without fallocate support, space is allocated while
 * writing. */
static bool reserve(int fd, size_t size)
{
	int r = 0;

	if (size < reserve_min)
		return true;
	do
		r = fallocate(fd, 0, 0, (off_t)size);
	while (r != 0 && errno == EINTR);
	return r == 0 || (errno != ENOSPC && errno != EDQUOT && errno != EFBIG && errno != EIO);
}

static bool write_pieces(int fd, struct pieces p)
{
	bool written = true;

	for (size_t i = 0; written && i < p.n; i++)
		written = file_write(fd, p.items[i]);
	return written;
}

bool temp_write(struct call *c, int folder, const char *name, struct text path, int like, mode_t mode,
		struct pieces bytes, enum temp_manner manner, struct temp *out)
{
	struct temp t = {.fd = -1, .folder = folder, .name = temp_name(c->arena, name)};

	if (!make_file(c, &t, name, path, like >= 0 || mode ? 0600 : 0666))
		return false;
	crash_step(c->work);
	bool written = reserve(t.fd, bytes.len) && write_pieces(t.fd, bytes) &&
		       (like < 0 || copy_metadata(c->arena, like, t.fd)) &&
		       (like >= 0 || !mode || fchmod(t.fd, mode) == 0);
	crash_step(c->work);
	written = written && fstat(t.fd, &t.written) == 0;
	t.exact = written && manner == TEMP_FLUSHED && has_exact_times(t.fd, &t.written);
	if (!written) {
		int error = errno;
		temp_erase(&t);
		return path_refuse(c, error, "write", path);
	}
	if (manner == TEMP_FLUSHED && !flush_to_disk(c, t.fd, false, t.name)) {
		int error = errno;
		temp_erase(&t);
		path_refuse(c, error, "flush", path);
		return fail(c, FAULT_STORAGE, "%s; nothing was changed. %s", c->error.message, broken_advice);
	}
	crash_step(c->work);
	*out = t;
	return true;
}

bool temp_make(struct call *c, int folder, const char *name, struct text path, int like, struct pieces bytes,
	       struct temp *out)
{
	return temp_write(c, folder, name, path, like, 0, bytes, TEMP_FLUSHED, out);
}
