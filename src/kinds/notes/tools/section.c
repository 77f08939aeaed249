/* section.c: edit_node, an edit at one place of a note. */
#include "kinds/notes/edit/kept.h"
#include "kinds/notes/edit/section.h"
#include "kinds/notes/notes.h"

static const char *const operations[] = {"append", "prepend", "replace", "insert", NULL};

struct edit_args {
	struct text id, heading, block, text, content;
	int operation;
};
static const struct field edit_in[] = {
	NODE_ID(struct edit_args, id, "Path of the note"),
	FIELD(struct edit_args, operation, CHOICE, FIELD_REQUIRED,
	      "append, prepend: to the section, block, words or note; insert: a paragraph after them, before subheadings",
	      .choices = operations),
	FIELD(struct edit_args, content, TEXT, FIELD_REQUIRED | FIELD_EMPTY, "The new text"),
	FIELD(struct edit_args, heading, TEXT, 0, "Heading of the section, or its path: A > B",
	      .limits = AT_MOST(1000)),
	FIELD(struct edit_args, block, TEXT, 0, "Name of a block that ends in ^name", .limits = AT_MOST(200)),
	FIELD(struct edit_args, text, TEXT, 0, "Exact words that occur only once"),
	FIELDS_END,
};

static int64_t line_of(struct text bytes, size_t at)
{
	int64_t line = 1;

	for (size_t i = 0; i < at && i < bytes.len; i++)
		line += bytes.at[i] == '\n';
	return line;
}

static bool edit_node(struct call *c, const void *in, void *out)
{
	const struct edit_args *args = in;
	struct section_edit edit = {(enum operation)args->operation, args->heading, args->block, args->text,
				    args->content};
	struct edits edits = {0};
	struct document *d;
	struct note n;
	struct text path;

	{
		scoped(vault_leave) struct vault *v = vault_read(c);
		uint32_t node;
		if (!v || !node_wanted(c, v, args->id, &node))
			return false;
		path = text_copy(c->arena, v->graph.nodes[node].path);
	}
	if (!content_is_whole(c, args->content) ||
	    !documents_change(c, &(struct want){.path = path, .want = DOCUMENT_THERE}, 1, &d))
		return false;
	note_read(c->arena, document_bytes(d), &n);
	if (!section_change(c, &n, &edit, &edits))
		return false;
	struct text bytes = splice_apply(c->arena, n.bytes, edits.items, edits.n);
	{
		scoped(vault_leave) struct vault *v = vault_again(c);
		struct text kept = links_kept(c, v, path, n.bytes, bytes);
		if (kept.at != bytes.at)
			edits.items = splice_between(c->arena, n.bytes, bytes = kept, &edits.n);
	}
	if (!work_commit(c,
			 &(struct change){.kind = CHANGE_SPLICE, .document = d, .splices = edits.items, .n = edits.n},
			 1, "%s in %s", operations[args->operation], shown(c, path)))
		return false;
	answer_written(c, path, d, bytes, true, out);
	((struct node_answer *)out)->line = (struct maybe_int){line_of(bytes, edits.n ? edits.items[0].from : 0), true};
	return true;
}

static const struct field edited_out[] = {
	FIELD(struct node_answer, id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Path of the note"),
	FIELD(struct node_answer, link, TEXT, FIELD_TERSE, "As another note links to it"),
	FIELD(struct node_answer, line, MAYBE_INT, FIELD_TERSE, "Line of the file where the edit begins, from 1"),
	FIELDS_END,
};

const struct tool notes_section_tools[] = {
	TOOL("edit_node", "Edit a section of a note",
	     "Changes one place of a note: under a heading, at a ^block, at exact words, or at an end of the note. A place that "
	     "is not found or not unique is refused with what there is.",
	     TOOL_WRITES | TOOL_DELETES, struct edit_args, edit_in, struct node_answer, edited_out, edit_node,
	     .example = "{\"id\":\"log.md\",\"operation\":\"append\",\"heading\":\"Today\",\"content\":\"- done\"}"),
	TOOLS_END,
};
