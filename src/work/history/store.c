#include "work/history/store.h"

#include "base/clock.h"
#include "work/history/place.h"
#include "work/history/state.h"
#include "work/workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Old history is looked for at every so many commits: the sum over all rows is not free. */
enum { PRUNE_EVERY = 64, SCHEMA_VERSION = 1, OPEN_TRIES = 16 };

static const char schema[] =
	"BEGIN IMMEDIATE;"
	"CREATE TABLE IF NOT EXISTS commits("
	" id INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, who TEXT NOT NULL, tool TEXT NOT NULL,"
	" summary TEXT NOT NULL, kind INTEGER NOT NULL, state INTEGER NOT NULL, undoes INTEGER, undone_by INTEGER,"
	" bytes INTEGER NOT NULL) STRICT;"
	"CREATE INDEX IF NOT EXISTS commits_pending ON commits(id) WHERE state = 0;"
	"CREATE TABLE IF NOT EXISTS documents("
	" id INTEGER NOT NULL REFERENCES commits(id) ON DELETE CASCADE, path TEXT NOT NULL,"
	" old_path TEXT, before TEXT, after TEXT, delta_is_whole INTEGER NOT NULL, inverse_is_whole "
	"INTEGER NOT NULL,"
	" can_undo INTEGER NOT NULL, added INTEGER NOT NULL, removed INTEGER NOT NULL, delta BLOB, inverse BLOB) "
	"STRICT;"
	"CREATE INDEX IF NOT EXISTS documents_commit ON documents(id);"
	"CREATE INDEX IF NOT EXISTS documents_path ON documents(path, id);"
	"CREATE INDEX IF NOT EXISTS documents_old_path ON documents(old_path, id) WHERE old_path IS NOT NULL;"
	"CREATE TABLE IF NOT EXISTS drafts("
	" id TEXT PRIMARY KEY, path TEXT NOT NULL, revision TEXT NOT NULL, base BLOB NOT NULL,"
	" mark INTEGER NOT NULL, changed INTEGER NOT NULL) STRICT;"
	"CREATE TABLE IF NOT EXISTS requests("
	" draft TEXT NOT NULL REFERENCES drafts(id) ON DELETE CASCADE, place INTEGER NOT NULL, request BLOB NOT NULL,"
	" PRIMARY KEY(draft, place)) STRICT;"
	"PRAGMA user_version=1;"
	"COMMIT;";

struct history *history_new(struct work *w, const char *state)
{
	struct history *h = calloc(1, sizeof *h);

	if (!h)
		arena_die("out of memory");
	h->work = w;
	h->path = state ? text_copy(&w->arena, text_of(state)).at : NULL;
	h->folder = -1;
	pthread_mutex_init(&h->mutex, NULL);
	return h;
}

void history_free(struct history *h)
{
	if (!h)
		return;
	db_close(h->writer);
	db_close(h->reader);
	for (size_t i = 0; i < h->retired.n; i++)
		db_close(h->retired.items[i]);
	fd_drop(&h->folder);
	pthread_mutex_destroy(&h->mutex);
	free(h);
}

static bool is_same_inode(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool file_named(const struct history *h, struct stat *st)
{
	return fstatat(h->folder, "history.db", st, AT_SYMLINK_NOFOLLOW) == 0;
}

static bool file_stands(const struct history *h)
{
	struct stat named;

	if (!file_named(h, &named))
		return errno != ENOENT;
	return is_same_inode(&named, &h->file);
}

static void retire(struct history *h, struct db **db)
{
	if (*db)
		*ARRAY_PUSH(&h->work->arena, &h->retired) = *db;
	*db = NULL;
}

/* A person may delete or move the state folder under a running server, while it is idle or in the middle of anything;
 * records written to a file without a name would be lost without a word, and a folder without a name takes no new file.
 * Then everything is opened anew. */
static void notice_loss(struct history *h)
{
	if (h->folder < 0)
		return;
	if (state_stands(h) && ((!h->writer && !h->reader) || file_stands(h)))
		return;
	retire(h, &h->writer);
	retire(h, &h->reader);
	fd_drop(&h->folder);
	h->is_private = false;
	atomic_store(&h->work->roots.has_state, false);
}

bool history_folder(struct call *c, int *out)
{
	struct history *h = c->work->history;
	struct error error = c->error;
	bool opened = false;

	if (c->work->read_only)
		return fail(c, FAULT_READ_ONLY, "this server is read-only; nothing was written");
	pthread_mutex_lock(&h->mutex);
	for (int i = 0; !opened && i < OPEN_TRIES; i++) {
		c->error = error;
		notice_loss(h);
		opened = state_open(c, h, true);
		if (!opened && (h->folder < 0 || state_stands(h)))
			break;
	}
	int fd = opened ? fcntl(h->folder, F_DUPFD_CLOEXEC, 0) : -1;
	pthread_mutex_unlock(&h->mutex);
	if (opened && fd < 0)
		return path_refuse(c, errno, "open the state folder", text_of(h->path));
	*out = fd;
	return opened;
}

/* --- the databases ----------------------------------------------------------------------------------------------- */

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

/* SQLite opens by path: the kernel's own path of the open folder, which has no links. */
static const char *database_path(struct call *c, const struct history *h)
{
	char link[64], folder[PATH_MAX];

	snprintf(link, sizeof link, "/proc/self/fd/%d", h->folder);
	ssize_t n = readlink(link, folder, sizeof folder);
	if (n > 0 && (size_t)n < sizeof folder)
		return text_format(c->arena, "%.*s/history.db", (int)n, folder).at;
	return text_format(c->arena, "%s/history.db", h->path).at;
}

static bool has_schema(struct call *c, struct db *db, bool *has)
{
	struct query q = db_query(db, "PRAGMA user_version");
	int64_t version = query_row(&q) ? query_int(&q, 0) : 0;

	if (!query_end(&q))
		return db_fail(c, db, "open the history");
	if (version > SCHEMA_VERSION)
		return fail(c, FAULT_STORAGE,
			    "the history was written by a newer quire; use that one, or move history.db away");
	*has = version == SCHEMA_VERSION;
	return true;
}

/* A connection to the file that has the name, in the folder that has the name. *lost: that changed meanwhile. */
static bool connect(struct call *c, struct history *h, unsigned flags, struct db **out, struct stat *file, bool *lost)
{
	struct stat before;
	bool has = false;

	if (flags & DB_CREATE && !state_file(c, h, "history.db"))
		return *lost = !state_stands(h), false;
	bool was = file_named(h, &before);
	struct db *db = db_open(c, database_path(c, h), flags, h->work->lock_wait_ms);
	if (!db) {
		bool is = file_named(h, file);
		*lost = !state_stands(h) || !is || (was && !is_same_inode(&before, file));
		return false;
	}
	if (!file_named(h, file) || db_has_moved(db))
		*lost = true;
	else if (!has_schema(c, db, &has))
		*lost = db_has_moved(db);
	else if (!has && !(flags & DB_CREATE))
		return db_close(db), true; /* another process is about to make it, there is nothing to read */
	else if (!has && !db_run(db, schema))
		db_fail(c, db, "prepare the history");
	else
		*out = db;
	if (!*out)
		db_close(db);
	return *out;
}

/* Both connections are to one file: the newer one knows which. */
static void adopt(struct history *h, struct db **own, struct db **other, struct db *db, const struct stat *file)
{
	if (*other && !is_same_inode(&h->file, file))
		retire(h, other);
	h->file = *file;
	*own = db;
}

static bool open_writer(struct call *c, struct history *h, bool *lost)
{
	struct db *db = NULL;
	struct stat file;

	if (h->writer)
		return true;
	if (!state_open(c, h, true))
		return *lost = h->folder >= 0 && !state_stands(h), false;
	if (!connect(c, h, DB_CREATE | (file_system_is_far(h->folder) ? DB_NO_WAL : 0), &db, &file, lost))
		return false;
	adopt(h, &h->writer, &h->reader, db, &file);
	return true;
}

static bool open_reader(struct call *c, struct history *h, bool *lost)
{
	struct db *db = NULL;
	struct stat file;

	if (h->reader)
		return true;
	if (!state_open(c, h, false))
		return false;
	if (h->folder < 0 || !file_named(h, &file))
		return true;
	if (!connect(c, h, h->work->read_only ? DB_READ_ONLY : 0, &db, &file, lost))
		return false;
	if (db)
		adopt(h, &h->reader, &h->writer, db, &file);
	return true;
}

/* While a person takes the folder away, what was found a moment ago may be gone: then it is looked for again. */
static bool open_standing(struct call *c, bool (*open)(struct call *, struct history *, bool *), struct db **const slot,
			  struct db **out)
{
	struct history *h = c->work->history;
	struct error error = c->error;
	bool opened = false, lost = true;

	pthread_mutex_lock(&h->mutex);
	for (int i = 0; lost && i < OPEN_TRIES; i++) {
		lost = false;
		c->error = error;
		notice_loss(h);
		opened = open(c, h, &lost);
	}
	*out = *slot;
	pthread_mutex_unlock(&h->mutex);
	if (!opened && !c->error.fault)
		fail(c, FAULT_STORAGE, "the state folder is being replaced all the time; try again");
	return opened;
}

bool history_writer(struct call *c, struct db **out)
{
	if (c->work->read_only)
		return fail(c, FAULT_READ_ONLY, "this server is read-only; nothing was written");
	return open_standing(c, open_writer, &c->work->history->writer, out);
}

bool history_reader(struct call *c, struct db **out)
{
	return open_standing(c, open_reader, &c->work->history->reader, out);
}

/* --- records ----------------------------------------------------------------------------------------------------- */

static bool insert_commit(struct db *db, struct record *r)
{
	struct query q = db_query(db, "INSERT INTO commits(time, who, tool, summary, kind, state, undoes, bytes)"
				      " VALUES(?,?,?,?,?,0,nullif(?,0),?)");
	size_t bytes = 0;

	for (size_t i = 0; i < r->n; i++)
		bytes += r->documents[i].delta.len + r->documents[i].inverse.len + 200;
	bind_int(&q, r->time);
	bind_text(&q, r->who);
	bind_text(&q, r->tool);
	bind_text(&q, r->summary);
	bind_int(&q, r->kind);
	bind_int(&q, r->undoes);
	bind_int(&q, (int64_t)bytes);
	if (!query_run(&q))
		return false;
	r->id = db_last_id(db);
	return true;
}

static bool insert_document(struct db *db, int64_t id, const struct record_document *d)
{
	struct query q = db_query(db, "INSERT INTO documents(id, path, old_path, before, after, delta_is_whole,"
				      " inverse_is_whole, can_undo, added, removed, delta, inverse)"
				      " VALUES(?,?,?,?,?,?,?,?,?,?,?,?)");

	bind_int(&q, id);
	bind_text(&q, d->path);
	bind_text(&q, d->old_path);
	bind_text(&q, d->before);
	bind_text(&q, d->after);
	bind_int(&q, d->delta_is_whole);
	bind_int(&q, d->inverse_is_whole);
	bind_int(&q, d->can_undo);
	bind_int(&q, (int64_t)d->added);
	bind_int(&q, (int64_t)d->removed);
	bind_bytes(&q, d->delta);
	bind_bytes(&q, d->inverse);
	return query_run(&q);
}

/* An undo marks what it took back; a redo takes the undo back and so puts the first commit in force again. */
static bool mark_undone(struct db *db, const struct record *r, bool undone)
{
	struct query q = db_query(db, "UPDATE commits SET undone_by = nullif(?,0) WHERE id = ?");

	if (!r->undoes)
		return true;
	bind_int(&q, undone ? r->id : 0);
	bind_int(&q, r->undoes);
	if (!query_run(&q))
		return false;
	if (r->kind != RECORD_REDO)
		return true;
	q = db_query(db, "UPDATE commits SET undone_by = CASE WHEN ? THEN NULL ELSE ? END"
			 " WHERE id = (SELECT undoes FROM commits WHERE id = ?)");
	bind_int(&q, undone);
	bind_int(&q, r->undoes);
	bind_int(&q, r->undoes);
	return query_run(&q);
}

static bool is_broken_by(struct call *c, const struct db *db)
{
	if (db_flush_failed(db))
		work_break(c->work, "the history");
	return db_flush_failed(db);
}

bool history_record(struct call *c, struct record *r)
{
	struct db *db = NULL;

	if (!history_writer(c, &db))
		return false;
	db_enter(db);
	bool kept = db_begin(db, true) && insert_commit(db, r);
	for (size_t i = 0; kept && i < r->n; i++)
		kept = insert_document(db, r->id, &r->documents[i]);
	kept = kept && mark_undone(db, r, true) && db_commit(db);
	if (!kept) {
		db_fail(c, db, "record the change");
		db_rollback(db);
	}
	r->is_unknown = !kept && is_broken_by(c, db);
	db_leave(db);
	return kept;
}

/* Oldest out first, by age and by bytes; never what is pending. */
static bool prune(struct db *db, const struct work *w)
{
	struct query q =
		db_query(db, "DELETE FROM commits WHERE state != 0 AND (time < ? OR id <= coalesce((SELECT id FROM"
			     " (SELECT id, sum(bytes) OVER (ORDER BY id DESC) AS total FROM commits)"
			     " WHERE total > ? ORDER BY id DESC LIMIT 1), 0))");

	bind_int(&q, clock_now() - (int64_t)w->keep_days * 24 * 3600 * 1000);
	bind_int(&q, (int64_t)w->keep_bytes);
	if (!query_run(&q))
		return false;
	q = db_query(db, "DELETE FROM drafts WHERE changed < ?");
	bind_int(&q, clock_now() - (int64_t)w->keep_days * 24 * 3600 * 1000);
	return query_run(&q);
}

bool history_mark(struct call *c, int64_t id, enum record_state state)
{
	struct db *db = NULL;

	if (!history_writer(c, &db))
		return false;
	db_enter(db);
	bool kept = db_begin(db, false);
	if (kept) {
		struct query q = db_query(db, "UPDATE commits SET state = ? WHERE id = ?");
		bind_int(&q, state);
		bind_int(&q, id);
		kept = query_run(&q) && (id % PRUNE_EVERY != 0 || prune(db, c->work)) && db_commit(db);
	}
	if (!kept) {
		db_fail(c, db, "mark the change as done");
		db_rollback(db);
		is_broken_by(c, db);
	}
	db_leave(db);
	return kept;
}

bool history_retract(struct call *c, const struct record *r)
{
	struct error error = c->error;
	struct db *db = NULL;

	if (!history_writer(c, &db))
		return false;
	db_enter(db);
	bool kept = db_begin(db, true) && mark_undone(db, r, false);
	if (kept) {
		struct query q = db_query(db, "DELETE FROM commits WHERE id = ?");
		bind_int(&q, r->id);
		kept = query_run(&q) && db_commit(db);
	}
	if (!kept) {
		db_rollback(db);
		is_broken_by(c, db);
	}
	db_leave(db);
	c->error = error; /* the caller has a reason of its own, and it comes first */
	return kept;
}

/* --- reading records --------------------------------------------------------------------------------------------- */

#define RECORD_COLUMNS "id, time, who, tool, summary, kind, state, coalesce(undoes, 0), coalesce(undone_by, 0)"

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
			     .undone_by = query_int(q, 8)};
}

static bool load_documents(struct db *db, struct arena *a, struct record *r, bool deltas)
{
	struct query q = db_query(
		db, deltas ? "SELECT path, old_path, before, after, delta_is_whole, inverse_is_whole, can_undo, added,"
			     " removed, delta, inverse FROM documents WHERE id = ? ORDER BY rowid"
			   : "SELECT path, old_path, before, after, delta_is_whole, inverse_is_whole, can_undo, added,"
			     " removed, NULL, NULL FROM documents WHERE id = ? ORDER BY rowid");
	ARRAY(struct record_document) list = {0};

	bind_int(&q, r->id);
	while (query_row(&q)) {
		struct record_document *d = ARRAY_PUSH(a, &list);
		*d = (struct record_document){.path = query_text(&q, a, 0),
					      .old_path = query_text(&q, a, 1),
					      .before = query_text(&q, a, 2),
					      .after = query_text(&q, a, 3),
					      .delta_is_whole = query_int(&q, 4),
					      .inverse_is_whole = query_int(&q, 5),
					      .can_undo = query_int(&q, 6),
					      .added = (size_t)query_int(&q, 7),
					      .removed = (size_t)query_int(&q, 8),
					      .delta = query_text(&q, a, 9),
					      .inverse = query_text(&q, a, 10)};
	}
	r->documents = list.items;
	r->n = list.n;
	return query_end(&q);
}

bool history_pending(struct call *c, int64_t **ids, size_t *n)
{
	ARRAY(int64_t) list = {0};
	struct db *db = NULL;

	*ids = NULL;
	*n = 0;
	if (!history_reader(c, &db))
		return false;
	if (!db)
		return true;
	db_enter(db);
	struct query q = db_query(db, "SELECT id FROM commits WHERE state = 0 ORDER BY id");
	while (query_row(&q))
		*ARRAY_PUSH(c->arena, &list) = query_int(&q, 0);
	bool read = query_end(&q);
	if (!read)
		db_fail(c, db, "read the history");
	db_leave(db);
	if (!read)
		return false;
	*ids = list.items;
	*n = list.n;
	return true;
}

struct text history_first_path(struct call *c, int64_t id)
{
	struct error error = c->error;
	struct text path = {0};
	struct db *db = NULL;

	if (history_reader(c, &db) && db) {
		db_enter(db);
		struct query q = db_query(db, "SELECT path FROM documents WHERE id = ? LIMIT 1");
		bind_int(&q, id);
		if (query_row(&q))
			path = query_text(&q, c->arena, 0);
		query_end(&q);
		db_leave(db);
	}
	c->error = error;
	return path;
}

bool history_is_pending(struct call *c, int64_t id)
{
	struct db *db = NULL;

	if (!history_writer(c, &db))
		return false;
	db_enter(db);
	struct query q = db_query(db, "SELECT 1 FROM commits WHERE id = ? AND state = 0");
	bind_int(&q, id);
	bool is = query_row(&q);
	query_end(&q);
	db_leave(db);
	return is;
}

bool history_needs(struct call *c, const struct root *root, struct text path)
{
	struct error error = c->error;
	struct db *db = NULL;
	bool needs = true;

	if (!history_reader(c, &db))
		return c->error = error, true;
	if (!db)
		return false;
	db_enter(db);
	struct query q = db_query(db, "SELECT 1 FROM documents WHERE path = ? AND id IN"
				      " (SELECT id FROM commits WHERE state = 0) LIMIT 1");
	bind_text(&q, place_of(c->arena, root, path));
	needs = query_row(&q);
	if (!query_end(&q))
		needs = true;
	db_leave(db);
	return needs;
}

static bool load(struct call *c, int64_t id, bool deltas, struct record *out)
{
	struct db *db = NULL;
	bool found = false, read = true;

	if (!history_reader(c, &db))
		return false;
	if (db) {
		db_enter(db);
		struct query q = db_query(db, "SELECT " RECORD_COLUMNS " FROM commits WHERE id = ?");
		bind_int(&q, id);
		if ((found = query_row(&q)))
			record_row(&q, c->arena, out);
		read = query_end(&q) && (!found || load_documents(db, c->arena, out, deltas));
		if (!read)
			db_fail(c, db, "read the history");
		db_leave(db);
	}
	return found && read ? true
	       : read        ? fail(c, FAULT_NOT_FOUND, "the history has no change %lld", (long long)id)
			     : false;
}

bool history_load(struct call *c, int64_t id, struct record *out) { return load(c, id, true, out); }
bool history_outline(struct call *c, int64_t id, struct record *out) { return load(c, id, false, out); }
