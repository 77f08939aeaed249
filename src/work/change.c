/* change.c: opening documents to change: all folders locked in one order, then read under the locks. */
#include "work/history/recover.h"
#include "work/temp.h"
#include "work/workspace.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* How often a folder may be renamed, or a commit be found unfinished, under our hands before we give up. */
enum { OPEN_TRIES = 16 };

static unsigned spot_flags_of(const struct want *w)
{
	return SPOT_LOCK | (w->want != DOCUMENT_THERE ? SPOT_NEW : 0) | (w->want == DOCUMENT_NEW ? SPOT_FREE : 0) |
	       (w->make_folders ? SPOT_FOLDERS : 0);
}

static void drop_spots(struct spot *spots, size_t n)
{
	for (size_t i = 0; i < n; i++)
		spot_drop(&spots[i]);
}

static bool find_spots(struct call *c, const struct want *wants, size_t n, struct spot *spots)
{
	for (size_t i = 0; i < n; i++)
		spots[i] = (struct spot){.folder = -1};
	for (size_t i = 0; i < n; i++)
		if (!spot_find(c, &c->work->roots, wants[i].path, spot_flags_of(&wants[i]), &spots[i]) ||
		    !may_touch(c, spots[i].path, true)) {
			drop_spots(spots, n);
			return false;
		}
	return true;
}

/* Hands the folders over to the locks and takes them. */
static bool lock_spots(struct call *c, struct spot *spots, size_t n, struct locks *locks)
{
	locks->items = arena_array(c->arena, n, sizeof *locks->items);
	locks->n = n;
	for (size_t i = 0; i < n; i++) {
		struct text folder = path_folder(spots[i].path);
		locks->items[i] = (struct lock){spots[i].folder, spots[i].folder_stat.st_dev,
						spots[i].folder_stat.st_ino, folder.len ? folder : TEXT(".")};
		spots[i].folder = -1;
	}
	return locks_take(c, locks, c->work->lock_wait_ms);
}

/* Folders may have been renamed while we waited: under the locks every path must still lead into a locked one. */
static bool still_there(struct call *c, const struct want *wants, size_t n, struct spot *spots,
			const struct locks *locks, bool *again)
{
	if (!find_spots(c, wants, n, spots))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!locks_find(locks, spots[i].folder_stat.st_dev, spots[i].folder_stat.st_ino))
			*again = true;
	if (*again)
		drop_spots(spots, n);
	return !*again;
}

static bool is_writable(struct call *c, const struct document *d)
{
	/* The kernel lets root write anything; a person who took every write bit away meant it. */
	if (!(d->stat.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)))
		return fail(c, FAULT_READ_ONLY, "%s is marked read-only (no write permission at all); chmod it first",
			    shown(c, d->path));
	if (faccessat(d->folder, d->name, W_OK, AT_EACCESS) != 0)
		return path_refuse(c, errno, "change", d->path);
	return true;
}

static bool is_taken(struct call *c, struct text path)
{
	return fail(c, FAULT_EXISTS, "%s exists already; choose another name, or change the document that is there",
		    shown(c, path));
}

/* Reads one document under its lock. *again: another program, which does not lock, replaced it just now. */
static bool read_locked(struct call *c, const struct want *w, struct spot *s, struct document **out, bool *again)
{
	const struct lock *lock = locks_find(&c->held->locks, s->folder_stat.st_dev, s->folder_stat.st_ino);
	struct document *d = arena_new(c->arena, struct document);
	scoped(fd_drop) int fd = -1;
	struct stat st;

	*d = (struct document){.held = c->held,
			       .root = s->root,
			       .path = text_copy(c->arena, w->path),
			       .place = s->path,
			       .name = s->name,
			       .missing = s->missing,
			       .folder = lock->fd};
	if (!s->missing.len)
		temp_sweep(c, s->root, d->folder, s->name, s->path);
	*out = d;
	if (!s->there)
		return true;
	if (w->want == DOCUMENT_NEW)
		return is_taken(c, w->path);
	if (!spot_open(c, s, &fd, &st))
		return false;
	if (fd < 0)
		return *again = true, false;
	return document_load(c, d, fd, &st) && is_writable(c, d);
}

static bool read_all(struct call *c, const struct want *wants, size_t n, struct spot *spots, struct document **out,
		     bool *again)
{
	for (size_t i = 0; i < n; i++) {
		out[i] = NULL;
		for (size_t j = 0; j < i && !out[i]; j++)
			if (out[j]->root == spots[i].root && text_same(out[j]->place, spots[i].path))
				out[i] = out[j];
		if (out[i] && out[i]->entry && wants[i].want == DOCUMENT_NEW)
			return is_taken(c, wants[i].path);
		if (!out[i] && !read_locked(c, &wants[i], &spots[i], &out[i], again))
			return false;
	}
	return true;
}

/* *unfinished: the commit cut short that must be finished first. */
static bool open_once(struct call *c, const struct want *wants, size_t n, struct document **out, bool *again,
		      int64_t *unfinished)
{
	struct spot *spots = arena_array(c->arena, n, sizeof *spots);
	struct work_call *h = work_hold(c);

	if (!find_spots(c, wants, n, spots) || !lock_spots(c, spots, n, &h->locks))
		return false;
	if (!still_there(c, wants, n, spots, &h->locks, again))
		return false;
	bool done = false;
	if (recover_is_clear(c, spots, n, unfinished))
		done = read_all(c, wants, n, spots, out, again);
	else
		*again = true;
	drop_spots(spots, n);
	return done;
}

static bool fits_condition(struct call *c, const struct document *d)
{
	if (!c->if_revision.at || text_same(c->if_revision, d->revision))
		return true;
	if (!d->revision.at)
		return fail(c, FAULT_CONFLICT, "%s does not exist, so it has no revision %s", shown(c, d->path),
			    shown(c, c->if_revision));
	return fail(c, FAULT_CONFLICT, "%s is at revision %.*s now, not %s; read it again before changing it",
		    shown(c, d->path), TEXT_ARGS(d->revision), shown(c, c->if_revision));
}

bool documents_change(struct call *c, const struct want *wants, size_t n, struct document **out)
{
	struct work_call *h = work_hold(c);
	int64_t unfinished = 0, finished = 0;
	bool again = true;

	assert(!h->changing && n > 0);
	if (c->work->read_only)
		return fail(c, FAULT_READ_ONLY, "this server is read-only; %s was not changed",
			    shown(c, wants[0].path));
	for (int i = 0; again && i < OPEN_TRIES; i++) {
		again = false;
		unfinished = 0;
		recover_pending(c);
		if (open_once(c, wants, n, out, &again, &unfinished)) {
			if (!fits_condition(c, out[0]))
				break;
			h->changing = true;
			h->has_revision = !c->revision.at;
			if (h->has_revision)
				c->revision = out[0]->revision;
			return true;
		}
		locks_drop(&h->locks);
		/* What stays unfinished though we had all its locks will not be finished by trying again. */
		if (unfinished && (unfinished == finished || !recover_commit(c, unfinished)))
			break;
		finished = unfinished;
		if (again && i + 1 < OPEN_TRIES)
			c->error = (struct error){0};
	}
	locks_drop(&h->locks);
	if (!c->error.fault)
		return fail(c, FAULT_CONFLICT,
			    "%s is being moved or replaced by other programs all the time; try again",
			    shown(c, wants[0].path));
	return false;
}

void documents_release(struct call *c)
{
	struct work_call *h = c->held;

	if (!h || !h->changing)
		return;
	work_settle(c, h, false);
	locks_drop(&h->locks);
	h->changing = false;
	if (h->has_revision)
		c->revision = (struct text){0};
	h->has_revision = false;
}
