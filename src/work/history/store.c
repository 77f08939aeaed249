#include "work/history/store.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/mutex.h"
#include "work/history/chain.h"
#include "work/history/pack.h"
#include "work/history/place.h"
#include "work/history/state.h"
#include "work/workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

/* After how many commits old ones are looked for. ROW_BYTES: the size of a record's rows counts
 * too. */
enum { PRUNE_EVERY = 64, ROW_BYTES = 200, OPEN_TRIES = 16, APPLICATION_ID = 0x71756872 };

#define TABLES                                                                                                                 \
	"CREATE TABLE commits( id INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, who TEXT NOT NULL, tool "          \
	"TEXT NOT NULL, summary TEXT NOT NULL, kind INTEGER NOT NULL, state INTEGER NOT NULL, undoes INTEGER, "                \
	"undone_by INTEGER, is_cut INTEGER NOT NULL) STRICT",                                                                  \
		"CREATE INDEX commits_pending ON commits(id) WHERE state = 0",                                                 \
		"CREATE TABLE documents( row INTEGER PRIMARY KEY, id INTEGER NOT NULL REFERENCES commits(id) ON DELETE "       \
		"CASCADE, path TEXT NOT NULL, old_path TEXT, before TEXT, after TEXT, is_cut INTEGER NOT NULL, since INTEGER " \
		"NOT NULL, added INTEGER NOT NULL, removed INTEGER NOT NULL, bytes INTEGER NOT NULL, form INTEGER NOT NULL, "  \
		"delta BLOB) STRICT",                                                                                          \
		"CREATE INDEX documents_commit ON documents(id)",                                                              \
		"CREATE INDEX documents_path ON documents(path, id, bytes)",                                                   \
		"CREATE INDEX documents_old_path ON documents(old_path, id) WHERE old_path IS NOT NULL",                       \
		"CREATE INDEX documents_after ON documents(after) WHERE after IS NOT NULL",                                    \
		"CREATE TABLE drafts( id TEXT PRIMARY KEY, path TEXT NOT NULL, revision TEXT NOT NULL, mark INTEGER NOT "      \
		"NULL, changed INTEGER NOT NULL) STRICT",                                                                      \
		"CREATE TABLE requests( draft TEXT NOT NULL REFERENCES drafts(id) ON DELETE CASCADE, place INTEGER NOT NULL, " \
		"request BLOB NOT NULL, PRIMARY KEY(draft, place)) STRICT"

static const char *const first_tables[] = {TABLES, NULL};
/* Version 2: the sum of the records below each root, so that a commit need not compute it. */
static const char roots[] = "CREATE TABLE roots( path TEXT PRIMARY KEY, bytes INTEGER NOT NULL) STRICT";
static const char *const second_tables[] = {TABLES, roots, NULL};
static const char *const to_second[] = {roots, NULL};
static const struct schema_version versions[] = {
	{.create = first_tables}, {.create = second_tables, .migrate = to_second}, {.create = NULL}};
static const struct schema schema = {
	.name = "history", .application_id = APPLICATION_ID, .readable_from = 1, .versions = versions};

struct history *history_new(struct work *w, const char *state, bool is_named)
{
	struct history *h = budget_zero(1, sizeof *h);

	h->work = w;
	h->folder = -1;
	pthread_mutex_init(&h->mutex, NULL);
	if (!state)
		return h;
	h->path = text_copy(&w->arena, text_of(state)).at;
	h->is_named = is_named;
	h->options = (struct store_options){
		.place = text_format(&w->arena, "%s/history.db", state).at,
		.schema = &schema,
		.noun = "the history",
		.rescue = state_command(&w->arena, h, "fsck --repair").at,
		.read_only = w->read_only,
		.mode = 0600,
		.wait_ms = w->lock_wait_ms,
	};
	h->store = store_open(&h->options);
	return h;
}

void history_free(struct history *h)
{
	if (!h)
		return;
	store_close(h->store);
	state_close(h);
	pthread_mutex_destroy(&h->mutex);
	free(h);
}

/* A user may delete or move the state folder while a server runs; then it is opened again. */
static bool folder_ready(struct call *c, struct history *h, bool make, bool *is_there)
{
	mutex_lock(&h->mutex);
	if (h->folder >= 0 && !state_stands(h)) {
		state_close(h);
		h->is_private = false;
		atomic_store(&h->work->roots.has_state, false);
	}
	bool ready = state_open(c, h, make);
	*is_there = h->folder >= 0;
	mutex_unlock(&h->mutex);
	return ready;
}

bool history_folder(struct call *c, int *out)
{
	struct history *h = c->work->history;
	bool is_there;

	if (c->work->read_only)
		return fail(c, FAULT_READ_ONLY, "this server is read-only; nothing was written");
	if (!folder_ready(c, h, true, &is_there))
		return false;
	mutex_lock(&h->mutex);
	*out = fd_copy(h->folder);
	mutex_unlock(&h->mutex);
	return *out >= 0 || path_refuse(c, errno, "open the state folder", text_of(h->path));
}

/* The folder may be removed again after the check, before the file is created in it. */
static bool is_gone(const struct call *c, const struct history *h)
{
	struct stat st;

	return c->error.fault && h->path && stat(h->path, &st) != 0 && errno == ENOENT;
}

bool history_begin(struct call *c, enum store_mode mode, struct transaction **out)
{
	struct history *h = c->work->history;
	struct error error = c->error;
	bool writes = mode != STORE_READ, begun = false, is_there;
	/* A call looks once, and again before it records. */
	bool looked = c->held && c->held->has_state && mode != STORE_WRITE;

	*out = NULL;
	if (writes && c->work->read_only)
		return fail(c, FAULT_READ_ONLY, "this server is read-only; nothing was written");
	for (int i = 0; !begun && i < OPEN_TRIES; i++) {
		c->error = (struct error){0};
		if (looked)
			is_there = true;
		else if (!folder_ready(c, h, writes, &is_there))
			return false;
		looked = false;
		begun = !h->store || !is_there || store_begin(c, h->store, mode, out);
		/* The journal that this process found could not be flushed. It may be read, but nothing more is
		 * written. */
		if (store_flush_failed(h->store))
			work_break(c->work, "the history");
		if (!begun && !is_gone(c, h))
			return false;
	}
	if (begun)
		c->error = error;
	if (begun && is_there && c->held)
		c->held->has_state = true;
	return begun;
}

bool history_is_writable(struct call *c)
{
	bool is_there;

	if (c->work->read_only)
		return fail(c, FAULT_READ_ONLY, "this server is read-only; nothing was written");
	return folder_ready(c, c->work->history, true, &is_there);
}

/* A record whose commit is lost keeps its bytes below a commit that says so. A pending commit without records can never
 * be finished. */
static bool mend_references(struct call *c)
{
	struct transaction *t;

	if (!history_begin(c, STORE_WRITE, &t))
		return false;
	struct query q = query_on(t, "INSERT INTO commits(id, time, who, tool, summary, kind, state, is_cut)"
				     " SELECT DISTINCT id, ?1, '', '', 'a change whose description was lost', ?2, ?3, 1"
				     " FROM documents WHERE id NOT IN (SELECT id FROM commits)");
	bind_int(&q, clock_now());
	bind_int(&q, RECORD_OUTSIDE);
	bind_int(&q, RECORD_DONE);
	query_run(&q);
	q = query_on(t, "DELETE FROM commits WHERE id NOT IN (SELECT id FROM documents)");
	query_run(&q);
	q = query_on(t, "DELETE FROM roots"); /* the sums are computed again */
	query_run(&q);
	q = query_on(t, "DELETE FROM requests WHERE draft NOT IN (SELECT id FROM drafts)");
	query_run(&q);
	return transaction_commit(c, t, "repair the history");
}

bool history_rescue(struct call *c, int64_t *rows, const char **aside, struct texts *lost)
{
	struct history *h = c->work->history;
	const char *fresh = text_format(c->arena, "%s/history.rescued", h->path).at;
	const char *old = text_format(c->arena, "%s/history.refused-%lld", h->path, (long long)clock_now()).at;
	static const char *const behind[] = {"-wal", "-shm", "-journal"};

	unlink(fresh);
	if (!store_rescue(c, &h->options, fresh, rows, lost))
		return false;
	if (rename(h->options.place, old) != 0 || rename(fresh, h->options.place) != 0)
		return path_refuse(c, errno, "replace", text_of(h->options.place));
	for (size_t i = 0; i < ARRAY_COUNT(behind); i++) {
		const char *from = text_format(c->arena, "%s%s", h->options.place, behind[i]).at;
		const char *to = text_format(c->arena, "%s%s", old, behind[i]).at;
		if (rename(from, to) != 0 && errno != ENOENT)
			return path_refuse(c, errno, "move", text_of(from));
	}
	*aside = old;
	return mend_references(c);
}

bool file_system_is_far(int fd)
{
	static const long far_away[] = {0x6969,     0xFF534D42, 0xFE534D42, 0x517B,     0x65735546, 0x01021997,
					0x5346414F, 0x00C36400, 0x73757245, 0x7461636F, 0x0BD00BD0, 0x47504653};
	struct statfs fs;

	if (fstatfs(fd, &fs) != 0)
		return true;
	for (size_t i = 0; i < ARRAY_COUNT(far_away); i++)
		if ((unsigned long)fs.f_type == (unsigned long)far_away[i])
			return true;
	return false;
}

static void last_row(struct query *q, struct arena *a, bool is_gone_from_here, struct last_record *out)
{
	if (query_row(q) && query_int(q, 0) > out->id)
		*out = (struct last_record){.id = query_int(q, 0),
					    .after = is_gone_from_here ? (struct text){0} : query_text(q, a, 1),
					    .since = query_int(q, 2)};
	query_end(q);
}

bool record_last(struct transaction *t, struct arena *a, struct text place, struct last_record *out)
{
	*out = (struct last_record){0};
	struct query q = query_on(t, "SELECT id, after, since FROM documents WHERE path = ?1 ORDER BY id DESC LIMIT 1");
	bind_text(&q, place);
	last_row(&q, a, false, out);
	q = query_on(t, "SELECT id, after, since FROM documents WHERE old_path = ?1 ORDER BY id DESC LIMIT 1");
	bind_text(&q, place);
	last_row(&q, a, true, out);
	return !transaction_failed(t);
}

/* A copy does not inherit a history: the other document must no longer exist, must be the only candidate, and must be
 * readable for the caller. */
static bool is_inherited(struct call *c, struct text place)
{
	struct stat st;

	if (!place_is_granted(c, place, false) && !(c->work->is_owner && place.at[0] == '/'))
		return false;
	return lstat(text_string(c->arena, place), &st) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

bool record_moved_from(struct call *c, struct transaction *t, struct text place, struct text revision, struct text *out)
{
	ARRAY(struct text) places = {0};
	struct last_record last;
	struct text found = {0};
	size_t n = 0;

	*out = (struct text){0};
	if (!revision.at)
		return true;
	struct query q = query_on(t, "SELECT DISTINCT path FROM documents WHERE after = ?1");
	bind_text(&q, revision);
	while (query_row(&q))
		*ARRAY_PUSH(c->arena, &places) = query_text(&q, c->arena, 0);
	query_end(&q);
	for (size_t i = 0; i < places.n; i++) {
		if (text_same(places.items[i], place) || !record_last(t, c->arena, places.items[i], &last) ||
		    !last.after.at || !text_same(last.after, revision))
			continue;
		found = places.items[i];
		n++;
	}
	if (n == 1 && is_inherited(c, found))
		*out = found;
	return !transaction_failed(t);
}

static void insert_commit(struct transaction *t, struct record *r)
{
	struct query q = query_on(t, "INSERT INTO commits(time, who, tool, summary, kind, state, undoes, is_cut)"
				     " VALUES(?1, ?2, ?3, ?4, ?5, ?6, nullif(?7, 0), 0)");

	bind_int(&q, r->time);
	bind_text(&q, r->who);
	bind_text(&q, r->tool);
	bind_text(&q, r->summary);
	bind_int(&q, r->kind);
	bind_int(&q, r->state);
	bind_int(&q, r->undoes);
	if (query_run(&q))
		r->id = store_last_id(t);
}

void roots_add(struct transaction *t, struct text path, int64_t bytes)
{
	struct query q = query_on(t, "UPDATE roots SET bytes = bytes + ?1 WHERE path = '/' OR (?2 > path || '/'"
				     " AND ?2 < path || '0')");

	bind_int(&q, bytes);
	bind_text(&q, path);
	query_run(&q);
}

static size_t insert_document(struct transaction *t, int64_t id, const struct record_document *d)
{
	struct query q =
		query_on(t, "INSERT INTO documents(id, path, old_path, before, after, is_cut, since, added,"
			    " removed, bytes, form, delta) VALUES(?1, ?2, ?3, ?4, ?5, 0, ?6, ?7, ?8, ?9, ?10, ?11)");
	size_t bytes = d->delta.len + ROW_BYTES;

	bind_int(&q, id);
	bind_text(&q, d->path);
	bind_text(&q, d->old_path);
	bind_text(&q, d->before);
	bind_text(&q, d->after);
	bind_int(&q, d->since);
	bind_int(&q, (int64_t)d->added);
	bind_int(&q, (int64_t)d->removed);
	bind_int(&q, (int64_t)bytes);
	bind_int(&q, d->form);
	bind_bytes(&q, d->delta);
	query_run(&q);
	roots_add(t, d->path, (int64_t)bytes);
	return bytes;
}

/* Counts how much another program changed: the bytes from the first difference to the last. If the history does not
 * have the bytes before, everything counts as new. A damaged record must not make a commit fail. */
static void count_outside(struct call *c, struct transaction *t, struct text bytes, const struct last_record *last,
			  struct record_document *d)
{
	const struct error said = c->error;
	struct chain chain = {0};
	struct text was = {0};
	size_t head = 0, tail = 0;

	if (last->id && chain_to(c, t, d->path, last->id, &chain) && chain.all)
		chain_bytes(c, t, &chain, 0, false, &was);
	c->error = said;
	size_t common = was.len < bytes.len ? was.len : bytes.len;
	while (head < common && was.at[head] == bytes.at[head])
		head++;
	while (tail < common - head && was.at[was.len - tail - 1] == bytes.at[bytes.len - tail - 1])
		tail++;
	d->added = bytes.len - head - tail;
	d->removed = was.len - head - tail;
}

/* Records a change by another program since the history last saw the document, or its bytes at first contact. */
static bool insert_outside(struct call *c, struct transaction *t, struct text place, struct text revision,
			   struct text bytes, struct last_record *last)
{
	struct record_document d = {.path = place, .after = revision, .before = last->after};
	struct record r = {.time = clock_now(),
			   .who = TEXT(""),
			   .tool = TEXT(""),
			   .kind = RECORD_OUTSIDE,
			   .state = RECORD_DONE,
			   .summary = last->id ? TEXT("changed outside quire")
					       : TEXT("changed outside quire: first seen like this")};
	struct text from = {0};

	if (!last->id && !record_moved_from(c, t, place, revision, &from))
		return false;
	if (from.at) {
		if (!record_last(t, c->arena, from, last))
			return false;
		d.old_path = from;
		d.before = revision;
		r.summary = text_format(c->arena, "moved outside quire from %.*s", TEXT_ARGS(from));
	} else {
		count_outside(c, t, bytes, last, &d);
		d.delta = pack_whole(c->arena, bytes, &d.form);
		last->since = 0;
	}
	insert_commit(t, &r);
	d.since = last->since;
	insert_document(t, r.id, &d);
	*last = (struct last_record){r.id, revision, last->since};
	return !transaction_failed(t);
}

/* Decides how a document of a commit is recorded. Changes that the history missed are recorded first. */
static bool prepare(struct call *c, struct transaction *t, struct record_document *d)
{
	struct text from = d->old_path.at ? d->old_path : d->path;
	struct last_record last = {0};

	if (d->before.at && !record_last(t, c->arena, from, &last))
		return false;
	bool is_known = last.id && last.after.at && text_same(last.after, d->before);
	if (d->before.at && !is_known && !insert_outside(c, t, from, d->before, d->bytes_before, &last))
		return false;
	pack_document(c->arena, d, last.since);
	d->since = form_is_whole(d->form) ? 0 : d->form == FORM_NONE ? last.since : last.since + 1;
	return true;
}

/* After a failed flush the state of the disk is unknown: the last commit may be there or not. */
static bool committed(struct call *c, struct transaction *t, const char *doing)
{
	const struct history *h = c->work->history;
	bool done = transaction_commit(c, t, doing);

	if (!done && store_flush_failed(h->store))
		work_break(c->work, "the history");
	return done;
}

/* An undo marks the commit that it undid. A redo undoes the undo, so the first commit counts again. */
static void mark_undone(struct transaction *t, const struct record *r, bool undone)
{
	if (!r->undoes)
		return;
	struct query q = query_on(t, "UPDATE commits SET undone_by = nullif(?1, 0) WHERE id = ?2");
	bind_int(&q, undone ? r->id : 0);
	bind_int(&q, r->undoes);
	query_run(&q);
	if (r->kind != RECORD_REDO)
		return;
	q = query_on(t, "UPDATE commits SET undone_by = CASE WHEN ?1 THEN NULL ELSE ?2 END"
			" WHERE id = (SELECT undoes FROM commits WHERE id = ?3)");
	bind_int(&q, undone);
	bind_int(&q, r->undoes);
	bind_int(&q, r->undoes);
	query_run(&q);
}

static void save_draft(struct call *c, struct transaction *t, struct record_document *d)
{
	if (!d->draft.at)
		return;
	struct query q = query_on(t, "SELECT revision FROM drafts WHERE id = ?1");
	bind_text(&q, d->draft);
	if (query_row(&q))
		d->draft_before = query_text(&q, c->arena, 0);
	query_end(&q);
	q = query_on(t, "UPDATE drafts SET revision = ?1 WHERE id = ?2");
	bind_text(&q, d->draft_revisions);
	bind_text(&q, d->draft);
	query_run(&q);
}

static void unsave_draft(struct transaction *t, const struct record_document *d)
{
	if (!d->draft_before.at)
		return;
	struct query q = query_on(t, "UPDATE drafts SET revision = ?1 WHERE id = ?2 AND revision = ?3");
	bind_text(&q, d->draft_before);
	bind_text(&q, d->draft);
	bind_text(&q, d->draft_revisions);
	query_run(&q);
}

bool history_record(struct call *c, struct record *r)
{
	struct transaction *t;

	if (!history_begin(c, STORE_WRITE, &t))
		return false;
	r->state = RECORD_PENDING;
	/* Missed changes come first, so numbers follow the order of events. */
	for (size_t i = 0; i < r->n; i++)
		if (!prepare(c, t, &r->documents[i])) {
			transaction_fail(c, t, "record the change");
			transaction_rollback(t);
			return false;
		}
	insert_commit(t, r);
	for (size_t i = 0; i < r->n; i++) {
		insert_document(t, r->id, &r->documents[i]);
		save_draft(c, t, &r->documents[i]);
	}
	mark_undone(t, r, true);
	bool kept = committed(c, t, "record the change");
	r->is_unknown = !kept && store_flush_failed(c->work->history->store);
	if (kept)
		atomic_store(&c->work->upkeep.is_due, true);
	return kept;
}

bool history_note(struct call *c, struct text place, struct text bytes)
{
	struct revision revision = revision_of(bytes);
	struct text named = text_copy(c->arena, (struct text){revision.chars, REVISION_LEN});
	struct last_record last;
	struct transaction *t;

	if (!history_begin(c, STORE_WRITE, &t))
		return false;
	bool known = record_last(t, c->arena, place, &last) && last.after.at && text_same(last.after, named);
	if (!known && !transaction_failed(t))
		insert_outside(c, t, place, named, bytes, &last);
	return committed(c, t, "record what another program wrote");
}

bool history_mark(struct call *c, int64_t id, enum record_state state)
{
	struct transaction *t;

	if (!history_begin(c, STORE_WRITE_LAZY, &t))
		return false;
	struct query q = query_on(t, "UPDATE commits SET state = ?1 WHERE id = ?2");
	bind_int(&q, state);
	bind_int(&q, id);
	query_run(&q);
	if (id % PRUNE_EVERY == 0)
		atomic_store(&c->work->upkeep.is_aged, true);
	return committed(c, t, "mark the change as done");
}

bool history_retract(struct call *c, const struct record *r)
{
	struct error error = c->error;
	struct transaction *t;

	if (!history_begin(c, STORE_WRITE, &t))
		return c->error = error, false;
	mark_undone(t, r, false);
	for (size_t i = 0; i < r->n; i++)
		unsave_draft(t, &r->documents[i]);
	for (size_t i = 0; i < r->n; i++)
		roots_add(t, r->documents[i].path, -(int64_t)(r->documents[i].delta.len + ROW_BYTES));
	struct query q = query_on(t, "DELETE FROM commits WHERE id = ?1");
	bind_int(&q, r->id);
	query_run(&q);
	bool kept = committed(c, t, "retract the change");
	c->error = error; /* the caller's own error takes precedence */
	return kept;
}

#define RECORD_COLUMNS "id, time, who, tool, summary, kind, state, coalesce(undoes, 0), coalesce(undone_by, 0), is_cut"

static void record_row(struct query *q, struct arena *a, struct record *r)
{
	*r = (struct record){.id = query_int(q, 0),
			     .time = query_int(q, 1),
			     .who = query_text(q, a, 2),
			     .tool = query_text(q, a, 3),
			     .summary = query_text(q, a, 4),
			     .kind = (enum record_kind)query_int(q, 5),
			     .state = (enum record_state)query_int(q, 6),
			     .undoes = query_int(q, 7),
			     .undone_by = query_int(q, 8),
			     .is_cut = query_int(q, 9)};
}

static bool load_documents(struct transaction *t, struct arena *a, bool with_deltas, struct record *r)
{
	struct query q = query_on(t, with_deltas ? "SELECT path, old_path, before, after, added, removed, form, delta"
						   " FROM documents WHERE id = ?1 ORDER BY row"
						 : "SELECT path, old_path, before, after, added, removed, form"
						   " FROM documents WHERE id = ?1 ORDER BY row");
	ARRAY(struct record_document) list = {0};

	bind_int(&q, r->id);
	while (query_row(&q))
		*ARRAY_PUSH(a, &list) =
			(struct record_document){.path = query_text(&q, a, 0),
						 .old_path = query_text(&q, a, 1),
						 .before = query_text(&q, a, 2),
						 .after = query_text(&q, a, 3),
						 .added = (size_t)query_int(&q, 4),
						 .removed = (size_t)query_int(&q, 5),
						 .form = (enum record_form)query_int(&q, 6),
						 .delta = with_deltas ? query_text(&q, a, 7) : (struct text){0}};
	r->documents = list.items;
	r->n = list.n;
	return query_end(&q);
}

bool record_read(struct transaction *t, struct arena *a, int64_t id, bool with_deltas, struct record *out, bool *found)
{
	struct query q = query_on(t, "SELECT " RECORD_COLUMNS " FROM commits WHERE id = ?1");

	bind_int(&q, id);
	if ((*found = query_row(&q)))
		record_row(&q, a, out);
	return query_end(&q) && (!*found || load_documents(t, a, with_deltas, out));
}

bool history_pending(struct call *c, int64_t **ids, size_t *n)
{
	ARRAY(int64_t) list = {0};
	struct transaction *t;

	*ids = NULL;
	*n = 0;
	if (!history_begin(c, STORE_READ, &t))
		return false;
	if (!t)
		return true;
	struct query q = query_on(t, "SELECT id FROM commits WHERE state = 0 ORDER BY id");
	while (query_row(&q))
		*ARRAY_PUSH(c->arena, &list) = query_int(&q, 0);
	query_end(&q);
	if (!transaction_commit(c, t, "read the history"))
		return false;
	*ids = list.items;
	*n = list.n;
	return true;
}

struct text history_first_path(struct call *c, int64_t id)
{
	struct error error = c->error;
	struct text path = {0};
	struct transaction *t;

	if (history_begin(c, STORE_READ, &t) && t) {
		struct query q = query_on(t, "SELECT path FROM documents WHERE id = ?1 LIMIT 1");
		bind_int(&q, id);
		if (query_row(&q))
			path = query_text(&q, c->arena, 0);
		query_end(&q);
		transaction_rollback(t);
	}
	c->error = error;
	return path;
}

bool history_is_pending(struct call *c, int64_t id)
{
	struct transaction *t;

	if (!history_begin(c, STORE_READ, &t) || !t)
		return false;
	struct query q = query_on(t, "SELECT 1 FROM commits WHERE id = ?1 AND state = 0");
	bind_int(&q, id);
	bool is = query_row(&q);
	query_end(&q);
	return transaction_commit(c, t, "read the history") && is;
}

bool history_needs(struct call *c, const struct root *root, struct text path)
{
	struct error error = c->error;
	struct transaction *t;
	bool needs = false;

	if (!history_begin(c, STORE_READ, &t)) {
		c->error = error;
		return true;
	}
	if (!t)
		return false;
	struct query q = query_on(t, "SELECT 1 FROM commits c JOIN documents d ON d.id = c.id"
				     " WHERE c.state = 0 AND ?1 IN (d.path, d.old_path) LIMIT 1");
	bind_text(&q, place_of(c->arena, root, path));
	needs = query_row(&q);
	query_end(&q);
	needs = !transaction_commit(c, t, "read the history") || needs;
	c->error = error;
	return needs;
}

static bool load(struct call *c, int64_t id, bool with_deltas, struct record *out)
{
	struct transaction *t;
	bool found = false;

	if (!history_begin(c, STORE_READ, &t))
		return false;
	if (t) {
		record_read(t, c->arena, id, with_deltas, out, &found);
		if (!transaction_commit(c, t, "read the history"))
			return false;
	}
	return found || fail(c, FAULT_NOT_FOUND, "the history has no commit %lld; file_history lists the commits",
			     (long long)id);
}

bool history_load(struct call *c, int64_t id, struct record *out) { return load(c, id, true, out); }
bool history_outline(struct call *c, int64_t id, struct record *out) { return load(c, id, false, out); }
