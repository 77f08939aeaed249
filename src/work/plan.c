#include "work/plan.h"

#include "base/utf8.h"
#include "format/json.h"
#include "format/merge.h"
#include "work/draft.h"
#include "work/history/place.h"

#include <assert.h>
#include <string.h>

enum { DIFF_CONTEXT = 3, DIFF_MAX = 256 << 10, PIECES_MAX = 64 };

static bool is_binary(struct text t) { return text_has_nul(text_slice(t, 0, 8192)); }

static struct pieces one_piece(struct call *c, struct text bytes)
{
	return (struct pieces){arena_copy(c->arena, &bytes, sizeof bytes), 1, bytes.len};
}

static void plan_whole(struct call *c, const struct change *change, struct plan *p)
{
	struct text bytes = change->bytes.at ? change->bytes : TEXT("");

	arena_start(&p->result->arena, bytes.len + 1);
	p->result->bytes = text_copy(&p->result->arena, bytes);
	p->result->room = bytes.len + 1;
	p->after = one_piece(c, p->result->bytes);
}

/* Plans splices; the kind may also pass the result's tree. */
static void plan_splices(struct call *c, const struct change *change, struct plan *p)
{
	struct entry *base = change->document->entry;
	struct text before = entry_bytes(base);

	p->splices = splice_sorted(c->arena, change->splices, change->n, before.len);
	p->n = change->n;
	p->after = splice_pieces(c->arena, before, p->splices, p->n);
	entry_follow(p->result, base, p->splices, p->n);
	if (change->tree)
		entry_give_tree(c->work->cache, p->result, change->format, change->tree, change->tree_arena);
	/* Many small pieces are written faster as one. */
	if (p->after.n > PIECES_MAX)
		p->after = one_piece(c, entry_bytes(p->result));
}

static bool is_same(struct pieces p, struct text bytes)
{
	size_t at = 0;

	if (p.len != bytes.len)
		return false;
	for (size_t i = 0; i < p.n; at += p.items[i++].len)
		if (p.items[i].at != bytes.at + at && memcmp(p.items[i].at, bytes.at + at, p.items[i].len) != 0)
			return false;
	return true;
}

static bool plan_one(struct call *c, const struct change *change, struct plan *p, bool *changes)
{
	struct document *d = change->document;

	assert(d->held == c->held && c->held->changing);
	*p = (struct plan){.from = d->entry ? d : NULL, .to = change->kind == CHANGE_MOVE ? change->target : d};
	*changes = true;
	if (change->kind == CHANGE_DELETE) {
		assert(d->entry);
		p->to = NULL;
		return true;
	}
	assert(d->entry || change->kind == CHANGE_WHOLE);
	assert(change->kind != CHANGE_MOVE || (p->to && !p->to->entry));
	assert(!change->tree || change->kind == CHANGE_SPLICE);
	p->source = change->source;
	p->draft = change->draft;
	if (change->is_export && p->from && p->from->stat.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH))
		return fail(c, FAULT_DENIED, "%s can be executed; an export does not replace it. Choose another name",
			    shown(c, d->path));
	p->result = *work_place(c->held, c) = entry_new();
	(change->kind == CHANGE_WHOLE ? plan_whole : plan_splices)(c, change, p);
	size_t max =
		c->document_max && c->document_max < c->work->document_max ? c->document_max : c->work->document_max;
	if (p->after.len > max)
		return fail(c, FAULT_TOO_LARGE,
			    "%s would be %zu bytes, more than the %zu that are allowed; nothing was changed",
			    shown(c, d->path), p->after.len, max);
	if (p->from && p->from == p->to && is_same(p->after, entry_bytes(p->from->entry)))
		return *changes = false, true;
	p->result->revision = revision_of_pieces(p->after.items, p->after.n);
	if (p->from && change->kind == CHANGE_WHOLE)
		p->splices = splice_found(c->arena, entry_bytes(p->from->entry), entry_bytes(p->result), &p->n);
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
			arena_free(changes[i].tree_arena); /* arenas that an entry took over are empty now */
	*out = plans;
	*planned = m;
	return made;
}

struct record_document plan_record(struct call *c, const struct plan *p)
{
	const struct document *at = p->to ? p->to : p->from;
	struct record_document r = {.path = place_of(c->arena, at->root, at->place), .splices = p->splices, .n = p->n};

	assert(!p->to || p->result);
	if (p->from) {
		r.before = p->from->revision;
		r.bytes_before = entry_bytes(p->from->entry);
	}
	if (p->to)
		r.after = (struct text){p->result->revision.chars, REVISION_LEN};
	if (p->from && p->to && p->from != p->to)
		r.old_path = place_of(c->arena, p->from->root, p->from->place);
	for (size_t i = 0; i < p->n; i++) {
		r.added += p->splices[i].with.len;
		r.removed += p->splices[i].to - p->splices[i].from;
	}
	if (!p->from) {
		r.added = p->after.len;
		r.bytes_after = entry_bytes(p->result);
	}
	if (!p->to)
		r.removed = r.bytes_before.len;
	if (p->draft && r.after.at) {
		r.draft = p->draft->id;
		r.draft_revisions = draft_revisions(c->arena, p->draft, r.after);
	}
	return r;
}

static struct text diff_of(struct call *c, const struct plan *p)
{
	struct text before = p->from ? entry_bytes(p->from->entry) : TEXT(""),
		    after = p->result ? entry_bytes(p->result) : TEXT("");
	const struct document *at = p->to ? p->to : p->from;

	if (is_binary(before) || is_binary(after) || utf8_bad(before) < before.len || utf8_bad(after) < after.len)
		return text_format(c->arena, "%zu bytes become %zu", before.len, after.len);
	struct text diff = splice_diff(c->arena, before, after, text_string(c->arena, at->place), DIFF_CONTEXT);
	if (diff.len <= DIFF_MAX)
		return diff;
	return text_format(c->arena, "%.*s\n... (%zu bytes of diff in all)\n", (int)utf8_cut(diff, DIFF_MAX), diff.at,
			   diff.len);
}

void plans_describe(struct call *c, const struct plan *plans, size_t n)
{
	c->planned.n = 0;
	for (size_t i = 0; i < n; i++) {
		const struct plan *p = &plans[i];
		bool moves = p->from && p->to && p->from != p->to;

		*ARRAY_PUSH(c->arena, &c->planned) = (struct planned){
			.path = p->from ? p->from->place : p->to->place,
			.to = moves ? p->to->place : (struct text){0},
			.diff = diff_of(c, p),
			.action = !p->from ? PLANNED_CREATE
				  : !p->to ? PLANNED_DELETE
				  : moves  ? PLANNED_MOVE
					   : PLANNED_EDIT,
		};
	}
}
