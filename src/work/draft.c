#include "work/draft.h"

#include "base/clock.h"
#include "base/digest.h"
#include "work/history/place.h"
#include "work/history/store.h"
#include "work/workspace.h"

#include <string.h>

/* 120 bits: a draft's id is all that is needed to open it. */
enum { ID_BYTES = 15 };

static bool no_draft(struct call *c, struct text id)
{
	return fail(c, FAULT_NOT_FOUND, "there is no draft %s; it was saved, closed or expired, so begin a new one",
		    shown(c, id));
}

/* Ends a transaction that went well so far, or not. */
static bool settle(struct call *c, struct db *db, bool kept, const char *doing)
{
	kept = kept && db_commit(db);
	if (!kept) {
		db_fail(c, db, doing);
		db_rollback(db);
	}
	return kept;
}

bool draft_new(struct call *c, struct document *base, struct text id, struct draft *out)
{
	unsigned char chance[ID_BYTES];
	struct text place = place_of(c->arena, base->root, base->place);
	struct db *db = NULL;

	if (!document_exists(base))
		return fail(c, FAULT_NOT_FOUND, "%s does not exist, so it cannot be drafted on", shown(c, base->path));
	if (!may_touch(c, base->place, true) || !history_writer(c, &db))
		return false;
	random_bytes(chance, sizeof chance);
	if (!id.at)
		id = base64url_encode(c->arena, (struct text){(const char *)chance, sizeof chance});
	*out = (struct draft){.id = id,
			      .path = place_name(c, place),
			      .revision = base->revision,
			      .requests = {arena_array(c->arena, 1, sizeof(struct text)), 0},
			      .changed = clock_now()};
	db_enter(db);
	bool kept = db_begin(db, true);
	if (kept) {
		struct query q =
			db_query(db, "INSERT INTO drafts(id, path, revision, base, mark, changed) VALUES(?,?,?,?,0,?)");
		bind_text(&q, id);
		bind_text(&q, place);
		bind_text(&q, base->revision);
		bind_bytes(&q, TEXT("")); /* the bytes are found again by their revision */
		bind_int(&q, out->changed);
		kept = query_run(&q);
	}
	kept = settle(c, db, kept, "keep the draft");
	db_leave(db);
	return kept;
}

static bool load_requests(struct call *c, struct db *db, struct draft *d)
{
	ARRAY(struct text) list = {0};
	struct query q = db_query(db, "SELECT request FROM requests WHERE draft = ? ORDER BY place");

	bind_text(&q, d->id);
	while (query_row(&q))
		*ARRAY_PUSH(c->arena, &list) = query_text(&q, c->arena, 0);
	d->requests = (struct texts){list.items ? list.items : arena_array(c->arena, 1, sizeof(struct text)), list.n};
	if (d->mark > list.n)
		d->mark = list.n;
	return query_end(&q);
}

bool draft_open(struct call *c, struct text id, struct draft *out)
{
	bool found = false, read = true;
	struct text place = {0}, below = {0};
	struct db *db = NULL;

	if (!history_reader(c, &db))
		return false;
	if (db) {
		db_enter(db);
		struct query q = db_query(db, "SELECT path, revision, mark, changed FROM drafts WHERE id = ?");
		bind_text(&q, id);
		if ((found = query_row(&q))) {
			place = query_text(&q, c->arena, 0);
			*out = (struct draft){.id = text_copy(c->arena, id),
					      .path = place_name(c, place),
					      .revision = query_text(&q, c->arena, 1),
					      .mark = (size_t)query_int(&q, 2),
					      .changed = query_int(&q, 3)};
		}
		read = query_end(&q) && (!found || load_requests(c, db, out));
		if (!read)
			db_fail(c, db, "read the draft");
		db_leave(db);
	}
	if (!read)
		return false;
	/* The history is the user's; what lies outside the roots served here is nobody's business here. */
	if (!found || !place_root(c->work, place, &below))
		return no_draft(c, id);
	return may_touch(c, below, true);
}

bool draft_peek(struct call *c, struct text id, struct draft *out, bool *found)
{
	struct db *db = NULL;
	bool read = true;

	*found = false;
	if (!history_reader(c, &db))
		return false;
	if (db) {
		db_enter(db);
		struct query q = db_query(db, "SELECT mark, changed FROM drafts WHERE id = ?");
		bind_text(&q, id);
		if ((*found = query_row(&q)))
			*out = (struct draft){.id = text_copy(c->arena, id),
					      .mark = (size_t)query_int(&q, 0),
					      .changed = query_int(&q, 1)};
		read = query_end(&q) || db_fail(c, db, "read the draft");
		db_leave(db);
	}
	return read;
}

/* Moves the mark, provided that nobody else did since the draft was read. The mark alone may be back where it was, with
 * other requests below it; no two states of a draft have the same time. */
static bool move_mark(struct db *db, const struct draft *d, size_t mark, int64_t now)
{
	struct query q =
		db_query(db, "UPDATE drafts SET mark = ?, changed = ? WHERE id = ? AND mark = ? AND changed = ?");

	bind_int(&q, (int64_t)mark);
	bind_int(&q, now);
	bind_text(&q, d->id);
	bind_int(&q, (int64_t)d->mark);
	bind_int(&q, d->changed);
	return query_run(&q);
}

static bool insert_request(struct db *db, const struct draft *d, struct text request)
{
	struct query q = db_query(db, "DELETE FROM requests WHERE draft = ? AND place >= ?");

	bind_text(&q, d->id);
	bind_int(&q, (int64_t)d->mark);
	if (!query_run(&q))
		return false;
	q = db_query(db, "INSERT INTO requests(draft, place, request) VALUES(?,?,?)");
	bind_text(&q, d->id);
	bind_int(&q, (int64_t)d->mark);
	bind_bytes(&q, request.at ? request : TEXT(""));
	return query_run(&q);
}

static bool update(struct call *c, struct draft *d, size_t mark, const struct text *request)
{
	int64_t now = clock_now() > d->changed ? clock_now() : d->changed + 1;
	bool moved = false;
	struct db *db = NULL;

	if (!history_writer(c, &db))
		return false;
	db_enter(db);
	bool kept = db_begin(db, true) && move_mark(db, d, mark, now);
	if (kept)
		moved = db_changes(db) == 1;
	if (kept && !moved) {
		db_rollback(db);
		db_leave(db);
		struct draft now_there;
		return draft_open(c, d->id, &now_there) &&
		       fail(c, FAULT_CONFLICT, "draft %s was changed by another call meanwhile; open it again",
			    shown(c, d->id));
	}
	kept = kept && (!request || insert_request(db, d, *request));
	kept = settle(c, db, kept, "keep the draft");
	db_leave(db);
	if (kept)
		d->changed = now;
	return kept;
}

bool draft_append(struct call *c, struct draft *d, struct text request)
{
	if (!update(c, d, d->mark + 1, &request))
		return false;
	struct text *items = arena_array(c->arena, d->mark + 1, sizeof *items);
	for (size_t i = 0; i < d->mark; i++)
		items[i] = d->requests.items[i];
	items[d->mark] = text_copy(c->arena, request);
	d->requests = (struct texts){items, ++d->mark};
	return true;
}

bool draft_set_mark(struct call *c, struct draft *d, size_t mark)
{
	if (mark > d->requests.n)
		return fail(c, FAULT_ARGUMENT, "draft %s has %zu edits, not %zu", shown(c, d->id), d->requests.n, mark);
	if (!update(c, d, mark, NULL))
		return false;
	d->mark = mark;
	return true;
}

bool draft_close(struct call *c, struct text id)
{
	int64_t closed = 0;
	struct db *db = NULL;
	struct draft d;

	if (!draft_open(c, id, &d) || !history_writer(c, &db))
		return false;
	db_enter(db);
	bool kept = db_begin(db, true);
	if (kept) {
		struct query q = db_query(db, "DELETE FROM drafts WHERE id = ?");
		bind_text(&q, id);
		kept = query_run(&q);
		closed = db_changes(db);
	}
	kept = settle(c, db, kept, "close the draft");
	db_leave(db);
	return kept && (closed || no_draft(c, id));
}

bool draft_list(struct call *c, struct text path, struct draft **out, size_t *n)
{
	ARRAY(struct draft) list = {0};
	struct text place = {0};
	struct db *db = NULL;
	bool read = true;

	if ((path.at && !history_place(c, path, false, &place)) || !history_reader(c, &db))
		return false;
	if (db) {
		db_enter(db);
		struct query q = db_query(db, "SELECT id, path, revision, mark, changed FROM drafts"
					      " WHERE ?1 IS NULL OR path = ?1 ORDER BY changed DESC, id");
		bind_text(&q, place);
		while (query_row(&q)) {
			struct text at = query_text(&q, c->arena, 1);
			struct draft d = {.id = query_text(&q, c->arena, 0),
					  .path = place_name(c, at),
					  .revision = query_text(&q, c->arena, 2),
					  .mark = (size_t)query_int(&q, 3),
					  .changed = query_int(&q, 4)};
			if (place_is_granted(c, at, true))
				*ARRAY_PUSH(c->arena, &list) = d;
		}
		read = query_end(&q) || db_fail(c, db, "list the drafts");
		db_leave(db);
	}
	*out = list.items;
	*n = list.n;
	return read;
}
