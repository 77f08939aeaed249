/* tags.c: notes by tag, and the list of tags. */
#include "kinds/notes/notes.h"

#include "base/array.h"

static const char *const modes[] = {"any", "all", NULL};

struct by_tags_args {
	struct texts tags;
	int mode;
	int64_t limit, offset;
	bool include_content;
};
static const struct field by_tags_in[] = {
	FIELD(struct by_tags_args, tags, TEXTS, FIELD_REQUIRED, "Tags, with or without #; case does not matter",
	      .limits = BETWEEN(1, 100), .more = RARE{.schema = "\"minItems\":1"}),
	FIELD(struct by_tags_args, mode, CHOICE, 0, "any: one of the tags; all: every one", .choices = modes,
	      .otherwise = "\"any\""),
	FIELD(struct by_tags_args, limit, INT, 0, "Maximum number of notes", .limits = BETWEEN(1, 100),
	      .otherwise = "20", .more = MINIMUM_1),
	FIELD(struct by_tags_args, offset, INT, 0, "Number of notes to skip", .limits = AT_LEAST(0), .otherwise = "0"),
	FIELD(struct by_tags_args, include_content, FLAG, 0, "false: without content", .otherwise = "true"),
	FIELDS_END,
};

static bool fits(const struct graph *g, const struct node *n, const struct text *tags, size_t count, bool all)
{
	for (size_t i = 0; i < count; i++) {
		bool has = node_has_tag(g, n, tags[i]);
		if (has != all)
			return has;
	}
	return all;
}

static bool search_by_tags(struct call *c, const void *in, void *out)
{
	const struct by_tags_args *args = in;
	struct node_list *answer = out;
	scoped(vault_leave) struct vault *v = vault_read(c);

	if (!v)
		return false;
	const struct graph *g = &v->graph;
	struct text *tags = arena_array(c->arena, args->tags.n, sizeof *tags);
	uint32_t *nodes = arena_array(c->arena, (size_t)args->limit, sizeof *nodes);
	size_t n = 0, skipped = 0;
	for (size_t i = 0; i < args->tags.n; i++) {
		tags[i] = name_fold(c->arena, tag_of(args->tags.items[i]));
		if (!tag_of(args->tags.items[i]).len)
			return fail(c, FAULT_ARGUMENT, "tags/%zu is empty; list_tags shows the tags there are", i);
	}
	for (uint32_t i = 0; i < g->count && n < (size_t)args->limit; i++) {
		const struct node *node = &g->nodes[g->order[i]];
		if (!fits(g, node, tags, args->tags.n, args->mode == 1) || !node_visible(c, node))
			continue;
		if (skipped++ >= (size_t)args->offset)
			nodes[n++] = g->order[i];
	}
	answer->result = node_list_of(c, v, nodes, n, args->include_content,
				      "ask for the rest with offset, or with include_content false");
	vault_tell_list(c, v, nodes, answer->result.n);
	return true;
}

struct list_tags_args {
	struct text prefix;
	int64_t limit, offset;
};
struct tag_count {
	struct text tag;
	int64_t count;
};
struct tags_answer {
	struct objects tags;
	int64_t total;
};
static const struct field list_tags_in[] = {
	FIELD(struct list_tags_args, prefix, TEXT, 0, "Only tags that begin so", .limits = AT_MOST(200)),
	FIELD(struct list_tags_args, limit, INT, 0, "Maximum number of tags", .limits = BETWEEN(1, 1000),
	      .otherwise = "100"),
	FIELD(struct list_tags_args, offset, INT, 0, "Number of tags to skip", .limits = AT_LEAST(0), .otherwise = "0"),
	FIELDS_END,
};
static const struct field tag_fields[] = {
	FIELD(struct tag_count, tag, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Tag, as first written"),
	FIELD(struct tag_count, count, INT, FIELD_REQUIRED | FIELD_TERSE, "Notes that have it"),
	FIELDS_END,
};
static const struct shape tag_shape = SHAPE(struct tag_count, "tag", tag_fields);
static const struct field list_tags_out[] = {
	FIELD(struct tags_answer, tags, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "Most used first", .shape = &tag_shape),
	FIELD(struct tags_answer, total, INT, FIELD_REQUIRED | FIELD_TERSE, "Number of tags that fit"),
	FIELDS_END,
};

static int by_count(const void *a, const void *b)
{
	const struct tag_count *x = a, *y = b;

	return x->count != y->count ? (x->count < y->count ? 1 : -1) : text_order(x->tag, y->tag);
}

static bool list_tags(struct call *c, const void *in, void *out)
{
	const struct list_tags_args *args = in;
	struct tags_answer *answer = out;
	scoped(vault_leave) struct vault *v = vault_read(c);

	if (!v)
		return false;
	const struct graph *g = &v->graph;
	struct tag_count *tags = arena_array(c->arena, (size_t)g->n_tags + 1, sizeof *tags);
	uint32_t *counts = arena_array(c->arena, (size_t)g->n_tags + 1, sizeof *counts);
	const char *prefix = text_string(c->arena, name_fold(c->arena, tag_of(args->prefix)));
	size_t n = 0;
	for (uint32_t i = 0; i < g->n_nodes; i++) {
		const struct node *node = &g->nodes[i];
		for (uint32_t k = 0; node->path.at && k < node->n_tags + node->n_words; k++)
			counts[g->tags[node->tags[k]].group] += node_visible(c, node);
	}
	for (uint32_t i = 0; i < g->n_tags; i++)
		if (counts[i] && text_starts(g->tags[i].folded, prefix))
			tags[n++] = (struct tag_count){text_copy(c->arena, g->tags[i].text), counts[i]};
	array_sort(tags, n, sizeof *tags, by_count);
	size_t from = (size_t)args->offset < n ? (size_t)args->offset : n, shown = 0, sum = 0;
	while (from + shown < n && shown < (size_t)args->limit && sum < answer_room(c))
		sum += tags[from + shown++].tag.len + 24;
	answer->tags = (struct objects){tags + from, shown};
	answer->total = (int64_t)n;
	vault_tell(c, v, NULL, 0);
	return true;
}

const struct tool notes_tag_tools[] = {
	TOOL("search_by_tags", "Notes with tags",
	     "Returns the notes that have one of the tags (project finds project/active too), or all of them, by path, with 500 "
	     "characters each.",
	     TOOL_READS | TOOL_BARE | TOOL_NO_REVISION, struct by_tags_args, by_tags_in, struct node_list,
	     node_list_out, search_by_tags, .example = "{\"tags\":[\"idea\",\"draft\"],\"mode\":\"all\"}"),
	TOOL("list_tags", "Tags and their counts", "Returns the tags of all notes with the number of notes each.",
	     TOOL_READS | TOOL_NO_REVISION | TOOL_EXTRA, struct list_tags_args, list_tags_in, struct tags_answer,
	     list_tags_out, list_tags),
	TOOLS_END,
};
