/* delete.c: deletes a note or moves it to the trash, and warns about links that break. */
#include "base/buffer.h"
#include "kinds/notes/notes.h"
#include "kinds/notes/tools/place.h"

#define TRASH ".trash"
enum { BROKEN_SHOWN = 10, TRASH_TRIES = 1000 };

struct delete_args {
	struct text id;
};
struct delete_answer {
	bool deleted;
};
static const struct field delete_in[] = {NODE_ID(struct delete_args, id, "Path of the note"), FIELDS_END};
static const struct field delete_out[] = {
	FIELD(struct delete_answer, deleted, FLAG, FIELD_REQUIRED | FIELD_TERSE, "false: there was no such note"),
	FIELDS_END,
};

/* Warns about links that will break. Called before the note is removed. */
static void tell_broken(struct call *c, struct vault *v, uint32_t node)
{
	uint32_t *from;
	size_t n = node_neighbors(c, v, node, DIRECTION_IN, &from);
	struct buffer names = {.arena = c->arena};

	if (!n)
		return;
	for (size_t i = 0; i < n && i < BROKEN_SHOWN; i++)
		buffer_format(&names, "%s%.*s", i ? ", " : "", TEXT_ARGS(v->graph.nodes[from[i]].path));
	if (n > BROKEN_SHOWN)
		buffer_format(&names, " and %zu more", n - BROKEN_SHOWN);
	warn(c, "%zu note%s linked to %s: %s", n, n == 1 ? "" : "s", shown(c, v->graph.nodes[node].path),
	     buffer_text(&names).at);
}

/* Finds a free name in the trash, below the same folder. */
static bool trash_place(struct call *c, struct text path, struct text *out)
{
	struct text bare = id_bare(path), suffix = text_slice(path, bare.len, path.len);

	for (int i = 0; i < TRASH_TRIES; i++) {
		struct text stamp;
		*out = i ? text_format(c->arena, TRASH "/%.*s %d%.*s", TEXT_ARGS(bare), i, TEXT_ARGS(suffix))
			 : text_format(c->arena, TRASH "/%.*s", TEXT_ARGS(path));
		const struct caller *caller = c->caller;
		c->caller = NULL;
		c->own_names = true;
		bool asked = work_stamp(c, *out, &stamp);
		c->own_names = false;
		c->caller = caller;
		if (!asked)
			return false;
		if (!stamp.at)
			return true;
	}
	return fail(c, FAULT_EXISTS, "the trash holds %d versions of %s; empty " TRASH, TRASH_TRIES, shown(c, path));
}

static bool remove_file(struct call *c, struct text path, bool to_trash)
{
	struct text place;
	struct document *d[2];

	if (!to_trash)
		return documents_change(c, &(struct want){.path = path, .want = DOCUMENT_THERE}, 1, d) &&
		       work_commit(c, &(struct change){.kind = CHANGE_DELETE, .document = d[0]}, 1, "delete %s",
				   shown(c, path));
	if (!trash_place(c, path, &place))
		return false;
	struct want wants[] = {{.path = path, .want = DOCUMENT_THERE},
			       {.path = place, .want = DOCUMENT_NEW, .make_folders = true}};
	c->own_names = true;
	bool opened = documents_change(c, wants, 2, d);
	c->own_names = false;
	return opened && work_commit(c, &(struct change){.kind = CHANGE_MOVE, .document = d[0], .target = d[1]}, 1,
				     "move %s to the trash", shown(c, path));
}

static bool delete_node(struct call *c, const void *in, void *out)
{
	const struct delete_args *args = in;
	struct delete_answer *answer = out;
	struct text path = {0};
	bool to_trash;

	{
		scoped(vault_leave) struct vault *v = vault_read(c);
		if (!v)
			return false;
		uint32_t node = vault_node(c, v, args->id);
		if (node == NODE_NONE) {
			vault_tell(c, v, NULL, 0);
			return true;
		}
		path = text_copy(c->arena, v->graph.nodes[node].path);
		to_trash = v->config.trash;
		tell_broken(c, v, node);
	}
	if (!remove_file(c, path, to_trash)) {
		/* Another program deleted it first, so the result is as requested. */
		if (c->error.fault != FAULT_NOT_FOUND)
			return false;
		c->error = (struct error){0};
		return true;
	}
	if (!c->dry_run)
		vault_written(c, c->state, &(struct written){.path = path}, 1);
	answer->deleted = true;
	return true;
}

const struct tool notes_delete_tools[] = {
	TOOL("delete_node", "Delete a note",
	     "Deletes a note; deleted is false when there is none. _warnings names the notes whose links it breaks. file_undo "
	     "brings it back.",
	     TOOL_WRITES | TOOL_DELETES | TOOL_IDEMPOTENT | TOOL_NO_REVISION, struct delete_args, delete_in,
	     struct delete_answer, delete_out, delete_node),
	TOOLS_END,
};
