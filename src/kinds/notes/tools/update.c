/* update.c: text, tags and title of a note. A new title renames the file, and every link follows. */
#include "kinds/notes/edit/kept.h"
#include "kinds/notes/edit/rename.h"
#include "kinds/notes/note/hidden.h"
#include "kinds/notes/notes.h"
#include "kinds/notes/tools/moving.h"
#include "kinds/notes/tools/place.h"

#include <string.h>

struct update_args {
	struct text id, title, content;
	struct texts tags;
	bool brief;
};
static const struct field update_in[] = {
	NODE_ID(struct update_args, id, "Path of the note"),
	FIELD(struct update_args, title, TEXT, 0, "New title; renames the file and rewrites every link to the note",
	      .limits = BETWEEN(1, 500)),
	FIELD(struct update_args, content, TEXT, FIELD_EMPTY,
	      "New text, replaces the whole text below the front matter"),
	FIELD(struct update_args, tags, TEXTS, 0, "New tags, replace those of the front matter", .limits = AT_MOST(100),
	      .more = RARE{.item_limits = BETWEEN(1, 200)}),
	FIELD(struct update_args, brief, FLAG, 0, "Return only id, link and counts", .otherwise = "false"),
	FIELDS_END,
};

struct updating {
	const struct update_args *args;
	struct text title; /* for the front matter; absent: unchanged */
	struct text path;  /* until now */
};

static bool change_text(struct call *c, const struct note *n, struct text content, struct edits *out)
{
	if (note_begins_front(c->arena, content))
		return fail(
			c, FAULT_ARGUMENT,
			"content begins with front matter, which update_node keeps as it is; give the text below it, and "
			"tags and title as arguments");
	struct text text = lines_like(c->arena, n, without_blank_lines(content));
	size_t from = n->text.from, to = n->text.to;
	while (from > n->front_end && strchr(" \t", n->bytes.at[from - 1]))
		from--;
	if (n->text.from == to) {
		/* Only blanks follow the front matter: the text begins on the next line. */
		from = n->front_end;
		to = n->bytes.len;
		text = text_format(c->arena, "%.*s%.*s%.*s", TEXT_ARGS(front_gap(n)), TEXT_ARGS(text),
				   TEXT_ARGS(newline_of(n)));
	}
	if (!n->has_front && from == n->start && text_starts(text, "---"))
		text = text_format(c->arena, "%.*s%.*s", TEXT_ARGS(newline_of(n)), TEXT_ARGS(text));
	edit_add(c, out, from, to, text);
	return true;
}

/* The note's bytes with the new text, tags and title. */
static bool change_note(struct call *c, const void *context, struct text bytes, struct text *out)
{
	const struct updating *u = context;
	struct edits edits = {0};
	struct note n;

	note_read(c->arena, bytes, &n);
	if (!tags_sound(c, u->args->tags, n.tags))
		return false;
	struct texts tags = u->args->tags.items ? tags_given(c, u->args->tags, (struct texts){0}) : (struct texts){0};
	if (!front_change(c, &n, u->title, tags, &edits))
		return false;
	if (u->args->content.at && c->state && ((const struct vault *)c->state)->config.leave_out_hidden) {
		struct text whole = note_content(c->arena, &n);
		if (!text_same(hidden_removed(c->arena, whole), whole))
			return fail(
				c, FAULT_ARGUMENT,
				"the note has text that this server leaves out, and a whole new text would remove it; change parts "
				"of it with edit_node");
	}
	if (u->args->content.at) {
		struct text with_front = splice_apply(c->arena, bytes, edits.items, edits.n);
		struct edits text = {0};
		note_read(c->arena, with_front, &n);
		if (!change_text(c, &n, u->args->content, &text))
			return false;
		scoped(vault_leave) struct vault *v = vault_again(c);
		*out = links_kept(c, v, u->path, bytes, splice_apply(c->arena, with_front, text.items, text.n));
		return true;
	}
	*out = splice_apply(c->arena, bytes, edits.items, edits.n);
	return true;
}

/* Plans the note's new path and the new title of its front matter. */
static bool plan_title(struct call *c, struct vault *v, uint32_t node, struct updating *u, struct move *m)
{
	const struct node *n = &v->graph.nodes[node];
	struct text title = text_trim(u->args->title), path = text_copy(c->arena, n->path);
	struct text kept = n->has_title ? text_copy(c->arena, n->title) : (struct text){0};

	*m = (struct move){.node = node, .from = path, .to = path, .title = kept};
	u->title = (struct text){0};
	u->path = path;
	if (!u->args->title.at || text_same(title, n->title))
		return true;
	struct text suffix = text_slice(path, id_bare(path).len, path.len);
	m->to = place_in(c, id_folder(path),
			 text_format(c->arena, "%.*s%.*s", TEXT_ARGS(title_file(c, title)), TEXT_ARGS(suffix)));
	if (!place_free(c, v, m->to, node))
		return false;
	if (n->has_title || !text_same(title_of(c->arena, m->to), title)) {
		u->title = title;
		m->title = title;
	}
	return true;
}

static bool update_node(struct call *c, const void *in, void *out)
{
	const struct update_args *args = in;
	struct updating u = {.args = args};
	struct revision first = {0};

	if (!args->title.at && !args->content.at && !args->tags.items)
		return fail(c, FAULT_ARGUMENT, "nothing to update; give title, content or tags");
	if (args->content.at && !content_is_whole(c, args->content))
		return false;
	if (args->title.at && text_is_blank(args->title))
		return fail(c, FAULT_ARGUMENT, "title is blank; name the note or leave title out");
	for (int run = 0; run < MOVING_RUNS; run++) {
		struct move *m = arena_new(c->arena, struct move);
		struct move_plan plan = {0};
		struct text bytes;
		{
			scoped(vault_leave) struct vault *v = vault_change(c);
			uint32_t node;
			if (!v || !node_wanted(c, v, args->id, &node) || !plan_title(c, v, node, &u, m) ||
			    !moves_plan(c, v, m, 1, &plan))
				return false;
		}
		/* Do not overwrite a text that another program saved during this call: the caller has not read it. */
		if (!run)
			first = plan.notes.items[0].revision;
		else if (args->content.at && memcmp(first.chars, plan.notes.items[0].revision.chars, REVISION_LEN) != 0)
			return moving_conflict(c, args->id);
		const char *summary = moving_summary(c, &plan, "update");
		enum applied done = moves_apply(c, &plan, change_note, &u, summary, &bytes);
		if (done == APPLY_FAILED)
			return place_refused(c, m->to);
		if (done == APPLIED) {
			moving_done(c, &plan, m->to, bytes, args->brief, out);
			return true;
		}
		moving_again(c);
	}
	return moving_conflict(c, args->id);
}

const struct tool notes_update_tools[] = {
	TOOL("update_node", "Change a note",
	     "Replaces text, tags or title of a note; what is not given stays byte for byte. Returns the note with its new id.",
	     TOOL_WRITES | TOOL_DELETES | TOOL_IDEMPOTENT, struct update_args, update_in, struct node_answer,
	     written_out, update_node),
	TOOLS_END,
};
