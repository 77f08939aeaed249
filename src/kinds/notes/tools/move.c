/* move.c: moves a note, or a folder with all its content. */
#include "kinds/notes/edit/kept.h"
#include "kinds/notes/edit/rename.h"
#include "kinds/notes/notes.h"
#include "kinds/notes/tools/moving.h"
#include "kinds/notes/tools/place.h"

#include <string.h>

enum { FOLDER_MAX = 20000 }; /* files of one move */

struct move_args {
	struct text id, to;
};
struct moved {
	struct text id, link;
	struct maybe_int notes, files;
	int64_t links, linking;
};
static const struct field move_in[] = {
	NODE_ID(struct move_args, id, "Path of a note, another file such as a picture, or a folder"),
	FIELD(struct move_args, to, TEXT, FIELD_REQUIRED,
	      "New path, such as archive/plan.md; for a note that ends in /, the folder to put it into; / is the root",
	      .limits = BETWEEN(1, 4096)),
	FIELDS_END,
};
static const struct field moved_out[] = {
	FIELD(struct moved, id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "The new path"),
	FIELD(struct moved, link, TEXT, FIELD_TERSE, "As another note links to it"),
	FIELD(struct moved, links, INT, FIELD_REQUIRED | FIELD_TERSE, "Links rewritten"),
	FIELD_AS("inNotes", struct moved, linking, INT, FIELD_REQUIRED | FIELD_TERSE, "Notes that these links are in"),
	FIELD(struct moved, notes, MAYBE_INT, FIELD_TERSE, "Of a folder: notes moved"),
	FIELD(struct moved, files, MAYBE_INT, FIELD_TERSE, "Of a folder: other files moved"),
	FIELDS_END,
};

static bool plan_place(struct call *c, struct vault *v, struct text path, struct text to, struct text *out)
{
	bool is_folder = to.at[to.len - 1] == '/' || to.at[to.len - 1] == '\\';
	struct text folder, given, name = id_name(path);

	if (is_folder) {
		given = text_slice(to, 0, to.len - 1);
	} else {
		name = text_trim(id_name(to));
		given = id_folder(to);
		/* The ending stays: a picture under the name of a note would be no note. */
		struct text ending = id_extension(path);
		if (id_is_note(path)
			    ? !id_is_note(name)
			    : !text_ends_in(name,
					    ending.at ? text_format(c->arena, ".%.*s", TEXT_ARGS(ending)).at : ""))
			name = text_format(c->arena, "%.*s.%.*s", TEXT_ARGS(name),
					   TEXT_ARGS(id_is_note(path) ? TEXT("md") : ending));
		if (!id_bare(name).len || name.at[0] == '.' || name.len > 255)
			return fail(c, FAULT_ARGUMENT,
				    "%s is not a name for a note; give a path such as archive/plan.md", shown(c, to));
		for (size_t i = 0; i < name.len; i++)
			if (strchr("[]|#^\\\"<>:*?", name.at[i]) || (unsigned char)name.at[i] < ' ')
				return fail(
					c, FAULT_ARGUMENT,
					"%s has a character that links or file systems do not take; leave out [ ] | # ^ \\ "
					"\" < > : * ?",
					shown(c, to));
	}
	if (!place_folder(c, v, given, &folder))
		return false;
	*out = place_in(c, folder, name);
	return true;
}

static bool plan_folder(struct call *c, struct vault *v, const struct move_args *args, struct move_plan *plan,
			struct text *old, struct moved *out)
{
	struct text from, to;
	struct file_entry *files = NULL;
	size_t n = 0;

	if (!place_folder(c, v, args->id, &from) || !place_folder(c, v, args->to, &to))
		return false;
	if (!from.len || text_same(from, to) || text_starts(to, text_format(c->arena, "%s/", from.at).at))
		return fail(c, FAULT_ARGUMENT, "%s cannot become %s; name another folder, outside of it",
			    shown(c, args->id), shown(c, args->to));
	if (!work_list(c, from, "", FOLDER_MAX + 1, &files, &n))
		return c->error.fault != FAULT_NOT_FOUND
			       ? false
			       : fail_as(c, "NODE_NOT_FOUND",
					 "there is no folder %s; find_nodes shows the notes there are",
					 shown(c, args->id));
	if (!n || n > FOLDER_MAX)
		return fail(c, FAULT_ARGUMENT,
			    n ? "%s holds more than 20000 files; move its folders one by one"
			      : "%s holds no files; find_nodes shows the notes there are",
			    shown(c, args->id));
	struct move *moves = arena_array(c->arena, n, sizeof *moves);
	*out = (struct moved){.id = to, .notes = {0, true}, .files = {0, true}};
	*old = from;
	for (size_t i = 0; i < n; i++) {
		struct text path = files[i].path;
		uint32_t node = graph_find(&v->graph, c->arena, path);
		if (node != NODE_NONE && !text_same(v->graph.nodes[node].path, path))
			node = NODE_NONE;
		const struct node *known = node == NODE_NONE ? NULL : &v->graph.nodes[node];
		moves[i] = (struct move){
			.node = node,
			.from = path,
			.to = text_format(c->arena, "%s%.*s", to.at, TEXT_ARGS(text_slice(path, from.len, path.len)))};
		if (known && known->has_title)
			moves[i].title = text_copy(c->arena, known->title);
		if (known && !place_free(c, v, moves[i].to, NODE_NONE))
			return false;
		if (known && known->sort == NODE_NOTE)
			out->notes.value++;
		else
			out->files.value++;
	}
	plan->folder_from = from;
	plan->folder_to = to;
	return moves_plan(c, v, moves, n, plan);
}

static bool plan_node(struct call *c, struct vault *v, const struct move_args *args, uint32_t node,
		      struct move_plan *plan)
{
	struct move *m = arena_new(c->arena, struct move);
	const struct node *n = &v->graph.nodes[node];

	*m = (struct move){.node = node, .from = text_copy(c->arena, n->path)};
	m->title = n->has_title ? text_copy(c->arena, n->title) : (struct text){0};
	return plan_place(c, v, m->from, text_trim(args->to), &m->to) && place_free(c, v, m->to, node) &&
	       moves_plan(c, v, m, 1, plan);
}

/* A note, or else a folder. `folder`: its old path, if it is one. */
static bool plan_move(struct call *c, const struct move_args *args, struct move_plan *plan, struct text *folder,
		      struct moved *out)
{
	scoped(vault_leave) struct vault *v = vault_change(c);
	uint32_t node;

	*folder = (struct text){0};
	if (!v)
		return false;
	*plan = (struct move_plan){0};
	node = vault_node(c, v, args->id);
	if (node == NODE_NONE)
		node = vault_file(c, v, args->id);
	if (node == NODE_NONE && vault_folder(c, v, args->id))
		return plan_folder(c, v, args, plan, folder, out);
	return (node != NODE_NONE || node_wanted(c, v, args->id, &node)) && plan_node(c, v, args, node, plan);
}

static void moved_of(struct call *c, const struct move_plan *plan, struct text folder, struct text bytes,
		     struct moved *out)
{
	moving_written(c, plan, bytes);
	if (folder.at && !c->dry_run)
		work_prune(c, folder);
	scoped(vault_leave) struct vault *v = vault_again(c);
	uint32_t node = folder.at ? NODE_NONE : vault_node(c, v, plan->moves[0].to);
	out->links = (int64_t)plan->links;
	out->linking = (int64_t)plan->linking;
	if (!folder.at)
		out->id = plan->moves[0].to;
	if (node == NODE_NONE && !folder.at)
		node = vault_file(c, v, plan->moves[0].to);
	if (node != NODE_NONE)
		out->link = node_link(&v->graph, c->arena, node);
	vault_tell(c, v, &node, node != NODE_NONE);
}

static bool move_node(struct call *c, const void *in, void *out)
{
	const struct move_args *args = in;
	struct moved *answer = out;

	for (int run = 0; run < MOVING_RUNS; run++) {
		struct move_plan plan;
		struct text bytes = {0}, folder;
		if (!plan_move(c, args, &plan, &folder, answer))
			return false;
		enum applied done =
			moves_apply(c, &plan, NULL, NULL, moving_summary(c, &plan, "move"), folder.at ? NULL : &bytes);
		if (done == APPLY_FAILED)
			return place_refused(c, folder.at ? args->to : plan.moves[0].to);
		if (done == APPLIED) {
			moved_of(c, &plan, folder, bytes, answer);
			return true;
		}
		moving_again(c);
	}
	return moving_conflict(c, args->id);
}

const struct tool notes_move_tools[] = {
	TOOL("move_node", "Move or rename a note or folder",
	     "Gives a note, another file, or a folder with all its files, another path and rewrites every link to it, and its own relative "
	     "links, in one commit.",
	     TOOL_WRITES | TOOL_IDEMPOTENT, struct move_args, move_in, struct moved, moved_out, move_node),
	TOOLS_END,
};
