#include "work/commit.h"

#include "base/clock.h"
#include "base/log.h"
#include "work/plan.h"
#include "work/temp.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A document on its way: its original, open; its new bytes, in a temp; whether the temp has taken the name. */
struct step {
	struct plan *plan;
	int original; /* -1: none */
	struct temp temp;
	bool renamed, is_stamped;
	struct stat stamp; /* right after it was renamed */
};

struct made_folder {
	int parent;
	const char *name;
};

struct commit {
	struct step *steps;
	size_t n;
	struct record record;
	ARRAY(struct made_folder) made;
	ARRAY(int) touched; /* folders to flush, lent by the locks */
	bool replaced;      /* a document that existed was replaced or deleted: no way back but forward */
	int64_t naming;     /* when the first was about to be renamed; real time, ms */
};

/* --- small things ------------------------------------------------------------------------------------------------ */

static void touch(struct call *c, struct commit *k, int folder)
{
	for (size_t i = 0; i < k->touched.n; i++)
		if (k->touched.items[i] == folder)
			return;
	*ARRAY_PUSH(c->arena, &k->touched) = folder;
}

bool folder_flush(int fd)
{
	int r;

	do
		r = fsync(fd);
	while (r != 0 && errno == EINTR);
	return r == 0;
}

bool commit_rename(int folder, const char *temp, const char *name, bool is_new)
{
	int r;

	do
		r = renameat2(folder, temp, folder, name, is_new ? RENAME_NOREPLACE : 0);
	while (r != 0 && errno == EINTR);
	if (r == 0 || errno != EINVAL || !is_new)
		return r == 0;
	/* A file system that does not know the flag: a link never replaces either. */
	if (linkat(folder, temp, folder, name, 0) != 0)
		return false;
	unlinkat(folder, temp, 0);
	return true;
}

/* --- folders to make --------------------------------------------------------------------------------------------- */

/* The folder becomes one of the call's locked ones. Whoever saw it the moment it was made may have it, or may have
 * taken it away again: then we lose. */
static bool adopt_folder(struct call *c, struct work_call *h, struct made_folder at, int *fd, struct text what)
{
	struct stat st, named;

	if (fstat(*fd, &st) != 0)
		return path_refuse(c, errno, "make the folder", what);
	const struct lock *had = locks_find(&h->locks, st.st_dev, st.st_ino);
	if (had) {
		fd_drop(fd);
		*fd = had->fd;
		return true;
	}
	if (!lock_try(*fd) || fstatat(at.parent, at.name, &named, AT_SYMLINK_NOFOLLOW) != 0 ||
	    named.st_ino != st.st_ino || named.st_dev != st.st_dev) {
		fd_drop(fd);
		return fail(c, FAULT_CONFLICT, "the folder %s was made by another program just now; try again",
			    shown(c, what));
	}
	struct lock *more = arena_array(c->arena, h->locks.n + 1, sizeof *more);
	memcpy(more, h->locks.items, h->locks.n * sizeof *more);
	more[h->locks.n++] = (struct lock){*fd, st.st_dev, st.st_ino, what};
	h->locks.items = more;
	return true;
}

static bool make_folders(struct call *c, struct commit *k, struct document *d)
{
	struct text rest = d->missing;
	int folder = d->folder;

	while (rest.len) {
		size_t slash = text_find(rest, TEXT("/"), 0);
		struct text name = text_slice(rest, 0, slash == SIZE_MAX ? rest.len : slash);
		struct made_folder at = {folder, text_string(c->arena, name)};
		rest = slash == SIZE_MAX ? TEXT("") : text_slice(rest, slash + 1, rest.len);
		bool is_new = mkdirat(folder, at.name, 0777) == 0;
		if (!is_new && errno != EEXIST)
			return path_refuse(c, errno, "make the folder of", d->path);
		touch(c, k, folder);
		int next = open_at(folder, at.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
		if (next < 0) {
			path_refuse(c, errno, "open the folder of", d->path);
			if (is_new)
				unlinkat(folder, at.name, AT_REMOVEDIR);
			return false;
		}
		/* One that another has locked by now is that one's, whoever made it: it is not ours to take back. */
		if (!adopt_folder(c, c->held, at, &next, d->place))
			return false;
		if (is_new)
			*ARRAY_PUSH(c->arena, &k->made) = at;
		folder = next;
	}
	d->folder = folder;
	return true;
}

/* --- step 1: temps, and a last look at the originals -------------------------------------------------------------- */

static bool changed_meanwhile(struct call *c, const struct document *d)
{
	return fail(c, FAULT_CONFLICT,
		    "%s was changed by another program meanwhile; read it again and repeat the change",
		    shown(c, d->path));
}

static bool open_original(struct call *c, struct step *s)
{
	struct document *d = s->plan->from;
	struct stat st;

	s->original = open_at(d->folder, d->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	if (s->original < 0)
		return errno == ENOENT || errno == ELOOP ? changed_meanwhile(c, d)
							 : path_refuse(c, errno, "read", d->path);
	if (fstat(s->original, &st) != 0)
		return path_refuse(c, errno, "read", d->path);
	if (!S_ISREG(st.st_mode))
		return changed_meanwhile(c, d);
	d->is_certain = d->is_certain && st.st_ino == d->stat.st_ino && stat_is_same(&st, &d->stat);
	d->stat = st;
	return true;
}

/* Programs that do not lock: the name must still be that of the file, and the file hold the bytes we planned on. */
static bool original_stands(struct call *c, const struct step *s)
{
	const struct document *d = s->plan->from;
	struct stat st;

	if (fstatat(d->folder, d->name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT ? changed_meanwhile(c, d) : path_refuse(c, errno, "read", d->path);
	if (st.st_ino != d->stat.st_ino || st.st_dev != d->stat.st_dev)
		return changed_meanwhile(c, d);
	if (d->is_certain && stat_is_same(&st, &d->stat))
		return true;
	int same = file_compare(s->original, entry_bytes(d->entry));
	if (same < 0)
		return path_refuse(c, errno, "read", d->path);
	return same || changed_meanwhile(c, d);
}

/* Once more before the names are given: recording took as long as the disk did, and an editor may have saved. A stamp
 * that did not move is believed here; the bytes were compared a moment ago. */
static bool originals_still_stand(struct call *c, const struct commit *k)
{
	for (size_t i = 0; i < k->n; i++) {
		const struct document *d = k->steps[i].plan->from;
		struct stat st;
		bool is_still = !d || (fstatat(d->folder, d->name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
				       st.st_ino == d->stat.st_ino && stat_is_same(&st, &d->stat));
		if (!is_still && !original_stands(c, &k->steps[i]))
			return false;
	}
	return true;
}

static bool write_temps(struct call *c, struct commit *k)
{
	for (size_t i = 0; i < k->n; i++) {
		struct step *s = &k->steps[i];
		struct document *to = s->plan->to;
		if (s->plan->from && !open_original(c, s))
			return false;
		if (!to)
			continue;
		if (to->missing.len && !make_folders(c, k, to))
			return false;
		if (!temp_make(c, to->folder, to->name, to->path, s->original, s->plan->after, &s->temp))
			return false;
	}
	for (size_t i = 0; i < k->n; i++)
		if (k->steps[i].plan->from && !original_stands(c, &k->steps[i]))
			return false;
	return true;
}

/* --- step 2: the record ------------------------------------------------------------------------------------------ */

static bool record(struct call *c, struct commit *k)
{
	struct record *r = &k->record;

	r->time = clock_now();
	r->who = c->caller && c->caller->name.at ? c->caller->name : TEXT("");
	r->tool = text_of(c->tool ? c->tool : "");
	r->n = k->n;
	r->documents = arena_array(c->arena, k->n, sizeof *r->documents);
	for (size_t i = 0; i < k->n; i++)
		r->documents[i] = plan_record(c, k->steps[i].plan);
	return history_record(c, r);
}

/* --- step 3: names ----------------------------------------------------------------------------------------------- */

static bool is_new_name(const struct plan *p) { return p->to && p->to != p->from; }

/* New names first: as long as nothing was replaced, they can be taken back. */
static bool rename_all(struct call *c, struct commit *k)
{
	k->naming = real_now();
	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < k->n; i++) {
			struct step *s = &k->steps[i];
			struct document *to = s->plan->to;
			if (!to || is_new_name(s->plan) != (round == 0))
				continue;
			if (!commit_rename(to->folder, s->temp.name, to->name, round == 0))
				return errno == EEXIST
					       ? fail(c, FAULT_CONFLICT, "%s was made by another program meanwhile",
						      shown(c, to->path))
					       : path_refuse(c, errno, "replace", to->path);
			s->renamed = true;
			s->is_stamped = temp_named(&s->temp, &s->stamp);
			k->replaced |= round == 1;
			touch(c, k, to->folder);
			crash_step(c->work);
		}
	for (size_t i = 0; i < k->n; i++) {
		const struct plan *p = k->steps[i].plan;
		if (!p->from || p->from == p->to)
			continue;
		if (unlinkat(p->from->folder, p->from->name, 0) != 0 && errno != ENOENT)
			return path_refuse(c, errno, "remove", p->from->path);
		k->replaced = true;
		touch(c, k, p->from->folder);
		crash_step(c->work);
	}
	return true;
}

/* --- the end, one way or the other ------------------------------------------------------------------------------- */

static void close_steps(struct commit *k)
{
	for (size_t i = 0; i < k->n; i++) {
		temp_drop(&k->steps[i].temp);
		fd_drop(&k->steps[i].original);
	}
}

/* As if it had never begun: nothing was replaced yet. */
static void take_back(struct commit *k)
{
	for (size_t i = 0; i < k->n; i++) {
		struct step *s = &k->steps[i];
		if (s->renamed)
			unlinkat(s->plan->to->folder, s->plan->to->name, 0);
		else
			temp_erase(&s->temp);
	}
	close_steps(k);
	for (size_t i = k->made.n; i-- > 0;)
		unlinkat(k->made.items[i].parent, k->made.items[i].name, AT_REMOVEDIR);
}

/* The record stands but a name could not be given. */
static bool give_up(struct call *c, struct commit *k)
{
	if (!k->replaced && history_retract(c, &k->record)) {
		take_back(k);
		return false;
	}
	struct error error = c->error;
	close_steps(k);
	return fail(c, FAULT_STORAGE, "%s; the change is recorded and the next call finishes it", error.message);
}

/* What an earlier commit of the call has written and this one replaced is nothing for the cache. */
static void unmake(struct work_call *h, const struct entry *e)
{
	size_t n = 0;

	for (size_t i = 0; i < h->made.n; i++)
		if (h->made.items[i].entry != e)
			h->made.items[n++] = h->made.items[i];
	h->made.n = n;
}

/* What the call and the cache know of the documents from now on. */
static void settle(struct call *c, struct commit *k)
{
	for (size_t i = 0; i < k->n; i++) {
		struct step *s = &k->steps[i];
		struct plan *p = s->plan;
		struct text path = {0}; /* its newest */
		if (p->from) {
			path = p->from->path;
			if (p->from->stat.st_nlink > 1)
				warn(c, "%s has %lu other names (hard links): they keep the old contents",
				     shown(c, p->from->path), (unsigned long)p->from->stat.st_nlink - 1);
			unmake(c->held, p->from->entry);
			cache_forget(c->work->cache, p->from->entry);
			p->from->entry = NULL;
			p->from->revision = (struct text){0};
		}
		if (p->to) {
			struct document *d = p->to;
			path = d->path;
			d->entry = p->result;
			d->revision = (struct text){p->result->revision.chars, REVISION_LEN};
			d->missing = TEXT("");
			d->is_certain = s->temp.exact;
			if (s->is_stamped) {
				d->stat = s->stamp;
				*ARRAY_PUSH(c->arena, &c->held->made) =
					(struct made){d->entry, d->stat, k->naming, s->temp.exact};
			}
		}
		if (!k->record.documents[i].can_undo)
			warn(c, "this change of %s is too large for the history: it cannot be undone", shown(c, path));
	}
	c->revision = k->steps[0].plan->to ? k->steps[0].plan->to->revision : (struct text){0};
}

/* Names are given. The record would make them again after a crash, so nothing here fails the commit. */
static void conclude(struct call *c, struct commit *k)
{
	bool flushed = true;

	for (size_t i = 0; i < k->touched.n; i++)
		flushed &= folder_flush(k->touched.items[i]);
	crash_step(c->work);
	struct error error = c->error;
	if (!flushed)
		warn(c, "the folder could not be flushed to disk; the change is safe in the history and will be looked "
			"at again");
	else if (!history_mark(c, k->record.id, RECORD_DONE))
		log_line(LOG_WARNING, "%s", c->error.message);
	c->error = error;
	crash_step(c->work);
	settle(c, k);
	close_steps(k);
}

bool commit_changes(struct call *c, const struct change *changes, size_t n, struct text summary, enum record_kind kind,
		    int64_t undoes)
{
	struct commit k = {.record = {.kind = kind, .undoes = undoes, .summary = summary}};
	struct plan *plans;
	struct db *db = NULL;

	if (!plans_make(c, changes, n, &plans, &k.n))
		return false;
	if (c->dry_run) {
		c->changes = plans_describe(c, plans, k.n);
		return true;
	}
	if (!k.n)
		return true;
	k.steps = arena_array(c->arena, k.n, sizeof *k.steps);
	for (size_t i = 0; i < k.n; i++)
		k.steps[i] = (struct step){.plan = &plans[i], .original = -1, .temp = {.fd = -1}};
	if (!goes_on(c) || !history_writer(c, &db))
		return false;
	crash_step(c->work);
	if (!write_temps(c, &k) || !goes_on(c) || !record(c, &k)) {
		take_back(&k);
		return false;
	}
	crash_step(c->work);
	if (!originals_still_stand(c, &k) || !rename_all(c, &k))
		return give_up(c, &k);
	conclude(c, &k);
	return true;
}

bool work_commit(struct call *c, const struct change *changes, size_t n, const char *summary, ...)
{
	va_list ap;

	va_start(ap, summary);
	struct text line = text_vformat(c->arena, summary, ap);
	va_end(ap);
	return commit_changes(c, changes, n, line, RECORD_EDIT, 0);
}
