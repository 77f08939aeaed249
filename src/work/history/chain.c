#include "work/history/chain.h"

#include "base/array.h"
#include "base/digest.h"
#include "work/history/pack.h"
#include "work/history/place.h"
#include "work/history/state.h"
#include "work/workspace.h"

enum { STEPS_MAX = 200000 };

static int newest_first(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	return x->id != y->id ? (x->id < y->id) - (x->id > y->id) : (x->row < y->row) - (x->row > y->row);
}

/* Finds the steps at one name that are older than `below`: changes of the document there, and its move away. */
static bool steps_at(struct call *c, struct transaction *t, struct text place, int64_t below, int states,
		     struct chain *chain)
{
	static const char *const sql[] = {
		"SELECT d.row, d.id, d.path, d.old_path, d.before, d.after, d.form, d.is_cut, c.kind,"
		" c.undone_by IS NOT NULL FROM documents d"
		" JOIN commits c ON c.id = d.id WHERE d.path = ?1 AND d.id < ?2 AND c.state >= ?3",
		"SELECT d.row, d.id, d.path, d.old_path, d.before, d.after, d.form, d.is_cut, c.kind,"
		" c.undone_by IS NOT NULL FROM documents d"
		" JOIN commits c ON c.id = d.id WHERE d.old_path = ?1 AND d.path != ?1 AND d.id < ?2 AND c.state >= ?3",
	};
	ARRAY(struct step) list = {chain->items, chain->all, chain->all};

	for (size_t i = 0; i < ARRAY_COUNT(sql); i++) {
		struct query q = query_on(t, sql[i]);
		bind_text(&q, place);
		bind_int(&q, below);
		bind_int(&q, states);
		while (list.n < STEPS_MAX && query_row(&q))
			*ARRAY_PUSH(c->arena, &list) = (struct step){.row = query_int(&q, 0),
								     .id = query_int(&q, 1),
								     .path = query_text(&q, c->arena, 2),
								     .old_path = query_text(&q, c->arena, 3),
								     .before = query_text(&q, c->arena, 4),
								     .after = query_text(&q, c->arena, 5),
								     .form = (enum record_form)query_int(&q, 6),
								     .is_cut = query_int(&q, 7),
								     .kind = (enum record_kind)query_int(&q, 8),
								     .is_undone = query_int(&q, 9)};
		query_end(&q);
	}
	if (list.n > chain->all)
		array_sort(list.items + chain->all, list.n - chain->all, sizeof *list.items, newest_first);
	chain->items = list.items;
	chain->all = list.n;
	return !transaction_failed(t);
}

/* Finds the step that moved the document to this name. Older steps at this name belong to another document. */
static bool came_by(const struct chain *chain, size_t first, struct text here, size_t *out)
{
	for (size_t i = first; i < chain->all; i++)
		if (chain->items[i].old_path.at && text_same(chain->items[i].path, here)) {
			*out = i;
			return true;
		}
	return false;
}

static bool follow_moves(struct call *c, struct transaction *t, struct text place, int states, struct chain *out)
{
	bool is_seen = true;
	size_t first = 0, i;

	while (came_by(out, first, place, &i)) {
		place = out->items[i].old_path;
		first = out->all = i + 1;
		if (is_seen)
			out->n = out->all;
		is_seen =
			is_seen && (states == RECORD_PENDING || place_is_granted(c, place, false) || c->work->is_owner);
		if (!steps_at(c, t, place, out->items[i].id, states, out))
			return false;
	}
	if (is_seen)
		out->n = out->all;
	return true;
}

bool chain_load(struct call *c, struct transaction *t, struct text place, struct text revision, struct chain *out)
{
	const int64_t below = INT64_MAX;

	*out = (struct chain){0};
	if (!steps_at(c, t, place, below, RECORD_DONE, out))
		return false;
	if (!out->all) {
		/* Another program may have moved it here. */
		if (!record_moved_from(c, t, place, revision, &place) || !place.at)
			return !transaction_failed(t);
		if (!steps_at(c, t, place, below, RECORD_DONE, out))
			return false;
	}
	return follow_moves(c, t, place, RECORD_DONE, out);
}

bool chain_to(struct call *c, struct transaction *t, struct text place, int64_t id, struct chain *out)
{
	*out = (struct chain){0};
	return steps_at(c, t, place, id + 1, RECORD_PENDING, out) && follow_moves(c, t, place, RECORD_PENDING, out);
}

static bool follows(const struct chain *chain, size_t i)
{
	const struct step *s = &chain->items[i], *older = s + 1;

	return i + 1 < chain->all && s->before.at && older->after.at && text_same(s->before, older->after);
}

/* The step with the whole bytes from which the bytes after step i are rebuilt. SIZE_MAX: there is none. */
static size_t base_of(const struct chain *chain, size_t i)
{
	for (;; i++) {
		const struct step *s = &chain->items[i];
		if (!s->after.at)
			return SIZE_MAX;
		if (form_is_whole(s->form))
			return i;
		bool is_same = s->before.at && text_same(s->before, s->after);
		if ((s->form == FORM_NONE && !is_same) || !follows(chain, i))
			return SIZE_MAX;
	}
}

bool chain_holds(const struct chain *chain, size_t i, bool before)
{
	if (before && !follows(chain, i))
		return false;
	return base_of(chain, i + before) != SIZE_MAX;
}

static bool load_delta(struct transaction *t, struct arena *a, int64_t row, struct text *out)
{
	struct query q = query_on(t, "SELECT delta FROM documents WHERE row = ?1");

	bind_int(&q, row);
	*out = query_row(&q) ? query_text(&q, a, 0) : (struct text){0};
	return query_end(&q);
}

static bool is_damaged(struct call *c, const struct step *s)
{
	return fail(c, FAULT_STORAGE, "the record of commit %lld is damaged; %s lists all damage", (long long)s->id,
		    state_command(c->arena, c->work->history, "fsck").at);
}

bool chain_bytes(struct call *c, struct transaction *t, const struct chain *chain, size_t i, bool before,
		 struct text *out)
{
	/* Used in turn, so that many steps do not accumulate copies of a document. */
	struct arena arenas[2] = {{0}, {0}};
	struct text bytes = {0}, delta;
	bool made = true;

	*out = (struct text){0};
	if (!chain_holds(chain, i, before))
		return true;
	i += before;
	size_t at = base_of(chain, i);
	for (int turn = 0; made; turn ^= 1, at--) {
		const struct step *s = &chain->items[at];
		arena_free(&arenas[turn]);
		made = goes_on(c) && load_delta(t, &arenas[turn], s->row, &delta);
		struct text base = bytes;
		if (made && s->form == FORM_NONE)
			bytes = text_copy(&arenas[turn], base);
		else if (made && !pack_apply(&arenas[turn], s->form, delta, base, &bytes))
			made = is_damaged(c, s);
		if (at == i)
			break;
	}
	if (made && !text_same(text_of(revision_of(bytes).chars), chain->items[i].after))
		made = is_damaged(c, &chain->items[i]);
	if (made)
		*out = text_copy(c->arena, bytes);
	arena_free(&arenas[0]);
	arena_free(&arenas[1]);
	return made;
}
