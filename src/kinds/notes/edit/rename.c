#include "kinds/notes/edit/rename.h"

#include "base/buffer.h"
#include "kinds/notes/edit/target.h"
#include "kinds/notes/graph/resolve.h"
#include "kinds/notes/note/name.h"

#include <string.h>

enum { LINKS_A_LOOK = 64 }; /* links between two checks of cancellation and deadline */

/* A link that the move may change, and the note it means now. */
struct concerned {
	uint32_t target;
	uint32_t node;
	enum resolved_by by;
	bool is_tied;
};

struct planning {
	struct call *c;
	struct vault *v;
	struct move_plan *plan;
	struct map notes; /* path: index into plan->notes */
	bool *seen;       /* by target */
	ARRAY(struct concerned) links;
};

static struct rewritten_note *note_of(struct planning *p, uint32_t node, struct text path)
{
	bool was;
	uint32_t *at = map_at(&p->notes, path, (uint32_t)p->plan->notes.n, &was);

	if (!was) {
		struct rewritten_note *n = ARRAY_PUSH(p->c->arena, &p->plan->notes);
		n->path = text_copy(p->c->arena, path);
		n->revision = p->v->graph.nodes[node].revision;
		n->move = UINT32_MAX;
	}
	return &p->plan->notes.items[*at];
}

static void concern(struct planning *p, uint32_t target)
{
	const struct target *t = &p->v->graph.targets[target];

	if (p->seen[target])
		return;
	p->seen[target] = true;
	struct resolved r = resolve_target(&p->v->graph, p->c->arena, p->v->graph.nodes[t->of].path, t);
	*ARRAY_PUSH(p->c->arena, &p->links) = (struct concerned){target, r.node, r.by, r.is_tied};
}

static void concern_key(struct planning *p, uint32_t key)
{
	for (uint32_t at = p->v->graph.keys[key].first_target; at != NODE_NONE; at = p->v->graph.targets[at].next)
		concern(p, at);
}

/* Collects every link of a moved note, and every link whose name matches the note's old or new names. */
static void concern_move(struct planning *p, const struct move *m)
{
	struct graph *g = &p->v->graph;
	const struct node *n = &g->nodes[m->node];
	uint32_t first = n->first_target, count = n->n_targets;

	for (uint32_t i = 0; i < count; i++)
		concern(p, first + i);
	for (uint32_t i = 0; i < g->nodes[m->node].n_keys; i++)
		concern_key(p, g->nodes[m->node].keys[i]);
	concern_key(p, graph_key(g, key_of(p->c->arena, m->to)));
	if (m->title.at)
		concern_key(p, graph_key(g, key_of(p->c->arena, m->title)));
}

static void add_rewrite(struct planning *p, struct rewritten_note *n, const struct target *t, struct text with,
			struct text shown)
{
	*ARRAY_PUSH(p->c->arena, &n->links) =
		(struct rewrite){link_class(t->form), text_copy(p->c->arena, t->text), with, shown};
}

/* Plans the rewrite of one link. The graph already uses the new names. `path` is the old path of the note with the
 * link. */
static bool follow(struct planning *p, const struct concerned *l, struct text path)
{
	struct graph *g = &p->v->graph;
	const struct target *t = &g->targets[l->target];
	struct text from = g->nodes[t->of].path, with;
	struct arena *a = p->c->arena;

	if (l->node == NODE_NONE)
		return true;
	/* A Markdown link that is relative to its own folder must stay relative: other programs support only that. */
	struct resolved r = resolve_target(g, a, from, t);
	bool was_near = l->by == BY_FOLDER || l->by == BY_RELATIVE, is_near = r.by == BY_FOLDER || r.by == BY_RELATIVE;
	bool holds = r.node == l->node && (by_leniency(l->by) || !by_leniency(r.by)) && (l->is_tied || !r.is_tied);
	if (holds && (t->form != NOTE_LINK_MARKDOWN || !was_near || is_near))
		return true;
	if (!target_for(g, a, from, t, l->by, l->node, &with))
		return fail_as(p->c, "LINK_INTEGRITY",
			       "no form of link in %s can name %s; choose a name without the characters [ ] | # ^",
			       shown(p->c, path), shown(p->c, g->nodes[l->node].path));
	/* A link by title showed the title; by its file's name it would show that. */
	struct text shown = {0};
	if (by_leniency(l->by) && link_class(t->form) == 'w')
		shown = shown_as(a, l->by == BY_ALIAS ? t->text : g->nodes[l->node].title);
	add_rewrite(p, note_of(p, t->of, path), t, with, text_same(shown, with) ? (struct text){0} : shown);
	return true;
}

/* A relative link of a moved note to what is no file of the graph, such as a folder. A link that is already broken is
 * not rewritten. */
static void follow_relative(struct planning *p, uint32_t target, struct text before)
{
	struct graph *g = &p->v->graph;
	const struct target *t = &g->targets[target];
	struct arena *a = p->c->arena;
	bool is_dotted = text_starts(t->text, "./") || text_starts(t->text, "../");
	struct text after = g->nodes[t->of].path, stamp, there = {0};

	if (text_same(id_folder(before), id_folder(after)) || text_starts(t->text, "/"))
		return;
	if (t->form == NOTE_LINK_MARKDOWN || (link_class(t->form) == 'w' && is_dotted))
		there = id_join(a, id_folder(before), t->text);
	if (!there.at || !there.len)
		return;
	if (!work_stamp(p->c, there, &stamp) || !stamp.at) {
		p->c->error = (struct error){0};
		return;
	}
	struct text with = id_between(a, id_folder(after), there);
	if (text_starts(t->text, "./") && !text_starts(with, "../"))
		with = text_format(a, "./%.*s", TEXT_ARGS(with));
	if (t->text.at[t->text.len - 1] == '/')
		with = text_format(a, "%.*s/", TEXT_ARGS(with));
	if (!text_same(with, t->text))
		add_rewrite(p, note_of(p, t->of, before), t, with, (struct text){0});
}

/* A query names a folder that moves, or one below it. */
static void follow_folder(struct planning *p, uint32_t target, struct text path)
{
	const struct target *t = &p->v->graph.targets[target];
	struct text from = p->plan->folder_from, old = t->text;
	bool is_it = text_same(text_slice(old, 0, from.len), from) && (old.len == from.len || old.at[from.len] == '/');

	if (from.at && is_it)
		add_rewrite(p, note_of(p, t->of, path), t,
			    text_format(p->c->arena, "%.*s%.*s", TEXT_ARGS(p->plan->folder_to),
					TEXT_ARGS(text_slice(old, from.len, old.len))),
			    (struct text){0});
}

static bool follow_all(struct planning *p, const struct disguise *worn, size_t n)
{
	struct graph *g = &p->v->graph;
	struct text *old = arena_array(p->c->arena, (size_t)g->n_nodes + 1, sizeof *old);

	for (size_t i = 0; i < n; i++)
		old[worn[i].node] = worn[i].path;
	for (size_t i = 0; i < p->links.n; i++) {
		uint32_t of = g->targets[p->links.items[i].target].of;
		if (i % LINKS_A_LOOK == 0 && !goes_on(p->c))
			return false;
		if (!follow(p, &p->links.items[i], old[of].at ? old[of] : g->nodes[of].path))
			return false;
	}
	for (uint32_t i = 0; i < g->n_nodes; i++) {
		const struct node *node = &g->nodes[i];
		if (!node->path.at || (!p->plan->folder_from.at && !old[i].at))
			continue;
		if (i % LINKS_A_LOOK == 0 && !goes_on(p->c))
			return false;
		for (uint32_t k = 0; k < node->n_targets; k++) {
			const struct target *t = &g->targets[node->first_target + k];
			struct text path = old[i].at ? old[i] : node->path;
			if (t->form == NOTE_LINK_FOLDER)
				follow_folder(p, node->first_target + k, path);
			else if (t->node == NODE_NONE && old[i].at)
				follow_relative(p, node->first_target + k, path);
		}
	}
	return true;
}

bool moves_plan(struct call *c, struct vault *v, struct move *moves, size_t n, struct move_plan *out)
{
	struct planning p = {.c = c, .v = v, .plan = out, .notes = {.arena = c->arena}};
	struct disguise *worn = arena_array(c->arena, n + 1, sizeof *worn);
	size_t n_worn = 0;

	*out = (struct move_plan){
		.moves = moves, .n_moves = n, .folder_from = out->folder_from, .folder_to = out->folder_to};
	p.seen = arena_array(c->arena, (size_t)v->graph.n_targets + 1, sizeof *p.seen);
	for (size_t i = 0; i < n; i++) {
		if (i % LINKS_A_LOOK == 0 && !goes_on(c))
			return false;
		if (moves[i].node == NODE_NONE)
			continue;
		if (v->graph.nodes[moves[i].node].sort != NODE_FILE)
			note_of(&p, moves[i].node, moves[i].from)->move = (uint32_t)i;
		else
			moves[i].is_file = true;
		concern_move(&p, &moves[i]);
	}
	for (size_t i = 0; i < n; i++)
		if (moves[i].node != NODE_NONE)
			graph_disguise(&v->graph, c->arena, moves[i].node, moves[i].to, moves[i].title,
				       &worn[n_worn++]);
	bool done = follow_all(&p, worn, n_worn);
	while (n_worn)
		graph_undisguise(&v->graph, &worn[--n_worn]);
	graph_settle(&v->graph);
	return done;
}

static bool retarget(struct planning *p, uint32_t target, uint32_t to)
{
	struct graph *g = &p->v->graph;
	const struct target *t = &g->targets[target];
	struct text from = g->nodes[t->of].path, with;

	if (p->seen[target])
		return true;
	p->seen[target] = true;
	/* Other programs take a Markdown link as a path from its own folder. */
	enum resolved_by by = t->form == NOTE_LINK_MARKDOWN ? BY_FOLDER : BY_NAME;
	if (!target_for(g, p->c->arena, from, t, by, to, &with))
		return fail_as(p->c, "LINK_INTEGRITY", "no form of link in %s can name %s; rename that note first",
			       shown(p->c, from), shown(p->c, g->nodes[to].path));
	if (!text_same(with, t->text))
		add_rewrite(p, note_of(p, t->of, from), t, with, (struct text){0});
	return true;
}

bool retarget_plan(struct call *c, struct vault *v, uint32_t from, struct text name, uint32_t to, struct move_plan *out)
{
	struct planning p = {.c = c, .v = v, .plan = out, .notes = {.arena = c->arena}};
	struct graph *g = &v->graph;
	struct text folded = name.at ? name_fold(c->arena, name) : name;

	p.seen = arena_array(c->arena, (size_t)g->n_targets + 1, sizeof *p.seen);
	for (uint32_t i = 0; i < g->n_targets; i++) {
		const struct target *t = &g->targets[i];
		if (t->of == NODE_NONE || (from != NODE_NONE && t->of == from))
			continue;
		bool is_meant = from != NODE_NONE ? t->node == from
						  : t->node == NODE_NONE && t->form != NOTE_LINK_FOLDER &&
							    text_same(name_fold(c->arena, t->text), folded);
		if (is_meant && !retarget(&p, i, to))
			return false;
		if (i % LINKS_A_LOOK == 0 && !goes_on(c))
			return false;
	}
	return true;
}

bool merge_plan(struct call *c, struct vault *v, uint32_t from, uint32_t into, struct move_plan *plan)
{
	struct planning p = {.c = c, .v = v, .plan = plan, .notes = {.arena = c->arena}};

	for (size_t i = 0; i < plan->notes.n; i++)
		*map_at(&p.notes, plan->notes.items[i].path, 0, NULL) = (uint32_t)i;
	plan->changed = note_of(&p, into, v->graph.nodes[into].path)->path;
	plan->removed = note_of(&p, from, v->graph.nodes[from].path)->path;
	return true;
}

/* The splices that rewrite the note's links, on these bytes. */
static void link_splices(struct call *c, const struct rewritten_note *n, struct text bytes, struct edits *out)
{
	struct note note;
	struct map table = {.arena = c->arena};

	if (!n->links.n)
		return;
	for (size_t i = 0; i < n->links.n; i++) {
		const struct rewrite *r = &n->links.items[i];
		*map_at(&table, text_format(c->arena, "%c%.*s", r->class, TEXT_ARGS(r->old)), 0, NULL) = (uint32_t)i;
	}
	file_links_read(c->arena, n->path, bytes, &note);
	for (size_t i = 0; i < note.links.n; i++) {
		const struct note_link *l = &note.links.items[i];
		const uint32_t *at =
			map_find(&table, text_format(c->arena, "%c%.*s", link_class(l->form), TEXT_ARGS(l->target)));
		if (!at)
			continue;
		const struct rewrite *r = &n->links.items[*at];
		edit_add(c, out, l->place.from, l->place.to, target_written(c->arena, l, r->new));
		if (r->shown.at && !l->has_shown && !l->is_embed)
			edit_add(c, out, l->all.to - 2, l->all.to - 2, shown_written(c->arena, bytes, l, r->shown));
	}
}

struct applying {
	struct call *c;
	const struct move_plan *plan;
	struct document **documents; /* as wanted */
	struct want *wants;
	size_t n_wants;
	struct map wanted; /* path: index */
	struct change *changes;
	size_t n_changes;
};

static uint32_t want(struct applying *a, struct text path, enum document_want how)
{
	bool was;
	uint32_t *at = map_at(&a->wanted, path, (uint32_t)a->n_wants, &was);

	if (!was)
		a->wants[a->n_wants++] = (struct want){.path = path, .want = how, .make_folders = how == DOCUMENT_NEW};
	return *at;
}

static void want_all(struct applying *a)
{
	const struct move_plan *plan = a->plan;

	for (size_t i = 0; i < plan->n_moves; i++) {
		want(a, plan->moves[i].from, DOCUMENT_THERE);
		if (!text_same(plan->moves[i].from, plan->moves[i].to))
			want(a, plan->moves[i].to, DOCUMENT_NEW);
	}
	for (size_t i = 0; i < plan->notes.n; i++)
		want(a, plan->notes.items[i].path, DOCUMENT_THERE);
}

static bool is_as_planned(const struct applying *a)
{
	for (size_t i = 0; i < a->plan->notes.n; i++) {
		const struct rewritten_note *n = &a->plan->notes.items[i];
		struct document *d = a->documents[*map_find(&a->wanted, n->path)];
		if (!text_is(document_revision(d), n->revision.chars))
			return false;
	}
	return true;
}

enum applied moves_apply(struct call *c, struct move_plan *plan,
			 bool (*change)(struct call *c, const void *context, struct text bytes, struct text *out),
			 const void *context, const char *summary, struct text *result)
{
	size_t most = plan->n_moves * 2 + plan->notes.n + 2;
	struct applying a = {.c = c, .plan = plan, .wanted = {.arena = c->arena}};

	a.wants = arena_array(c->arena, most, sizeof *a.wants);
	a.documents = arena_array(c->arena, most, sizeof *a.documents);
	a.changes = arena_array(c->arena, most, sizeof *a.changes);
	want_all(&a);
	/* The refusal says nothing about the notes that this caller cannot see. */
	for (size_t i = 0; i < plan->notes.n; i++)
		if (!path_visible(c, plan->notes.items[i].path))
			return fail(c, FAULT_DENIED,
				    "this key may not rename %s; ask whoever runs the server for the grant",
				    shown(c, plan->n_moves ? plan->moves[0].from : TEXT("these links"))),
			       APPLY_FAILED;
	if (!documents_change(c, a.wants, a.n_wants, a.documents)) {
		/* If another note disappeared since the plan, plan again. If the caller's own note is missing, fail. */
		if (c->error.fault == FAULT_NOT_FOUND && plan->notes.n > 1)
			return APPLY_AGAIN;
		return APPLY_FAILED;
	}
	if (!is_as_planned(&a))
		return APPLY_AGAIN;
	for (size_t i = 0; i < plan->n_moves; i++)
		if (!vault_may_hold(c, a.documents[*map_find(&a.wanted, plan->moves[i].to)]))
			return APPLY_FAILED;
	plan->links = plan->linking = 0;
	for (size_t i = 0; i < plan->notes.n; i++) {
		const struct rewritten_note *n = &plan->notes.items[i];
		struct document *d = a.documents[*map_find(&a.wanted, n->path)];
		struct text before = document_bytes(d), after = before;
		struct edits edits = {0};
		struct text first = plan->changed.at ? plan->changed
				    : plan->n_moves  ? plan->moves[0].from
						     : (struct text){0};
		bool is_first = first.at && text_same(n->path, first);
		if (is_first && change && !change(c, context, before, &after))
			return APPLY_FAILED;
		link_splices(c, n, after, &edits);
		plan->links += edits.n;
		plan->linking += edits.n > 0;
		after = edits.n ? splice_apply(c->arena, after, edits.items, edits.n) : after;
		if (is_first && result)
			*result = text_copy(c->arena, after);
		if (is_first && change)
			edits.items = splice_between(c->arena, before, after, &edits.n);
		const struct move *m = n->move == UINT32_MAX ? NULL : &plan->moves[n->move];
		bool moves = m && !text_same(m->from, m->to);
		if (moves)
			a.changes[a.n_changes++] = (struct change){.kind = CHANGE_MOVE,
								   .document = d,
								   .target = a.documents[*map_find(&a.wanted, m->to)],
								   .splices = edits.items,
								   .n = edits.n};
		else if (edits.n)
			a.changes[a.n_changes++] = (struct change){
				.kind = CHANGE_SPLICE, .document = d, .splices = edits.items, .n = edits.n};
		if (!goes_on(c))
			return APPLY_FAILED;
	}
	for (size_t i = 0; i < plan->n_moves; i++)
		if (plan->moves[i].node == NODE_NONE || plan->moves[i].is_file)
			a.changes[a.n_changes++] =
				(struct change){.kind = CHANGE_MOVE,
						.document = a.documents[*map_find(&a.wanted, plan->moves[i].from)],
						.target = a.documents[*map_find(&a.wanted, plan->moves[i].to)]};
	if (plan->removed.at)
		a.changes[a.n_changes++] = (struct change){
			.kind = CHANGE_DELETE, .document = a.documents[*map_find(&a.wanted, plan->removed)]};
	if (work_commit(c, a.changes, a.n_changes, "%s", summary))
		return APPLIED;
	/* Another program saved one of the notes during the commit, so nothing was written. */
	return c->error.fault == FAULT_CONFLICT ? APPLY_AGAIN : APPLY_FAILED;
}
