/* append.c: logs that only grow, below the state folder. A log holds whole lines: what a crash or a full disk cut short
 * is taken off, or ended, before the next line comes. */
#include "work/commit.h"
#include "work/workspace.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static bool append(int fd, struct text lines)
{
	struct stat st;
	char last = '\n';

	if (fstat(fd, &st) != 0 || (st.st_size && pread(fd, &last, 1, st.st_size - 1) != 1))
		return false;
	if ((last == '\n' || file_write(fd, TEXT("\n"))) && file_write(fd, lines) && folder_flush(fd))
		return true;
	int error = errno;
	if (ftruncate(fd, st.st_size) != 0)
		return errno = error, false;
	return errno = error, false;
}

bool work_append(struct call *c, const char *name, struct text lines)
{
	int folder;

	assert(name[0] != '.' && !strchr(name, '/') && text_ends(lines, "\n"));
	if (!history_folder(c, true, &folder))
		return false;
	bool is_new = faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
	scoped(fd_drop) int fd = open_at(folder, name, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0600);
	if (fd < 0)
		return path_refuse(c, errno, "open the log", text_of(name));
	if (!lock_take(c, fd, c->work->lock_wait_ms, text_of(name)))
		return false;
	if (!append(fd, lines) || (is_new && !folder_flush(folder)))
		return path_refuse(c, errno, "write to the log", text_of(name));
	return true;
}
