/* node.c: one note or a part of it, its neighbours, a random note. */
#include "kinds/notes/edit/section.h"
#include "kinds/notes/notes.h"

#include "base/digest.h"

struct get_args {
	struct text id, heading, block;
	int64_t depth, offset;
};
static const struct field get_in[] = {
	NODE_ID(struct get_args, id, "Path of the note, as other tools return it"),
	FIELD(struct get_args, depth, INT, 0, "0: the note; 1: with its neighbors", .limits = BETWEEN(0, 1),
	      .otherwise = "0", .more = RARE{.schema = "\"minimum\":0,\"default\":0"}),
	FIELD(struct get_args, offset, INT, 0, "Characters to skip, to go on in a long note", .limits = AT_LEAST(0),
	      .otherwise = "0"),
	FIELD(struct get_args, heading, TEXT, 0, "Only this section", .limits = AT_MOST(1000)),
	FIELD(struct get_args, block, TEXT, 0, "Only the block ^name", .limits = AT_MOST(200)),
	FIELDS_END,
};

enum { NEIGHBORS_SHOWN = 20, NEIGHBOR_WEIGHT = 480 /* bytes of each, about */ };

/* Outgoing neighbours first, then incoming ones. If both sides need more than half of the limit, each gets half. */
static bool put_neighbors(struct call *c, struct vault *v, uint32_t node, struct node_answer *out, uint32_t *shown,
			  size_t *n_shown)
{
	uint32_t *to, *from;
	size_t n_to = node_neighbors(c, v, node, DIRECTION_OUT, &to),
	       n_from = node_neighbors(c, v, node, DIRECTION_IN, &from);
	size_t half = NEIGHBORS_SHOWN / 2, most_to = n_from > half ? half : NEIGHBORS_SHOWN - n_from;
	struct node_answer *items = arena_array(c->arena, NEIGHBORS_SHOWN, sizeof *items);
	size_t n = 0;

	struct map back = {.arena = c->arena}, there = {.arena = c->arena};
	for (size_t i = 0; i < n_from; i++)
		map_at(&back, v->graph.nodes[from[i]].path, 0, NULL);
	for (size_t i = 0; i < n_to; i++)
		map_at(&there, v->graph.nodes[to[i]].path, i < most_to, NULL);
	for (size_t i = 0; i < n_to && n < most_to; i++) {
		node_answer_of(c, v, to[i], TEXT_NEIGHBOR, &items[n]);
		items[n].direction = map_find(&back, v->graph.nodes[to[i]].path) ? TEXT("both") : TEXT("out");
		shown[n++] = to[i];
	}
	for (size_t i = 0; i < n_from && n < NEIGHBORS_SHOWN; i++) {
		const uint32_t *is_shown = map_find(&there, v->graph.nodes[from[i]].path);
		if (is_shown && *is_shown)
			continue;
		node_answer_of(c, v, from[i], TEXT_NEIGHBOR, &items[n]);
		items[n].direction = is_shown ? TEXT("both") : TEXT("in");
		shown[n++] = from[i];
	}
	/* Leave out links and tags of neighbours where they would make the result too long. */
	for (size_t i = 0; i < n; i++) {
		if (node_weight(&items[i]) <= NEIGHBOR_WEIGHT)
			continue;
		if (!items[i].link_count.there && items[i].links.n)
			items[i].link_count = (struct maybe_int){(int64_t)items[i].links.n, true};
		items[i].links.n = items[i].tags.n = 0;
		items[i].inline_tags = (struct texts){0};
	}
	/* The linked notes are among the neighbours. */
	if (out->links.n > LINKS_LISTED) {
		if (!out->link_count.there)
			out->link_count = (struct maybe_int){(int64_t)out->links.n, true};
		out->links.n = LINKS_LISTED;
	}
	out->neighbors = (struct objects){items, n};
	out->incoming = (struct maybe_int){(int64_t)n_from, true};
	out->outgoing = (struct maybe_int){(int64_t)n_to, true};
	*n_shown = n;
	return true;
}

static bool show_part(struct call *c, struct vault *v, uint32_t node, const struct get_args *args,
		      struct node_answer *out)
{
	struct file_content file;
	struct note n;

	if (!work_read(c, text_copy(c->arena, v->graph.nodes[node].path), c->arena, &file))
		return false;
	note_read(c->arena, file.bytes, &n);
	struct span part = n.text;
	if ((args->heading.at || args->block.at) && !section_find(c, &n, args->heading, args->block, &part))
		return false;
	out->outline = (struct objects){0};
	out->length = out->next = (struct maybe_int){0};
	node_part(c, &n, part, (size_t)args->offset, out);
	return true;
}

static bool get_node(struct call *c, const void *in, void *out)
{
	const struct get_args *args = in;
	struct one_node *answer = out;
	scoped(vault_leave) struct vault *v = vault_read(c);

	if (!v)
		return false;
	uint32_t told[NEIGHBORS_SHOWN + 1] = {vault_node(c, v, args->id)};
	size_t n = 0;
	if (told[0] == NODE_NONE) {
		const struct node *near = node_near(c, v, args->id);
		if (near)
			warn(c, "there is no note %s; did you mean %s?", shown(c, args->id), shown(c, near->path));
		vault_tell(c, v, NULL, 0);
		return true;
	}
	struct node_answer *node = arena_new(c->arena, struct node_answer);
	if (!node_answer_of(c, v, told[0], TEXT_PRIMARY, node)) {
		/* Another program removed it just now, so the result is null. */
		if (c->error.fault != FAULT_NOT_FOUND)
			return false;
		c->error = (struct error){0};
		return true;
	}
	if ((args->offset || args->heading.at || args->block.at) && !show_part(c, v, told[0], args, node))
		return false;
	if (args->depth)
		put_neighbors(c, v, told[0], node, told + 1, &n);
	answer->result = node;
	vault_tell(c, v, told, n + 1);
	return true;
}

static const char *const directions[] = {"in", "out", "both", NULL};

struct neighbors_args {
	struct text id;
	int direction;
	int64_t limit, offset;
	bool include_content;
};
static const struct field neighbors_in[] = {
	NODE_ID(struct neighbors_args, id, "Path of the note"),
	FIELD(struct neighbors_args, direction, CHOICE, 0, "in: notes that link here, out: notes linked from here",
	      .choices = directions, .otherwise = "\"both\""),
	FIELD(struct neighbors_args, limit, INT, 0, "Maximum number of notes", .limits = BETWEEN(1, 50),
	      .otherwise = "20", .more = MINIMUM_1),
	FIELD(struct neighbors_args, offset, INT, 0, "Number of notes to skip", .limits = AT_LEAST(0),
	      .otherwise = "0"),
	FIELD(struct neighbors_args, include_content, FLAG, 0, "false: without content", .otherwise = "true"),
	FIELDS_END,
};

static bool get_neighbors(struct call *c, const void *in, void *out)
{
	const struct neighbors_args *args = in;
	struct node_list *answer = out;
	scoped(vault_leave) struct vault *v = vault_read(c);
	uint32_t *nodes = NULL;

	if (!v)
		return false;
	uint32_t node = vault_node(c, v, args->id);
	size_t n = node == NODE_NONE ? 0 : node_neighbors(c, v, node, (enum direction)args->direction, &nodes);
	size_t from = (size_t)args->offset < n ? (size_t)args->offset : n;
	n = n - from < (size_t)args->limit ? n - from : (size_t)args->limit;
	answer->result = node_list_of(c, v, n ? nodes + from : NULL, n, args->include_content,
				      "ask for the rest with offset, or with include_content false");
	vault_tell_list(c, v, n ? nodes + from : NULL, answer->result.n);
	return true;
}

struct random_args {
	struct texts tags;
};
static const struct field random_in[] = {
	FIELD(struct random_args, tags, TEXTS, 0, "Only notes with one of these tags"),
	FIELDS_END,
};

static bool random_node(struct call *c, const void *in, void *out)
{
	const struct random_args *args = in;
	struct one_node *answer = out;
	scoped(vault_leave) struct vault *v = vault_read(c);

	if (!v)
		return false;
	const struct graph *g = &v->graph;
	struct text *wanted = arena_array(c->arena, args->tags.n + 1, sizeof *wanted);
	uint32_t chosen = NODE_NONE, seen = 0;
	for (size_t i = 0; i < args->tags.n; i++)
		wanted[i] = name_fold(c->arena, tag_of(args->tags.items[i]));
	for (uint32_t i = 0; i < g->n_nodes; i++) {
		bool fits = !args->tags.n;
		for (size_t k = 0; k < args->tags.n && !fits && g->nodes[i].path.at; k++)
			fits = node_has_tag(g, &g->nodes[i], wanted[k]);
		/* Reservoir sampling: the k-th match replaces the choice with probability 1/k, so all are equally
		 * likely. */
		if (fits && g->nodes[i].path.at && node_visible(c, &g->nodes[i]) && random_below(++seen) == 0)
			chosen = i;
	}
	if (chosen != NODE_NONE) {
		struct node_answer *node = arena_new(c->arena, struct node_answer);
		if (!node_answer_of(c, v, chosen, TEXT_PRIMARY, node))
			return false;
		answer->result = node;
	}
	vault_tell(c, v, &chosen, chosen != NODE_NONE);
	return true;
}

const struct tool notes_node_tools[] = {
	TOOL("get_node", "Read a note",
	     "Returns a note: text, tags, links, properties, and `link`, as other notes link to it; null when there is none. Of a "
	     "text over 10,000 characters `outline` lists the headings, and offset or heading show more.",
	     TOOL_READS | TOOL_BARE, struct get_args, get_in, struct one_node, context_out, get_node,
	     .example = "{\"id\":\"notes/index.md\",\"depth\":1}"),
	TOOL("get_neighbors", "Notes linked to or from a note",
	     "Returns the notes that link to a note and those it links to, linked ones first, with 500 characters each.",
	     TOOL_READS | TOOL_BARE, struct neighbors_args, neighbors_in, struct node_list, node_list_out,
	     get_neighbors),
	TOOL("random_node", "Random note", "Returns one note, chosen at random; null when none fits.",
	     TOOL_READS | TOOL_BARE | TOOL_EXTRA, struct random_args, random_in, struct one_node, one_node_out,
	     random_node),
	TOOLS_END,
};
