#include "work/history/recover.h"

#include "base/log.h"
#include "base/mutex.h"
#include "work/history/pack.h"
#include "work/history/place.h"
#include "work/history/state.h"
#include "work/history/store.h"
#include "work/naming.h"
#include "work/workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* FOREIGN: another program changed the document since. STUCK: an I/O error; the next call retries. */
enum outcome { FINISHED, FOREIGN, STUCK };

/* The file at a name, read under the folder's lock. */
struct standing {
	struct spot spot;
	int fd;
	struct text bytes; /* absent: no file */
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

/* Accepts every size: the document was within the limit when it was written. */
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

/* Why a name could not be read. If a folder is gone or is a link now, another program did that. All other errors are
 * retried. */
static enum outcome unseen(const struct call *c)
{
	enum fault f = c->error.fault;

	return f == FAULT_NOT_FOUND || f == FAULT_PATH || f == FAULT_CONFLICT ? FOREIGN : STUCK;
}

static struct naming naming_at(struct call *c, const struct standing *s)
{
	return naming_of(c, s->spot.folder, s->spot.name, s->spot.path, place_of(c->arena, s->spot.root, s->spot.path));
}

/* Checks `.NAME.old.quire~` (naming.h) first. If the exchange did not happen, it contains our new bytes and becomes the
 * temp again. If it contains the bytes before, which the record has too, it is removed. If it contains another
 * program's save from just before the exchange, it gets the name back, since the record has our bytes. *again: the name
 * must be checked again. */
static enum outcome settle_old(struct call *c, const struct standing *s, struct text before, struct text after,
			       bool *again)
{
	struct naming n = naming_at(c, s);
	scoped(fd_drop) int fd = -1;
	struct stat st;
	struct text bytes;

	*again = false;
	if (!naming_old(c, &n, &fd, &st))
		return FINISHED;
	if (!file_read(c, fd, s->spot.path, SIZE_MAX, &st, c->arena, &bytes))
		return STUCK;
	struct revision revision = revision_of(bytes);
	struct text is = text_of(revision.chars);
	if (after.at && text_same(is, after) && !is_at(s, after))
		return renameat(n.folder, n.old, n.folder, temp_name(c->arena, n.name)) == 0 ? FINISHED : STUCK;
	if (text_same(is, before) || text_same(is, after))
		return naming_let_go(c, &n, fd, is) ? FINISHED : STUCK;
	if (is_at(s, after)) {
		*again = naming_restore(&n);
		return *again ? FOREIGN : STUCK;
	}
	return naming_keep(c, &n) ? FOREIGN : STUCK;
}

static struct expected expected_of(const struct standing *s)
{
	return (struct expected){s->bytes, s->spot.stat, false, text_of(s->revision.chars)};
}

static enum outcome outcome_of(enum named named)
{
	return named == NAMED ? FINISHED : named == NAMED_FOREIGN ? FOREIGN : STUCK;
}

static enum outcome remove_name(struct call *c, const struct standing *s)
{
	struct naming n = naming_at(c, s);
	struct expected e = expected_of(s);
	enum outcome done = outcome_of(naming_remove(c, &n, &e));

	return done == FINISHED && !naming_end(c, &n) ? STUCK : done;
}

/* Takes the temp that the crash left, if it contains the bytes of the record. They may be in the kernel's memory only,
 * if the process that wrote them was killed before its flush. */
static bool take_temp(struct call *c, const struct standing *to, const struct record_document *d, struct temp *out)
{
	struct temp t;
	struct stat st;
	struct text bytes;

	if (!temp_open(c, to->spot.folder, to->spot.name, &t))
		return false;
	bool fits = fstat(t.fd, &st) == 0 && file_read(c, t.fd, d->path, SIZE_MAX, &st, c->arena, &bytes) &&
		    text_same(text_of(revision_of(bytes).chars), d->after) && flush_to_disk(c, t.fd, false, t.name);
	if (fits)
		*out = t;
	else
		temp_drop(&t);
	return fits;
}

/* Writes the bytes after the commit under their name. `base` is the document before it, at its place. */
static enum outcome write_after(struct call *c, const struct record_document *d, const struct standing *base,
				struct standing *to)
{
	struct temp t = {.fd = -1};
	struct naming n = naming_at(c, to);
	struct expected e = expected_of(to);
	struct text bytes;

	if (!take_temp(c, to, d, &t)) {
		if (!pack_apply(c->arena, d->form, d->delta, base->bytes, &bytes) ||
		    !text_same(text_of(revision_of(bytes).chars), d->after))
			return FOREIGN;
		if (!temp_make(c, to->spot.folder, to->spot.name, d->path, base->fd,
			       (struct pieces){&bytes, 1, bytes.len}, &t))
			return STUCK;
	}
	enum outcome done = outcome_of(to->spot.there ? naming_replace(c, &n, &t, &e) : naming_make(c, &n, &t));
	if (done == FINISHED && !naming_end(c, &n))
		done = STUCK;
	(done == FOREIGN ? temp_erase : temp_drop)(&t);
	crash_step(c->work);
	return done;
}

/* Reads the file at the name, after handling the file that an exchange left beside it. */
static enum outcome look_settled(struct call *c, struct text place, struct text before, struct text after,
				 struct standing *out)
{
	bool again = true;
	enum outcome worst = FINISHED;

	for (int i = 0; again && i < 2; i++) {
		standing_drop(out);
		if (!look(c, place, out))
			return unseen(c);
		enum outcome done = settle_old(c, out, before, after, &again);
		worst = done > worst ? done : worst;
		crash_step(c->work);
	}
	return worst;
}

static enum outcome finish_move(struct call *c, const struct record_document *d, struct standing *to)
{
	scoped(standing_drop) struct standing old = {.spot = {.folder = -1}, .fd = -1};
	enum outcome done = look_settled(c, d->old_path, d->before, (struct text){0}, &old);

	if (done != FINISHED)
		return done;
	if (!is_at(to, d->after)) {
		if (to->bytes.at || !is_at(&old, d->before))
			return FOREIGN;
		done = write_after(c, d, &old, to);
	}
	/* The new name is on the disk before the old file is gone, as in the commit itself. */
	if (done == FINISHED && old.bytes.at && is_at(&old, d->before))
		done = flush_to_disk(c, to->spot.folder, false, "a folder") ? remove_name(c, &old) : STUCK;
	crash_step(c->work);
	return done;
}

/* Adds the folder of a spot to the locked ones, which are flushed at the end. False: another process has its lock. */
static bool hold_folder(struct call *c, struct spot *s, struct locks *l)
{
	if (locks_find(l, s->folder_stat.st_dev, s->folder_stat.st_ino))
		return true;
	if (!lock_try(s->folder))
		return false;
	*ARRAY_PUSH(c->arena, l) = (struct lock){
		.fd = s->folder, .dev = s->folder_stat.st_dev, .ino = s->folder_stat.st_ino, .what = s->path};
	s->folder = -1; /* the list owns it now */
	return true;
}

/* A power failure may lose the folders that a commit created for a new document, although its record survived. */
static enum outcome make_folders(struct call *c, struct text place, struct locks *l)
{
	struct text path;
	const struct root *r = place_root(c->work, place, &path);

	for (size_t i = 0; i <= path.len; i++) { /* each round creates one folder */
		scoped(spot_drop) struct spot s = {.folder = -1};
		c->error = (struct error){0};
		if (!r || !spot_at(c, &c->work->roots, r, path, SPOT_NEW | SPOT_FOLDERS | SPOT_LOCK, &s))
			return unseen(c);
		int folder = s.folder;
		if (!hold_folder(c, &s, l))
			return STUCK;
		if (!s.missing.len)
			break;
		size_t slash = text_find(s.missing, TEXT("/"), 0);
		struct text name = text_slice(s.missing, 0, slash == SIZE_MAX ? s.missing.len : slash);
		if (mkdirat(folder, text_string(c->arena, name), 0777) != 0 && errno != EEXIST)
			return STUCK;
		crash_step(c->work);
	}
	return FINISHED;
}

static bool is_new_name(const struct record_document *d) { return d->after.at && (d->old_path.at || !d->before.at); }

static enum outcome finish_document(struct call *c, const struct record_document *d, struct locks *l)
{
	scoped(standing_drop) struct standing to = {.spot = {.folder = -1}, .fd = -1};
	enum outcome done = is_new_name(d) ? make_folders(c, d->path, l) : FINISHED;

	if (done == FINISHED)
		done = look_settled(c, d->path, d->old_path.at ? (struct text){0} : d->before, d->after, &to);
	if (done != FINISHED)
		return done;
	if (d->old_path.at)
		done = finish_move(c, d, &to);
	else if (is_at(&to, d->after))
		done = FINISHED;
	else if (!is_at(&to, d->before))
		done = FOREIGN;
	else if (d->after.at)
		done = write_after(c, d, &to, &to);
	else
		done = remove_name(c, &to);
	return done;
}

static bool add_folder(struct call *c, struct locks *l, struct text place)
{
	struct text path;
	const struct root *r = place_root(c->work, place, &path);
	struct spot s;

	/* If a root is not served here, the server of that root finishes the commit. If a folder is gone, its deepest
	 * existing parent is locked. */
	if (!r)
		return false;
	if (!spot_at(c, &c->work->roots, r, path, SPOT_NEW | SPOT_FOLDERS | SPOT_LOCK, &s))
		return c->error.fault == FAULT_NOT_FOUND || c->error.fault == FAULT_PATH;
	if (locks_find(l, s.folder_stat.st_dev, s.folder_stat.st_ino))
		spot_drop(&s);
	else
		*ARRAY_PUSH(c->arena, l) = (struct lock){
			.fd = s.folder, .dev = s.folder_stat.st_dev, .ino = s.folder_stat.st_ino, .what = path};
	return true;
}

/* Without waiting, a lock that is taken means that the commit's own process, or another recovery, is running. */
static bool lock_folders(struct call *c, const struct record *r, bool wait, struct locks *l)
{
	descriptors_reserve(r->n);
	for (size_t i = 0; i < r->n; i++) {
		const struct record_document *d = &r->documents[i];
		if (!add_folder(c, l, d->path) || (d->old_path.at && !add_folder(c, l, d->old_path))) {
			locks_drop(l);
			return false;
		}
	}
	c->error = (struct error){0}; /* missing folders are no error */
	return wait ? locks_take(c, l, c->work->lock_wait_ms) : locks_try(l);
}

/* If another program wrote after the interrupted commit, its bytes stay and the history records them. */
static void keep_foreign(struct call *c, const struct record *r, const struct record_document *d)
{
	scoped(standing_drop) struct standing s = {.spot = {.folder = -1}, .fd = -1};

	warn(c,
	     "a change of %s (\"%s\") was interrupted by a crash, and another program changed the file afterwards: "
	     "the file was left as it is; the history has the intended result as commit %lld",
	     shown(c, place_name(c, d->path)), shown(c, r->summary), (long long)r->id);
	if (look(c, d->path, &s) && s.bytes.at && !is_at(&s, d->after))
		history_note(c, d->path, s.bytes);
}

/* The commit may have created all folders above a new document, and may have been killed before it flushed any. */
static bool flush_above(struct call *c, const struct record *r)
{
	struct text path, done = {0};

	for (size_t i = 0; i < r->n; i++) {
		const struct record_document *d = &r->documents[i];
		const struct root *root = is_new_name(d) ? place_root(c->work, d->path, &path) : NULL;
		if (!root || (done.at && text_same(path_folder(d->path), done)))
			continue;
		done = path_folder(d->path);
		while (path.len) {
			path = path_folder(path);
			scoped(fd_drop) int at =
				path.len ? root_open_plain(c->arena, &c->work->roots, root, path) : fd_copy(root->fd);
			scoped(fd_drop) int folder = at < 0 ? -1 : open_at(at, ".", O_RDONLY | O_DIRECTORY, 0);
			if (folder >= 0 && !flush_to_disk(c, folder, false, "a folder"))
				return false;
		}
	}
	return true;
}

/* Flushes each locked folder once for all documents, because thousands of documents share few folders. */
static bool flush_locked(struct call *c, const struct locks *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (!flush_to_disk(c, l->items[i].fd, false, "a folder"))
			return false;
	return true;
}

static void finish_documents(struct call *c, int64_t id, struct locks *locks)
{
	bool stuck = false, foreign = false;
	struct record r;

	if (!history_load(c, id, &r))
		return;
	for (size_t i = 0; i < r.n; i++) {
		enum outcome done = finish_document(c, &r.documents[i], locks);
		stuck |= done == STUCK;
		foreign |= done == FOREIGN;
		if (done == FOREIGN)
			keep_foreign(c, &r, &r.documents[i]);
		crash_step(c->work);
	}
	if (flush_locked(c, locks) && flush_above(c, &r) && !stuck)
		history_mark(c, id, foreign ? RECORD_PARTLY : RECORD_DONE);
	crash_step(c->work);
}

/* The deltas are read once the folders are locked: before that, the commit may still be running. */
static void finish(struct call *c, int64_t id, bool wait)
{
	struct locks locks = {0};
	struct record r;

	if (!history_outline(c, id, &r) || atomic_load(&c->work->is_broken) || r.state != RECORD_PENDING || !r.n ||
	    !lock_folders(c, &r, wait, &locks))
		return;
	/* While we hold the locks, no other process can finish it. Check whether it was finished before. */
	if (history_is_pending(c, id))
		finish_documents(c, id, &locks);
	locks_drop(&locks);
}

/* Opens the first folder of a commit; -1: it is gone, or not below our roots. *is_ours: it is below one of our
 * roots. */
static int first_folder(struct call *c, int64_t id, bool *is_ours)
{
	struct text below, first = history_first_path(c, id);
	const struct root *r = first.at ? place_root(c->work, first, &below) : NULL;
	struct spot s = {.folder = -1};

	*is_ours = r;
	if (r && !spot_at(c, &c->work->roots, r, below, SPOT_NEW | SPOT_LOCK, &s))
		return -1;
	return s.folder;
}

static void met_drop(struct work *w)
{
	if (w->met.folder >= 0)
		own_gone(LASTING_MET_FOLDER);
	fd_drop(&w->met.folder);
}

/* True if its process is alive: then it holds at least the lock of its first folder. Every call checks this while the
 * commit is pending, so the folder is kept open, and thousands of paths are not read. */
static bool is_under_way(struct call *c, int64_t id)
{
	struct error error = c->error;
	struct work *w = c->work;
	bool is_ours = true;

	mutex_lock(&w->met.mutex);
	if (w->met.id != id || w->met.folder < 0) {
		met_drop(w);
		w->met.folder = first_folder(c, id, &is_ours);
		if (w->met.folder >= 0)
			own_keep(LASTING_MET_FOLDER, w->met.folder);
		w->met.id = id;
	}
	bool is = !is_ours || (w->met.folder >= 0 && !lock_try(w->met.folder));
	if (!is)
		met_drop(w); /* also releases the lock */
	mutex_unlock(&w->met.mutex);
	c->error = error;
	return is;
}

/* No commit is pending, so no descriptor is kept for one. */
void recover_forget(struct work *w)
{
	mutex_lock(&w->met.mutex);
	met_drop(w);
	mutex_unlock(&w->met.mutex);
}

void recover_pending(struct call *c)
{
	struct error error = c->error;
	int64_t *ids;
	size_t n;

	if (c->work->read_only || atomic_load(&c->work->is_broken))
		return;
	/* This is another call's commit, so the limits of this call must not interrupt it. */
	budget_hold();
	/* This runs at every read. There, another user's state folder is not an error, so it is only logged. */
	if (!history_pending(c, &ids, &n))
		log_line(LOG_INFO, "%s", error_sentence(c->arena, &c->error));
	for (size_t i = 0; i < n; i++)
		if (!is_under_way(c, ids[i]))
			finish(c, ids[i], false);
	if (!n)
		recover_forget(c->work);
	beside_look(c);
	budget_let();
	c->error = error;
}

bool recover_commit(struct call *c, int64_t id)
{
	struct error error = c->error;

	c->error = (struct error){0};
	finish(c, id, true);
	if (c->error.fault == FAULT_LOCKED || !goes_on(c))
		return false;
	c->error = error;
	return true;
}

static bool is_in(struct text place, struct text folder) { return place.at && text_same(path_folder(place), folder); }

/* The command that finishes it, with every folder of the commit as a root. */
static struct text finishing(struct call *c, const struct record *r)
{
	struct buffer b = {.arena = c->arena};
	ARRAY(struct text) folders = {0};

	buffer_add(&b, state_command(c->arena, c->work->history, "fsck --repair"));
	for (size_t i = 0; i < r->n * 2; i++) {
		const struct record_document *d = &r->documents[i / 2];
		struct text folder = path_folder(i % 2 ? d->old_path : d->path);
		bool is_new = folder.len;
		for (size_t j = 0; is_new && j < folders.n; j++)
			is_new = !text_same(folders.items[j], folder);
		if (!is_new)
			continue;
		*ARRAY_PUSH(c->arena, &folders) = folder;
		buffer_format(&b, " --root %s", text_shell(c->arena, folder).at);
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
				    "an earlier change in the folder of %s was interrupted, and it also concerns "
				    "documents outside the roots served here; %.*s finishes it",
				    shown(c, s->path), TEXT_ARGS(finishing(c, r)));
	return fail(c, FAULT_STORAGE,
		    "an earlier change in the folder of %s was interrupted and cannot be finished now; try again",
		    shown(c, s->path));
}

/* Compares folders, since even many spots have few folders. */
static bool is_clear_of(struct call *c, const struct record *r, const struct spot *spots, size_t n)
{
	struct text last = {0};

	for (size_t k = 0; k < n; k++) {
		struct text folder = path_folder(place_of(c->arena, spots[k].root, spots[k].path));
		if (last.at && text_same(folder, last))
			continue;
		last = folder;
		for (size_t j = 0; j < r->n; j++)
			if (is_in(r->documents[j].path, folder) || is_in(r->documents[j].old_path, folder))
				return not_clear(c, r, &spots[k]);
	}
	return true;
}

bool recover_is_clear(struct call *c, const struct spot *spots, size_t n, int64_t *id)
{
	int64_t *ids;
	size_t m;

	*id = 0;
	if (!history_pending(c, &ids, &m))
		return false;
	for (size_t i = 0; i < m; i++) {
		struct record r;
		if (!history_outline(c, ids[i], &r)) {
			if (c->error.fault != FAULT_NOT_FOUND)
				return false;
			c->error = (struct error){0}; /* it was finished and pruned since */
			continue;
		}
		if (r.state != RECORD_PENDING)
			continue;
		*id = ids[i];
		if (!is_clear_of(c, &r, spots, n))
			return false;
		*id = 0;
	}
	return true;
}
