#include "work/history/history.h"

#include "base/utf8.h"
#include "work/history/delta.h"
#include "work/history/place.h"
#include "work/history/recover.h"
#include "work/workspace.h"

#include <stdlib.h>
#include <string.h>

/* MOST: a page. CHAIN_MAX: how many steps back one question follows. */
enum { DIFF_CONTEXT = 3, CHAIN_MAX = 100000 };

/* --- the list ---------------------------------------------------------------------------------------------------- */

#define ENTRY_COLUMNS                                                                                                  \
	"c.id, c.time, c.who, c.tool, c.summary, d.path, d.before, d.after, c.kind, c.undone_by IS NOT NULL,"          \
	" (SELECT min(can_undo) FROM documents WHERE id = c.id), (SELECT count(*) FROM documents WHERE id = c.id),"    \
	" d.added, d.removed FROM documents d JOIN commits c ON c.id = d.id"

static void entry_row(struct query *q, struct arena *a, struct history_entry *e)
{
	*e = (struct history_entry){.id = query_int(q, 0),
				    .time = query_int(q, 1),
				    .who = query_text(q, a, 2),
				    .tool = query_text(q, a, 3),
				    .summary = query_text(q, a, 4),
				    .path = query_text(q, a, 5),
				    .before = query_text(q, a, 6),
				    .after = query_text(q, a, 7),
				    .is_undo = query_int(q, 8),
				    .is_undone = query_int(q, 9),
				    .can_undo = query_int(q, 10),
				    .documents = (size_t)query_int(q, 11),
				    .bytes_added = (size_t)query_int(q, 12),
				    .bytes_removed = (size_t)query_int(q, 13)};
}

static struct query entries_of(struct db *db, struct text place, int64_t before_id)
{
	struct query q;

	if (!place.at) {
		q = db_query(db,
			     "SELECT " ENTRY_COLUMNS " WHERE c.id < ? AND c.state != 0 ORDER BY c.id DESC, d.rowid");
		bind_int(&q, before_id);
		return q;
	}
	q = db_query(db, "SELECT " ENTRY_COLUMNS " WHERE d.id < ? AND c.state != 0 AND (d.path = ? OR d.old_path = ?)"
			 " ORDER BY d.id DESC, d.rowid");
	bind_int(&q, before_id);
	bind_text(&q, place);
	bind_text(&q, place);
	return q;
}

bool history_list(struct call *c, struct text path, int64_t before_id, size_t most, struct history_entry **out,
		  size_t *n, bool *more)
{
	ARRAY(struct history_entry) list = {0};
	struct text place = {0};
	struct db *db = NULL;

	recover_pending(c);
	if ((path.len && !history_place(c, path, false, &place)) || !history_reader(c, &db))
		return false;
	*more = false;
	bool read = true;
	if (db) {
		db_enter(db);
		struct query q = entries_of(db, place, before_id ? before_id : INT64_MAX);
		while (!*more && query_row(&q)) {
			struct history_entry e;
			entry_row(&q, c->arena, &e);
			if (!place_is_granted(c, e.path, false))
				continue;
			place_root(c->work, e.path, &e.path);
			if (list.n == most)
				*more = true;
			else
				*ARRAY_PUSH(c->arena, &list) = e;
		}
		read = query_end(&q) || db_fail(c, db, "read the history");
		db_leave(db);
	}
	*out = list.items;
	*n = list.n;
	return read;
}

/* --- bytes of the past ------------------------------------------------------------------------------------------- */

/* A document's steps, newest first, followed through its moves as far as the caller might have read it; without deltas.
 */
struct chain {
	ARRAY(int64_t) rows;
};

static bool find_chain(struct call *c, struct db *db, struct text place, struct chain *out)
{
	int64_t below = INT64_MAX;

	while (out->rows.n < CHAIN_MAX) {
		struct query q =
			db_query(db, "SELECT d.rowid, d.id, d.old_path FROM documents d JOIN commits c ON c.id = d.id"
				     " WHERE d.path = ? AND d.id < ? AND c.state != 0 ORDER BY d.id DESC");
		struct text old_path = {0};
		bind_text(&q, place);
		bind_int(&q, below);
		while (!old_path.at && query_row(&q)) {
			*ARRAY_PUSH(c->arena, &out->rows) = query_int(&q, 0);
			below = query_int(&q, 1);
			old_path = query_text(&q, c->arena, 2);
		}
		if (!query_end(&q))
			return db_fail(c, db, "read the history");
		if (!old_path.at)
			return true;
		if (!place_is_granted(c, old_path, false)) {
			out->rows.n--; /* the move itself knows the bytes from before it */
			return true;
		}
		place = old_path;
	}
	return true;
}

static bool load_step(struct call *c, struct db *db, struct arena *a, int64_t row, struct record_document *out)
{
	struct query q =
		db_query(db, "SELECT before, after, delta_is_whole, inverse_is_whole, delta, inverse FROM documents"
			     " WHERE rowid = ?");

	bind_int(&q, row);
	*out = (struct record_document){0};
	if (query_row(&q))
		*out = (struct record_document){.before = query_text(&q, a, 0),
						.after = query_text(&q, a, 1),
						.delta_is_whole = query_int(&q, 2),
						.inverse_is_whole = query_int(&q, 3),
						.delta = query_text(&q, a, 4),
						.inverse = query_text(&q, a, 5)};
	return query_end(&q) || db_fail(c, db, "read the history");
}

/* Where a search through the chain stands: bytes and their revision, absent when they cannot be told. The bytes live in
 * one of two arenas that take turns, so a long chain does not pile up copies of a document. */
struct trail {
	struct arena arenas[2];
	int turn;
	struct text bytes, revision;
};

static struct arena *next_turn(struct trail *t)
{
	t->turn ^= 1;
	arena_free(&t->arenas[t->turn]);
	return &t->arenas[t->turn];
}

static bool arrived(struct call *c, const struct trail *t, struct text want, struct text *out)
{
	if (!t->bytes.at || !t->revision.at || !text_same(t->revision, want) ||
	    !text_same(text_of(revision_of(t->bytes).chars), want))
		return false;
	*out = text_copy(c->arena, t->bytes);
	return true;
}

/* One step along the chain, back or forth. The step's own texts go into the arena of the result. */
static bool follow(struct call *c, struct db *db, struct trail *t, int64_t row, bool back)
{
	struct arena *a = next_turn(t);
	struct record_document d;
	struct text bytes = {0};

	if (!load_step(c, db, a, row, &d))
		return false;
	struct text start = back ? d.after : d.before, end = back ? d.before : d.after;
	bool fits = t->bytes.at && start.at && t->revision.at && text_same(t->revision, start);
	struct text base = fits ? t->bytes : (struct text){0};
	bool told = back ? delta_back(a, &d, base, &bytes) : delta_forward(a, &d, base, &bytes);
	t->bytes = told ? bytes : (struct text){0};
	t->revision = told ? end : (struct text){0};
	return true;
}

static bool search_chain(struct call *c, struct db *db, const struct chain *chain, struct trail *t, struct text want,
			 struct text *out, bool *found)
{
	*found = arrived(c, t, want, out);
	for (size_t i = 0; !*found && i < chain->rows.n; i++) {
		if (!goes_on(c) || !follow(c, db, t, chain->rows.items[i], true))
			return false;
		*found = arrived(c, t, want, out);
	}
	/* Another program came in between: what lies behind it can only be reached from the other end. */
	t->bytes = t->revision = (struct text){0};
	for (size_t i = chain->rows.n; !*found && i-- > 0;) {
		if (!goes_on(c) || !follow(c, db, t, chain->rows.items[i], false))
			return false;
		*found = arrived(c, t, want, out);
	}
	return true;
}

/* The document as it is; absent bytes when there is none. */
static bool bytes_now(struct call *c, struct text path, struct text *bytes, struct text *revision)
{
	struct text noted = c->revision;
	struct document *d;

	*bytes = *revision = (struct text){0};
	if (document_open(c, path, &d)) {
		*bytes = document_bytes(d);
		*revision = document_revision(d);
	} else if (c->error.fault == FAULT_NOT_FOUND) {
		c->error = (struct error){0};
	} else {
		return false;
	}
	if (noted.at)
		c->revision = noted;
	return true;
}

bool history_bytes(struct call *c, struct text path, struct text revision, struct text *bytes)
{
	struct text place;
	struct trail t = {0};
	struct chain chain = {0};
	struct db *db = NULL;
	bool found = false, read = true;

	recover_pending(c);
	if (!history_place(c, path, false, &place) || !bytes_now(c, path, &t.bytes, &t.revision) ||
	    !history_reader(c, &db))
		return false;
	if (db) {
		db_enter(db);
		read = find_chain(c, db, place, &chain) && search_chain(c, db, &chain, &t, revision, bytes, &found);
		db_leave(db);
	} else {
		found = arrived(c, &t, revision, bytes);
	}
	arena_free(&t.arenas[0]);
	arena_free(&t.arenas[1]);
	if (!read)
		return false;
	return found ||
	       fail(c, FAULT_NOT_FOUND, "the history of %s has no bytes of revision %s; file_history lists what it has",
		    shown(c, path), shown(c, revision));
}

/* --- the diff ---------------------------------------------------------------------------------------------------- */

static bool is_number(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (t.at[i] < '0' || t.at[i] > '9')
			return false;
	return t.len && t.len < REVISION_LEN;
}

/* The revision that a word means: itself, or what a change left behind. Absent: there was no document then. */
static bool revision_meant(struct call *c, struct text path, struct text word, struct text *out)
{
	struct text place;
	struct record r;

	*out = word;
	if (!is_number(word))
		return true;
	if (!history_place(c, path, false, &place) ||
	    !history_load(c, strtoll(text_string(c->arena, word), NULL, 10), &r))
		return false;
	for (size_t i = 0; i < r.n; i++)
		if (text_same(r.documents[i].path, place)) {
			*out = r.documents[i].after;
			return true;
		}
	return fail(c, FAULT_NOT_FOUND, "change %s was not one of %s", shown(c, word), shown(c, path));
}

/* Absent `from`: what the newest change began with. */
static bool newest_before(struct call *c, struct text path, struct text *out)
{
	struct history_entry *entries;
	size_t n;
	bool more;

	if (!history_list(c, path, 0, 1, &entries, &n, &more))
		return false;
	if (!n)
		return fail(c, FAULT_NOT_FOUND, "%s has no history", shown(c, path));
	*out = entries[0].before;
	return true;
}

static bool bytes_of(struct call *c, struct text path, struct text revision, struct text *out)
{
	*out = TEXT("");
	return !revision.at || history_bytes(c, path, revision, out);
}

bool history_diff(struct call *c, struct text path, struct text from, struct text to, struct text *diff)
{
	struct text place;
	struct text before, after, revision = {0};

	if (!history_place(c, path, false, &place))
		return false;
	place_root(c->work, place, &place);
	if (from.at ? !revision_meant(c, path, from, &from) : !newest_before(c, path, &from))
		return false;
	if (!bytes_of(c, path, from, &before))
		return false;
	if (to.at) {
		if (!revision_meant(c, path, to, &to) || !bytes_of(c, path, to, &after))
			return false;
	} else if (!bytes_now(c, path, &after, &revision)) {
		return false;
	}
	if (!after.at)
		after = TEXT("");
	if (utf8_bad(before) < before.len || utf8_bad(after) < after.len || text_has_nul(before) || text_has_nul(after))
		*diff = text_same(before, after) ? TEXT("")
						 : text_format(c->arena, "%zu bytes became %zu; the file is not text\n",
							       before.len, after.len);
	else
		*diff = splice_diff(c->arena, before, after, text_string(c->arena, place), DIFF_CONTEXT);
	return true;
}

/* --- forgetting -------------------------------------------------------------------------------------------------- */

static bool run_on_place(struct db *db, const char *sql, struct text place)
{
	struct query q = db_query(db, sql);

	bind_text(&q, place);
	return query_run(&q);
}

/* A change that is not finished yet needs its record. */
static bool is_pending(struct db *db, struct text place)
{
	struct query q = db_query(db, "SELECT 1 FROM commits c JOIN documents d ON d.id = c.id WHERE c.state = 0"
				      " AND ?1 IN (path, old_path)");

	bind_text(&q, place);
	bool is = query_row(&q);
	return !query_end(&q) || is;
}

/* What shared a change with the forgotten document can no longer be taken back with it. */
static bool forget(struct db *db, struct text place, size_t *forgotten)
{
	if (!run_on_place(db,
			  "UPDATE documents SET can_undo = 0 WHERE id IN"
			  " (SELECT id FROM documents WHERE ?1 IN (path, old_path))",
			  place) ||
	    !run_on_place(db, "DELETE FROM documents WHERE ?1 IN (path, old_path)", place))
		return false;
	*forgotten = (size_t)db_changes(db);
	return run_on_place(db, "DELETE FROM drafts WHERE path = ?", place) &&
	       db_run(db, "DELETE FROM commits WHERE id NOT IN (SELECT id FROM documents)");
}

/* Pages that were let go at any time, and the log, may still hold the bytes: the file is written anew, without them.
 * False without an error of the database: somebody reads on in the log. */
static bool wipe(struct db *db)
{
	bool wiped = db_run(db, "VACUUM");

	if (wiped) {
		struct query q = db_query(db, "PRAGMA wal_checkpoint(TRUNCATE)");
		wiped = query_row(&q) && query_int(&q, 0) == 0;
		query_end(&q);
	}
	return wiped;
}

bool history_forget(struct call *c, struct text path, size_t *forgotten)
{
	struct text place;
	struct db *db = NULL;

	*forgotten = 0;
	recover_pending(c);
	if (!history_place(c, path, true, &place) || !history_reader(c, &db))
		return false;
	if (!db)
		return true;
	if (!history_writer(c, &db))
		return false;
	db_enter(db);
	bool begun = db_begin(db, true), waits = begun && is_pending(db, place);
	bool gone = begun && !waits && forget(db, place, forgotten) && db_commit(db);
	if (waits)
		fail(c, FAULT_LOCKED, "a change of %s is not finished yet; try again in a moment", shown(c, path));
	else if (!gone)
		db_fail(c, db, "forget the history");
	if (!gone)
		db_rollback(db);
	else if (!wipe(db))
		gone = fail(c, FAULT_LOCKED,
			    "the history of %s is forgotten, but traces of it are still in the file, which another "
			    "program reads; repeat this",
			    shown(c, path));
	db_leave(db);
	return gone;
}
