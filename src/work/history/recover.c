#include "work/history/recover.h"

#include "base/log.h"
#include "work/commit.h"
#include "work/history/delta.h"
#include "work/history/place.h"
#include "work/history/store.h"
#include "work/temp.h"
#include "work/workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* FOREIGN: somebody else changed the document since. STUCK: the disk would not; the next call tries again. */
enum outcome { FINISHED, FOREIGN, STUCK };

/* What stands at a name, read under the folder's lock. */
struct standing {
	struct spot spot;
	int fd;
	struct text bytes; /* absent: nothing there */
	struct revision revision;
};

static void standing_drop(struct standing *s)
{
	spot_drop(&s->spot);
	fd_drop(&s->fd);
}

static bool is_at(const struct standing *s, struct text revision)
{
	return s->bytes.at ? text_same(text_of(s->revision.chars), revision) : !revision.at;
}

/* Every size is taken: it was within the limit when it was written. */
static bool look(struct call *c, struct text place, struct standing *out)
{
	struct standing s = {.spot = {.folder = -1}, .fd = -1};
	struct stat st;
	struct text path;
	const struct root *r = place_root(c->work, place, &path);

	c->error = (struct error){0};
	if (!r || !spot_at(c, &c->work->roots, r, path, SPOT_NEW | SPOT_LOCK, &s.spot))
		return false;
	if (s.spot.there) {
		bool read = spot_open(c, &s.spot, &s.fd, &st) && s.fd >= 0 &&
			    file_read(c, s.fd, path, SIZE_MAX, &st, c->arena, &s.bytes);
		if (!read) {
			standing_drop(&s);
			return false;
		}
		s.revision = revision_of(s.bytes);
	}
	*out = s;
	return true;
}

/* Why a name could not be looked at: a folder that is gone, or a link by now, is another's doing; all else is tried
 * again. */
static enum outcome unseen(const struct call *c)
{
	enum fault f = c->error.fault;

	return f == FAULT_NOT_FOUND || f == FAULT_PATH || f == FAULT_CONFLICT ? FOREIGN : STUCK;
}

static bool unlink_name(const struct standing *s)
{
	return unlinkat(s->spot.folder, s->spot.name, 0) == 0 || errno == ENOENT;
}

/* The temp that the crash left, when it holds what the record says. */
static bool take_temp(struct call *c, const struct standing *to, const struct record_document *d, struct temp *out)
{
	struct temp t;
	struct stat st;
	struct text bytes;

	if (!temp_open(c, to->spot.folder, to->spot.name, &t))
		return false;
	bool fits = fstat(t.fd, &st) == 0 && file_read(c, t.fd, d->path, SIZE_MAX, &st, c->arena, &bytes) &&
		    text_same(text_of(revision_of(bytes).chars), d->after);
	if (fits)
		*out = t;
	else
		temp_drop(&t);
	return fits;
}

/* Writes the bytes after the commit under their name. `base` is what stood before, where it stood. */
static enum outcome write_after(struct call *c, const struct record_document *d, const struct standing *base,
				struct standing *to)
{
	struct temp t = {.fd = -1};
	struct text bytes;

	if (!take_temp(c, to, d, &t)) {
		if (!delta_forward(c->arena, d, base->bytes, &bytes) ||
		    !text_same(text_of(revision_of(bytes).chars), d->after))
			return FOREIGN;
		if (!temp_make(c, to->spot.folder, to->spot.name, d->path, base->fd,
			       (struct pieces){&bytes, 1, bytes.len}, &t))
			return STUCK;
	}
	bool renamed = commit_rename(to->spot.folder, t.name, to->spot.name, !to->spot.there);
	if (!renamed && errno != EEXIST) {
		temp_drop(&t);
		return STUCK;
	}
	(renamed ? temp_drop : temp_erase)(&t);
	crash_step(c->work);
	return renamed ? FINISHED : FOREIGN;
}

static enum outcome finish_move(struct call *c, const struct record_document *d, struct standing *to)
{
	scoped(standing_drop) struct standing old = {.spot = {.folder = -1}, .fd = -1};
	enum outcome done = FINISHED;

	if (!look(c, d->old_path, &old))
		return unseen(c);
	if (!is_at(to, d->after)) {
		if (to->bytes.at || !is_at(&old, d->before))
			return FOREIGN;
		done = write_after(c, d, &old, to);
	}
	if (done == FINISHED && old.bytes.at && is_at(&old, d->before) && !unlink_name(&old))
		return STUCK;
	crash_step(c->work);
	if (!folder_flush(old.spot.folder))
		return STUCK;
	return done;
}

static enum outcome finish_document(struct call *c, const struct record_document *d)
{
	scoped(standing_drop) struct standing to = {.spot = {.folder = -1}, .fd = -1};
	enum outcome done;

	if (!look(c, d->path, &to))
		return unseen(c);
	if (d->old_path.at)
		done = finish_move(c, d, &to);
	else if (is_at(&to, d->after))
		done = FINISHED;
	else if (!is_at(&to, d->before))
		done = FOREIGN;
	else if (d->after.at)
		done = write_after(c, d, &to, &to);
	else
		done = unlink_name(&to) ? FINISHED : STUCK;
	if (!folder_flush(to.spot.folder) && done == FINISHED)
		done = STUCK;
	return done;
}

static bool add_folder(struct call *c, struct locks *l, struct text place)
{
	struct text path;
	const struct root *r = place_root(c->work, place, &path);
	struct spot s;

	/* A root that is not served now: whoever serves it finishes. A folder that is gone has nothing to lock. */
	if (!r)
		return false;
	if (!spot_at(c, &c->work->roots, r, path, SPOT_NEW | SPOT_LOCK, &s))
		return c->error.fault == FAULT_NOT_FOUND || c->error.fault == FAULT_PATH;
	l->items[l->n++] = (struct lock){s.folder, s.folder_stat.st_dev, s.folder_stat.st_ino, path};
	return true;
}

/* Without waiting, a lock that is taken means that the commit's own process, or another recovery, is at work. */
static bool lock_folders(struct call *c, const struct record *r, bool wait, struct locks *l)
{
	l->items = arena_array(c->arena, r->n * 2, sizeof *l->items);
	for (size_t i = 0; i < r->n; i++) {
		const struct record_document *d = &r->documents[i];
		if (!add_folder(c, l, d->path) || (d->old_path.at && !add_folder(c, l, d->old_path))) {
			locks_drop(l);
			return false;
		}
	}
	c->error = (struct error){0}; /* of folders that are gone */
	return wait ? locks_take(c, l, c->work->lock_wait_ms) : locks_try(l);
}

static void finish(struct call *c, const struct record *r, bool wait)
{
	struct locks locks = {0};
	bool stuck = false, foreign = false;

	if (!r->n || !lock_folders(c, r, wait, &locks))
		return;
	/* With the locks in hand nobody else finishes it; was it finished before? */
	if (history_is_pending(c, r->id)) {
		for (size_t i = 0; i < r->n; i++) {
			enum outcome done = finish_document(c, &r->documents[i]);
			stuck |= done == STUCK;
			foreign |= done == FOREIGN;
			if (done == FOREIGN)
				warn(c,
				     "a change of %s (\"%s\") was cut short by a crash and then changed by another "
				     "program: it was left "
				     "as it is; the history has what was meant, as change %lld",
				     shown(c, place_name(c, r->documents[i].path)), shown(c, r->summary),
				     (long long)r->id);
			crash_step(c->work);
		}
		if (!stuck)
			history_mark(c, r->id, foreign ? RECORD_PARTLY : RECORD_DONE);
		crash_step(c->work);
	}
	locks_drop(&locks);
}

void recover_pending(struct call *c)
{
	struct error error = c->error;
	struct record *records;
	size_t n;

	if (c->work->read_only)
		return;
	if (!history_pending(c, &records, &n))
		log_line(LOG_INFO, "%s",
			 c->error.message); /* at every read: a state folder of somebody else's is no alarm */
	for (size_t i = 0; i < n; i++)
		finish(c, &records[i], false);
	c->error = error;
}

bool recover_commit(struct call *c, int64_t id)
{
	struct error error = c->error;
	struct record r;

	c->error = (struct error){0};
	if (history_load(c, id, &r) && r.state == RECORD_PENDING)
		finish(c, &r, true);
	if (c->error.fault == FAULT_LOCKED || !goes_on(c))
		return false;
	c->error = error;
	return true;
}

static bool is_in(struct text place, struct text folder) { return place.at && text_same(path_folder(place), folder); }

/* The command that finishes it: with every folder it concerns as a root. */
static struct text finishing(struct call *c, const struct record *r)
{
	struct buffer b = {.arena = c->arena};
	ARRAY(struct text) folders = {0};

	buffer_add(&b, TEXT("quire fsck --repair"));
	for (size_t i = 0; i < r->n * 2; i++) {
		const struct record_document *d = &r->documents[i / 2];
		struct text folder = path_folder(i % 2 ? d->old_path : d->path);
		bool is_new = folder.len;
		for (size_t j = 0; is_new && j < folders.n; j++)
			is_new = !text_same(folders.items[j], folder);
		if (!is_new)
			continue;
		*ARRAY_PUSH(c->arena, &folders) = folder;
		buffer_format(&b, " --root '%.*s'", TEXT_ARGS(folder));
	}
	return buffer_text(&b);
}

static bool not_clear(struct call *c, const struct record *r, const struct spot *s)
{
	struct text below;

	for (size_t i = 0; i < r->n; i++)
		if (!place_root(c->work, r->documents[i].path, &below) ||
		    (r->documents[i].old_path.at && !place_root(c->work, r->documents[i].old_path, &below)))
			return fail(c, FAULT_STORAGE,
				    "an earlier change beside %s was interrupted, and it also concerns documents "
				    "outside the roots served here; %.*s finishes it",
				    shown(c, s->path), TEXT_ARGS(finishing(c, r)));
	return fail(c, FAULT_STORAGE,
		    "an earlier change beside %s was interrupted and cannot be finished now; try again",
		    shown(c, s->path));
}

bool recover_is_clear(struct call *c, const struct spot *spots, size_t n, int64_t *id)
{
	struct record *records;
	size_t m;

	*id = 0;
	if (!history_pending(c, &records, &m))
		return false;
	for (size_t k = 0; m && k < n; k++) {
		struct text folder = path_folder(place_of(c->arena, spots[k].root, spots[k].path));
		for (size_t i = 0; i < m; i++)
			for (size_t j = 0; j < records[i].n; j++) {
				const struct record_document *d = &records[i].documents[j];
				if (!is_in(d->path, folder) && !is_in(d->old_path, folder))
					continue;
				*id = records[i].id;
				return not_clear(c, &records[i], &spots[k]);
			}
	}
	return true;
}
