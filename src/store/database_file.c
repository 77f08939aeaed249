/* database_file.c: the file of a store in the file system; independent of SQL. */
#include "store/driver.h"

#include "base/clock.h"
#include "base/own.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* From linux/magic.h and the kernel's sources. On these file systems shared memory is not shared, or locks do not
 * work. */
static const uint32_t remote[] = {
	0x6969,     /* NFS */
	0x517B,     /* SMB */
	0xFE534D42, /* SMB2 */
	0xFF534D42, /* CIFS */
	0x65735546, /* FUSE */
	0x01021997, /* 9p */
	0x00C36400, /* Ceph */
	0x5346414F, /* AFS */
	0x786F4256, /* VirtualBox folders */
};

static void folder_of(const char *path, char to[static DATABASE_PATH_MAX])
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		snprintf(to, DATABASE_PATH_MAX, ".");
	else
		snprintf(to, DATABASE_PATH_MAX, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

static bool is_remote(const char *folder)
{
	struct statfs fs;

	if (statfs(folder, &fs))
		return false;
	for (size_t i = 0; i < ARRAY_COUNT(remote); i++)
		if ((uint32_t)fs.f_type == remote[i])
			return true;
	return false;
}

/* A file beside the database. False: it exists and is not a regular file. */
static bool sibling(struct call *c, const char *path, const char *suffix, struct stat *st, bool *is_there)
{
	char name[DATABASE_PATH_MAX];

	snprintf(name, sizeof name, "%s%s", path, suffix);
	*is_there = !lstat(name, st);
	if (*is_there && !S_ISREG(st->st_mode))
		return fail(c, FAULT_PATH, "%s is not a regular file, so the database was not opened; remove it", name);
	return true;
}

/* A rollback journal may end in the name of a super-journal, which SQLite would delete after the rollback. We never
 * write such a name, so this is an attempt to delete a file. */
static bool journal_is_plain(struct call *c, const char *path, const struct stat *st)
{
	static const unsigned char magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
	char name[DATABASE_PATH_MAX];
	unsigned char tail[8];

	snprintf(name, sizeof name, "%s-journal", path);
	if (st->st_size < 8)
		return true;
	int fd = open_at(AT_FDCWD, name, O_RDONLY | O_NOFOLLOW, 0);
	bool is_read = fd >= 0 && pread(fd, tail, sizeof tail, st->st_size - 8) == sizeof tail;
	fd_drop(&fd);
	if (is_read && memcmp(tail, magic, sizeof magic) != 0)
		return true;
	return fail(c, FAULT_PATH, "%s names another file to delete, so the database was not opened; remove it", name);
}

bool database_file_look(struct call *c, const struct store_options *o, struct database_file *out)
{
	struct stat st, beside;
	char folder[DATABASE_PATH_MAX];
	bool has_journal;

	*out = (struct database_file){0};
	if (strlen(o->place) >= DATABASE_PATH_MAX - 16)
		return fail(c, FAULT_PATH, "the path of %s is too long; name a shorter one", o->noun);
	folder_of(o->place, folder);
	out->is_remote = is_remote(folder);
	if (lstat(o->place, &st)) {
		if (errno == ENOENT)
			return true;
		return fail(c, FAULT_DENIED, "%s cannot be opened: %s", o->place, strerror(errno));
	}
	if (!S_ISREG(st.st_mode))
		return fail(c, FAULT_PATH, "%s is not a regular file, so it cannot hold %s; name another file",
			    o->place, o->noun);
	out->is_there = true;
	out->device = st.st_dev;
	out->inode = st.st_ino;
	out->size = (uint64_t)st.st_size;
	if (!sibling(c, o->place, "-journal", &beside, &has_journal) ||
	    (has_journal && !journal_is_plain(c, o->place, &beside)) ||
	    !sibling(c, o->place, "-shm", &beside, &out->has_shm) ||
	    !sibling(c, o->place, "-wal", &beside, &out->has_wal))
		return false;
	out->has_wal = out->has_wal && beside.st_size > 0;
	return true;
}

int database_file_lock(struct call *c, const struct store_options *o)
{
	char folder[DATABASE_PATH_MAX];
	int64_t until = clock_ticks() + o->wait_ms;

	folder_of(o->place, folder);
	int fd = open_at(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY, 0);
	if (fd < 0) {
		fail(c, FAULT_NOT_FOUND, "the folder %s of %s cannot be opened: %s", folder, o->noun, strerror(errno));
		return -1;
	}
	while (flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return fd; /* a file system without locks: rely on SQLite's own */
		if (clock_ticks() >= until) {
			fd_drop(&fd);
			fail(c, FAULT_LOCKED, "another program keeps the folder %s locked; try again in a moment",
			     folder);
			return -1;
		}
		usleep(1000);
	}
	return fd;
}

bool database_file_make(struct call *c, const struct store_options *o, int folder)
{
	int fd =
		open_at(AT_FDCWD, o->place, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, (mode_t)(o->mode ? o->mode : 0666));

	if (fd < 0 && errno == EEXIST)
		return true;
	if (fd < 0)
		return fail(c, errno == ENOSPC ? FAULT_STORAGE : FAULT_DENIED, "%s cannot be created: %s", o->place,
			    strerror(errno));
	fd_drop(&fd);
	if (fsync(folder))
		return fail(c, FAULT_STORAGE, "the folder of %s cannot be flushed: %s", o->place, strerror(errno));
	return true;
}
