#include "work/plan.h"

#include "base/utf8.h"
#include "format/json.h"

#include <assert.h>
#include <string.h>

/* Above this no whole bytes go into the history, and the change cannot be undone. */
static const size_t whole_max = (size_t)64 << 20;
/* Lines are looked for in texts up to this; larger ones are one edit from the first byte that differs to the last. */
static const size_t lines_max = (size_t)16 << 20;
enum { DIFF_CONTEXT = 3, DIFF_MAX = 256 << 10 };

static bool is_binary(struct text t) { return text_has_nul(text_slice(t, 0, 8192)); }

/* One edit from the first byte that differs to the last. */
static struct splice *one_edit(struct arena *a, struct text before, struct text after)
{
	size_t most = before.len < after.len ? before.len : after.len, head = 0, tail = 0;
	struct splice *s = arena_new(a, struct splice);

	while (head < most && before.at[head] == after.at[head])
		head++;
	while (tail < most - head && before.at[before.len - 1 - tail] == after.at[after.len - 1 - tail])
		tail++;
	*s = (struct splice){(uint32_t)head, (uint32_t)(before.len - tail), text_slice(after, head, after.len - tail)};
	return s;
}

static void find_splices(struct call *c, struct plan *p)
{
	struct text before = p->from->entry->bytes, after = p->result->bytes;

	if (before.len <= lines_max && after.len <= lines_max && !is_binary(before) && !is_binary(after)) {
		p->splices = splice_between(c->arena, before, after, &p->n);
		return;
	}
	p->splices = one_edit(c->arena, before, after);
	p->n = 1;
}

/* The new bytes, in an entry that the call counts; with the tree of the kind, when it gave one. */
static struct entry *result_of(struct call *c, const struct change *change)
{
	struct entry *e = entry_new();
	struct document *d = change->document;
	bool is_whole = change->kind == CHANGE_WHOLE;

	work_keep(c->held, c, e);
	if (change->tree && change->tree_arena && (is_whole || change->result.at)) {
		e->bytes = change->result.at ? change->result : change->bytes;
#ifdef QUIRE_DEBUG
		struct arena check = {0};
		assert(is_whole ||
		       text_same(e->bytes, splice_apply(&check, d->entry->bytes, change->splices, change->n)));
		arena_free(&check);
#endif
		entry_give_tree(c->work->cache, e, change->format, change->tree, change->tree_arena);
	} else if (is_whole) {
		e->bytes = text_copy(&e->arena, change->bytes.at ? change->bytes : TEXT(""));
	} else {
		e->bytes = splice_apply(&e->arena, d->entry->bytes, change->splices, change->n);
	}
	return e;
}

static bool plan_one(struct call *c, const struct change *change, struct plan *p, bool *changes)
{
	struct document *d = change->document;

	assert(d->held == c->held && c->held->changing);
	*p = (struct plan){.from = d->entry ? d : NULL,
			   .to = change->kind == CHANGE_MOVE ? change->target : d,
			   .splices = change->splices,
			   .n = change->n};
	*changes = true;
	if (change->kind == CHANGE_DELETE) {
		assert(d->entry);
		p->to = NULL;
		return true;
	}
	assert(d->entry || change->kind == CHANGE_WHOLE);
	assert(change->kind != CHANGE_MOVE || (p->to && !p->to->entry));
	p->result = result_of(c, change);
	size_t max =
		c->document_max && c->document_max < c->work->document_max ? c->document_max : c->work->document_max;
	if (p->result->bytes.len > max)
		return fail(c, FAULT_TOO_LARGE,
			    "%s would be %zu bytes, more than the %zu that are allowed; nothing was changed",
			    shown(c, d->path), p->result->bytes.len, max);
	if (p->from && p->from == p->to && text_same(p->result->bytes, p->from->entry->bytes))
		return *changes = false, true;
	p->result->revision = revision_of(p->result->bytes);
	if (p->from && change->kind == CHANGE_WHOLE)
		find_splices(c, p);
	return true;
}

bool plans_make(struct call *c, const struct change *changes, size_t n, struct plan **out, size_t *planned)
{
	struct plan *plans = arena_array(c->arena, n, sizeof *plans);
	size_t m = 0;
	bool made = true;

	for (size_t i = 0; made && i < n; i++) {
		bool counts;
		made = plan_one(c, &changes[i], &plans[m], &counts);
		m += made && counts;
	}
	for (size_t i = 0; i < n; i++)
		if (changes[i].tree_arena)
			arena_free(changes[i].tree_arena); /* those that became part of an entry are empty by now */
	*out = plans;
	*planned = m;
	return made;
}

/* --- for the record ---------------------------------------------------------------------------------------------- */

static struct text whole_bytes(struct text whole, bool *is_whole)
{
	*is_whole = true;
	return whole.len > whole_max ? (struct text){0} : whole;
}

/* Splices, or the whole bytes where the splices would be over half of them. Absent: more than the history takes. */
static struct text packed(struct call *c, const struct splice *splices, size_t n, struct text whole, bool *is_whole)
{
	struct buffer to = {.arena = c->arena};
	size_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		bytes += splices[i].with.len;
	if (bytes > whole.len / 2)
		return whole_bytes(whole, is_whole);
	if (bytes > whole_max)
		return (struct text){0};
	*is_whole = false;
	splice_pack(&to, splices, n);
	return buffer_text(&to);
}

struct record_document plan_record(struct call *c, const struct plan *p)
{
	const struct document *at = p->to ? p->to : p->from;
	struct record_document r = {.root = at->root->key, .path = at->place, .can_undo = true};

	assert(!p->to || p->result);
	if (p->from)
		r.before = p->from->revision;
	if (p->to)
		r.after = (struct text){p->result->revision.chars, REVISION_LEN};
	if (p->from && p->to && p->from != p->to) {
		r.old_root = p->from->root->key;
		r.old_path = p->from->place;
	}
	for (size_t i = 0; i < p->n; i++) {
		r.added += p->splices[i].with.len;
		r.removed += p->splices[i].to - p->splices[i].from;
	}
	if (p->from && p->to) {
		struct text before = p->from->entry->bytes, after = p->result->bytes;
		const struct splice *back = splice_inverse(c->arena, before, p->splices, p->n);
		r.delta = packed(c, p->splices, p->n, after, &r.delta_is_whole);
		r.inverse = packed(c, back, p->n, before, &r.inverse_is_whole);
		r.can_undo = r.inverse.at;
	} else if (p->to) {
		r.added = p->result->bytes.len;
		r.delta = whole_bytes(p->result->bytes, &r.delta_is_whole);
	} else {
		r.removed = p->from->entry->bytes.len;
		r.inverse = whole_bytes(p->from->entry->bytes, &r.inverse_is_whole);
		r.can_undo = r.inverse.at;
	}
	return r;
}

/* --- for the dry run --------------------------------------------------------------------------------------------- */

static struct text diff_of(struct call *c, const struct plan *p)
{
	struct text before = p->from ? p->from->entry->bytes : TEXT(""),
		    after = p->result ? p->result->bytes : TEXT("");
	const struct document *at = p->to ? p->to : p->from;

	if (is_binary(before) || is_binary(after) || utf8_bad(before) < before.len || utf8_bad(after) < after.len)
		return text_format(c->arena, "%zu bytes become %zu", before.len, after.len);
	struct text diff = splice_diff(c->arena, before, after, text_string(c->arena, at->place), DIFF_CONTEXT);
	if (diff.len <= DIFF_MAX)
		return diff;
	return text_format(c->arena, "%.*s\n... (%zu bytes of diff in all)\n", (int)utf8_cut(diff, DIFF_MAX), diff.at,
			   diff.len);
}

const struct json *plans_describe(struct call *c, const struct plan *plans, size_t n)
{
	struct json *list = json_new_array(c->arena);

	for (size_t i = 0; i < n; i++) {
		const struct plan *p = &plans[i];
		struct json *one = json_new_object(c->arena);
		bool moves = p->from && p->to && p->from != p->to;
		const char *action = !p->from ? "create" : !p->to ? "delete" : moves ? "move" : "edit";
		json_set_text(c->arena, one, "path", p->from ? p->from->place : p->to->place);
		json_set_text(c->arena, one, "action", text_of(action));
		if (moves)
			json_set_text(c->arena, one, "to", p->to->place);
		json_set_text(c->arena, one, "diff", diff_of(c, p));
		json_push(c->arena, list, one);
	}
	return list;
}
