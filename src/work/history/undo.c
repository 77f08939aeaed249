/* undo.c: taking a commit back, all its documents together, by an ordinary commit that goes the other way. */
#include "work/commit.h"
#include "work/history/delta.h"
#include "work/history/history.h"
#include "work/history/place.h"
#include "work/history/recover.h"
#include "work/workspace.h"

#include "format/json.h"

#include <stdlib.h>
#include <string.h>

enum { DIFF_CONTEXT = 3, DIFF_MAX = 16 << 10 };

/* The newest change of the document that is in force: an edit, or for a redo an undo. 0: none. */
static bool newest(struct call *c, struct text place, bool redo, int64_t *id)
{
	struct db *db = NULL;

	*id = 0;
	if (!history_reader(c, &db))
		return false;
	if (!db)
		return true;
	db_enter(db);
	struct query q = db_query(
		db, "SELECT c.id FROM documents d JOIN commits c ON c.id = d.id WHERE (d.path = ? OR d.old_path = ?)"
		    " AND c.kind = ? AND c.undone_by IS NULL"
		    " AND c.state != 0 ORDER BY c.id DESC LIMIT 1");
	bind_text(&q, place);
	bind_text(&q, place);
	bind_int(&q, redo ? RECORD_UNDO : RECORD_EDIT);
	if (query_row(&q))
		*id = query_int(&q, 0);
	bool read = query_end(&q) || db_fail(c, db, "read the history");
	db_leave(db);
	return read;
}

/* Is this the document, under the name it has after the change or the one before? */
static bool names(const struct record_document *d, struct text place)
{
	return text_same(d->path, place) || (d->old_path.at && text_same(d->old_path, place));
}

static bool choose(struct call *c, struct text path, int64_t id, bool redo, struct record *out)
{
	struct text place;

	if (!history_place(c, path, true, &place))
		return false;
	if (!id && !newest(c, place, redo, &id))
		return false;
	if (!id)
		return fail(c, FAULT_NOT_FOUND,
			    redo ? "there is nothing to redo on %s" : "there is no change of %s to undo",
			    shown(c, path));
	if (!history_load(c, id, out))
		return false;
	bool concerns = false;
	for (size_t i = 0; i < out->n; i++) {
		const struct record_document *d = &out->documents[i];
		concerns |= names(d, place);
		if (!d->can_undo)
			return fail(c, FAULT_CONFLICT,
				    "change %lld cannot be undone: the history does not hold all of it", (long long)id);
	}
	if (!concerns)
		return fail(c, FAULT_NOT_FOUND, "change %lld was not one of %s", (long long)id, shown(c, path));
	if (out->undone_by)
		return fail(c, FAULT_CONFLICT, "change %lld is undone already", (long long)id);
	if ((out->kind == RECORD_UNDO) != redo || out->kind == RECORD_REDO)
		return fail(c, FAULT_ARGUMENT, "change %lld is %s; undo takes back edits, and redo takes back undos",
			    (long long)id,
			    out->kind == RECORD_EDIT   ? "an edit"
			    : out->kind == RECORD_UNDO ? "an undo"
						       : "a redo");
	return true;
}

/* A document of the record, opened to change under its name of today. */
struct opened {
	struct document *at, *old; /* old: the name it had before it moved */
};

/* One for each document of the record; NULL: error set. */
static struct opened *open_all(struct call *c, const struct record *r, struct text first)
{
	struct want *wants = arena_array(c->arena, r->n * 2, sizeof *wants);
	struct document **documents = arena_array(c->arena, r->n * 2, sizeof(struct document *));
	struct text place;
	size_t n = 0, lead = 0;

	if (!history_place(c, first, true, &place))
		return NULL;
	for (size_t i = 0; i < r->n; i++) {
		const struct record_document *d = &r->documents[i];
		if (names(d, place))
			lead = n;
		wants[n++] = (struct want){place_name(c, d->path), DOCUMENT_EITHER | DOCUMENT_OWN, true};
		if (d->old_path.at)
			wants[n++] = (struct want){place_name(c, d->old_path), DOCUMENT_EITHER | DOCUMENT_OWN, true};
	}
	for (size_t i = 0; i < n; i++)
		if (!wants[i].path.at) {
			fail(c, FAULT_PATH,
			     "change %lld also changed a document outside the roots; name a root that holds all of its "
			     "documents",
			     (long long)r->id);
			return NULL;
		}
	/* if_revision speaks of the document named, which therefore comes first. */
	struct want named = wants[lead];
	wants[lead] = wants[0];
	wants[0] = named;
	if (!documents_change(c, wants, n, documents))
		return NULL;
	struct document *held = documents[lead];
	documents[lead] = documents[0];
	documents[0] = held;
	struct opened *opened = arena_array(c->arena, r->n, sizeof *opened);
	for (size_t i = 0, k = 0; i < r->n; i++) {
		opened[i].at = documents[k++];
		if (r->documents[i].old_path.at)
			opened[i].old = documents[k++];
	}
	return opened;
}

/* Refuses because of another hand, with what it changed and how to see what an undo would lose. */
static bool changed_since(struct call *c, const struct record *r, const struct record_document *d,
			  const struct document *at)
{
	struct text diff = {0};
	struct json *details = json_new_object(c->arena);

	if (d->after.at && document_exists(at)) {
		struct text then;
		if (history_bytes(c, document_path(at), d->after, &then) && !text_has_nul(then) &&
		    !text_has_nul(document_bytes(at)))
			diff = splice_diff(c->arena, then, document_bytes(at),
					   text_string(c->arena, document_place(at)), DIFF_CONTEXT);
		c->error = (struct error){0};
	}
	json_set_text(c->arena, details, "path", document_place(at));
	json_set_text(c->arena, details, "revision", document_revision(at).at ? document_revision(at) : TEXT("none"));
	json_set_text(c->arena, details, "expected", d->after.at ? d->after : TEXT("none"));
	if (diff.at && diff.len <= DIFF_MAX)
		json_set_text(c->arena, details, "changed_since", diff);
	const char *path = shown(c, document_path(at));
	if (!d->after.at)
		fail(c, FAULT_CONFLICT, "%s was made again since change %lld deleted it; move it away to undo", path,
		     (long long)r->id);
	else if (!document_exists(at))
		fail(c, FAULT_CONFLICT, "%s is gone since change %lld; file_diff with to=%.*s shows what it held", path,
		     (long long)r->id, TEXT_ARGS(d->after));
	else
		fail(c, FAULT_CONFLICT,
		     "%s was changed since change %lld (it is at %.*s, not %.*s): undo the later changes first, or see "
		     "them with file_diff from=%.*s",
		     path, (long long)r->id, TEXT_ARGS(document_revision(at)), TEXT_ARGS(d->after),
		     TEXT_ARGS(d->after));
	c->error.details = details;
	return false;
}

static bool as_left(const struct record_document *d, const struct opened *o)
{
	if (o->old && document_exists(o->old))
		return false;
	return d->after.at ? document_exists(o->at) && text_same(document_revision(o->at), d->after)
			   : !document_exists(o->at);
}

/* Does the record still lead to the bytes that stood before? Nothing is written on its word alone. */
static bool leads_back(struct call *c, const struct record_document *d, const struct opened *o)
{
	struct text bytes;

	return !d->before.at || (delta_back(c->arena, d, document_bytes(o->at), &bytes) &&
				 text_same(text_of(revision_of(bytes).chars), d->before));
}

/* The change that leads back. */
static bool reverse(struct call *c, const struct record *r, const struct record_document *d, const struct opened *o,
		    struct change *out)
{
	struct change change = {.document = o->at, .target = o->old, .kind = CHANGE_WHOLE};

	if (!leads_back(c, d, o))
		return fail(c, FAULT_STORAGE, "change %lld cannot be undone: its record is damaged", (long long)r->id);
	if (!d->before.at) {
		change.kind = CHANGE_DELETE;
	} else if (!d->after.at || (d->inverse_is_whole && !o->old)) {
		change.bytes = d->inverse;
	} else {
		struct text before = document_bytes(o->at);
		if (d->inverse_is_whole) {
			struct splice *all = arena_new(c->arena, struct splice);
			*all = (struct splice){0, (uint32_t)before.len, d->inverse};
			change.splices = all;
			change.n = 1;
		} else {
			change.splices = delta_splices(c->arena, d->inverse, before.len, &change.n);
		}
		change.kind = o->old ? CHANGE_MOVE : CHANGE_SPLICE;
	}
	*out = change;
	return true;
}

bool history_undo(struct call *c, struct text path, int64_t id, bool redo, struct undone *out)
{
	struct record r = {0}, again;

	recover_pending(c);
	if (!choose(c, path, id, redo, &r))
		return false;
	struct opened *opened = open_all(c, &r, path);
	if (!opened)
		return false;
	/* While we waited for the locks somebody may have undone it. */
	if (!history_load(c, r.id, &again))
		return false;
	if (again.undone_by)
		return fail(c, FAULT_CONFLICT, "change %lld is undone already", (long long)r.id);
	struct change *changes = arena_array(c->arena, r.n, sizeof *changes);
	struct text *paths = arena_array(c->arena, r.n, sizeof *paths);
	for (size_t i = 0; i < r.n; i++) {
		const struct record_document *d = &r.documents[i];
		if (!as_left(d, &opened[i]))
			return changed_since(c, &r, d,
					     opened[i].old && document_exists(opened[i].old) ? opened[i].old
											     : opened[i].at);
		if (!reverse(c, &r, d, &opened[i], &changes[i]))
			return false;
		paths[i] = place_name(c, d->old_path.at ? d->old_path : d->path);
	}
	struct text summary = text_format(c->arena, "%s %lld: %.*s", redo ? "redo by undoing" : "undo", (long long)r.id,
					  TEXT_ARGS(r.summary));
	if (!commit_changes(c, changes, r.n, summary, redo ? RECORD_REDO : RECORD_UNDO, r.id))
		return false;
	struct text place;
	*out = (struct undone){.id = r.id, .summary = r.summary, .paths = {paths, r.n}};
	if (history_place(c, path, false, &place))
		for (size_t i = 0; i < r.n; i++) {
			const struct document *d = opened[i].old ? opened[i].old : opened[i].at;
			if (text_same(place_of(c->arena, d->root, d->place), place))
				out->revision = d->revision;
		}
	c->error = (struct error){0};
	c->revision = out->revision;
	return true;
}
