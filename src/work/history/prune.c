#include "work/history/prune.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/map.h"
#include "work/history/chain.h"
#include "work/history/history.h"
#include "work/history/pack.h"
#include "work/history/place.h"
#include "work/history/recover.h"
#include "work/history/state.h"
#include "work/workspace.h"

#include <stdlib.h>

/* AT_ONCE: how many commits one transaction removes, because other writers wait for it. RUN_MS: how long one run may
 * take. REST: after a run that could not
 * remove enough, upkeep rests this many times as long as the run took. SLACK: one step by age removes at most this
 * part of what may be kept. */
enum { AT_ONCE = 256, RUN_MS = 200, REST = 20, SLACK = 16 };
static const int64_t day = (int64_t)24 * 3600 * 1000;

struct removal {
	ARRAY(int64_t) rows; /* rows of documents, ascending */
};

static int ascending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static bool is_removed(const struct removal *r, int64_t row)
{
	return r->rows.n && bsearch(&row, r->rows.items, r->rows.n, sizeof row, ascending);
}

struct document_row {
	int64_t row, id;
	struct text path;
	enum record_form form;
	bool has_before, has_after;
};

/* The next row of the document after this record. */
static bool next_row(struct transaction *t, struct arena *a, int64_t id, struct text path, struct document_row *out)
{
	struct query q = query_on(t, "SELECT row, id, path, form, before IS NOT NULL, after IS NOT NULL FROM documents"
				     " WHERE path = ?1 AND id > ?2 ORDER BY id LIMIT 1");
	bool found = false;

	bind_text(&q, path);
	bind_int(&q, id);
	*out = (struct document_row){0};
	for (int i = 0; i < 2; i++) {
		if (query_row(&q) && (!found || query_int(&q, 1) < out->id)) {
			*out = (struct document_row){query_int(&q, 0),     query_int(&q, 1),
						     query_text(&q, a, 2), (enum record_form)query_int(&q, 3),
						     query_int(&q, 4),     query_int(&q, 5)};
			found = true;
		}
		query_end(&q);
		if (i)
			break;
		q = query_on(t, "SELECT row, id, path, form, before IS NOT NULL, after IS NOT NULL FROM documents"
				" WHERE old_path = ?1 AND id > ?2 ORDER BY id LIMIT 1");
		bind_text(&q, path);
		bind_int(&q, id);
	}
	return found;
}

static int64_t bytes_of(struct transaction *t, int64_t row)
{
	struct query q = query_on(t, "SELECT bytes FROM documents WHERE row = ?1");

	bind_int(&q, row);
	int64_t bytes = query_row(&q) ? query_int(&q, 0) : 0;
	query_end(&q);
	return bytes;
}

/* The record after a removed one must contain the whole bytes. */
static bool stand_alone(struct call *c, struct transaction *t, const struct document_row *d)
{
	struct text bytes = {0}, delta = {0};
	enum record_form form = d->form;
	struct chain chain;

	if (d->has_after && !form_is_whole(d->form)) {
		if (!chain_to(c, t, d->path, d->id, &chain) || !chain.all ||
		    !chain_bytes(c, t, &chain, 0, false, &bytes))
			return false;
		delta = bytes.at ? pack_whole(c->arena, bytes, &form) : delta;
	}
	struct query q = query_on(t, delta.at ? "UPDATE documents SET is_cut = 1, since = 0, form = ?2, bytes = bytes -"
						" coalesce(length(delta), 0) + ?3, delta = ?4 WHERE row = ?1"
					      : "UPDATE documents SET is_cut = 1 WHERE row = ?1");
	bind_int(&q, d->row);
	if (delta.at) {
		bind_int(&q, form);
		bind_int(&q, (int64_t)delta.len);
		bind_bytes(&q, delta);
	}
	int64_t before = bytes_of(t, d->row);
	if (!query_run(&q))
		return false;
	roots_add(t, d->path, bytes_of(t, d->row) - before);
	return true;
}

static bool rebase(struct call *c, struct transaction *t, const struct removal *r)
{
	for (size_t i = 0; i < r->rows.n; i++) {
		struct query q = query_on(t, "SELECT id, path FROM documents WHERE row = ?1");
		struct document_row next;
		bind_int(&q, r->rows.items[i]);
		bool found = query_row(&q);
		int64_t id = found ? query_int(&q, 0) : 0;
		struct text path = found ? query_text(&q, c->arena, 1) : (struct text){0};
		query_end(&q);
		if (found && next_row(t, c->arena, id, path, &next) && next.has_before && !is_removed(r, next.row) &&
		    !stand_alone(c, t, &next))
			return false;
	}
	return !transaction_failed(t);
}

static void remove_row(struct call *c, struct transaction *t, int64_t row)
{
	struct query q = query_on(t, "DELETE FROM documents WHERE row = ?1 RETURNING id, path, bytes");
	struct text path = {0};
	int64_t id = 0, bytes = 0;

	bind_int(&q, row);
	if (query_row(&q)) {
		id = query_int(&q, 0);
		path = query_text(&q, c->arena, 1);
		bytes = query_int(&q, 2);
	}
	query_end(&q);
	if (!path.at)
		return;
	roots_add(t, path, -bytes);
	q = query_on(t, "DELETE FROM commits WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM documents WHERE id = ?1)");
	bind_int(&q, id);
	query_run(&q);
}

static void remove_rows(struct call *c, struct transaction *t, const struct removal *r)
{
	for (size_t i = 0; i < r->rows.n; i++)
		remove_row(c, t, r->rows.items[i]);
}

/* A commit with documents below a root. */
struct candidate {
	int64_t id, time;
	size_t bytes;
};
struct candidates {
	struct candidate *items;
	size_t n, cap;
};

/* Paths below a folder are between "FOLDER/" and "FOLDER0", because 0 is the byte after the slash. */
static void bind_below(struct call *c, struct query *q, const struct root *root)
{
	struct text real = text_is(root->real, "/") ? TEXT("") : root->real;

	bind_text(q, text_format(c->arena, "%.*s/", TEXT_ARGS(real)));
	bind_text(q, text_format(c->arena, "%.*s0", TEXT_ARGS(real)));
}

/* The sum of a root is kept with every change of its records. It is computed once, when a root is seen first. */
static int64_t bytes_below(struct call *c, struct transaction *t, const struct root *root, bool *is_known)
{
	struct query q = query_on(t, "SELECT bytes FROM roots WHERE path = ?1");

	bind_text(&q, root->real);
	*is_known = query_row(&q);
	int64_t sum = *is_known ? query_int(&q, 0) : 0;
	query_end(&q);
	if (*is_known)
		return sum;
	q = query_on(t, "SELECT coalesce(sum(bytes), 0) FROM documents WHERE path > ?1 AND path < ?2");
	bind_below(c, &q, root);
	sum = query_row(&q) ? query_int(&q, 0) : 0;
	query_end(&q);
	return sum;
}

static void keep_sum(struct transaction *t, const struct root *root, int64_t sum)
{
	struct query q = query_on(t, "INSERT OR REPLACE INTO roots(path, bytes) VALUES(?1, ?2)");

	bind_text(&q, root->real);
	bind_int(&q, sum);
	query_run(&q);
}

/* The oldest commits below a root, after one of them. `most` 0: all. */
static struct candidates candidates_below(struct call *c, struct transaction *t, const struct root *root, int64_t after,
					  int64_t most)
{
	struct query q = query_on(
		t, "SELECT d.id, c.time, sum(d.bytes) FROM documents d INDEXED BY documents_commit JOIN commits c ON"
		   " c.id = d.id WHERE d.path > ?1 AND d.path < ?2 AND d.id > ?3 AND c.state != 0 GROUP BY d.id"
		   " ORDER BY d.id LIMIT ?4");
	ARRAY(struct candidate) list = {0};

	bind_below(c, &q, root);
	bind_int(&q, after);
	bind_int(&q, most ? most : -1);
	while (query_row(&q))
		*ARRAY_PUSH(c->arena, &list) =
			(struct candidate){query_int(&q, 0), query_int(&q, 1), (size_t)query_int(&q, 2)};
	query_end(&q);
	return (struct candidates){list.items, list.n, list.n};
}

/* True if all its documents are below roots of this server, and it is the newest commit of none of them. */
static bool may_go(struct call *c, struct transaction *t, int64_t id, struct removal *rows)
{
	struct query q = query_on(t, "SELECT row, path, old_path FROM documents WHERE id = ?1");
	ARRAY(struct text) paths = {0};
	size_t before = rows->rows.n;
	struct last_record last;
	struct text below;
	bool may = true;

	bind_int(&q, id);
	while (query_row(&q)) {
		struct text old = query_lent(&q, 2);
		may = may && (!old.at || place_root(c->work, old, &below));
		*ARRAY_PUSH(c->arena, &rows->rows) = query_int(&q, 0);
		*ARRAY_PUSH(c->arena, &paths) = query_text(&q, c->arena, 1);
	}
	query_end(&q);
	for (size_t i = 0; may && i < paths.n; i++)
		may = place_root(c->work, paths.items[i], &below) && record_last(t, c->arena, paths.items[i], &last) &&
		      last.id != id;
	if (!may)
		rows->rows.n = before;
	return may;
}

/* Removes the oldest records until `least` bytes are removed, but not more than `most`. */
static size_t remove_oldest(struct call *c, struct transaction *t, const struct candidates *list, size_t least,
			    size_t most)
{
	struct error error = c->error;
	struct removal removal = {0};
	size_t gone = 0;

	for (size_t i = 0; i < list->n && gone < least; i++)
		if (gone + list->items[i].bytes <= most && may_go(c, t, list->items[i].id, &removal))
			gone += list->items[i].bytes;
	if (removal.rows.n) {
		array_sort(removal.rows.items, removal.rows.n, sizeof *removal.rows.items, ascending);
		if (rebase(c, t, &removal))
			remove_rows(c, t, &removal);
		else
			gone = 0; /* records that cannot be rebased stay */
	}
	c->error = error;
	return gone;
}

static int64_t pragma(struct transaction *t, const char *sql)
{
	struct query q = query_on(t, sql);
	int64_t n = query_row(&q) ? query_int(&q, 0) : 0;

	query_end(&q);
	return n;
}

/* The file is larger than all records in it, so this quick check is usually enough. */
static bool may_be_large(struct transaction *t, size_t keep)
{
	int64_t pages = pragma(t, "PRAGMA page_count") - pragma(t, "PRAGMA freelist_count");

	return (size_t)(pages * pragma(t, "PRAGMA page_size")) > keep;
}

static bool is_over(struct call *c, const struct root *root)
{
	struct transaction *t;
	bool is_known, over = false;

	if (!history_begin(c, STORE_READ, &t) || !t)
		return false;
	if (may_be_large(t, c->work->keep_bytes))
		over = (size_t)bytes_below(c, t, root, &is_known) > c->work->keep_bytes || !is_known;
	transaction_rollback(t);
	return over;
}

/* One step: true if there is more to remove. *after: the last commit that was looked at. */
static bool shrink(struct call *c, const struct root *root, int64_t *after)
{
	size_t keep = c->work->keep_bytes, gone = 0;
	struct transaction *t;
	bool is_known;

	if (!history_begin(c, STORE_WRITE_LAZY, &t))
		return false;
	int64_t sum = bytes_below(c, t, root, &is_known);
	if (!is_known)
		keep_sum(t, root, sum);
	size_t most = (size_t)sum > keep ? (size_t)sum - keep : 0;
	struct candidates list = {0};
	if (most) {
		list = candidates_below(c, t, root, *after, AT_ONCE);
		gone = remove_oldest(c, t, &list, most, SIZE_MAX);
	}
	bool more = gone < most && list.n == AT_ONCE;
	*after = more ? list.items[list.n - 1].id : 0;
	return transaction_commit(c, t, "remove old records") && more;
}

/* Counts the oldest records that are too old. No record counts as older than the one before it, so a clock that was
 * slow for a while makes nothing old. Across a gap longer than `keep` the age is unknown. */
static size_t expired(struct candidates *list, int64_t now, int64_t keep, bool *jumped)
{
	size_t first = 0, n = 0;

	for (size_t i = 1; i < list->n; i++) {
		if (list->items[i].time < list->items[i - 1].time)
			list->items[i].time = list->items[i - 1].time;
		if (list->items[i].time - list->items[i - 1].time > keep)
			first = i;
	}
	*jumped = first > 0 || (list->n && now - list->items[list->n - 1].time > keep);
	for (n = first; n < list->n && now - list->items[n].time > keep; n++)
		;
	list->items += first;
	list->n -= first;
	return n - first;
}

/* The commits of a root that are too old, read without keeping writers waiting. */
static struct candidates old_ones(struct call *c, const struct root *root, bool *jumped)
{
	struct candidates list = {0};
	struct transaction *t;

	if (!history_begin(c, STORE_READ, &t) || !t)
		return list;
	list = candidates_below(c, t, root, 0, 0);
	transaction_rollback(t);
	list.n = expired(&list, clock_now(), c->work->keep_days * day, jumped);
	return list;
}

static void remove_old_drafts(struct call *c)
{
	struct transaction *t;

	if (!history_begin(c, STORE_WRITE_LAZY, &t))
		return;
	struct query q = query_on(t, "DELETE FROM drafts WHERE changed < ?1");
	bind_int(&q, clock_now() - c->work->keep_days * day);
	query_run(&q);
	transaction_commit(c, t, "remove old drafts");
}

static void remove_by_age(struct call *c)
{
	const struct work *w = c->work;
	bool any = false;

	for (size_t i = 0; i < w->roots.n; i++) {
		bool jumped = false;
		struct candidates list = old_ones(c, &w->roots.items[i], &jumped);
		any = any || jumped;
		while (list.n) {
			struct candidates some = {list.items, list.n < AT_ONCE ? list.n : AT_ONCE, 0};
			struct transaction *t;
			list.items += some.n;
			list.n -= some.n;
			if (!history_begin(c, STORE_WRITE_LAZY, &t))
				return;
			remove_oldest(c, t, &some, SIZE_MAX, w->keep_bytes / SLACK);
			if (!transaction_commit(c, t, "remove old records"))
				return;
		}
	}
	if (any)
		log_line(LOG_WARNING,
			 "between two commits the clock moved by more than %d days, the time that the history is kept: "
			 "older commits are not removed by age",
			 w->keep_days);
	else
		remove_old_drafts(c);
}

static void remove_by_bytes(struct call *c, struct upkeep *u)
{
	const struct work *w = c->work;
	int64_t began = clock_ticks();
	bool more = false;

	if (began < u->not_before)
		return;
	for (size_t i = 0; i < w->roots.n; i++) {
		int64_t after = 0;
		bool left = is_over(c, &w->roots.items[i]);
		while (left && clock_ticks() - began < RUN_MS)
			left = shrink(c, &w->roots.items[i], &after);
		more = more || left;
		/* Its oldest records are all needed: the newest of a document always stays. */
		if (!left && is_over(c, &w->roots.items[i]))
			u->not_before = clock_ticks() + (clock_ticks() - began) * REST;
	}
	if (more)
		atomic_store(&u->is_due, true);
}

void history_upkeep(struct work *w)
{
	struct upkeep *u = &w->upkeep;
	struct arena arena = {0};
	struct call c = {.arena = &arena, .work = w, .tool = ""};

	if (w->read_only || atomic_load(&w->is_broken) || !w->history)
		return;
	if (atomic_exchange(&u->is_due, false))
		remove_by_bytes(&c, u);
	if (atomic_exchange(&u->is_aged, false))
		remove_by_age(&c);
	if (c.error.fault && c.error.fault != FAULT_LOCKED)
		log_line(LOG_WARNING, "%s", error_sentence(&arena, &c.error));
	work_release(&c);
	arena_free(&arena);
}

static void add_rows(struct call *c, struct transaction *t, const char *sql, struct text place, struct removal *r)
{
	struct query q = query_on(t, sql);

	bind_text(&q, place);
	while (query_row(&q))
		*ARRAY_PUSH(c->arena, &r->rows) = query_int(&q, 0);
	query_end(&q);
}

/* All rows of this name, and of the names that the document had before. */
static bool rows_of(struct call *c, struct transaction *t, struct text place, struct removal *r)
{
	struct chain chain;
	size_t n = 0;

	if (!chain_load(c, t, place, (struct text){0}, &chain))
		return false;
	for (size_t i = 0; i < chain.n; i++)
		*ARRAY_PUSH(c->arena, &r->rows) = chain.items[i].row;
	add_rows(c, t, "SELECT row FROM documents WHERE path = ?1", place, r);
	add_rows(c, t, "SELECT row FROM documents WHERE old_path = ?1", place, r);
	if (!r->rows.n)
		return true;
	array_sort(r->rows.items, r->rows.n, sizeof *r->rows.items, ascending);
	for (size_t i = 0; i < r->rows.n; i++)
		if (!n || r->rows.items[n - 1] != r->rows.items[i])
			r->rows.items[n++] = r->rows.items[i];
	r->rows.n = n;
	return true;
}

/* An unfinished change still needs its record. */
static bool is_pending(struct transaction *t, struct text place)
{
	struct query q = query_on(t, "SELECT 1 FROM commits c JOIN documents d ON d.id = c.id WHERE c.state = 0"
				     " AND ?1 IN (path, old_path)");

	bind_text(&q, place);
	bool is = query_row(&q);
	return !query_end(&q) || is;
}

/* If a commit also changed other documents, it can no longer be undone as a whole. */
static bool forget(struct call *c, struct transaction *t, struct text place, const struct removal *r)
{
	for (size_t i = 0; i < r->rows.n; i++) {
		struct query q = query_on(
			t, "UPDATE commits SET is_cut = 1 WHERE id = (SELECT id FROM documents WHERE row = ?1)");
		bind_int(&q, r->rows.items[i]);
		query_run(&q);
	}
	if (!rebase(c, t, r))
		return false;
	remove_rows(c, t, r);
	struct query q = query_on(t, "DELETE FROM drafts WHERE path = ?1");
	bind_text(&q, place);
	return query_run(&q);
}

bool history_forget(struct call *c, struct text path, size_t *forgotten)
{
	struct removal removal = {0};
	struct transaction *t;
	struct text place;

	*forgotten = 0;
	recover_pending(c);
	if (!history_place(c, path, true, &place) || !history_begin(c, STORE_READ, &t))
		return false;
	if (!t)
		return true;
	transaction_rollback(t);
	if (!history_begin(c, STORE_WRITE, &t))
		return false;
	bool waits = is_pending(t, place);
	bool gone = !waits && rows_of(c, t, place, &removal) && forget(c, t, place, &removal);
	if (!gone) {
		if (transaction_failed(t))
			transaction_fail(c, t, "forget the history");
		else if (waits)
			fail(c, FAULT_LOCKED, "a change of %s is not finished yet; try again in a moment",
			     shown(c, path));
		transaction_rollback(t);
		return false;
	}
	if (!transaction_commit(c, t, "forget the history"))
		return false;
	*forgotten = removal.rows.n;
	/* Free pages and the log may still contain the bytes, so the file is rewritten. */
	return store_compact(c, c->work->history->store) ||
	       fail(c, FAULT_LOCKED,
		    "the history of %s is removed, but traces of it are still in the database file, because another "
		    "program is reading it; repeat this command",
		    shown(c, path));
}
