/* context.c: the context of a node. */
#include "kinds/hnpx/story/step.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"

static struct text id_or_none(struct arena *a, const struct book *b, uint32_t node)
{
	return node == BOOK_NONE ? (struct text){0} : book_id(a, b, node);
}

/* A thought without a name belongs to the point of view. */
static struct text speaker_of(struct arena *a, const struct book *b, uint32_t node)
{
	struct text name = {0};

	if (b->nodes[node].level != LEVEL_PARAGRAPH)
		return name;
	name = node_attribute(a, b, node, "char");
	return text_is_blank(name) && node_mode(a, b, node) == MODE_INTERNAL ? node_pov(a, b, node) : name;
}

struct context_args {
	struct text file_path, node_id;
};
struct context_answer {
	struct text id, type, summary, parent_id;
	int64_t index, siblings, children;
	struct text previous_id, next_id, pov, mode, character;
	struct objects path;
};

static const struct field context_in[] = {
	FILE_PATH(struct context_args),
	NODE_ID(struct context_args, "Node id, or \"book\""),
	FIELDS_END,
};
static const struct field context_out[] = {
	FIELD(struct context_answer, id, TEXT, FIELD_REQUIRED, "Id of the node"),
	FIELD(struct context_answer, type, TEXT, FIELD_REQUIRED, "Its level"),
	FIELD(struct context_answer, summary, TEXT, 0, "Its summary"),
	FIELD(struct context_answer, parent_id, TEXT, FIELD_REQUIRED | FIELD_NULLABLE, "Id of the node it is in"),
	FIELD(struct context_answer, index, INT, FIELD_REQUIRED, "Its place among its siblings, from 0"),
	FIELD(struct context_answer, siblings, INT, FIELD_REQUIRED, "How many children its parent has"),
	FIELD(struct context_answer, children, INT, FIELD_REQUIRED, "How many children it has"),
	FIELD(struct context_answer, previous_id, TEXT, FIELD_REQUIRED | FIELD_NULLABLE, "The sibling before it"),
	FIELD(struct context_answer, next_id, TEXT, FIELD_REQUIRED | FIELD_NULLABLE, "The sibling after it"),
	FIELD(struct context_answer, pov, TEXT, 0,
	      "The point of view that holds here: the sequence's, else the chapter's"),
	FIELD(struct context_answer, mode, TEXT, 0, "Paragraph: narration, dialogue or internal"),
	FIELD_AS("char", struct context_answer, character, TEXT, 0, "Paragraph: who speaks, or whose thought it is"),
	FIELD(struct context_answer, path, OBJECTS, FIELD_REQUIRED, "The nodes above it, from the book down",
	      .shape = &step_shape),
	FIELDS_END,
};

static bool get_node_context(struct call *c, const void *in, void *out)
{
	const struct context_args *args = in;
	struct context_answer *answer = out;
	struct opened o;
	uint32_t node;

	if (!book_read(c, args->file_path, &o) || !book_node(c, &o, args->node_id, &node))
		return false;
	const struct book *b = o.book;
	const struct node *n = &b->nodes[node];
	*answer = (struct context_answer){
		.id = book_id(c->arena, b, node),
		.type = text_of(level_names[n->level]),
		.summary = node_summary(c->arena, b, node),
		.parent_id = id_or_none(c->arena, b, n->parent),
		.index = book_place(b, node),
		.siblings = n->parent == BOOK_NONE ? 1 : b->nodes[n->parent].children,
		.children = n->children,
		.previous_id = id_or_none(c->arena, b, sibling_before(b, node)),
		.next_id = id_or_none(c->arena, b, sibling_behind(b, node)),
		.pov = node_pov(c->arena, b, node),
		.character = speaker_of(c->arena, b, node),
		.path = steps_above(c->arena, b, node),
	};
	if (n->level == LEVEL_PARAGRAPH)
		answer->mode = text_of(mode_names[node_mode(c->arena, b, node)]);
	return true;
}

const struct tool hnpx_context_tools[] = {
	TOOL("get_node_context", "Where a node is",
	     "Returns where a node is: parent, index, neighbours, the nodes above it, the point of view, and "
	     "who speaks.",
	     TOOL_READS, struct context_args, context_in, struct context_answer, context_out, get_node_context,
	     .example = "{\"file_path\":\"novel.hnpx\",\"node_id\":\"u1v7w3\"}"),
	TOOLS_END,
};
