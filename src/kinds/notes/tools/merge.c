/* merge.c: makes one note of two, and links that mean one thing mean another. */
#include "kinds/notes/edit/kept.h"
#include "kinds/notes/edit/property_edit.h"
#include "kinds/notes/edit/rename.h"
#include "kinds/notes/edit/section.h"
#include "kinds/notes/edit/target.h"
#include "kinds/notes/notes.h"
#include "kinds/notes/tools/moving.h"
#include "kinds/notes/tools/place.h"

struct merge_args {
	struct text from, into, heading;
};
struct merged {
	struct text id, link;
	int64_t links, linking;
};
static const struct field merge_in[] = {
	NODE_ID(struct merge_args, from, "Path of the note that goes"),
	NODE_ID(struct merge_args, into, "Path of the note that stays"),
	FIELD(struct merge_args, heading, TEXT, 0, "Heading of `into` under which the text comes; default: the end",
	      .limits = AT_MOST(1000)),
	FIELDS_END,
};
static const struct field merged_out[] = {
	FIELD(struct merged, id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "The note that the links mean now"),
	FIELD(struct merged, link, TEXT, FIELD_TERSE, "As another note links to it"),
	FIELD(struct merged, links, INT, FIELD_REQUIRED | FIELD_TERSE, "Links rewritten"),
	FIELD_AS("inNotes", struct merged, linking, INT, FIELD_REQUIRED | FIELD_TERSE, "Notes that these links are in"),
	FIELDS_END,
};

struct merging {
	const struct merge_args *args;
	struct text content;           /* of the note that goes, as it reads in the note that stays */
	const struct json *properties; /* of the note that goes; NULL: none */
	struct texts tags;
};

/* A list joins a list. Another value of the note that stays is kept. */
static bool join_property(struct call *c, struct text name, const struct json *value, struct text bytes,
			  struct text *out)
{
	struct note n;

	note_read(c->arena, bytes, &n);
	const struct json *all = properties_json(c->arena, &n), *have = all ? json_get_text(all, name) : NULL;
	*out = bytes;
	if (text_is(name, "title") || text_is(name, "tags") || text_is(name, "tag"))
		return true;
	if (!have)
		return property_set(c, bytes, name, value, out);
	if (have->type != JSON_ARRAY || value->type != JSON_ARRAY)
		return true;
	struct json *joined = json_new_array(c->arena);
	for (uint32_t i = 0; i < have->len + value->len; i++) {
		const struct json *item = i < have->len ? &have->items[i] : &value->items[i - have->len];
		bool is_there = false;
		for (uint32_t k = 0; k < joined->len; k++)
			is_there |= json_same(&joined->items[k], item);
		if (!is_there)
			json_push(c->arena, joined, item);
	}
	return joined->len == have->len || property_set(c, bytes, name, joined, out);
}

static bool merge_note(struct call *c, const void *context, struct text bytes, struct text *out)
{
	const struct merging *m = context;
	struct section_edit edit = {.operation = OPERATION_APPEND, .heading = m->args->heading, .content = m->content};
	struct edits edits = {0}, tags = {0};
	struct note n;

	note_read(c->arena, bytes, &n);
	if (m->content.len && !section_change(c, &n, &edit, &edits))
		return false;
	*out = edits.n ? splice_apply(c->arena, bytes, edits.items, edits.n) : bytes;
	for (uint32_t i = 0; m->properties && i < m->properties->len; i++) {
		const struct json_member *p = &m->properties->members[i];
		if (!join_property(c, (struct text){p->key, p->key_len}, &p->value, *out, out))
			return false;
	}
	note_read(c->arena, *out, &n);
	struct texts joined = tags_given(c, m->tags, n.tags);
	if (joined.n > n.tags.n && !front_change(c, &n, (struct text){0}, joined, &tags))
		return false;
	*out = tags.n ? splice_apply(c->arena, *out, tags.items, tags.n) : *out;
	return true;
}

/* The text of the note that goes. Each link in it means there what it means here. */
static struct text text_moved(struct call *c, struct vault *v, const struct note *n, uint32_t from, uint32_t into)
{
	const struct graph *g = &v->graph;
	struct text here = g->nodes[from].path, there = g->nodes[into].path;
	struct text whole = text_slice(n->bytes, 0, n->text.to);
	struct edits edits = {0};

	for (size_t i = 0; i < n->links.n; i++) {
		const struct note_link *l = &n->links.items[i];
		struct resolved r = resolve(g, c->arena, here, l->form, l->target);
		struct target t = {.text = l->target, .form = l->form};
		struct text with;
		uint32_t meant = r.node == from ? into : r.node;
		if (r.node == NODE_NONE || l->form == NOTE_LINK_FRONT ||
		    resolve(g, c->arena, there, l->form, l->target).node == meant ||
		    !target_for(g, c->arena, there, &t, r.by, meant, &with))
			continue;
		edit_add(c, &edits, l->place.from, l->place.to, target_written(c->arena, l, with));
	}
	size_t before = n->text.from;
	struct text changed = edits.n ? splice_apply(c->arena, whole, edits.items, edits.n) : whole;
	return text_slice(changed, before, changed.len);
}

static bool plan_merge(struct call *c, const struct merge_args *args, struct merging *m, struct move_plan *plan,
		       uint32_t *into)
{
	scoped(vault_leave) struct vault *v = vault_change(c);
	struct file_content file;
	struct note n;
	uint32_t from;

	if (!v || !node_wanted(c, v, args->from, &from) || !node_wanted(c, v, args->into, into))
		return false;
	if (from == *into)
		return fail(c, FAULT_ARGUMENT, "from and into are one note; name two");
	if (!work_read(c, text_copy(c->arena, v->graph.nodes[from].path), c->arena, &file))
		return false;
	note_read(c->arena, file.bytes, &n);
	if (n.malformed)
		return fail_as(c, "PROVIDER_ERROR", "the front matter of %s is malformed: %s; repair it in the file",
			       shown(c, args->from), n.malformed);
	*m = (struct merging){args, text_moved(c, v, &n, from, *into), properties_json(c->arena, &n), n.tags};
	return retarget_plan(c, v, from, (struct text){0}, *into, plan) && merge_plan(c, v, from, *into, plan);
}

static void merged_of(struct call *c, const struct move_plan *plan, struct text id, struct merged *out)
{
	moving_written(c, plan, (struct text){0});
	scoped(vault_leave) struct vault *v = vault_again(c);
	uint32_t node = vault_node(c, v, id);
	*out = (struct merged){.id = id, .links = (int64_t)plan->links, .linking = (int64_t)plan->linking};
	if (node != NODE_NONE)
		out->link = node_link(&v->graph, c->arena, node);
	vault_tell(c, v, &node, node != NODE_NONE);
}

static bool merge_nodes(struct call *c, const void *in, void *out)
{
	const struct merge_args *args = in;

	for (int run = 0; run < MOVING_RUNS; run++) {
		struct merging m;
		struct move_plan plan = {0};
		uint32_t into;
		if (!plan_merge(c, args, &m, &plan, &into))
			return false;
		const char *summary =
			text_format(c->arena, "merge %s into %s", shown(c, plan.removed), shown(c, plan.changed)).at;
		enum applied done = moves_apply(c, &plan, merge_note, &m, summary, NULL);
		if (done == APPLY_FAILED)
			return false;
		if (done == APPLIED) {
			merged_of(c, &plan, plan.changed, out);
			return true;
		}
		moving_again(c);
	}
	return moving_conflict(c, args->into);
}

struct retarget_args {
	struct text from, to;
};
static const struct field retarget_in[] = {
	NODE_ID(struct retarget_args, from, "What the links name now: a note, or a name that no note has"),
	NODE_ID(struct retarget_args, to, "Path of the note that they shall name"),
	FIELDS_END,
};

static bool plan_retarget(struct call *c, const struct retarget_args *args, struct move_plan *plan, struct text *to)
{
	scoped(vault_leave) struct vault *v = vault_change(c);
	uint32_t target;

	if (!v || !node_wanted(c, v, args->to, &target))
		return false;
	*to = text_copy(c->arena, v->graph.nodes[target].path);
	uint32_t from = vault_node(c, v, args->from);
	return retarget_plan(c, v, from, text_trim(args->from), target, plan);
}

static bool retarget_links(struct call *c, const void *in, void *out)
{
	const struct retarget_args *args = in;

	for (int run = 0; run < MOVING_RUNS; run++) {
		struct move_plan plan = {0};
		struct text to;
		if (!plan_retarget(c, args, &plan, &to))
			return false;
		const char *summary =
			text_format(c->arena, "links to %s name %s", shown(c, args->from), shown(c, to)).at;
		enum applied done = plan.notes.n ? moves_apply(c, &plan, NULL, NULL, summary, NULL) : APPLIED;
		if (!plan.notes.n)
			warn(c, "no link names %s; list_unresolved lists the names that no note has",
			     shown(c, args->from));
		if (done == APPLY_FAILED)
			return false;
		if (done == APPLIED) {
			merged_of(c, &plan, to, out);
			return true;
		}
		moving_again(c);
	}
	return moving_conflict(c, args->to);
}

const struct tool notes_merge_tools[] = {
	TOOL("merge_nodes", "Merge two notes",
	     "Appends the text of a note to another, joins properties and tags, rewrites every link to the first, and deletes it, "
	     "in one commit.",
	     TOOL_WRITES | TOOL_DELETES | TOOL_NO_CONDITION | TOOL_NO_REVISION | TOOL_EXTRA, struct merge_args,
	     merge_in, struct merged, merged_out, merge_nodes),
	TOOL("retarget_links", "Point links to another note",
	     "Rewrites every link that names a note, or a name that no note has, so that it names another note. Mends broken links.",
	     TOOL_WRITES | TOOL_IDEMPOTENT | TOOL_NO_CONDITION | TOOL_NO_REVISION | TOOL_EXTRA, struct retarget_args,
	     retarget_in, struct merged, merged_out, retarget_links),
	TOOLS_END,
};
