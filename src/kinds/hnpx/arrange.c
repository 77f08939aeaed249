/* arrange.c: removes, reorders and moves nodes. Moved subtrees keep every byte. */
#include "base/map.h"
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/tree/level.h"

#include <stdlib.h>

struct remove_args {
	struct text file_path, node_id;
};
struct remove_answer {
	struct text id, type, parent_id;
	int64_t removed;
};

static const struct field remove_in[] = {
	FILE_PATH(struct remove_args),
	NODE_ID(struct remove_args, "Node id"),
	FIELDS_END,
};
static const struct field remove_out[] = {
	FIELD(struct remove_answer, id, TEXT, FIELD_REQUIRED, "Id of the node"),
	FIELD(struct remove_answer, type, TEXT, FIELD_REQUIRED, "Its level"),
	FIELD(struct remove_answer, parent_id, TEXT, FIELD_NULLABLE, "Id of the node it stood in"),
	FIELD(struct remove_answer, removed, INT, FIELD_REQUIRED, "How many nodes are gone, those below it included"),
	FIELDS_END,
};

static bool refuse_root(struct call *c, const struct opened *o, const char *what, const char *hint)
{
	struct json *details = details_hint(c, o->path, hint);

	json_set_text(c->arena, details, "node_id", book_id(c->arena, o->book, 0));
	return book_refuse(c, details, "IMMUTABLE_ROOT", "The book element cannot be %s", what);
}

static bool remove_node(struct call *c, const void *in, void *out)
{
	const struct remove_args *args = in;
	struct remove_answer *answer = out;
	struct opened o;
	uint32_t node;

	if (!book_change(c, args->file_path, &o) || !book_node(c, &o, args->node_id, &node))
		return false;
	if (node == 0)
		return refuse_root(c, &o, "removed", "remove_node_children empties the book");
	const struct node *n = &o.book->nodes[node];
	*answer = (struct remove_answer){book_id(c->arena, o.book, node), text_of(level_names[n->level]),
					 book_id(c->arena, o.book, n->parent), n->after - node};
	struct edits plan = {.arena = c->arena, .book = o.book};
	edits_remove(&plan, node);
	return book_commit(c, &o, &plan, "remove_node: %s", book_named_node(c, o.book, node));
}

struct ids_args {
	struct text file_path;
	struct texts node_ids;
};
struct ids_answer {
	struct texts ids;
	int64_t removed;
};

static const struct field ids_in[] = {
	FILE_PATH(struct ids_args),
	FIELD(struct ids_args, node_ids, TEXTS, FIELD_REQUIRED | FIELD_TERSE, "Ids of the nodes",
	      .limits = BETWEEN(1, 10000)),
	FIELDS_END,
};
static const struct field ids_out[] = {
	FIELD(struct ids_answer, ids, TEXTS, FIELD_REQUIRED, "The nodes that were removed, in document order"),
	FIELD(struct ids_answer, removed, INT, FIELD_REQUIRED, "How many nodes are gone, those below them included"),
	FIELDS_END,
};

static int by_number(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return a < b ? -1 : a > b;
}

static bool nodes_of(struct call *c, const struct opened *o, struct texts ids, uint32_t **out)
{
	uint32_t *nodes = arena_array(c->arena, ids.n + 1, sizeof *nodes);

	for (size_t i = 0; i < ids.n; i++)
		if (!book_node(c, o, ids.items[i], &nodes[i]))
			return false;
	*out = nodes;
	return true;
}

static bool remove_nodes(struct call *c, const void *in, void *out)
{
	const struct ids_args *args = in;
	struct ids_answer *answer = out;
	struct opened o;
	uint32_t *nodes, behind = 0;

	if (!book_change(c, args->file_path, &o) || !nodes_of(c, &o, args->node_ids, &nodes))
		return false;
	size_t n = args->node_ids.n;
	struct edits plan = {.arena = c->arena, .book = o.book};
	qsort(nodes, n, sizeof *nodes, by_number);
	if (n && nodes[0] == 0)
		return refuse_root(c, &o, "removed", "remove_node_children empties the book");
	answer->ids.items = arena_array(c->arena, n + 1, sizeof *answer->ids.items);
	for (size_t i = 0; i < n; i++) {
		/* Skip a node that is named twice, or that is below another named node. */
		if (nodes[i] < behind)
			continue;
		behind = o.book->nodes[nodes[i]].after;
		answer->removed += behind - nodes[i];
		answer->ids.items[answer->ids.n++] = book_id(c->arena, o.book, nodes[i]);
		edits_remove(&plan, nodes[i]);
	}
	return book_commit(c, &o, &plan, "remove_nodes: %zu", answer->ids.n);
}

static bool remove_node_children(struct call *c, const void *in, void *out)
{
	const struct remove_args *args = in;
	struct remove_answer *answer = out;
	struct opened o;
	uint32_t node;

	if (!book_change(c, args->file_path, &o) || !book_node(c, &o, args->node_id, &node))
		return false;
	const struct node *n = &o.book->nodes[node];
	struct edits plan = {.arena = c->arena, .book = o.book};
	for (uint32_t i = node + 1; i < n->after; i = o.book->nodes[i].after)
		edits_remove(&plan, i);
	*answer = (struct remove_answer){.id = book_id(c->arena, o.book, node),
					 .type = text_of(level_names[n->level]),
					 .removed = n->after - node - 1};
	if (n->parent != BOOK_NONE)
		answer->parent_id = book_id(c->arena, o.book, n->parent);
	return book_commit(c, &o, &plan, "remove_node_children: %s", book_named_node(c, o.book, node));
}

struct reorder_args {
	struct text file_path, parent_id;
	struct texts child_ids;
};
struct reorder_answer {
	struct text parent_id;
	struct texts child_ids;
};

static const struct field reorder_in[] = {
	FILE_PATH(struct reorder_args),
	FIELD(struct reorder_args, parent_id, TEXT, FIELD_REQUIRED | FIELD_EMPTY, "Node id, or \"book\""),
	FIELD(struct reorder_args, child_ids, TEXTS, FIELD_REQUIRED, "Ids of all its children, in the new order"),
	FIELDS_END,
};
static const struct field reorder_out[] = {
	FIELD(struct reorder_answer, parent_id, TEXT, FIELD_REQUIRED, "Id of the parent"),
	FIELD(struct reorder_answer, child_ids, TEXTS, FIELD_REQUIRED, "Its children in their new order"),
	FIELDS_END,
};

/* The ids must be a permutation of the children. The details list missing and extra ids. */
static bool check_order(struct call *c, const struct opened *o, uint32_t parent, struct texts ids,
			const uint32_t *nodes)
{
	const struct book *b = o->book;
	struct json *missing = json_new_array(c->arena), *extra = json_new_array(c->arena);
	bool *named = arena_array(c->arena, b->n, sizeof *named);

	for (size_t i = 0; i < ids.n; i++) {
		if (b->nodes[nodes[i]].parent != parent || named[nodes[i]])
			json_push(c->arena, extra, json_new_text(c->arena, ids.items[i]));
		named[nodes[i]] = true;
	}
	for (uint32_t i = parent + 1; i < b->nodes[parent].after; i = b->nodes[i].after)
		if (!named[i])
			json_push(c->arena, missing, json_new_text(c->arena, book_id(c->arena, b, i)));
	if (!missing->len && !extra->len)
		return true;
	struct json *details =
		details_hint(c, o->path, "name every child of the parent once; get_direct_children lists them");
	json_set_text(c->arena, details, "parent_id", book_id(c->arena, b, parent));
	json_set(c->arena, details, "missing", missing);
	json_set(c->arena, details, "extra", extra);
	return book_refuse(c, details, "VALIDATION_FAILED",
			   "child_ids must hold each child of %s once: %u missing, %u too many",
			   book_id(c->arena, b, parent).at, missing->len, extra->len);
}

static bool reorder_children(struct call *c, const void *in, void *out)
{
	const struct reorder_args *args = in;
	struct reorder_answer *answer = out;
	struct opened o;
	uint32_t parent, *order;

	if (!book_change(c, args->file_path, &o) || !book_node(c, &o, args->parent_id, &parent) ||
	    !nodes_of(c, &o, args->child_ids, &order) || !check_order(c, &o, parent, args->child_ids, order))
		return false;
	struct edits plan = {.arena = c->arena, .book = o.book};
	edits_reorder(&plan, parent, order, args->child_ids.n);
	*answer = (struct reorder_answer){book_id(c->arena, o.book, parent), args->child_ids};
	return book_commit(c, &o, &plan, "reorder_children: %s", book_named_node(c, o.book, parent));
}

struct move_args {
	struct text file_path;
	struct texts node_ids;
	struct text new_parent_id;
	struct maybe_int position;
	struct text before, after;
};
struct move_answer {
	struct text parent_id;
	int64_t index;
	struct texts ids;
};

static const struct field move_in[] = {
	FILE_PATH(struct move_args),
	FIELD(struct move_args, node_ids, TEXTS, FIELD_REQUIRED, "Node ids, in their new order",
	      .limits = BETWEEN(1, 10000)),
	FIELD(struct move_args, new_parent_id, TEXT, FIELD_REQUIRED | FIELD_EMPTY, "Id of a node one level above them"),
	FIELD(struct move_args, position, MAYBE_INT, 0,
	      "Index from 0 among the other children, or before/after one of them; default last",
	      .limits = AT_LEAST(0)),
	FIELD(struct move_args, before, TEXT, FIELD_TERSE, "Put them before this child of the new parent"),
	FIELD(struct move_args, after, TEXT, FIELD_TERSE, "Put them after this child of the new parent"),
	FIELDS_END,
};
static const struct field move_out[] = {
	FIELD(struct move_answer, parent_id, TEXT, FIELD_REQUIRED, "Id of the parent"),
	FIELD(struct move_answer, index, INT, FIELD_REQUIRED,
	      "Place of the first moved node among its siblings, from 0"),
	FIELD(struct move_answer, ids, TEXTS, FIELD_REQUIRED, "The moved nodes in their order"),
	FIELDS_END,
};

static bool check_moved(struct call *c, const struct opened *o, uint32_t parent, struct texts ids,
			const uint32_t *nodes)
{
	const struct node *all = o->book->nodes;
	struct map seen = {.arena = c->arena};

	for (size_t i = 0; i < ids.n; i++) {
		bool twice;
		map_at(&seen, ids.items[i], 0, &twice);
		if (nodes[i] == 0)
			return refuse_root(c, o, "moved", "move its chapters, or what is below them");
		if (twice)
			return book_refuse(c, details_of(c, o->path), "VALIDATION_FAILED",
					   "%s is named twice; name each node once", shown(c, ids.items[i]));
		if (all[nodes[i]].level == all[parent].level + 1)
			continue;
		struct json *details = details_hint(c, o->path, "the new parent must be one level above the nodes");
		json_set_text(c->arena, details, "node_id", ids.items[i]);
		json_set_text(c->arena, details, "expected", text_of(level_names[all[nodes[i]].level - 1]));
		json_set_text(c->arena, details, "actual", text_of(level_names[all[parent].level]));
		return book_refuse(c, details, "INVALID_HIERARCHY", "A %s cannot be in a %s; %s",
				   level_names[all[nodes[i]].level], level_names[all[parent].level],
				   level_rules[all[parent].level].holds);
	}
	return true;
}

/* The place among the parent's children, without the moved ones. */
static bool move_place(struct call *c, const struct opened *o, uint32_t parent, const struct move_args *args,
		       const uint32_t *nodes, uint32_t *out)
{
	const struct node *all = o->book->nodes;
	struct text sibling_id = args->before.at ? args->before : args->after;
	bool *moves = arena_array(c->arena, o->book->n, sizeof *moves);
	uint32_t others = 0, sibling = BOOK_NONE;

	if (args->position.there + (args->before.at != NULL) + (args->after.at != NULL) > 1)
		return book_refuse(c, details_of(c, o->path), "INVALID_ATTRIBUTE",
				   "Give only one of position, before and after");
	if (sibling_id.at && !book_node(c, o, sibling_id, &sibling))
		return false;
	for (size_t i = 0; i < args->node_ids.n; i++)
		moves[nodes[i]] = true;
	if (sibling_id.at && (all[sibling].parent != parent || moves[sibling]))
		return book_refuse(c, details_hint(c, o->path, "get_direct_children lists the children of the parent"),
				   "VALIDATION_FAILED", "%s is not a child of the new parent that stays",
				   shown(c, sibling_id));
	for (uint32_t i = parent + 1; i < all[parent].after; i = all[i].after) {
		if (i == sibling)
			*out = others + (args->after.at ? 1 : 0);
		others += !moves[i];
	}
	if (args->position.there && args->position.value > others)
		return book_refuse(c, details_of(c, o->path), "INVALID_ATTRIBUTE", "position must be 0 to %u, not %lld",
				   others, (long long)args->position.value);
	if (!sibling_id.at)
		*out = args->position.there ? (uint32_t)args->position.value : others;
	return true;
}

static bool move_nodes(struct call *c, const void *in, void *out)
{
	const struct move_args *args = in;
	struct move_answer *answer = out;
	struct opened o;
	uint32_t parent, *nodes, place = 0;

	if (!book_change(c, args->file_path, &o) || !book_node(c, &o, args->new_parent_id, &parent) ||
	    !nodes_of(c, &o, args->node_ids, &nodes) || !check_moved(c, &o, parent, args->node_ids, nodes) ||
	    !move_place(c, &o, parent, args, nodes, &place))
		return false;
	struct edits plan = {.arena = c->arena, .book = o.book};
	edits_move(&plan, parent, place, nodes, args->node_ids.n);
	*answer = (struct move_answer){book_id(c->arena, o.book, parent), place, args->node_ids};
	return book_commit(c, &o, &plan, "move_nodes: %s%s to %s", book_named_node(c, o.book, nodes[0]),
			   args->node_ids.n > 1 ? text_format(c->arena, " and %zu more", args->node_ids.n - 1).at : "",
			   book_named_node(c, o.book, parent));
}

const struct tool hnpx_arrange_tools[] = {
	TOOL("remove_node", "Remove a node", "Removes a node and everything below it. file_undo restores it.",
	     TOOL_WRITES | TOOL_DELETES, struct remove_args, remove_in, struct remove_answer, remove_out, remove_node,
	     .example = "{\"file_path\":\"novel.hnpx\",\"node_id\":\"z5y2x4\"}"),
	TOOL("remove_nodes", "Remove several nodes", "Removes several nodes and everything below them, all or none.",
	     TOOL_WRITES | TOOL_DELETES, struct ids_args, ids_in, struct ids_answer, ids_out, remove_nodes,
	     .example = "{\"file_path\":\"novel.hnpx\",\"node_ids\":[\"z5y2x4\",\"m6n8b4\"]}"),
	TOOL("remove_node_children", "Empty a node", "Removes everything below a node; keeps the node and its summary.",
	     TOOL_WRITES | TOOL_DELETES | TOOL_IDEMPOTENT, struct remove_args, remove_in, struct remove_answer,
	     remove_out, remove_node_children, .example = "{\"file_path\":\"novel.hnpx\",\"node_id\":\"u1v7w3\"}"),
	TOOL("reorder_children", "Order children", "Puts all children of a node into a new order.",
	     TOOL_WRITES | TOOL_IDEMPOTENT, struct reorder_args, reorder_in, struct reorder_answer, reorder_out,
	     reorder_children,
	     .example =
		     "{\"file_path\":\"novel.hnpx\",\"parent_id\":\"u1v7w3\",\"child_ids\":[\"m6n8b4\",\"z5y2x4\"]}"),
	TOOL("move_nodes", "Move nodes",
	     "Moves nodes, with everything below them, to another parent of the same level or to another position.",
	     TOOL_WRITES, struct move_args, move_in, struct move_answer, move_out, move_nodes,
	     .example = "{\"file_path\":\"novel.hnpx\",\"node_ids\":[\"u1v7w3\"],\"new_parent_id\":\"r4s8t6\","
			"\"position\":0}"),
	TOOLS_END,
};
