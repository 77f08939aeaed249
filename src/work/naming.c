#include "work/naming.h"

#include "base/digest.h"
#include "base/log.h"
#include "work/beside.h"
#include "work/history/store.h"
#include "work/workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

/* A displaced file up to this size is read even if its stamp says that it is unchanged: a program may have reset the
 * stamp. PUT_TRIES: how often others may save while we put their save back. */
enum { READ_ALWAYS = 1 << 20, PUT_TRIES = 16, KEPT_MAX = 100 };

struct naming naming_of(struct call *c, int folder, const char *name, struct text path, struct text place)
{
	return (struct naming){
		.folder = folder, .name = name, .old = old_name(c->arena, name), .path = path, .place = place};
}

static bool move_name(int folder, const char *from, const char *to, unsigned flags)
{
	int r;

	do
		r = renameat2(folder, from, folder, to, flags);
	while (r != 0 && errno == EINTR);
	return r == 0;
}

static bool is_unsupported(int error) { return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP; }

/* Renames to a name that must be free. If the file system does not support the flag, a hard link is used, which does
 * not replace either. */
static bool move_free(int folder, const char *from, const char *to)
{
	if (move_name(folder, from, to, RENAME_NOREPLACE))
		return true;
	if (!is_unsupported(errno) || linkat(folder, from, folder, to, 0) != 0)
		return false;
	return unlinkat(folder, from, 0) == 0;
}

static bool exchange(const struct naming *n) { return move_name(n->folder, n->old, n->name, RENAME_EXCHANGE); }

static bool is_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* A rename changes only the ctime. */
static bool is_untouched(const struct stat *a, const struct stat *b)
{
	return is_file(a, b) && a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static bool stat_at(const struct naming *n, const char *name, struct stat *st)
{
	return fstatat(n->folder, name, st, AT_SYMLINK_NOFOLLOW) == 0;
}

bool naming_old(struct call *c, const struct naming *n, int *fd, struct stat *st)
{
	(void)c;
	*fd = open_at(n->folder, n->old, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	if (*fd >= 0 && (fstat(*fd, st) != 0 || !S_ISREG(st->st_mode)))
		fd_drop(fd);
	return *fd >= 0;
}

/* Is `old` the expected file? 1: yes; 0: another program's; -1: it could not be read, errno. Who has it open is asked
 * first: if nobody has, its bytes cannot change any more. */
static int came_as_expected(struct naming *n, const struct expected *e)
{
	scoped(fd_drop) int fd = -1;
	struct stat st;

	if (!stat_at(n, n->old, &st))
		return -1;
	if (!S_ISREG(st.st_mode) || !is_file(&st, &e->stat))
		return 0;
	fd = open_at(n->folder, n->old, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	if (fd < 0)
		return -1;
	n->writer = writer_of(fd);
	n->base = e->revision;
	if (e->is_certain && fstat(fd, &st) == 0 && is_untouched(&st, &e->stat) && st.st_size > READ_ALWAYS)
		return 1;
	return file_compare(fd, e->bytes);
}

/* Renames `old` to a name that no cleanup removes. */
static const char *set_aside(struct call *c, const struct naming *n, const char *mark)
{
	struct text folder = path_folder(n->place);

	for (int i = 0; i < KEPT_MAX; i++) {
		const char *kept = beside_name(c->arena, n->name, mark, i ? i + 1 : 0);
		if (move_free(n->folder, n->old, kept)) {
			beside_remember(&c->work->beside, text_format(c->arena, "%.*s/%s", TEXT_ARGS(folder), kept));
			return kept;
		}
		if (errno != EEXIST)
			break;
	}
	return NULL;
}

/* Of `old`; "unread" if it cannot be read. */
static struct revision old_revision(struct call *c, const struct naming *n)
{
	struct revision revision = {"unread"};
	struct error error = c->error;
	scoped(fd_drop) int fd = -1;
	struct arena scratch = {0};
	struct stat st;
	struct text bytes;

	if (naming_old(c, n, &fd, &st) && file_read(c, fd, n->path, SIZE_MAX, &st, &scratch, &bytes))
		revision = revision_of(bytes);
	arena_free(&scratch);
	c->error = error;
	return revision;
}

bool naming_keep(struct call *c, const struct naming *n)
{
	struct revision revision = old_revision(c, n);
	const char *kept = set_aside(c, n, revision.chars);
	if (!kept)
		return false;
	warn(c,
	     "another program saved %s at the same moment; that version was kept as %s beside it, and a later call "
	     "moves it into the history",
	     shown(c, n->path), shown(c, text_of(kept)));
	log_line(LOG_WARNING, "another program's version of %s was kept as %s", shown(c, n->path), kept);
	return true;
}

static bool set_aside_open(struct call *c, const struct naming *n, struct text revision)
{
	const char *kept = set_aside(c, n, revision.len ? text_string(c->arena, revision) : "unread");

	if (kept)
		log_line(LOG_INFO, "%s is kept as %s: another program may still write to it", shown(c, n->path), kept);
	return kept;
}

bool naming_let_go(struct call *c, const struct naming *n, int fd, struct text revision)
{
	if (writer_of(fd) == WRITER_NONE)
		return unlinkat(n->folder, n->old, 0) == 0;
	return set_aside_open(c, n, revision);
}

/* Drops our own new file, which had the name for a moment: a program may have opened it. */
static bool drop_ours(struct call *c, const struct naming *n)
{
	struct stat st;
	scoped(fd_drop) int fd = -1;

	if (!naming_old(c, n, &fd, &st))
		return errno == ENOENT;
	if (writer_of(fd) == WRITER_OPEN || fstat(fd, &st) != 0 || !is_untouched(&st, &n->fresh))
		return naming_keep(c, n);
	return unlinkat(n->folder, n->old, 0) == 0;
}

/* `old` is another program's save, and is about to get its name back. That program, or a third one, may have read our
 * new file under the name, and may replace the save at any moment without knowing it. So the history gets it first. */
static void note_save(struct call *c, const struct naming *n)
{
	struct error error = c->error;
	scoped(fd_drop) int fd = -1;
	struct arena scratch = {0};
	struct stat st;
	struct text bytes;

	if (naming_old(c, n, &fd, &st) && st.st_size && file_read(c, fd, n->path, SIZE_MAX, &st, &scratch, &bytes))
		history_note(c, n->place, bytes);
	arena_free(&scratch);
	c->error = error;
}

bool naming_restore(const struct naming *n)
{
	if (move_free(n->folder, n->old, n->name))
		return true;
	return errno == EEXIST && exchange(n);
}

/* `old` is another program's save, and our file may have the name: give the name back to the save. If a third save came
 * in between, it is the newest and keeps the name, and the second is kept beside it. */
static enum named put_back(struct call *c, const struct naming *n)
{
	struct stat out;

	for (int i = 0; i < PUT_TRIES; i++) {
		if (!naming_restore(n))
			return NAMED_ERROR;
		if (!stat_at(n, n->old, &out))
			return errno == ENOENT ? NAMED_FOREIGN : NAMED_ERROR;
		if (is_untouched(&out, &n->fresh))
			return drop_ours(c, n) ? NAMED_FOREIGN : NAMED_ERROR;
		if (!naming_restore(n) || !stat_at(n, n->old, &out))
			return NAMED_ERROR;
		/* Now the newest save has the name, unless there was yet another one. */
		if (!is_untouched(&out, &n->fresh))
			return naming_keep(c, n) ? NAMED_FOREIGN : NAMED_ERROR;
	}
	return naming_keep(c, n) ? NAMED_FOREIGN : NAMED_ERROR;
}

enum named naming_make(struct call *c, struct naming *n, const struct temp *t)
{
	n->fresh = t->written;
	if (!move_free(n->folder, t->name, n->name))
		return errno == EEXIST ? NAMED_FOREIGN : NAMED_ERROR;
	n->state = NAMING_MADE;
	crash_step(c->work);
	return NAMED;
}

/* Makes `old` free for the displaced file. An existing `old` was left by a quire whose history we cannot see. */
static bool clear_old(struct call *c, const struct naming *n, const struct expected *before)
{
	struct stat st;
	scoped(fd_drop) int fd = -1;

	if (!stat_at(n, n->old, &st))
		return errno == ENOENT;
	if (naming_old(c, n, &fd, &st) && file_compare(fd, before->bytes) == 1)
		return naming_let_go(c, n, fd, before->revision);
	return naming_keep(c, n);
}

/* For file systems that cannot exchange names: compares once more, then renames over the document. */
static enum named rename_over(struct call *c, struct naming *n, const struct expected *before)
{
	struct stat st;
	scoped(fd_drop) int fd = open_at(n->folder, n->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);

	bool stands =
		fd >= 0 && fstat(fd, &st) == 0 && is_file(&st, &before->stat) && file_compare(fd, before->bytes) == 1;
	if (!stands)
		return unlinkat(n->folder, n->old, 0) == 0 ? NAMED_FOREIGN : NAMED_ERROR;
	if (!move_name(n->folder, n->old, n->name, 0))
		return NAMED_ERROR;
	n->state = NAMING_REPLACED;
	crash_step(c->work);
	return NAMED;
}

enum named naming_replace(struct call *c, struct naming *n, const struct temp *t, const struct expected *before)
{
	n->fresh = t->written;
	/* Use a name that no cleanup removes: after the exchange, this file may be the only copy of a save. */
	if (!clear_old(c, n, before) || !move_free(n->folder, t->name, n->old))
		return NAMED_ERROR;
	crash_step(c->work);
	if (!exchange(n)) {
		if (is_unsupported(errno))
			return rename_over(c, n, before);
		int error = errno;
		unlinkat(n->folder, n->old, 0);
		errno = error;
		return error == ENOENT ? NAMED_FOREIGN : NAMED_ERROR;
	}
	crash_step(c->work);
	int came = came_as_expected(n, before), error = errno;
	if (came == 1) {
		n->state = NAMING_EXCHANGED;
		return NAMED;
	}
	if (came == 0)
		note_save(c, n);
	enum named back = put_back(c, n);
	if (came < 0 && back == NAMED_FOREIGN)
		return errno = error, NAMED_ERROR;
	return back;
}

enum named naming_remove(struct call *c, struct naming *n, const struct expected *before)
{
	if (!clear_old(c, n, before))
		return NAMED_ERROR;
	if (!move_free(n->folder, n->name, n->old))
		return errno == ENOENT ? NAMED_FOREIGN : NAMED_ERROR;
	crash_step(c->work);
	int came = came_as_expected(n, before), error = errno;
	if (came == 1) {
		n->state = NAMING_REMOVED;
		return NAMED;
	}
	if (came == 0)
		note_save(c, n);
	if (!move_free(n->folder, n->old, n->name) && (errno != EEXIST || !naming_keep(c, n)))
		return NAMED_ERROR;
	if (came < 0)
		return errno = error, NAMED_ERROR;
	return NAMED_FOREIGN;
}

/* Removes a new name again, unless another program saved there. */
static bool unmake(struct call *c, struct naming *n)
{
	struct stat out;

	if (!move_free(n->folder, n->name, n->old))
		return errno == ENOENT;
	if (stat_at(n, n->old, &out) && is_untouched(&out, &n->fresh))
		return drop_ours(c, n);
	return naming_restore(n);
}

/* The file under the name should be ours. If another program changed or replaced it, its bytes stay and the older ones
 * are dropped, as that save would have done, unless they are another save: that is kept. */
static bool unexchange(struct call *c, struct naming *n)
{
	scoped(fd_drop) int fd = -1;
	struct stat out;

	if (!naming_restore(n))
		return false;
	if (!stat_at(n, n->old, &out))
		return errno == ENOENT; /* the name was deleted meanwhile; now it is restored */
	if (is_untouched(&out, &n->fresh))
		return drop_ours(c, n);
	if (!exchange(n) || !naming_old(c, n, &fd, &out))
		return false;
	/* Who has it open is asked first: what is read then stays. */
	enum writer writer = writer_of(fd);
	if (!text_same(text_of(old_revision(c, n).chars), n->base))
		return naming_keep(c, n);
	return writer == WRITER_NONE ? unlinkat(n->folder, n->old, 0) == 0 : set_aside_open(c, n, n->base);
}

bool naming_back(struct call *c, struct naming *n)
{
	bool back = true;

	if (n->state == NAMING_MADE)
		back = unmake(c, n);
	else if (n->state == NAMING_EXCHANGED)
		back = unexchange(c, n);
	else if (n->state == NAMING_REMOVED)
		back = move_free(n->folder, n->old, n->name) || (errno == EEXIST && naming_keep(c, n));
	else if (n->state == NAMING_REPLACED)
		return errno = EOPNOTSUPP, false;
	if (back)
		n->state = NAMING_NOTHING;
	crash_step(c->work);
	return back;
}

enum named naming_wait(struct call *c, struct naming *n, const struct expected *before)
{
	scoped(fd_drop) int fd = -1;
	struct stat st;

	if ((n->state != NAMING_EXCHANGED && n->state != NAMING_REMOVED) || n->writer != WRITER_OPEN)
		return NAMED;
	if (!naming_old(c, n, &fd, &st))
		return NAMED_ERROR;
	n->writer = writer_wait(c, fd);
	int same = file_compare(fd, before->bytes);
	if (same == 0)
		note_save(c, n);
	return same < 0 ? NAMED_ERROR : same ? NAMED : NAMED_FOREIGN;
}

bool naming_end(struct call *c, struct naming *n)
{
	if (n->state != NAMING_EXCHANGED && n->state != NAMING_REMOVED)
		return true;
	if (n->writer != WRITER_NONE)
		return set_aside_open(c, n, n->base);
	return unlinkat(n->folder, n->old, 0) == 0 || errno == ENOENT;
}

/* From statfs(2). These file systems support the exchange of names in every kernel that quire runs on. */
static const unsigned long exchanging[] = {
	0xef53 /* ext4 */, 0x58465342 /* XFS */, 0x9123683e /* btrfs */, 0xf2f52010 /* F2FS */, 0x01021994 /* tmpfs */,
};

bool naming_exchanges(struct call *c, int folder)
{
	struct statfs fs;
	bool can = true;

	if (fstatfs(folder, &fs) != 0)
		return true;
	for (size_t i = 0; i < ARRAY_COUNT(exchanging); i++)
		if ((unsigned long)fs.f_type == exchanging[i])
			return true;
	/* Uses the names of temps, so that fsck removes them after a crash, and the lock under which temps are
	 * created. */
	scoped(fd_drop) int locked = open_at(folder, ".", O_RDONLY | O_DIRECTORY, 0);
	if (locked < 0 || !lock_try(locked))
		return true;
	const char *one = temp_name(c->arena, "exchange-1"), *two = temp_name(c->arena, "exchange-2");
	scoped(fd_drop) int first = open_at(locked, one, O_WRONLY | O_CREAT | O_EXCL, 0600);
	scoped(fd_drop) int second = first >= 0 ? open_at(locked, two, O_WRONLY | O_CREAT | O_EXCL, 0600) : -1;
	if (second >= 0)
		can = move_name(locked, one, two, RENAME_EXCHANGE) || !is_unsupported(errno);
	if (first >= 0)
		unlinkat(locked, one, 0);
	if (second >= 0)
		unlinkat(locked, two, 0);
	return can;
}
