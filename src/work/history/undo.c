/* undo.c: undoes a commit, all its documents together, by an ordinary commit with the reverse edits.
 *
 * Later changes to a document stay: the reverse edits are rebased over them. If they overlap, the undo is refused. */
#include "work/commit.h"
#include "work/history/history.h"
#include "work/history/place.h"
#include "work/history/recover.h"
#include "work/history/view.h"
#include "work/workspace.h"

#include "base/digest.h"
#include "format/json.h"
#include "format/merge.h"

#include <stdlib.h>
#include <string.h>

/* The files at the document's current name and at the name it had before it was moved. */
struct now {
	struct text place, bytes, revision; /* absent bytes: no file */
	struct text old_place;              /* absent: it did not move */
	bool old_is_taken;
};

/* How to undo one document: whole bytes, or edits to the current bytes. Neither: the document is removed. */
struct way {
	struct text bytes;
	const struct splice *splices;
	size_t n;
	bool is_edit, is_gone;
};

static bool choose(struct call *c, struct view *v, int64_t id, bool redo, const struct step **out)
{
	*out = id || redo ? NULL : broken_by(c, v);
	for (size_t i = 0; i < v->chain.n && !*out; i++) {
		const struct step *s = &v->chain.items[i];
		bool fits = redo ? s->kind == RECORD_UNDO : s->kind == RECORD_EDIT;
		if (id ? s->id == id : fits && !s->is_undone)
			*out = s;
	}
	if (!*out && id)
		return fail(c, FAULT_NOT_FOUND, "the history of %s has no commit %lld; %s lists the commits",
			    shown(c, v->path), (long long)id, advise_history(c, v->place));
	if (!*out)
		return fail(c, FAULT_NOT_FOUND,
			    redo ? "there is nothing to redo on %s" : "there is no commit on %s to undo",
			    shown(c, v->path));
	if ((*out)->is_undone)
		return fail(c, FAULT_CONFLICT, "commit %lld is undone already", (long long)(*out)->id);
	if ((*out)->kind == RECORD_REDO)
		return fail(c, FAULT_ARGUMENT, "commit %lld is a redo; %s restores the file as it was before it",
			    (long long)(*out)->id, advise_restore(c, v->place, (*out)->before));
	if ((*out)->kind != RECORD_UNDO && redo)
		return fail(c, FAULT_ARGUMENT, "commit %lld is an edit; undo it without redo", (long long)(*out)->id);
	if ((*out)->kind == RECORD_UNDO && !redo)
		return fail(c, FAULT_ARGUMENT, "commit %lld is an undo; redo, without a commit, undoes the newest undo",
			    (long long)(*out)->id);
	return true;
}

/* The current place of a record's document. */
static struct text followed(struct transaction *t, struct arena *a, struct text place, int64_t id)
{
	for (bool moved = true; moved;) {
		struct query q =
			query_on(t, "SELECT d.path, d.id FROM documents d JOIN commits c ON c.id = d.id"
				    " WHERE d.old_path = ?1 AND d.id > ?2 AND c.state != 0 ORDER BY d.id LIMIT 1");
		bind_text(&q, place);
		bind_int(&q, id);
		moved = query_row(&q);
		if (moved) {
			id = query_int(&q, 1);
			place = query_text(&q, a, 0);
		}
		query_end(&q);
	}
	return place;
}

/* Finds the current places of all documents of the record. `named` is the place of the step's document. */
static bool find_places(struct call *c, struct transaction *t, const struct record *r, const struct step *s,
			struct text named, struct now *out)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct record_document *d = &r->documents[i];
		bool is_named = text_same(d->path, s->path);
		out[i] = (struct now){.place = is_named && !text_same(s->path, named) && !s->old_path.at
						       ? named
						       : followed(t, c->arena, d->path, r->id),
				      .old_place = d->old_path};
		/* Another program moved it unnoticed, so it is at the path that the caller gave. */
		if (is_named && s->old_path.at && !text_same(named, s->old_path))
			out[i].place = named;
		if (!place_name(c, out[i].place).at || (d->old_path.at && !place_name(c, d->old_path).at))
			return fail(c, FAULT_PATH,
				    "commit %lld also changed a document outside the roots; name a root that holds all "
				    "of its documents",
				    (long long)r->id);
	}
	return !transaction_failed(t);
}

static unsigned line_of(struct text bytes, size_t at)
{
	unsigned n = 1;

	for (size_t i = 0; i < at && i < bytes.len; i++)
		n += bytes.at[i] == '\n';
	return n;
}

static void add_details(struct call *c, const struct now *now, const struct record_document *d, unsigned from,
			unsigned to)
{
	struct json *details = json_new_object(c->arena);

	json_set_text(c->arena, details, "path", place_name(c, now->place));
	json_set_text(c->arena, details, "revision", now->revision.at ? now->revision : TEXT("none"));
	json_set_text(c->arena, details, "expected", d->after.at ? d->after : TEXT("none"));
	if (from) {
		json_set_int(c->arena, details, "first_line", from);
		json_set_int(c->arena, details, "last_line", to);
	}
	c->error.details = details;
}

/* Keeps later changes: the edits from A to B are rebased over those from A to the current bytes. */
static bool merge(struct call *c, const struct record *r, const struct record_document *d, const struct now *now,
		  struct text a, struct text b, struct way *out)
{
	size_t n, m, clash = 0;
	const struct splice *mine = splice_found(c->arena, a, b, &n),
			    *theirs = splice_found(c->arena, a, now->bytes, &m);
	struct splice *moved = splice_move(c->arena, mine, n, theirs, m, &clash);
	const char *restore = advise_restore(c, now->place, d->before);

	if (!moved) {
		size_t at = 0;
		for (size_t i = 0; i < clash; i++)
			at += theirs[i].with.len - (theirs[i].to - theirs[i].from);
		at += theirs[clash].from;
		unsigned from = line_of(now->bytes, at), to = line_of(now->bytes, at + theirs[clash].with.len);
		fail(c, FAULT_CONFLICT,
		     "%s: commit %lld cannot be undone alone, because lines %u to %u were changed since; %s restores the "
		     "file as it was before that commit",
		     shown(c, place_name(c, now->place)), (long long)r->id, from, to, restore);
		add_details(c, now, d, from, to);
		return false;
	}
	*out = (struct way){.splices = moved, .n = n, .is_edit = true};
	if (stays_readable(c, now->bytes, splice_apply(c->arena, now->bytes, moved, n)))
		return true;
	fail(c, FAULT_CONFLICT,
	     "%s: commit %lld cannot be undone alone, because the document would not be valid then; %s restores the "
	     "file as it was before that commit",
	     shown(c, place_name(c, now->place)), (long long)r->id, restore);
	add_details(c, now, d, 0, 0);
	return false;
}

static const char *restore_as_left(struct call *c, const struct record *r, const struct now *now)
{
	return advise_restore(c, now->place, text_format(c->arena, "%lld", (long long)r->id));
}

/* `chain` starts at the commit, here and below. */
static bool not_held(struct call *c, const struct record *r, const struct now *now, const struct chain *chain)
{
	if (!chain->all || chain->items[0].id != r->id || !chain_holds(chain, 0, false))
		return fail(c, FAULT_CONFLICT,
			    "commit %lld cannot be undone: the history does not hold the document before it",
			    (long long)r->id);
	return fail(
		c, FAULT_CONFLICT,
		"commit %lld cannot be undone: the history does not hold the document before it; %s restores the file "
		"as that commit left it",
		(long long)r->id, restore_as_left(c, r, now));
}

static bool gone(struct call *c, const struct record *r, const struct record_document *d, const struct now *now,
		 const struct chain *chain)
{
	const char *path = shown(c, place_name(c, now->place));

	if (chain_holds(chain, 0, false))
		fail(c, FAULT_CONFLICT, "%s is gone since commit %lld; %s brings it back", path, (long long)r->id,
		     advise_restore(c, now->place, d->after));
	else
		fail(c, FAULT_CONFLICT, "%s is gone since commit %lld, and the history does not hold it", path,
		     (long long)r->id);
	add_details(c, now, d, 0, 0);
	return false;
}

/* Undoes the creation of a document. Refused if the document changed since. */
static bool unmake(struct call *c, const struct record *r, const struct record_document *d, const struct now *now,
		   const struct chain *chain, struct way *out)
{
	const char *path = shown(c, place_name(c, now->place));

	if (r->kind == RECORD_OUTSIDE)
		return fail(
			c, FAULT_CONFLICT,
			"commit %lld only records how %s was when quire first saw it; there is nothing before it to "
			"go back to",
			(long long)r->id, path);
	if (!now->bytes.at)
		return gone(c, r, d, now, chain);
	if (!text_same(now->revision, d->after)) {
		const char *why = "which was changed since: undoing it would delete those changes";
		if (chain_holds(chain, 0, false))
			fail(c, FAULT_CONFLICT, "commit %lld made %s, %s; %s restores the file as that commit left it",
			     (long long)r->id, path, why, restore_as_left(c, r, now));
		else
			fail(c, FAULT_CONFLICT, "commit %lld made %s, %s", (long long)r->id, path, why);
		add_details(c, now, d, 0, 0);
		return false;
	}
	*out = (struct way){.is_gone = true};
	return true;
}

/* Refuses: another document now has the name that this one had before. */
static bool taken(struct call *c, const struct record *r, const struct record_document *d, const struct now *now,
		  const struct chain *chain)
{
	const char *path = shown(c, place_name(c, now->place));

	if (!chain_holds(chain, 0, true))
		return not_held(c, r, now, chain);
	if (now->old_is_taken)
		fail(c, FAULT_CONFLICT,
		     "commit %lld moved %s to %s, and another document has the old name now; move that one away and retry, "
		     "or %s restores the text before that commit under the new name",
		     (long long)r->id, shown(c, place_name(c, now->old_place)), path,
		     advise_restore(c, now->place, d->before));
	else
		fail(c, FAULT_CONFLICT,
		     "%s was made again since commit %lld deleted it; %s restores the file as it was before that commit",
		     path, (long long)r->id, advise_restore(c, now->place, d->before));
	add_details(c, now, d, 0, 0);
	return false;
}

/* `known`: the steps of the document up to this commit, if they were already read. */
static bool find_way(struct call *c, struct transaction *t, const struct record *r, const struct record_document *d,
		     const struct now *now, const struct chain *known, struct way *out)
{
	struct text a = {0}, b = {0};
	struct chain chain = known ? *known : (struct chain){0};

	if (!known && !chain_to(c, t, d->path, r->id, &chain))
		return transaction_fail(c, t, "read the history");
	if (!chain.all || chain.items[0].id != r->id)
		return not_held(c, r, now, &chain);
	if (!d->before.at)
		return unmake(c, r, d, now, &chain, out);
	if (now->old_is_taken || (!d->after.at && now->bytes.at))
		return taken(c, r, d, now, &chain);
	if (d->after.at && !now->bytes.at)
		return gone(c, r, d, now, &chain);
	if (!chain_bytes(c, t, &chain, 0, true, &b))
		return c->error.fault ? false : transaction_fail(c, t, "read the history");
	if (!b.at)
		return not_held(c, r, now, &chain);
	if (!d->after.at || text_same(now->revision, d->after)) {
		*out = (struct way){.bytes = b};
		return true;
	}
	if (!chain_bytes(c, t, &chain, 0, false, &a))
		return c->error.fault ? false : transaction_fail(c, t, "read the history");
	return a.at ? merge(c, r, d, now, a, b, out) : not_held(c, r, now, &chain);
}

static bool look_up(struct call *c, struct now *now)
{
	struct text bytes, revision;

	if (!bytes_now(c, place_name(c, now->place), &now->bytes, &now->revision))
		return false;
	if (!now->old_place.at)
		return true;
	if (!bytes_now(c, place_name(c, now->old_place), &bytes, &revision))
		return false;
	now->old_is_taken = bytes.at && !text_same(now->old_place, now->place);
	return true;
}

static bool look_at(struct call *c, struct now *now)
{
	bool own = c->own_names;

	/* Besides the requested document, a commit may also have changed the kind's own files. */
	c->own_names = true;
	bool seen = look_up(c, now);
	c->own_names = own;
	if (!seen)
		return false;
	return place_is_granted(c, now->place, true) &&
	       (!now->old_place.at || place_is_granted(c, now->old_place, true));
}

static bool would_work(struct call *c, struct view *v, const struct step *s, const struct record *r,
		       const struct record_document *d, const struct now *now, size_t *budget)
{
	size_t at = (size_t)(s - v->chain.items), cost = now->bytes.len * 8 + 4096;
	const struct chain rest = {v->chain.items + at, v->chain.n - at, v->chain.all - at};
	bool is_named = text_same(d->path, s->path);
	struct way way;

	/* The document is as the commit left it, so undo only needs the earlier bytes from the history. */
	if (is_named && d->before.at && d->after.at && !now->old_is_taken && now->bytes.at &&
	    text_same(now->revision, d->after))
		return chain_holds(&rest, 0, true);
	if (cost > *budget)
		return false;
	*budget -= cost;
	return find_way(c, v->t, r, d, now, is_named ? &rest : NULL, &way);
}

bool undo_would_work(struct call *c, struct view *v, const struct step *s, size_t *budget)
{
	struct error error = c->error;
	struct record r;
	bool found = false, works = !s->is_undone && (s->kind == RECORD_EDIT || s->kind == RECORD_OUTSIDE);

	works = works && !c->work->read_only && record_read(v->t, c->arena, s->id, false, &r, &found) && found &&
		!r.is_cut;
	struct now *now = works ? arena_array(c->arena, r.n, sizeof *now) : NULL;
	works = works && find_places(c, v->t, &r, s, v->place, now);
	for (size_t i = 0; works && i < r.n; i++)
		works = look_at(c, &now[i]) && would_work(c, v, s, &r, &r.documents[i], &now[i], budget);
	c->error = error;
	return works;
}

/* A document of the record, opened for changing under its current name. */
struct opened {
	struct document *at, *old; /* old: the name it had before the move */
};

/* One for each document of the record; NULL: error set. */
static struct opened *open_all(struct call *c, const struct record *r, const struct now *now, struct text named)
{
	struct want *wants = arena_array(c->arena, r->n * 2, sizeof *wants);
	struct document **documents = arena_array(c->arena, r->n * 2, sizeof(struct document *));
	size_t n = 0, lead = 0;

	for (size_t i = 0; i < r->n; i++) {
		if (text_same(now[i].place, named))
			lead = n;
		wants[n++] = (struct want){place_name(c, now[i].place), DOCUMENT_EITHER | DOCUMENT_OWN, true};
		if (now[i].old_place.at && text_same(now[i].old_place, named))
			lead = n;
		if (now[i].old_place.at)
			wants[n++] =
				(struct want){place_name(c, now[i].old_place), DOCUMENT_EITHER | DOCUMENT_OWN, true};
	}
	/* if_revision refers to the requested document, so that one comes first. */
	struct want first = wants[lead];
	wants[lead] = wants[0];
	wants[0] = first;
	if (!documents_change(c, wants, n, documents))
		return NULL;
	struct document *held = documents[lead];
	documents[lead] = documents[0];
	documents[0] = held;
	struct opened *opened = arena_array(c->arena, r->n, sizeof *opened);
	for (size_t i = 0, k = 0; i < r->n; i++) {
		opened[i].at = documents[k++];
		if (now[i].old_place.at)
			opened[i].old = documents[k++];
		if (opened[i].old == opened[i].at)
			opened[i].old = NULL;
	}
	return opened;
}

static struct change change_of(struct call *c, const struct way *w, const struct opened *o)
{
	struct change change = {.document = o->at, .kind = CHANGE_WHOLE, .bytes = w->bytes};

	if (w->is_gone)
		change.kind = CHANGE_DELETE;
	else if (w->is_edit)
		change = (struct change){.document = o->at, .kind = CHANGE_SPLICE, .splices = w->splices, .n = w->n};
	if (!o->old || w->is_gone || !document_exists(o->at))
		return change;
	if (!w->is_edit)
		change.splices = splice_found(c->arena, document_bytes(o->at), w->bytes, &change.n);
	change.kind = CHANGE_MOVE;
	change.bytes = (struct text){0};
	change.target = o->old;
	return change;
}

/* Plans the undo with the current bytes, under the locks. */
static bool plan_all(struct call *c, struct transaction *t, const struct record *r, struct now *now,
		     const struct opened *opened, struct change *out)
{
	struct record again;
	struct way way;
	bool found = false;

	/* Another process may have undone it while we waited for the locks. */
	if (!record_read(t, c->arena, r->id, false, &again, &found))
		return transaction_fail(c, t, "read the history");
	if (!found || again.undone_by)
		return fail(c, FAULT_CONFLICT, "commit %lld is undone already", (long long)r->id);
	for (size_t i = 0; i < r->n; i++) {
		now[i].bytes = document_bytes(opened[i].at);
		now[i].revision = document_revision(opened[i].at);
		now[i].old_is_taken = opened[i].old && document_exists(opened[i].old);
		if (!find_way(c, t, r, &r->documents[i], &now[i], NULL, &way))
			return false;
		out[i] = change_of(c, &way, &opened[i]);
	}
	return true;
}

/* True if the history of another document of the commit was forgotten. */
static bool is_cut(struct call *c, const struct view *v, const struct step *s)
{
	const char *why = "the history of another document of it was forgotten";

	if (!chain_holds(&v->chain, (size_t)(s - v->chain.items), true))
		return fail(c, FAULT_CONFLICT, "commit %lld cannot be undone: %s", (long long)s->id, why);
	return fail(c, FAULT_CONFLICT, "commit %lld cannot be undone: %s; %s restores %s as it was before that commit",
		    (long long)s->id, why, advise_restore(c, v->place, s->before), shown(c, v->path));
}

/* Finds the commit, its documents and their current places. */
static bool prepare(struct call *c, struct text path, int64_t id, bool redo, struct text *place, struct record *r,
		    struct now **now)
{
	const struct step *s;
	struct view v;
	bool found = false;

	if (!view_open(c, path, &v))
		return false;
	*place = v.place;
	bool ready = choose(c, &v, id, redo, &s);
	if (ready && (!record_read(v.t, c->arena, s->id, false, r, &found) || !found))
		ready = transaction_fail(c, v.t, "read the history");
	if (ready && r->is_cut)
		ready = is_cut(c, &v, s);
	if (ready) {
		*now = arena_array(c->arena, r->n, sizeof **now);
		ready = find_places(c, v.t, r, s, v.place, *now);
	}
	view_close(&v);
	return ready;
}

bool history_undo(struct call *c, struct text path, int64_t id, bool redo, struct undone *out)
{
	struct record r = {0};
	struct now *now = NULL;
	struct text place;
	struct transaction *t;

	if (!history_place(c, path, true, &place))
		return false;
	if (!id && !redo && !c->work->read_only)
		history_note_broken(c, path);
	if (!prepare(c, path, id, redo, &place, &r, &now))
		return false;
	struct opened *opened = open_all(c, &r, now, place);
	if (!opened || !history_begin(c, STORE_READ, &t))
		return false;
	struct change *changes = arena_array(c->arena, r.n, sizeof *changes);
	bool planned = t && plan_all(c, t, &r, now, opened, changes);
	transaction_rollback(t);
	if (!planned)
		return false;
	struct text summary = text_format(c->arena, "%s %lld: %.*s", redo ? "redo by undoing" : "undo", (long long)r.id,
					  TEXT_ARGS(r.summary));
	if (!commit_changes(c, changes, r.n, summary, redo ? RECORD_REDO : RECORD_UNDO, r.id))
		return false;
	struct text *paths = arena_array(c->arena, r.n, sizeof *paths);
	*out = (struct undone){.id = r.id, .summary = r.summary, .paths = {paths, r.n}};
	for (size_t i = 0; i < r.n; i++) {
		const struct document *d = opened[i].old ? opened[i].old : opened[i].at;
		paths[i] = place_name(c, opened[i].old ? now[i].old_place : now[i].place);
		if (r.n == 1 || text_same(place_of(c->arena, d->root, d->place), place))
			out->revision = d->revision;
	}
	c->error = (struct error){0};
	c->revision = out->revision;
	return true;
}
