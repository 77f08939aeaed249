/* move.c: moves a note, or a folder with all its content. */
#include "kinds/notes/edit/rename.h"
#include "kinds/notes/notes.h"
#include "kinds/notes/tools/moving.h"
#include "kinds/notes/tools/place.h"

#include <string.h>

enum { FOLDER_MAX = 20000 }; /* files of one move */

struct move_args {
	struct text id, to;
};
static const struct field move_in[] = {
	NODE_ID(struct move_args, id, "Path of the note"),
	FIELD(struct move_args, to, TEXT, FIELD_REQUIRED,
	      "New path, such as archive/plan.md; a folder when it ends in /, / alone is the root",
	      .limits = BETWEEN(1, 4096)),
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
		if (!id_is_note(name))
			name = text_format(c->arena, "%.*s.md", TEXT_ARGS(name));
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

/* Finds the note to move. For a folder the error names move_folder. */
static bool note_to_move(struct call *c, struct vault *v, struct text id, uint32_t *out)
{
	if (node_wanted(c, v, id, out))
		return true;
	return vault_folder(c, v, id) ? fail_as(c, "NODE_NOT_FOUND",
						"%s is a folder; move_folder moves it with all its notes", shown(c, id))
				      : false;
}

static bool move_node(struct call *c, const void *in, void *out)
{
	const struct move_args *args = in;

	for (int run = 0; run < MOVING_RUNS; run++) {
		struct move *m = arena_new(c->arena, struct move);
		struct move_plan plan;
		struct text bytes;
		{
			scoped(vault_leave) struct vault *v = vault_change(c);
			uint32_t node;
			if (!v || !note_to_move(c, v, args->id, &node))
				return false;
			const struct node *n = &v->graph.nodes[node];
			*m = (struct move){.node = node, .from = text_copy(c->arena, n->path)};
			m->title = n->has_title ? text_copy(c->arena, n->title) : (struct text){0};
			if (!plan_place(c, v, m->from, text_trim(args->to), &m->to) || !place_free(c, v, m->to, node) ||
			    !moves_plan(c, v, m, 1, &plan))
				return false;
		}
		enum applied done = moves_apply(c, &plan, NULL, NULL, moving_summary(c, &plan, "move"), &bytes);
		if (done == APPLY_FAILED)
			return place_refused(c, m->to);
		if (done == APPLIED) {
			moving_done(c, &plan, m->to, bytes, out);
			return true;
		}
		moving_again(c);
	}
	return moving_conflict(c, args->id);
}

struct folder_args {
	struct text folder, to;
};
struct folder_answer {
	int64_t notes, files, links;
	struct text folder;
};
static const struct field folder_in[] = {
	FIELD(struct folder_args, folder, TEXT, FIELD_REQUIRED, "Path of the folder", .limits = BETWEEN(1, 4096)),
	FIELD(struct folder_args, to, TEXT, FIELD_REQUIRED, "Its new path", .limits = BETWEEN(1, 4096)),
	FIELDS_END,
};
static const struct field folder_out[] = {
	FIELD(struct folder_answer, folder, TEXT, FIELD_REQUIRED | FIELD_TERSE, "The new path"),
	FIELD(struct folder_answer, notes, INT, FIELD_REQUIRED | FIELD_TERSE, "Notes moved"),
	FIELD(struct folder_answer, files, INT, FIELD_REQUIRED | FIELD_TERSE, "Other files moved"),
	FIELD(struct folder_answer, links, INT, FIELD_REQUIRED | FIELD_TERSE, "Links rewritten"),
	FIELDS_END,
};

static bool plan_folder(struct call *c, struct vault *v, const struct folder_args *args, struct move_plan *plan,
			struct text *old, struct folder_answer *out)
{
	struct text from, to;
	struct file_entry *files = NULL;
	size_t n = 0;

	if (!place_folder(c, v, args->folder, &from) || !place_folder(c, v, args->to, &to))
		return false;
	if (!from.len || text_same(from, to) || text_starts(to, text_format(c->arena, "%s/", from.at).at))
		return fail(c, FAULT_ARGUMENT, "%s cannot become %s; name another folder, outside of it",
			    shown(c, args->folder), shown(c, args->to));
	if (!work_list(c, from, "", FOLDER_MAX + 1, &files, &n))
		return c->error.fault != FAULT_NOT_FOUND
			       ? false
			       : fail_as(c, "NODE_NOT_FOUND",
					 "there is no folder %s; list_nodes shows the notes there are",
					 shown(c, args->folder));
	if (!n || n > FOLDER_MAX)
		return fail(c, FAULT_ARGUMENT,
			    n ? "%s holds more than 20000 files; move its folders one by one"
			      : "%s holds no files; list_nodes shows the notes there are",
			    shown(c, args->folder));
	struct move *moves = arena_array(c->arena, n, sizeof *moves);
	*out = (struct folder_answer){.folder = to};
	*old = from;
	for (size_t i = 0; i < n; i++) {
		struct text path = files[i].path;
		uint32_t node = id_is_note(path) ? graph_find(&v->graph, c->arena, path) : NODE_NONE;
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
		if (known)
			out->notes++;
		else
			out->files++;
	}
	return moves_plan(c, v, moves, n, plan);
}

static bool move_folder(struct call *c, const void *in, void *out)
{
	const struct folder_args *args = in;

	for (int run = 0; run < MOVING_RUNS; run++) {
		struct move_plan plan;
		struct text old;
		{
			scoped(vault_leave) struct vault *v = vault_change(c);
			if (!v || !plan_folder(c, v, args, &plan, &old, out))
				return false;
		}
		enum applied done = moves_apply(c, &plan, NULL, NULL, moving_summary(c, &plan, "move"), NULL);
		if (done == APPLY_FAILED)
			return place_refused(c, args->to);
		if (done == APPLIED) {
			((struct folder_answer *)out)->links = (int64_t)plan.links;
			moving_written(c, &plan, (struct text){0});
			if (!c->dry_run)
				work_prune(c, old);
			scoped(vault_leave) struct vault *v = vault_again(c);
			vault_tell(c, v, NULL, 0);
			return true;
		}
		moving_again(c);
	}
	return moving_conflict(c, args->folder);
}

const struct tool notes_move_tools[] = {
	TOOL("move_node", "Move or rename a note's file",
	     "Gives a note another path and rewrites every link to it, and its own relative links, in one commit.",
	     TOOL_WRITES | TOOL_IDEMPOTENT, struct move_args, move_in, struct node_answer, created_out, move_node),
	TOOL("move_folder", "Move a folder of notes",
	     "Gives a folder with all its notes and files another path and rewrites every link, in one commit.",
	     TOOL_WRITES | TOOL_NO_CONDITION | TOOL_NO_REVISION, struct folder_args, folder_in, struct folder_answer,
	     folder_out, move_folder),
	TOOLS_END,
};
