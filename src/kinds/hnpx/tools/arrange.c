/* arrange.c: removes, reorders, moves and merges nodes. Moved subtrees keep every byte. */
#include "base/array.h"
#include "base/map.h"
#include "kinds/hnpx/story/split.h"
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/tree/level.h"

struct remove_args {
	struct text file_path, node_id;
	struct texts more_ids;
	bool children_only;
};
struct remove_answer {
	struct text id, type, parent_id;
	struct texts ids;
	int64_t removed;
};

static const struct field remove_in[] = {
	FILE_PATH(struct remove_args),
	FIELD(struct remove_args, node_id, TEXT, FIELD_REQUIRED | FIELD_EMPTY | FIELD_TERSE, "Node id"),
	FIELD(struct remove_args, more_ids, TEXTS, 0, "Remove these too", .limits = AT_MOST(10000)),
	FIELD(struct remove_args, children_only, FLAG, 0, "Keep the nodes themselves", .otherwise = "false"),
	FIELDS_END,
};
static const struct field remove_out[] = {
	FIELD(struct remove_answer, id, TEXT, FIELD_REQUIRED, "Id of the node"),
	FIELD(struct remove_answer, type, TEXT, FIELD_REQUIRED, "Its level"),
	FIELD(struct remove_answer, parent_id, TEXT, FIELD_NULLABLE, "Id of the node it was in"),
	FIELD(struct remove_answer, ids, TEXTS, 0,
	      "With more_ids: the nodes that were removed or emptied, in document order"),
	FIELD(struct remove_answer, removed, INT, FIELD_REQUIRED, "How many nodes are gone, those below included"),
	FIELDS_END,
};

static bool refuse_root(struct call *c, const struct opened *o, const char *what, const char *hint)
{
	struct json *details = details_hint(c, o->path, hint);

	json_set_text(c->arena, details, "node_id", book_id(c->arena, o->book, 0));
	return book_refuse(c, details, "IMMUTABLE_ROOT", "The book element cannot be %s", what);
}

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

/* Removes a node, or what is below it. Returns how many nodes go. */
static uint32_t plan_removal(struct edits *plan, uint32_t node, bool children_only)
{
	const struct node *all = plan->book->nodes;

	if (!children_only) {
		edits_remove(plan, node);
		return all[node].after - node;
	}
	for (uint32_t i = node + 1; i < all[node].after; i = all[i].after)
		edits_remove(plan, i);
	return all[node].after - node - 1;
}

static bool remove_node(struct call *c, const void *in, void *out)
{
	const struct remove_args *args = in;
	struct remove_answer *answer = out;
	struct opened o;
	size_t n = args->more_ids.n + 1;
	struct texts ids = {arena_array(c->arena, n, sizeof *ids.items), n};
	uint32_t *nodes, past = 0;

	ids.items[0] = args->node_id;
	for (size_t i = 1; i < n; i++)
		ids.items[i] = args->more_ids.items[i - 1];
	if (!book_change(c, args->file_path, &o) || !nodes_of(c, &o, ids, &nodes))
		return false;
	uint32_t first = nodes[0];
	struct edits plan = {.arena = c->arena, .book = o.book};
	array_sort(nodes, n, sizeof *nodes, by_number);
	if (!nodes[0] && !args->children_only)
		return refuse_root(c, &o, "removed", "remove_node with children_only empties the book");
	ids.n = 0;
	for (size_t i = 0; i < n; i++) {
		/* Skip a node that is named twice, or that is below another named node. */
		if (nodes[i] < past)
			continue;
		past = o.book->nodes[nodes[i]].after;
		ids.items[ids.n++] = book_id(c->arena, o.book, nodes[i]);
		answer->removed += plan_removal(&plan, nodes[i], args->children_only);
	}
	const struct node *node = &o.book->nodes[first];
	answer->id = book_id(c->arena, o.book, first);
	answer->type = text_of(level_names[node->level]);
	if (node->parent != BOOK_NONE)
		answer->parent_id = book_id(c->arena, o.book, node->parent);
	if (args->more_ids.n)
		answer->ids = ids;
	return book_commit(c, &o, &plan, "remove_node: %s%s", book_named_node(c, o.book, first),
			   ids.n > 1 ? text_format(c->arena, " and %zu more", ids.n - 1).at : "");
}

struct reorder_args {
	struct text file_path, parent_id;
	struct texts child_ids;
	struct maybe_int position;
	struct text before, after;
	bool merge;
};
struct reorder_answer {
	struct text parent_id;
	struct texts child_ids;
	struct maybe_int index;
	struct text id, summary;
	struct texts removed;
};

static const struct field reorder_in[] = {
	FILE_PATH(struct reorder_args),
	FIELD(struct reorder_args, parent_id, TEXT, FIELD_REQUIRED | FIELD_EMPTY, "Id, or \"book\""),
	FIELD(struct reorder_args, child_ids, TEXTS, FIELD_REQUIRED,
	      "All its children; to move or merge: only those nodes", .limits = AT_MOST(10000)),
	FIELD(struct reorder_args, position, MAYBE_INT, FIELD_TERSE,
	      "Move them here: index from 0, or before/after a child", .limits = AT_LEAST(0)),
	FIELD(struct reorder_args, before, TEXT, FIELD_TERSE, "Move them before this child of the parent"),
	FIELD(struct reorder_args, after, TEXT, FIELD_TERSE, "Move them after this child of the parent"),
	FIELD(struct reorder_args, merge, FLAG, 0, "Join neighbours into the first", .otherwise = "false"),
	FIELDS_END,
};
static const struct field reorder_out[] = {
	FIELD(struct reorder_answer, parent_id, TEXT, FIELD_REQUIRED, "Id of the parent"),
	FIELD(struct reorder_answer, child_ids, TEXTS, 0, "Its children in their new order, or the moved nodes"),
	FIELD(struct reorder_answer, index, MAYBE_INT, 0, "Place of the first moved node among its siblings, from 0"),
	FIELD(struct reorder_answer, id, TEXT, 0, "Merged: id of the node that stays, the first"),
	FIELD(struct reorder_answer, summary, TEXT, 0, "Merged: its summary, joined"),
	FIELD(struct reorder_answer, removed, TEXTS, 0, "Merged: ids that are gone"),
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
	struct json *details = details_hint(
		c, o->path,
		"name every child of the parent once; position, before or after moves nodes from elsewhere");
	json_set_text(c->arena, details, "parent_id", book_id(c->arena, b, parent));
	json_set(c->arena, details, "missing", missing);
	json_set(c->arena, details, "extra", extra);
	return book_refuse(c, details, "VALIDATION_FAILED",
			   "child_ids must hold each child of %s once: %u missing, %u too many",
			   book_id(c->arena, b, parent).at, missing->len, extra->len);
}

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
static bool move_place(struct call *c, const struct opened *o, uint32_t parent, const struct reorder_args *args,
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
	for (size_t i = 0; i < args->child_ids.n; i++)
		moves[nodes[i]] = true;
	if (sibling_id.at && (all[sibling].parent != parent || moves[sibling]))
		return book_refuse(
			c, details_hint(c, o->path, "get_subtree with depth 1 shows the children of the parent"),
			"VALIDATION_FAILED", "%s is not a child of the new parent that stays", shown(c, sibling_id));
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

static bool move(struct call *c, const struct opened *o, const struct reorder_args *args, uint32_t parent,
		 struct reorder_answer *answer)
{
	uint32_t *nodes, place = 0;

	if (!args->child_ids.n)
		return book_refuse(c, details_of(c, o->path), "INVALID_ATTRIBUTE", "child_ids names no node to move");
	if (!nodes_of(c, o, args->child_ids, &nodes) || !check_moved(c, o, parent, args->child_ids, nodes) ||
	    !move_place(c, o, parent, args, nodes, &place))
		return false;
	struct edits plan = {.arena = c->arena, .book = o->book};
	edits_move(&plan, parent, place, nodes, args->child_ids.n);
	answer->child_ids = args->child_ids;
	answer->index = (struct maybe_int){place, true};
	return book_commit(c, o, &plan, "reorder_children: %s%s to %s", book_named_node(c, o->book, nodes[0]),
			   args->child_ids.n > 1 ? text_format(c->arena, " and %zu more", args->child_ids.n - 1).at
						 : "",
			   book_named_node(c, o->book, parent));
}

static bool reorder(struct call *c, const struct opened *o, const struct reorder_args *args, uint32_t parent,
		    struct reorder_answer *answer)
{
	uint32_t *order;

	if (!nodes_of(c, o, args->child_ids, &order) || !check_order(c, o, parent, args->child_ids, order))
		return false;
	struct edits plan = {.arena = c->arena, .book = o->book};
	edits_reorder(&plan, parent, order, args->child_ids.n);
	answer->child_ids = args->child_ids;
	return book_commit(c, o, &plan, "reorder_children: %s", book_named_node(c, o->book, parent));
}

static bool merge(struct call *c, const struct reorder_args *args, struct reorder_answer *answer)
{
	struct merged merged;

	if (!book_merge(c, args->file_path, args->parent_id, args->child_ids, &merged))
		return false;
	answer->parent_id = merged.parent_id;
	answer->id = merged.id;
	answer->summary = merged.summary;
	answer->removed = merged.removed;
	return true;
}

static bool reorder_children(struct call *c, const void *in, void *out)
{
	const struct reorder_args *args = in;
	struct reorder_answer *answer = out;
	struct opened o;
	uint32_t parent;
	bool moves = args->position.there || args->before.at || args->after.at;

	if (args->merge && moves)
		return book_refuse(c, details_of(c, args->file_path), "INVALID_ATTRIBUTE",
				   "merge joins nodes where they are; leave out position, before and after");
	if (args->merge)
		return merge(c, args, answer);
	if (!book_change(c, args->file_path, &o) || !book_node(c, &o, args->parent_id, &parent))
		return false;
	answer->parent_id = book_id(c->arena, o.book, parent);
	return moves ? move(c, &o, args, parent, answer) : reorder(c, &o, args, parent, answer);
}

const struct tool hnpx_arrange_tools[] = {
	TOOL("remove_node", "Remove a node", "Removes a node and all below it. file_undo restores it.",
	     TOOL_WRITES | TOOL_DELETES, struct remove_args, remove_in, struct remove_answer, remove_out, remove_node,
	     .example = "{\"file_path\":\"novel.hnpx\",\"node_id\":\"z5y2x4\"}"),
	TOOL("reorder_children", "Order, move or merge nodes",
	     "Puts the children of a node into a new order. With position (from 0), before or after a child: moves nodes "
	     "there from any parent.",
	     TOOL_WRITES | TOOL_DELETES | TOOL_EXTRA, struct reorder_args, reorder_in, struct reorder_answer,
	     reorder_out, reorder_children,
	     .example =
		     "{\"file_path\":\"novel.hnpx\",\"parent_id\":\"u1v7w3\",\"child_ids\":[\"m6n8b4\",\"z5y2x4\"]}"),
	TOOLS_END,
};
