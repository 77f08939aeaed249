#include "work/history/history.h"

#include "base/digest.h"
#include "base/utf8.h"
#include "format/json_write.h"
#include "format/splice.h"
#include "work/history/place.h"
#include "work/history/recover.h"
#include "work/history/state.h"
#include "work/history/view.h"
#include "work/workspace.h"

#include <stdlib.h>
#include <string.h>

/* TRIES_BYTES: how many bytes one listing may read to find out which commits can be undone. */
enum { DIFF_CONTEXT = 3 };
static const size_t tries_bytes = (size_t)32 << 20;

bool bytes_now(struct call *c, struct text path, struct text *bytes, struct text *revision)
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

bool view_open(struct call *c, struct text path, struct view *out)
{
	struct view v = {.path = path};

	recover_pending(c);
	if (!history_place(c, path, false, &v.place) || !bytes_now(c, path, &v.bytes, &v.revision) ||
	    !history_begin(c, STORE_READ, &v.t))
		return false;
	if (v.t && !chain_load(c, v.t, v.place, v.revision, &v.chain)) {
		transaction_fail(c, v.t, "read the history");
		view_close(&v);
		return false;
	}
	*out = v;
	return true;
}

void view_close(struct view *v)
{
	transaction_rollback(v->t);
	v->t = NULL;
}

static bool is_number(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (t.at[i] < '0' || t.at[i] > '9')
			return false;
	return t.len && t.len < REVISION_LEN;
}

static bool no_moment(struct call *c, const struct view *v, struct text word)
{
	return fail(c, FAULT_NOT_FOUND,
		    is_number(word) ? "the history of %s has no commit %s; %s lists the commits"
				    : "the history of %s has no revision %s; %s lists the revisions",
		    shown(c, v->path), shown(c, word), advise_history(c, v->place));
}

/* Finds the step that a word names. The revision before a step is the revision after the previous step. */
static bool find_moment(const struct view *v, struct text word, size_t *at)
{
	int64_t id = is_number(word) ? strtoll(word.at, NULL, 10) : 0;

	for (*at = 0; *at < v->chain.n; ++*at) {
		const struct step *s = &v->chain.items[*at];
		if (id ? s->id == id : s->after.at && text_same(s->after, word))
			return true;
	}
	return false;
}

bool view_bytes(struct call *c, struct view *v, struct text word, struct text *bytes, struct text *revision,
		const struct step **deleted)
{
	size_t at;
	char copy[REVISION_LEN + 1] = "";

	*deleted = NULL;
	*bytes = (struct text){0};
	memcpy(copy, word.at, word.len < REVISION_LEN ? word.len : REVISION_LEN);
	if (v->revision.at && text_same(v->revision, word)) {
		*bytes = v->bytes;
		*revision = v->revision;
		return true;
	}
	if (!v->t || !find_moment(v, is_number(word) ? text_of(copy) : word, &at))
		return no_moment(c, v, word);
	const struct step *s = &v->chain.items[at];
	*revision = s->after;
	if (!revision->at) {
		*deleted = s;
		return true;
	}
	if (!chain_bytes(c, v->t, &v->chain, at, false, bytes))
		return c->error.fault ? false : transaction_fail(c, v->t, "read the history");
	return bytes->at || fail(c, FAULT_NOT_FOUND,
				 "the history no longer holds %s at revision %s: it was too large to record, or too "
				 "old to keep",
				 shown(c, v->path), shown(c, *revision));
}

bool history_bytes(struct call *c, struct text path, struct text word, struct text *bytes, struct text *revision)
{
	const struct step *deleted;
	struct view v;

	if (!view_open(c, path, &v))
		return false;
	bool found = view_bytes(c, &v, word, bytes, revision, &deleted);
	if (found && deleted)
		found = fail(c, FAULT_NOT_FOUND,
			     chain_holds(&v.chain, (size_t)(deleted - v.chain.items), true)
				     ? "commit %lld deleted %s; revision %s is the file before that commit"
				     : "commit %lld deleted %s, and the history no longer holds revision %s",
			     (long long)deleted->id, shown(c, path), shown(c, deleted->before));
	view_close(&v);
	return found;
}

static bool entry_of(struct call *c, struct view *v, const struct step *s, size_t *budget, struct history_entry *e)
{
	struct query q =
		query_on(v->t, "SELECT time, who, tool, summary, (SELECT count(*) FROM documents WHERE id = c.id),"
			       " d.added, d.removed FROM commits c JOIN documents d ON d.id = c.id WHERE d.row = ?1");
	size_t i = (size_t)(s - v->chain.items);
	/* Every listed revision can be restored; revisions outside the caller's grant are not listed. */
	bool is_held = i + 1 < v->chain.n && chain_holds(&v->chain, i, true);

	bind_int(&q, s->row);
	if (query_row(&q))
		*e = (struct history_entry){.id = s->id,
					    .time = query_int(&q, 0),
					    .who = query_text(&q, c->arena, 1),
					    .tool = query_text(&q, c->arena, 2),
					    .summary = query_text(&q, c->arena, 3),
					    .documents = (size_t)query_int(&q, 4),
					    .bytes_added = (size_t)query_int(&q, 5),
					    .bytes_removed = (size_t)query_int(&q, 6),
					    .after = s->after,
					    .before = is_held ? s->before : (struct text){0},
					    .is_undo = s->kind == RECORD_UNDO || s->kind == RECORD_REDO,
					    .is_undone = s->is_undone,
					    .is_outside = s->kind == RECORD_OUTSIDE};
	if (!query_end(&q))
		return false;
	e->path = s->path;
	place_root(c->work, s->path, &e->path);
	e->can_undo = undo_would_work(c, v, s, budget);
	return true;
}

static bool list_one(struct call *c, struct view *v, int64_t before_id, size_t most, struct history_entry **out,
		     size_t *n, bool *more)
{
	ARRAY(struct history_entry) list = {0};
	size_t budget = tries_bytes;

	if (!v->chain.all && !v->revision.at)
		return fail(c, FAULT_NOT_FOUND, "there is no file %s, and the history has none of that name",
			    shown(c, v->path));
	for (size_t i = 0; i < v->chain.n && !*more; i++) {
		if (v->chain.items[i].id >= before_id)
			continue;
		if (list.n == most)
			*more = true;
		else if (!entry_of(c, v, &v->chain.items[i], &budget, ARRAY_PUSH(c->arena, &list)))
			return transaction_fail(c, v->t, "read the history");
	}
	*out = list.items;
	*n = list.n;
	return true;
}

/* Lists all documents below the roots: one row for each commit, with the first of its documents that the caller may see
 * and the number of those. It does not check which commits can be undone. */
static bool list_all(struct call *c, int64_t before_id, size_t most, struct history_entry **out, size_t *n, bool *more)
{
	ARRAY(struct history_entry) list = {0};
	struct transaction *t;

	if (!history_begin(c, STORE_READ, &t))
		return false;
	if (!t)
		return true;
	struct query q = query_on(
		t, "SELECT c.id, c.time, c.who, c.tool, c.summary, d.path, d.before, d.after, c.kind,"
		   " c.undone_by IS NOT NULL, d.added, d.removed FROM documents d JOIN commits c ON c.id = d.id"
		   " WHERE c.id < ?1 AND c.state != 0 ORDER BY c.id DESC, d.row");
	bind_int(&q, before_id);
	while (!*more && query_row(&q)) {
		struct text place = query_text(&q, c->arena, 5);
		struct history_entry *last = list.n ? &list.items[list.n - 1] : NULL;
		if (!place_is_granted(c, place, false))
			continue;
		if (last && last->id == query_int(&q, 0)) {
			last->documents++;
			last->bytes_added += (size_t)query_int(&q, 10);
			last->bytes_removed += (size_t)query_int(&q, 11);
			continue;
		}
		if (list.n == most) {
			*more = true;
			break;
		}
		int64_t kind = query_int(&q, 8);
		*ARRAY_PUSH(c->arena, &list) =
			(struct history_entry){.id = query_int(&q, 0),
					       .time = query_int(&q, 1),
					       .who = query_text(&q, c->arena, 2),
					       .tool = query_text(&q, c->arena, 3),
					       .summary = query_text(&q, c->arena, 4),
					       .path = place_name(c, place),
					       .before = query_text(&q, c->arena, 6),
					       .after = query_text(&q, c->arena, 7),
					       .is_undo = kind == RECORD_UNDO || kind == RECORD_REDO,
					       .is_undone = query_int(&q, 9),
					       .is_outside = kind == RECORD_OUTSIDE,
					       .documents = 1,
					       .bytes_added = (size_t)query_int(&q, 10),
					       .bytes_removed = (size_t)query_int(&q, 11)};
	}
	query_end(&q);
	*out = list.items;
	*n = list.n;
	return transaction_commit(c, t, "read the history");
}

bool history_list(struct call *c, struct text path, int64_t before_id, size_t most, struct history_entry **out,
		  size_t *n, bool *more)
{
	struct view v;

	*out = NULL;
	*n = 0;
	*more = false;
	before_id = before_id ? before_id : INT64_MAX;
	if (!path.len) {
		recover_pending(c);
		return list_all(c, before_id, most, out, n, more);
	}
	if (!view_open(c, path, &v))
		return false;
	bool listed = list_one(c, &v, before_id, most, out, n, more);
	view_close(&v);
	return listed;
}

static bool moment(struct call *c, struct view *v, struct text word, struct text *bytes)
{
	const struct step *deleted;
	struct text revision;

	if (!view_bytes(c, v, word, bytes, &revision, &deleted))
		return false;
	if (deleted)
		*bytes = TEXT("");
	return true;
}

/* The bytes before the newest change. */
static bool before_newest(struct call *c, struct view *v, struct text *bytes)
{
	*bytes = TEXT("");
	if (!v->chain.n)
		return fail(c, FAULT_NOT_FOUND, "%s has no history", shown(c, v->path));
	if (!v->chain.items[0].before.at)
		return true;
	if (v->chain.n > 1 && !chain_bytes(c, v->t, &v->chain, 0, true, bytes))
		return c->error.fault ? false : transaction_fail(c, v->t, "read the history");
	return bytes->at ||
	       fail(c, FAULT_NOT_FOUND, "the history does not hold %s before its newest commit", shown(c, v->path));
}

static bool is_text(struct text bytes) { return utf8_bad(bytes) == bytes.len && !text_has_nul(bytes); }

/* The diff of what a reader sees, for a format that is not text. False: no format can read both. */
static bool words_diff(struct call *c, struct text before, struct text after, struct text path, struct text *diff)
{
	struct text was = TEXT(""), is = TEXT("");

	for (const struct format *const *f = c->work->formats; f && *f; f++) {
		if (!(*f)->words || (before.len && !(*f)->words(c, before, &was)) ||
		    (after.len && !(*f)->words(c, after, &is))) {
			c->error = (struct error){0};
			continue;
		}
		*diff = splice_diff(c->arena, was, is, text_string(c->arena, path), DIFF_CONTEXT);
		if (!diff->len && !text_same(before, after))
			*diff = TEXT("The words and their looks are the same; other parts of the file differ.\n");
		return true;
	}
	return false;
}

bool history_diff(struct call *c, struct text path, struct text from, struct text to, struct text *diff)
{
	struct text before, after, below;
	struct view v;

	if (!view_open(c, path, &v))
		return false;
	bool found = from.at ? moment(c, &v, from, &before) : before_newest(c, &v, &before);
	if (found && to.at)
		found = moment(c, &v, to, &after);
	else
		after = v.bytes.at ? v.bytes : TEXT("");
	view_close(&v);
	if (!found)
		return false;
	below = v.place;
	place_root(c->work, v.place, &below);
	if (is_text(before) && is_text(after))
		*diff = splice_diff(c->arena, before, after, text_string(c->arena, below), DIFF_CONTEXT);
	else if (!words_diff(c, before, after, below, diff))
		*diff = text_same(before, after) ? TEXT("")
						 : text_format(c->arena, "%zu bytes became %zu; the file is not text\n",
							       before.len, after.len);
	return true;
}

/* The command for a file, as the user types it in a shell. */
static const char *file_command(struct call *c, const char *command, struct text place, struct text word)
{
	const char *file = text_shell(c->arena, place).at;

	return state_command(
		       c->arena, c->work->history,
		       text_format(c->arena, word.len ? "%s %s %.*s" : "%s %s", command, file, TEXT_ARGS(word)).at)
		.at;
}

const char *advise_history(struct call *c, struct text place)
{
	return c->work->is_owner ? file_command(c, "history", place, (struct text){0}) : "file_history";
}

const char *advise_restore(struct call *c, struct text place, struct text word)
{
	struct text name = place_name(c, place);
	struct buffer b = {.arena = c->arena};
	struct json_out o = {.to = &b};

	if (c->work->is_owner)
		return file_command(c, "restore", place, word);
	json_put_text(&o, name.at ? name : place);
	return text_format(c->arena,
			   is_number(word) ? "file_restore {\"file_path\": %s, \"commit\": %.*s}"
					   : "file_restore {\"file_path\": %s, \"revision\": \"%.*s\"}",
			   buffer_text(&b).at, TEXT_ARGS(word))
		.at;
}

const char *advise_undo(struct call *c, struct text place, int64_t id)
{
	struct text name = place_name(c, place);
	struct buffer b = {.arena = c->arena};
	struct json_out o = {.to = &b};

	if (c->work->is_owner)
		return file_command(c, text_format(c->arena, "undo --commit %lld", (long long)id).at, place,
				    (struct text){0});
	json_put_text(&o, name.at ? name : place);
	return text_format(c->arena, "file_undo {\"file_path\": %s, \"commit\": %lld}", buffer_text(&b).at,
			   (long long)id)
		.at;
}

bool history_restore(struct call *c, struct text path, struct text word, struct restored *out)
{
	struct text bytes, revision;
	struct document *d;

	if (!history_bytes(c, path, word, &bytes, &revision))
		return false;
	c->revision = (struct text){0};
	if (!documents_change(c, &(struct want){path, DOCUMENT_EITHER, true}, 1, &d))
		return false;
	bool is_same = document_exists(d) && text_same(document_revision(d), revision);
	struct change change = {.kind = CHANGE_WHOLE, .document = d, .bytes = bytes};
	*out = (struct restored){.revision = text_copy(c->arena, revision), .size = bytes.len, .changed = !is_same};
	if (!work_commit(c, &change, is_same ? 0 : 1, "restore revision %.*s", TEXT_ARGS(revision)))
		return false;
	if (!c->dry_run)
		c->revision = out->revision;
	return true;
}
