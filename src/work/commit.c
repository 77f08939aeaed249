#include "work/commit.h"

#include "base/clock.h"
#include "base/log.h"
#include "work/history/place.h"
#include "work/naming.h"
#include "work/plan.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Up to BATCH_MIN documents or folders are flushed one by one. More are flushed together with one syncfs, because
 * thousands of single flushes would each wait for the disk. */
enum { BATCH_MIN = 64 };

/* One document of a commit: its new bytes in a temp, the name it gets and the name it loses. No descriptor is kept, so
 * a commit of thousands needs no more than a commit of one. */
struct step {
	struct plan *plan;
	struct temp temp;
	struct expected before; /* if there is an original */
	struct naming to, from; /* `from`: only if it is moved or removed */
	bool is_stamped;
	struct stat stamp; /* right after it got its name */
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
	ARRAY(int) touched; /* folders to flush, borrowed from the locks */
	int64_t naming;     /* the time just before the first document got its name; real time, ms */
};

static void touch(struct call *c, struct commit *k, int folder)
{
	for (size_t i = k->touched.n; i-- > 0;)
		if (k->touched.items[i] == folder)
			return;
	*ARRAY_PUSH(c->arena, &k->touched) = folder;
}

static bool is_batch(const struct commit *k) { return k->n > BATCH_MIN; }

/* Progress counts each document twice: when it is written and when it gets its name. */
static void tell(struct call *c, const struct commit *k, size_t done, const char *doing)
{
	if (is_batch(k) && done % BATCH_MIN == 0)
		call_progress(c, (double)done, (double)k->n * 2, doing);
}

/* On network and FUSE file systems, syncfs may flush nothing. */
static bool flush_file_systems(struct call *c, const char *what)
{
	const struct locks *l = &c->held->locks;

	for (size_t i = 0; i < l->n; i++) {
		bool is_done = false;
		for (size_t j = 0; j < i && !is_done; j++)
			is_done = l->items[j].dev == l->items[i].dev;
		/* The descriptor was opened before the first write, so it reports every write error since then. */
		if (!is_done && !flush_to_disk(c, l->items[i].fd, true, what))
			return false;
	}
	return true;
}

static bool is_far_away(struct call *c)
{
	for (size_t i = 0; i < c->held->locks.n; i++)
		if (file_system_is_far(c->held->locks.items[i].fd))
			return true;
	return false;
}

static bool flush_folders(struct call *c, const struct commit *k)
{
	if (k->touched.n > BATCH_MIN && !is_far_away(c))
		return flush_file_systems(c, "the folders of a change");
	for (size_t i = 0; i < k->touched.n; i++)
		if (!flush_to_disk(c, k->touched.items[i], false, "a folder"))
			return false;
	return true;
}

/* Adds the new folder to the call's locked ones. Another process may have locked or removed it right after it was
 * created: then this commit fails. */
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
	*ARRAY_PUSH(c->arena, &h->locks) = (struct lock){.fd = *fd, .dev = st.st_dev, .ino = st.st_ino, .what = what};
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
		/* A folder that another process has locked now belongs to that process, whoever created it: do not
		 * remove it. */
		if (!adopt_folder(c, c->held, at, &next, d->place))
			return false;
		if (is_new)
			*ARRAY_PUSH(c->arena, &k->made) = at;
		folder = next;
	}
	d->folder = folder;
	return true;
}

static bool changed_meanwhile(struct call *c, const struct document *d)
{
	return fail(c, FAULT_CONFLICT,
		    "%s was changed by another program meanwhile; read it again and repeat the change",
		    shown(c, d->path));
}

static bool open_original(struct call *c, struct document *d, int *fd)
{
	struct stat st;

	*fd = open_at(d->folder, d->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	if (*fd < 0)
		return errno == ENOENT || errno == ELOOP ? changed_meanwhile(c, d)
							 : path_refuse(c, errno, "read", d->path);
	if (fstat(*fd, &st) != 0)
		return path_refuse(c, errno, "read", d->path);
	if (!S_ISREG(st.st_mode))
		return changed_meanwhile(c, d);
	d->is_certain = d->is_certain && st.st_ino == d->stat.st_ino && stat_is_same(&st, &d->stat);
	d->stat = st;
	return true;
}

/* Guards against programs that do not lock: the name must still refer to the same file, and the file must still have
 * the expected bytes. */
static bool original_stands(struct call *c, const struct document *d, int fd)
{
	struct stat st;

	if (fstatat(d->folder, d->name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT ? changed_meanwhile(c, d) : path_refuse(c, errno, "read", d->path);
	if (st.st_ino != d->stat.st_ino || st.st_dev != d->stat.st_dev)
		return changed_meanwhile(c, d);
	if (d->is_certain && stat_is_same(&st, &d->stat))
		return true;
	int same = file_compare(fd, entry_bytes(d->entry));
	if (same < 0)
		return path_refuse(c, errno, "read", d->path);
	return same || changed_meanwhile(c, d);
}

/* A new file gets the mode of the document it comes from, so private documents stay private. It never gets execute
 * bits. */
static mode_t mode_of(const struct plan *p)
{
	return p->source && !p->from ? (p->source->stat.st_mode & 0666) | S_IWUSR : 0;
}

static bool write_temp(struct call *c, struct commit *k, struct step *s, enum temp_manner manner)
{
	struct document *from = s->plan->from, *to = s->plan->to;
	scoped(fd_drop) int original = -1;

	if (from && !open_original(c, from, &original))
		return false;
	if (to && to->missing.len && !make_folders(c, k, to))
		return false;
	if (to && !temp_write(c, to->folder, to->name, to->path, original, mode_of(s->plan), s->plan->after, manner,
			      &s->temp))
		return false;
	temp_drop(&s->temp);
	if (from && !original_stands(c, from, original))
		return false;
	if (from)
		s->before = (struct expected){entry_bytes(from->entry), from->stat, from->is_certain, from->revision};
	if (to)
		s->to = naming_of(c, to->folder, to->name, to->path, place_of(c->arena, to->root, to->place));
	if (from && from != to)
		s->from =
			naming_of(c, from->folder, from->name, from->path, place_of(c->arena, from->root, from->place));
	return true;
}

/* If the call is cancelled here, nothing has changed. */
static bool write_temps(struct call *c, struct commit *k)
{
	bool one_flush = is_batch(k) && !is_far_away(c);

	for (size_t i = 0; i < k->n; i++) {
		if (!goes_on(c) || !write_temp(c, k, &k->steps[i], one_flush ? TEMP_BATCH : TEMP_FLUSHED))
			return false;
		tell(c, k, i + 1, "writing");
	}
	if (!one_flush || flush_file_systems(c, "a change"))
		return true;
	path_refuse(c, errno, "flush", k->steps[0].plan->to ? k->steps[0].plan->to->path : TEXT("the changes"));
	return fail(c, FAULT_STORAGE, "%s; nothing was changed. %s", c->error.message, broken_advice);
}

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

static bool is_new_name(const struct plan *p) { return p->to && p->to != p->from; }

static bool not_named(struct call *c, enum named why, const struct step *s, const struct document *d)
{
	if (why == NAMED_ERROR)
		return path_refuse(c, errno, "replace", d->path);
	if (is_new_name(s->plan) && d == s->plan->to)
		return fail(c, FAULT_CONFLICT, "%s was made by another program meanwhile", shown(c, d->path));
	return changed_meanwhile(c, d);
}

static bool take_name(struct call *c, struct commit *k, struct step *s)
{
	struct document *to = s->plan->to;
	enum named named = is_new_name(s->plan) ? naming_make(c, &s->to, &s->temp)
						: naming_replace(c, &s->to, &s->temp, &s->before);

	touch(c, k, to->folder);
	if (named != NAMED)
		return not_named(c, named, s, to);
	s->is_stamped = temp_named(&s->temp, to->name, &s->stamp);
	return true;
}

/* New names first, removed names last. Until a displaced file is dropped, everything can be undone. */
static bool name_all(struct call *c, struct commit *k)
{
	size_t done = k->n;

	k->naming = real_now();
	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < k->n; i++) {
			struct step *s = &k->steps[i];
			if (!s->plan->to || is_new_name(s->plan) != (round == 0))
				continue;
			if (!take_name(c, k, s))
				return false;
			tell(c, k, ++done, "replacing");
		}
	for (size_t i = 0; i < k->n; i++) {
		struct step *s = &k->steps[i];
		struct document *from = s->plan->from;
		if (!from || from == s->plan->to)
			continue;
		touch(c, k, from->folder);
		enum named named = naming_remove(c, &s->from, &s->before);
		if (named != NAMED)
			return not_named(c, named, s, from);
	}
	return true;
}

/* Programs that had a displaced file open when it lost its name get a moment to save it. If one does, its save stays
 * and the commit does not happen. */
static bool writers_are_done(struct call *c, struct commit *k)
{
	for (size_t i = 0; i < k->n; i++) {
		struct step *s = &k->steps[i];
		struct document *from = s->plan->from;
		enum named named = naming_wait(c, &s->to, &s->before);
		if (named == NAMED)
			named = naming_wait(c, &s->from, &s->before);
		if (named != NAMED)
			return not_named(c, named, s, from);
	}
	return true;
}

/* Restores the state before the commit: no document got its name, or all names were undone. */
static void remove_temps(struct commit *k)
{
	for (size_t i = 0; i < k->n; i++)
		temp_erase(&k->steps[i].temp);
	for (size_t i = k->made.n; i-- > 0;)
		unlinkat(k->made.items[i].parent, k->made.items[i].name, AT_REMOVEDIR);
}

static bool take_names_back(struct call *c, struct commit *k)
{
	bool back = true;

	for (size_t i = k->n; i-- > 0;) {
		back &= naming_back(c, &k->steps[i].from);
		back &= naming_back(c, &k->steps[i].to);
	}
	return back;
}

/* The record exists, but a document could not get its name. Undo the names first, then the record, so that recovery
 * after a crash in between has only one way to finish. */
static bool give_up(struct call *c, struct commit *k)
{
	struct error error = c->error;

	if (take_names_back(c, k) && flush_folders(c, k) && history_retract(c, &k->record)) {
		remove_temps(k);
		c->error = error;
		return false;
	}
	return fail(c, FAULT_STORAGE,
		    "%s; the change is recorded as number %lld and the next call on these documents finishes it",
		    error.message, (long long)k->record.id);
}

/* Removes documents from the list for the cache that an earlier commit of this call wrote and this one replaced. */
static void unmake(struct work_call *h, const struct entry *e)
{
	size_t n = 0;

	for (size_t i = 0; i < h->made.n; i++)
		if (h->made.items[i].entry != e)
			h->made.items[n++] = h->made.items[i];
	h->made.n = n;
}

/* Updates the documents in the call and in the cache. */
static void settle(struct call *c, struct commit *k)
{
	for (size_t i = 0; i < k->n; i++) {
		struct step *s = &k->steps[i];
		struct plan *p = s->plan;
		struct text path = {0}; /* its newest path */
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
			d->is_certain = s->is_stamped && s->temp.exact;
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

/* Used only if the record may exist: then a later process may finish the change, or find it finished. */
static bool outcome_unknown(struct call *c, const struct commit *k, const char *what)
{
	const struct plan *p = k->steps[0].plan;

	return fail(
		c, FAULT_STORAGE,
		"%s could not be flushed to disk, so it is unknown whether the change of %s happened. Start quire again, "
		"then read the document to find out. %s",
		what, shown(c, p->to ? p->to->path : p->from->path), broken_advice);
}

/* A power cut may keep either of two folders without the other. So the new name of a document that moved to another
 * folder is on the disk before the old file is gone. */
static bool flush_moved(struct call *c, const struct commit *k)
{
	ARRAY(int) folders = {0};

	for (size_t i = 0; i < k->n; i++) {
		const struct document *from = k->steps[i].plan->from, *to = k->steps[i].plan->to;
		size_t at = 0;
		if (!from || !to || from->folder == to->folder)
			continue;
		while (at < folders.n && folders.items[at] != to->folder)
			at++;
		if (at < folders.n)
			continue;
		*ARRAY_PUSH(c->arena, &folders) = to->folder;
		if (folders.n > BATCH_MIN && !is_far_away(c))
			return flush_file_systems(c, "the folders of a change");
	}
	for (size_t i = 0; i < folders.n; i++)
		if (!flush_to_disk(c, folders.items[i], false, "a folder"))
			return false;
	return true;
}

/* All documents have their names. After a crash the record would set them again, so the displaced files can be
 * removed. */
static bool conclude(struct call *c, struct commit *k)
{
	bool flushed = flush_moved(c, k), ended = true;

	for (size_t i = 0; i < k->n && flushed; i++) {
		ended &= naming_end(c, &k->steps[i].to) && naming_end(c, &k->steps[i].from);
		crash_step(c->work);
	}
	flushed = flushed && flush_folders(c, k);
	crash_step(c->work);
	struct error error = c->error;
	/* A record that is not marked done is checked again by the next call. */
	if (flushed && ended && !history_mark(c, k->record.id, RECORD_DONE))
		log_line(LOG_WARNING, "%s", error_sentence(c->arena, &c->error));
	c->error = error;
	crash_step(c->work);
	settle(c, k);
	return flushed && !atomic_load(&c->work->is_broken) ? true : outcome_unknown(c, k, "a folder");
}

bool commit_changes(struct call *c, const struct change *changes, size_t n, struct text summary, enum record_kind kind,
		    int64_t undoes)
{
	struct commit k = {.record = {.kind = kind, .undoes = undoes, .summary = summary}};
	struct plan *plans;

	if (!plans_make(c, changes, n, &plans, &k.n))
		return false;
	if (c->dry_run) {
		plans_describe(c, plans, k.n);
		return true;
	}
	if (!k.n)
		return true;
	k.steps = arena_array(c->arena, k.n, sizeof *k.steps);
	for (size_t i = 0; i < k.n; i++)
		k.steps[i] = (struct step){.plan = &plans[i], .temp = {.fd = -1}};
	if (!goes_on(c) || !work_takes_writes(c) || !history_is_writable(c))
		return false;
	crash_step(c->work);
	budget_hold();
	bool recorded = write_temps(c, &k) && goes_on(c) && record(c, &k);
	/* The commit will happen: from here on no limit and no cancellation may end the call. */
	if (recorded || k.record.is_unknown)
		budget_lift();
	budget_let();
	if (!recorded) {
		remove_temps(&k);
		return k.record.is_unknown ? outcome_unknown(c, &k, "the history") : false;
	}
	c->deadline = 0;
	c->cancelled = NULL;
	crash_step(c->work);
	return name_all(c, &k) && writers_are_done(c, &k) ? conclude(c, &k) : give_up(c, &k);
}

bool work_commit(struct call *c, const struct change *changes, size_t n, const char *summary, ...)
{
	va_list ap;

	va_start(ap, summary);
	struct text line = text_vformat(c->arena, summary, ap);
	va_end(ap);
	return commit_changes(c, changes, n, line, RECORD_EDIT, 0);
}
