/* outside.c: changes by other programs: records them, and finds the one that made a document unreadable, so that it can
 * be undone first.
 *
 * A document is broken by such a change if a format could read it before, and cannot read it now. Several changes by
 * other programs in a row count as one: a second bad save does not make the first one readable. */
#include "work/history/history.h"
#include "work/history/place.h"
#include "work/history/view.h"
#include "work/workspace.h"

#include "format/json_write.h"

bool stays_readable(struct call *c, struct text now, struct text result)
{
	for (const struct format *const *f = c->work->formats; f && *f; f++) {
		struct arena arena = {0};
		struct error error = {0};
		bool broke = (*f)->parse(&arena, now, &error) && !(*f)->parse(&arena, result, &error);
		arena_free(&arena);
		if (broke)
			return false;
	}
	return true;
}

bool broke_since(struct call *c, struct view *v, size_t from)
{
	const struct error said = c->error;
	struct text bytes = {0};

	if (!v->bytes.at || from >= v->chain.n)
		return false;
	while (from + 1 < v->chain.n && v->chain.items[from].kind == RECORD_OUTSIDE)
		from++;
	bool broke =
		chain_bytes(c, v->t, &v->chain, from, false, &bytes) && bytes.at && !stays_readable(c, bytes, v->bytes);
	c->error = said; /* without the earlier bytes, nothing can be said */
	return broke;
}

const struct step *broken_by(struct call *c, struct view *v)
{
	for (size_t i = 0; i < v->chain.n; i++) {
		const struct step *s = &v->chain.items[i];
		if (s->is_undone || s->kind == RECORD_UNDO || s->kind == RECORD_REDO)
			continue;
		return s->kind == RECORD_OUTSIDE && s->before.at && broke_since(c, v, i + 1) ? s : NULL;
	}
	return NULL;
}

/* Records the document's bytes under its lock, if they are still the same. */
static bool note(struct call *c, const struct view *v)
{
	bool is_held = c->held && c->held->changing;
	struct document *d;

	if (is_held)
		return history_note(c, v->place, v->bytes);
	if (!documents_change(c, &(struct want){.path = v->path, .want = DOCUMENT_THERE}, 1, &d))
		return false;
	bool noted = text_same(document_revision(d), v->revision) && history_note(c, v->place, v->bytes);
	documents_release(c);
	return noted;
}

bool history_note_broken(struct call *c, struct text path)
{
	const struct error said = c->error;
	const struct text revision = c->revision;
	struct view v;
	bool is_new = false;

	if (view_open(c, path, &v)) {
		const struct step *last = v.chain.n ? v.chain.items : NULL;
		is_new = last && last->after.at && v.revision.at && !text_same(last->after, v.revision) &&
			 place_is_granted(c, v.place, true) && broke_since(c, &v, 0);
		view_close(&v);
		is_new = is_new && note(c, &v);
	}
	c->error = said;
	c->revision = revision;
	return is_new;
}

bool history_note_change(struct call *c, struct text path)
{
	const struct error said = c->error;
	const struct text revision = c->revision;
	bool settled = true;
	struct view v;

	if (view_open(c, path, &v)) {
		const struct step *last = v.chain.n ? v.chain.items : NULL;
		bool is_new = v.bytes.at && (!last || !last->after.at || !text_same(last->after, v.revision));
		view_close(&v);
		settled = !is_new || note(c, &v);
	}
	c->error = said;
	c->revision = revision;
	return settled;
}

int64_t history_newest(struct call *c)
{
	const struct error said = c->error;
	struct transaction *t = NULL;
	int64_t newest = 0;

	if (history_begin(c, STORE_READ, &t) && t) {
		struct query q = query_on(t, "SELECT coalesce(max(id), 0) FROM commits WHERE state != 0");
		if (query_row(&q))
			newest = query_int(&q, 0);
		query_end(&q);
		transaction_commit(c, t, "read the history");
	}
	c->error = said;
	return newest;
}

const char *history_advise_broken(struct call *c, struct text path)
{
	const struct error said = c->error;
	const struct text revision = c->revision;
	const char *advice = NULL;
	struct view v;

	if (c->work->read_only)
		return NULL;
	history_note_broken(c, path);
	if (view_open(c, path, &v)) {
		const struct step *s = place_is_granted(c, v.place, true) ? broken_by(c, &v) : NULL;
		advice = s ? advise_undo(c, v.place, s->id) : NULL;
		view_close(&v);
	}
	c->error = said;
	c->revision = revision;
	return advice;
}
