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
	return fail(c, FAULT_NOT_FOUND, "there is no draft %s; it was saved, closed or expired. Start a new one",
		    shown(c, id));
}

/* After a request is recorded, no limit may end the call, because the caller must learn that it was recorded. */
static bool written(bool committed)
{
	if (committed)
		budget_lift();
	return committed;
}

bool draft_new(struct call *c, struct document *base, struct text id, struct draft *out)
{
	unsigned char chance[ID_BYTES];
	struct text place = place_of(c->arena, base->root, base->place);
	struct transaction *t = NULL;

	if (!document_exists(base))
		return fail(c, FAULT_NOT_FOUND, "%s does not exist, so it cannot have a draft", shown(c, base->path));
	if (!may_touch(c, base->place, true) || !history_begin(c, STORE_WRITE, &t))
		return false;
	random_bytes(chance, sizeof chance);
	if (!id.at)
		id = base64url_encode(c->arena, (struct text){(const char *)chance, sizeof chance});
	*out = (struct draft){.id = id,
			      .path = place_name(c, place),
			      .key = place,
			      .revision = base->revision,
			      .requests = {arena_array(c->arena, 1, sizeof(struct text)), 0},
			      .changed = clock_now()};
	struct query q = query_on(t, "INSERT INTO drafts(id, path, revision, mark, changed) VALUES(?1,?2,?3,0,?4)");
	bind_text(&q, id);
	bind_text(&q, place);
	bind_text(&q, base->revision);
	bind_int(&q, out->changed);
	query_run(&q);
	return written(transaction_commit(c, t, "keep the draft"));
}

/* One column contains the revisions, separated by spaces: base, saved, first. "-" means none. */
static void read_revisions(struct draft *d, struct text all)
{
	struct text *const to[] = {&d->revision, &d->saved, &d->first};

	for (size_t i = 0, at = 0; i < ARRAY_COUNT(to) && at < all.len; i++) {
		size_t space = text_find(all, TEXT(" "), at), end = space == SIZE_MAX ? all.len : space;
		struct text word = text_slice(all, at, end);
		if (!text_is(word, "-"))
			*to[i] = word;
		at = end + 1;
	}
}

static struct text written_revisions(struct arena *a, const struct draft *d)
{
	struct text saved = d->saved.at ? d->saved : TEXT("-");

	return d->first.at
		       ? text_format(a, "%.*s %.*s %.*s", TEXT_ARGS(d->revision), TEXT_ARGS(saved), TEXT_ARGS(d->first))
		       : text_format(a, "%.*s %.*s", TEXT_ARGS(d->revision), TEXT_ARGS(saved));
}

struct text draft_revisions(struct arena *a, const struct draft *d, struct text saved)
{
	struct draft now = *d;

	now.saved = saved;
	return written_revisions(a, &now);
}

static bool load_requests(struct call *c, struct transaction *t, struct draft *d)
{
	ARRAY(struct text) list = {0};
	struct query q = query_on(t, "SELECT request FROM requests WHERE draft = ?1 ORDER BY place");

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
	struct text place = {0}, below = {0};
	struct transaction *t = NULL;
	bool found = false;

	if (!history_begin(c, STORE_READ, &t))
		return false;
	if (t) {
		struct query q = query_on(t, "SELECT path, revision, mark, changed FROM drafts WHERE id = ?1");
		bind_text(&q, id);
		if ((found = query_row(&q))) {
			place = query_text(&q, c->arena, 0);
			*out = (struct draft){.id = text_copy(c->arena, id),
					      .path = place_name(c, place),
					      .key = place,
					      .mark = (size_t)query_int(&q, 2),
					      .changed = query_int(&q, 3)};
			read_revisions(out, query_text(&q, c->arena, 1));
		}
		query_end(&q);
		if (found)
			load_requests(c, t, out);
		if (!transaction_commit(c, t, "read the draft"))
			return false;
	}
	/* All servers of this user share the state. Drafts of documents outside the roots served here are not visible
	 * here. */
	if (!found || !place_root(c->work, place, &below))
		return no_draft(c, id);
	return may_touch(c, below, true);
}

bool draft_peek(struct call *c, struct text id, struct draft *out, bool *found)
{
	struct transaction *t = NULL;

	*found = false;
	if (!history_begin(c, STORE_READ, &t))
		return false;
	if (!t)
		return true;
	struct query q = query_on(t, "SELECT mark, changed, revision FROM drafts WHERE id = ?1");
	bind_text(&q, id);
	if ((*found = query_row(&q))) {
		*out = (struct draft){
			.id = text_copy(c->arena, id), .mark = (size_t)query_int(&q, 0), .changed = query_int(&q, 1)};
		read_revisions(out, query_text(&q, c->arena, 2));
	}
	query_end(&q);
	return transaction_commit(c, t, "read the draft");
}

/* Moves the mark, unless another process changed the draft since it was read. Comparing marks is not enough: the
 * requests before the same mark may differ. So times are compared: no two states of a draft have the same time. */
static bool move_mark(struct transaction *t, const struct draft *d, size_t mark, int64_t now)
{
	struct query q =
		query_on(t, "UPDATE drafts SET mark = ?1, changed = ?2 WHERE id = ?3 AND mark = ?4 AND changed = ?5"
			    " RETURNING id");

	bind_int(&q, (int64_t)mark);
	bind_int(&q, now);
	bind_text(&q, d->id);
	bind_int(&q, (int64_t)d->mark);
	bind_int(&q, d->changed);
	bool moved = query_row(&q);
	query_end(&q);
	return moved;
}

static void insert_request(struct transaction *t, const struct draft *d, struct text request)
{
	struct query q = query_on(t, "DELETE FROM requests WHERE draft = ?1 AND place >= ?2");

	bind_text(&q, d->id);
	bind_int(&q, (int64_t)d->mark);
	query_run(&q);
	q = query_on(t, "INSERT INTO requests(draft, place, request) VALUES(?1, ?2, ?3)");
	bind_text(&q, d->id);
	bind_int(&q, (int64_t)d->mark);
	bind_bytes(&q, request.at ? request : TEXT(""));
	query_run(&q);
}

static void set_revisions(struct transaction *t, const struct draft *d, struct text revisions)
{
	struct query q = query_on(t, "UPDATE drafts SET revision = ?1 WHERE id = ?2");

	bind_text(&q, revisions);
	bind_text(&q, d->id);
	query_run(&q);
}

/* Changes in addition to the mark; absent: unchanged. */
struct change_to {
	const struct text *request;
	struct text revisions;
};

static bool update(struct call *c, struct draft *d, size_t mark, const struct change_to *to)
{
	int64_t now = clock_now() > d->changed ? clock_now() : d->changed + 1;
	struct transaction *t = NULL;

	if (!history_begin(c, STORE_WRITE, &t))
		return false;
	bool moved = move_mark(t, d, mark, now);
	if (!moved && !transaction_failed(t)) {
		struct draft now_there;
		transaction_rollback(t);
		return draft_open(c, d->id, &now_there) &&
		       fail(c, FAULT_CONFLICT, "draft %s was changed by another call meanwhile; open it again",
			    shown(c, d->id));
	}
	if (to->request)
		insert_request(t, d, *to->request);
	if (to->revisions.at)
		set_revisions(t, d, to->revisions);
	if (!written(transaction_commit(c, t, "keep the draft")))
		return false;
	d->changed = now;
	return true;
}

bool draft_append(struct call *c, struct draft *d, struct text request)
{
	if (!update(c, d, d->mark + 1, &(struct change_to){.request = &request}))
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
	if (!update(c, d, mark, &(struct change_to){0}))
		return false;
	d->mark = mark;
	return true;
}

bool draft_set_base(struct call *c, struct draft *d, struct text revision)
{
	struct draft now = *d;

	now.first = d->first.at ? d->first : d->revision;
	now.revision = revision;
	now.saved = (struct text){0};
	if (!update(c, d, d->mark, &(struct change_to){.revisions = written_revisions(c->arena, &now)}))
		return false;
	now.changed = d->changed;
	*d = now;
	return true;
}

bool draft_touch(struct call *c, struct draft *d)
{
	int64_t now = clock_now() > d->changed ? clock_now() : d->changed + 1;
	struct transaction *t = NULL;

	if (c->work->read_only)
		return true;
	if (!history_begin(c, STORE_WRITE_LAZY, &t))
		return false;
	bool moved = move_mark(t, d, d->mark, now);
	if (!transaction_commit(c, t, "keep the draft"))
		return false;
	if (moved)
		d->changed = now;
	return true;
}

bool draft_close(struct call *c, struct text id)
{
	struct transaction *t = NULL;
	struct draft d;

	if (!draft_open(c, id, &d) || !history_begin(c, STORE_WRITE, &t))
		return false;
	struct query q = query_on(t, "DELETE FROM drafts WHERE id = ?1 RETURNING id");
	bind_text(&q, id);
	bool closed = query_row(&q);
	query_end(&q);
	return written(transaction_commit(c, t, "close the draft")) && (closed || no_draft(c, id));
}

bool draft_list(struct call *c, struct text path, struct draft **out, size_t *n)
{
	ARRAY(struct draft) list = {0};
	struct transaction *t = NULL;
	struct text place = {0};

	*out = NULL;
	*n = 0;
	if ((path.at && !history_place(c, path, false, &place)) || !history_begin(c, STORE_READ, &t))
		return false;
	if (!t)
		return true;
	struct query q = query_on(t, "SELECT id, path, revision, mark, changed FROM drafts"
				     " WHERE ?1 IS NULL OR path = ?1 ORDER BY changed DESC, id");
	bind_text(&q, place);
	while (query_row(&q)) {
		struct text at = query_text(&q, c->arena, 1);
		struct draft d = {.id = query_text(&q, c->arena, 0),
				  .path = place_name(c, at),
				  .key = at,
				  .mark = (size_t)query_int(&q, 3),
				  .changed = query_int(&q, 4)};
		read_revisions(&d, query_text(&q, c->arena, 2));
		if (place_is_granted(c, at, true))
			*ARRAY_PUSH(c->arena, &list) = d;
	}
	query_end(&q);
	*out = list.items;
	*n = list.n;
	return transaction_commit(c, t, "list the drafts");
}
