/* append.c: logs that only grow, below the state folder. A log holds whole lines: what a crash or a full disk cut short
 * is taken off, or ended, before the next line comes. */
#include "work/history/store.h"
#include "work/temp.h"
#include "work/workspace.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static bool append(struct call *c, int fd, int folder, struct text lines)
{
	struct stat st;
	char last = '\n';

	/* An empty one may be new, and its maker may have died before it made the name durable. */
	if (fstat(fd, &st) != 0 || (!st.st_size && !flush_to_disk(c, folder, false, "the state folder")) ||
	    (st.st_size && pread(fd, &last, 1, st.st_size - 1) != 1))
		return false;
	if ((last == '\n' || file_write(fd, TEXT("\n"))) && file_write(fd, lines) &&
	    flush_to_disk(c, fd, false, "a log"))
		return true;
	int error = errno;
	if (ftruncate(fd, st.st_size) != 0)
		return errno = error, false;
	return errno = error, false;
}

/* Is it still the file of that name? Somebody may have taken the state folder, or the log, away while we waited. */
static bool is_named(int fd, int folder, const char *name)
{
	struct stat open, named;

	return fstat(fd, &open) == 0 && open.st_nlink > 0 && fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

bool work_append(struct call *c, const char *name, struct text lines)
{
	assert(name[0] != '.' && !strchr(name, '/') && text_ends(lines, "\n"));
	for (int i = 0; i < PATH_TRIES; i++) {
		scoped(fd_drop) int folder = -1;
		if (!work_takes_writes(c) || !history_folder(c, &folder))
			return false;
		scoped(fd_drop) int fd = open_at(folder, name, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0600);
		if (fd < 0 && errno == ENOENT)
			continue;
		if (fd < 0)
			return path_refuse(c, errno, "open the log", text_of(name));
		if (!lock_take(c, fd, c->work->lock_wait_ms, text_of(name)))
			return false;
		if (!is_named(fd, folder, name))
			continue;
		return append(c, fd, folder, lines) || path_refuse(c, errno, "write to the log", text_of(name));
	}
	return fail(c, FAULT_CONFLICT, "the log %s is being replaced all the time by another program; try again", name);
}

int work_state_folder(struct call *c)
{
	struct error before = c->error;
	int folder = -1;

	if (!history_folder(c, &folder))
		folder = -1;
	c->error = before;
	return folder;
}
