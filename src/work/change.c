/* change.c: opens documents for changing: locks all folders in one order, then reads under the locks. */
#include "base/map.h"
#include "base/utf8.h"
#include "work/history/recover.h"
#include "work/temp.h"
#include "work/workspace.h"
#include "work/writer.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* How often to retry after a folder was renamed, or an unfinished commit was found. */
enum { OPEN_TRIES = 16 };

static enum document_want want_of(const struct want *w) { return (enum document_want)(w->want & ~DOCUMENT_OWN); }

static unsigned spot_flags_of(const struct call *c, const struct want *w)
{
	return SPOT_LOCK | spot_owner(c) | (w->want & DOCUMENT_OWN ? SPOT_OWN : 0) |
	       (want_of(w) != DOCUMENT_THERE ? SPOT_NEW : 0) | (want_of(w) == DOCUMENT_NEW ? SPOT_FREE : 0) |
	       (w->make_folders ? SPOT_FOLDERS : 0);
}

/* Characters that nobody sees, or that change the order of those around them: two names would look the same. Joiners
 * and selectors are ordinary, scripts and emoji need them. Tags are ordinary in a flag. */
static uint32_t first_unseen(struct text name)
{
	static const struct {
		uint32_t from, to;
	} unseen[] = {{0x61C, 0x61C},   {0x200B, 0x200B}, {0x200E, 0x200F},  {0x202A, 0x202E},
		      {0x2060, 0x2069}, {0xFEFF, 0xFEFF}, {0xE0000, 0xE007F}};
	enum { BLACK_FLAG = 0x1F3F4, TAG_FIRST = 0xE0020 };
	bool in_flag = false;

	for (size_t at = 0; at < name.len;) {
		uint32_t p = utf8_next(name, &at);
		in_flag = p == BLACK_FLAG || (in_flag && p >= TAG_FIRST && p <= unseen[ARRAY_COUNT(unseen) - 1].to);
		for (size_t i = 0; i < ARRAY_COUNT(unseen) && !in_flag; i++)
			if (p >= unseen[i].from && p <= unseen[i].to)
				return p;
	}
	return 0;
}

static bool can_be_seen(struct call *c, const struct want *w, const struct spot *s)
{
	uint32_t p = 0;

	if (s->there || w->want & DOCUMENT_OWN || c->own_names)
		return true;
	if (s->missing.len)
		p = first_unseen(s->missing);
	p = p ? p : first_unseen(text_of(s->name));
	return !p ||
	       fail(c, FAULT_PATH,
		    "the new name %s contains U+%04X, a character that nobody sees or that reorders others; leave it out",
		    shown(c, w->path), p);
}

static bool find_spot(struct call *c, const struct want *w, struct spot *s)
{
	if (spot_granted(c, w->path, spot_flags_of(c, w), true, true, s)) {
		if (can_be_seen(c, w, s))
			return true;
		spot_drop(s);
		return false;
	}
	if (c->error.fault == FAULT_NOT_FOUND)
		temp_sweep_missing(c, w->path);
	return false;
}

/* Finds the folders of all documents, opens each once, and locks them. */
static bool lock_folders(struct call *c, const struct want *wants, size_t n, struct locks *locks)
{
	descriptors_reserve(n);
	*locks = (struct locks){0};
	for (size_t i = 0; i < n; i++) {
		struct spot s;
		if (!find_spot(c, &wants[i], &s)) {
			locks_drop(locks);
			return false;
		}
		struct text folder = path_folder(s.path);
		if (locks_find(locks, s.folder_stat.st_dev, s.folder_stat.st_ino))
			spot_drop(&s);
		else
			*ARRAY_PUSH(c->arena, locks) = (struct lock){.fd = s.folder,
								     .dev = s.folder_stat.st_dev,
								     .ino = s.folder_stat.st_ino,
								     .what = folder.len ? folder : TEXT("."),
								     .root = s.root,
								     .below = folder};
	}
	return locks_take(c, locks, c->work->lock_wait_ms);
}

/* Folders may have been renamed while we waited. Under the locks, every path must still lead into a locked folder. The
 * spot then borrows that folder's descriptor. */
static bool find_locked(struct call *c, const struct want *wants, size_t n, struct spot *spots,
			const struct locks *locks, bool *again)
{
	for (size_t i = 0; i < n; i++) {
		if (!find_spot(c, &wants[i], &spots[i]))
			return false;
		const struct lock *l = locks_find(locks, spots[i].folder_stat.st_dev, spots[i].folder_stat.st_ino);
		spot_drop(&spots[i]);
		if (!l)
			return *again = true, false;
		spots[i].folder = l->fd;
	}
	return true;
}

static bool is_writable(struct call *c, const struct document *d)
{
	/* The kernel lets root write anything, but a file without any write bit was protected on purpose. */
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

/* A program that has the document open for writing is about to save it, so its save is waited for. An empty file that
 * is still open was emptied to be written. */
static bool is_closed(struct call *c, const struct document *d, int fd, struct stat *st)
{
	enum writer writer = writer_wait(c, fd);

	if (fstat(fd, st) != 0)
		return path_refuse(c, errno, "read", d->path);
	if (writer != WRITER_OPEN || st->st_size)
		return true;
	fail(c, FAULT_LOCKED, "another program has emptied %s and is still writing it; try again in a moment",
	     shown(c, d->path));
	c->error.retry_after = 1;
	return false;
}

/* Reads one document under its lock. *again: another program, which does not lock, has just replaced it. */
static bool read_locked(struct call *c, const struct want *w, struct spot *s, struct document **out, bool *again)
{
	struct document *d = arena_new(c->arena, struct document);
	scoped(fd_drop) int fd = -1;
	struct stat st;

	*d = (struct document){.held = c->held,
			       .root = s->root,
			       .path = text_copy(c->arena, w->path),
			       .place = s->path,
			       .name = s->name,
			       .missing = s->missing,
			       .folder = s->folder};
	if (!s->missing.len)
		temp_sweep(c, s->root, d->folder, s->name, s->path);
	*out = d;
	if (!s->there)
		return true;
	if (want_of(w) == DOCUMENT_NEW)
		return is_taken(c, w->path);
	if (!spot_open(c, s, &fd, &st))
		return false;
	if (fd < 0)
		return *again = true, false;
	return is_closed(c, d, fd, &st) && document_load(c, d, fd, &st) && is_writable(c, d);
}

/* A document that is named twice is opened once. */
static bool read_all(struct call *c, const struct want *wants, size_t n, struct spot *spots, struct document **out,
		     bool *again)
{
	struct map known = {.arena = c->arena};

	for (size_t i = 0; i < n; i++) {
		bool was = false;
		uint32_t first = (uint32_t)i;
		if (n > 1)
			first = *map_at(
				&known,
				text_format(c->arena, "%p/%.*s", (const void *)spots[i].root, TEXT_ARGS(spots[i].path)),
				(uint32_t)i, &was);
		if (was && out[first]->entry && want_of(&wants[i]) == DOCUMENT_NEW)
			return is_taken(c, wants[i].path);
		if (was)
			out[i] = out[first];
		else if (!goes_on(c) || !read_locked(c, &wants[i], &spots[i], &out[i], again))
			return false;
	}
	return true;
}

/* *unfinished: the interrupted commit that must be finished first. */
static bool open_once(struct call *c, const struct want *wants, size_t n, struct document **out, bool *again,
		      int64_t *unfinished, struct texts *beside)
{
	struct spot *spots = arena_array(c->arena, n, sizeof *spots);
	struct work_call *h = work_hold(c);

	if (!lock_folders(c, wants, n, &h->locks) || !find_locked(c, wants, n, spots, &h->locks, again))
		return false;
	*again = true;
	if (!recover_is_clear(c, spots, n, unfinished) || beside_sweep(c, &h->locks, beside))
		return false;
	*again = false;
	return read_all(c, wants, n, spots, out, again);
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
	struct texts beside;
	bool again = true;

	assert(!h->changing && n > 0);
	if (c->work->read_only)
		return fail(c, FAULT_READ_ONLY, "this server is read-only; %s was not changed",
			    shown(c, wants[0].path));
	if (!work_takes_writes(c))
		return false;
	for (int i = 0; again && i < OPEN_TRIES; i++) {
		again = false;
		unfinished = 0;
		beside = (struct texts){0};
		recover_pending(c);
		if (open_once(c, wants, n, out, &again, &unfinished, &beside)) {
			if (!fits_condition(c, out[0]))
				break;
			h->changing = true;
			h->has_revision = !c->revision.at;
			if (h->has_revision)
				c->revision = out[0]->revision;
			return true;
		}
		locks_drop(&h->locks);
		beside_take_all(c, &beside);
		/* If a commit stays unfinished although we held all its locks, a retry will not finish it. */
		if (unfinished && (unfinished == finished || !recover_commit(c, unfinished)))
			break;
		finished = unfinished;
		if (again && i + 1 < OPEN_TRIES)
			c->error = (struct error){0};
	}
	locks_drop(&h->locks);
	if (!c->error.fault)
		return fail(c, FAULT_CONFLICT, "other programs keep moving or replacing %s; try again",
			    shown(c, wants[0].path));
	return false;
}

void documents_release(struct call *c)
{
	struct work_call *h = c->held;

	if (!h || !h->changing)
		return;
	work_settle(h, c->arena, false);
	beside_swept(&h->work->beside, &h->locks);
	locks_drop(&h->locks);
	h->changing = false;
	if (h->has_revision)
		c->revision = (struct text){0};
	h->has_revision = false;
}
