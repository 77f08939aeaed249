/* find.c: notes that fulfil conditions. */
#include "base/utf8.h"
#include "kinds/notes/tools/where.h"

struct find_args {
	struct texts where, show;
	struct text sort;
	int64_t limit, offset;
};
struct found_note {
	struct text id, title;
	const struct json *shown;
};
struct find_answer {
	struct objects nodes;
	int64_t total;
};
static const struct field find_in[] = {
	FIELD(struct find_args, where, TEXTS, 0,
	      "Conditions that all hold: \"status = open\", \"due < 2026-12-01\", \"priority is missing\", \"tag = project\", "
	      "\"folder = Work\", \"name ~ plan\", \"links to hub.md\", \"modified > 2026-11-01\", \"incoming = 0\"",
	      .limits = AT_MOST(WHERE_MAX), .more = RARE{.item_limits = BETWEEN(1, 500)}),
	FIELD(struct find_args, sort, TEXT, 0, "id, title, modified, incoming or a property; -modified: newest first",
	      .limits = AT_MOST(200), .otherwise = "\"id\""),
	FIELD(struct find_args, show, TEXTS, 0, "Properties to show", .limits = AT_MOST(20)),
	FIELD(struct find_args, limit, INT, 0, "Maximum number of notes", .limits = BETWEEN(1, 1000),
	      .otherwise = "100"),
	FIELD(struct find_args, offset, INT, 0, "Number of notes to skip", .limits = AT_LEAST(0), .otherwise = "0"),
	FIELDS_END,
};
static const struct field found_fields[] = {
	FIELD(struct found_note, id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Path of the note"),
	FIELD(struct found_note, title, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Title"),
	FIELD_AS("properties", struct found_note, shown, MAP, FIELD_TERSE, "Those of `show` that it has"),
	FIELDS_END,
};
static const struct shape found_shape = SHAPE(struct found_note, "found", found_fields);
static const struct field find_out[] = {
	FIELD(struct find_answer, nodes, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "In the asked order",
	      .shape = &found_shape),
	FIELD(struct find_answer, total, INT, FIELD_REQUIRED | FIELD_TERSE, "Number of notes that fit"),
	FIELDS_END,
};

/* A list has several values under one name. */
static const struct json *shown_properties(struct call *c, const struct node *n, struct texts show)
{
	struct json *all = NULL;

	for (size_t i = 0; i < show.n; i++) {
		struct text name = name_fold(c->arena, text_trim(show.items[i]));
		struct json *list = json_new_array(c->arena);
		for (uint32_t k = 0; k < n->n_properties; k++)
			if (text_same(n->properties[k].name, name) && n->properties[k].value.at)
				json_push(c->arena, list,
					  json_new_text(c->arena, utf8_repaired(c->arena, n->properties[k].value)));
		if (!list->len)
			continue;
		all = all ? all : json_new_object(c->arena);
		json_set_key(c->arena, all, text_trim(show.items[i]), list->len == 1 ? &list->items[0] : list);
	}
	return all;
}

static bool find_nodes(struct call *c, const void *in, void *out)
{
	const struct find_args *args = in;
	struct find_answer *answer = out;
	scoped(vault_leave) struct vault *v = vault_read(c);
	struct where where;
	struct sort_key key;

	if (!v || !where_read(c, v, args->where, &where) || !sort_read(c, v, args->sort, &key))
		return false;
	const struct graph *g = &v->graph;
	uint32_t *nodes = arena_array(c->arena, (size_t)g->count + 1, sizeof *nodes);
	size_t n = 0;
	for (uint32_t i = 0; i < g->count; i++) {
		uint32_t node = g->order[i];
		if (node_visible(c, &g->nodes[node]) && where_holds(c, v, &where, node))
			nodes[n++] = node;
		if (!(i % 1024) && !goes_on(c))
			return false;
	}
	if (key.subject != SUBJECT_ID || key.falls)
		sort_nodes(c, v, &key, nodes, n);
	size_t from = (size_t)args->offset < n ? (size_t)args->offset : n, shown = 0, sum = 0;
	size_t most = n - from < (size_t)args->limit ? n - from : (size_t)args->limit;
	struct found_note *items = arena_array(c->arena, most + 1, sizeof *items);
	for (; shown < most && sum < answer_room(c); shown++) {
		const struct node *node = &g->nodes[nodes[from + shown]];
		items[shown] = (struct found_note){text_copy(c->arena, node->path), text_copy(c->arena, node->title),
						   shown_properties(c, node, args->show)};
		sum += node->path.len + node->title.len + 24;
		if (items[shown].shown)
			sum += json_source(c->arena, items[shown].shown).len + 14;
	}
	answer->nodes = (struct objects){items, shown};
	answer->total = (int64_t)n;
	vault_tell(c, v, NULL, 0);
	return true;
}

const struct tool notes_find_tools[] = {
	TOOL("find_nodes", "Find notes by property, tag, folder or link",
	     "Lists the notes that fulfil all conditions; without any, all notes.", TOOL_READS | TOOL_NO_REVISION,
	     struct find_args, find_in, struct find_answer, find_out, find_nodes,
	     .example = "{\"where\":[\"status = open\",\"due < 2026-12-01\"],\"sort\":\"due\"}"),
	TOOLS_END,
};
