/* section.c: edit_node, an edit at one place of a note. */
#include "base/utf8.h"
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

/* Returns only the text around the edit. The caller knows the rest, or can read it. */
static struct text text_around(struct call *c, struct text bytes, size_t at)
{
	enum { AROUND = 1000, BEFORE = 200 }; /* code points; bytes */
	struct note n;

	note_read(c->arena, bytes, &n);
	struct text whole = note_content(c->arena, &n);
	if (utf8_count(whole) <= AROUND || at < n.text.from + BEFORE)
		return content_cut(c->arena, whole, AROUND);
	/* Begin at the start of a line if there is one in this range, or else at a character. */
	size_t from = at - BEFORE, newline = text_find(text_slice(bytes, 0, at), TEXT("\n"), from);
	if (newline != SIZE_MAX)
		from = newline + 1;
	while (((unsigned char)bytes.at[from] & 0xC0) == 0x80)
		from++;
	struct text rest = utf8_repaired(c->arena, text_slice(bytes, from, n.text.to));
	return content_cut(c->arena, text_format(c->arena, "...\n%.*s", TEXT_ARGS(rest)), AROUND);
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
	if (!documents_change(c, &(struct want){.path = path, .want = DOCUMENT_THERE}, 1, &d))
		return false;
	note_read(c->arena, document_bytes(d), &n);
	if (!section_change(c, &n, &edit, &edits))
		return false;
	struct text bytes = splice_apply(c->arena, n.bytes, edits.items, edits.n);
	if (!work_commit(c,
			 &(struct change){.kind = CHANGE_SPLICE, .document = d, .splices = edits.items, .n = edits.n},
			 1, "%s in %s", operations[args->operation], shown(c, path)))
		return false;
	answer_written(c, path, d, bytes, out);
	((struct node_answer *)out)->content = text_around(c, bytes, edits.n ? edits.items[0].from : 0);
	return true;
}

const struct tool notes_section_tools[] = {
	TOOL("edit_node", "Edit a section of a note",
	     "Changes one place of a note: under a heading, at a ^block, at exact words, or at an end of the note. A place that "
	     "is not found or not unique is refused with what there is. Returns the text around the edit.",
	     TOOL_WRITES | TOOL_DELETES, struct edit_args, edit_in, struct node_answer, created_out, edit_node,
	     .example = "{\"id\":\"log.md\",\"operation\":\"append\",\"heading\":\"Today\",\"content\":\"- done\"}"),
	TOOLS_END,
};
