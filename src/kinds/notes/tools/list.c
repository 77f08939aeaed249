/* list.c: lists notes, and finds the notes that a name means. */
#include "base/utf8.h"
#include "format/json.h"
#include "kinds/notes/graph/resolve.h"
#include "kinds/notes/notes.h"
#include "kinds/notes/tools/engine.h"

#include <stdlib.h>
#include <string.h>

struct brief {
	struct text id, title;
};
struct list_args {
	struct text tag, path;
	int orphans;
	int64_t limit, offset;
};
struct list_answer {
	struct objects nodes;
	int64_t total;
};
static const char *const includes[] = {"include", "only", "exclude", NULL};
#define PAGE(S)                                                                                                        \
	FIELD(S, limit, INT, 0, "Maximum number of notes", .limits = BETWEEN(1, 1000), .otherwise = "100"),            \
		FIELD(S, offset, INT, 0, "Number of notes to skip", .limits = AT_LEAST(0), .otherwise = "0")
static const struct field list_in[] = {
	FIELD(struct list_args, tag, TEXT, 0, "Only notes with this tag"),
	FIELD(struct list_args, path, TEXT, 0, "Only notes whose path begins so, such as a folder"),
	FIELD(struct list_args, orphans, CHOICE, 0, "Notes without links in or out", .choices = includes,
	      .otherwise = "\"include\""),
	PAGE(struct list_args),
	FIELDS_END,
};
struct orphans_args {
	int64_t limit, offset;
};
static const struct field orphans_in[] = {PAGE(struct orphans_args), FIELDS_END};
static const struct field brief_fields[] = {
	FIELD(struct brief, id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Path of the note"),
	FIELD(struct brief, title, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Title"),
	FIELDS_END,
};
static const struct shape brief_shape = SHAPE(struct brief, "brief", brief_fields);
static const struct field list_out[] = {
	FIELD(struct list_answer, nodes, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "By path", .shape = &brief_shape),
	FIELD(struct list_answer, total, INT, FIELD_REQUIRED | FIELD_TERSE, "Number of notes that fit"),
	FIELDS_END,
};

/* Has the note no link that the caller may see? */
static bool is_orphan(struct call *c, const struct graph *g, const struct node *n)
{
	if (caller_sees_all(c))
		return !n->n_in && !n->n_out;
	for (uint32_t at = n->first_in; at != NODE_NONE; at = g->edges[at].next_in)
		if (node_visible(c, &g->nodes[g->edges[at].from]))
			return false;
	for (uint32_t at = n->first_out; at != NODE_NONE; at = g->edges[at].next_out)
		if (node_visible(c, &g->nodes[g->edges[at].to]))
			return false;
	return true;
}

static bool list_nodes(struct call *c, const void *in, void *out)
{
	const struct list_args *args = in;
	struct list_answer *answer = out;
	scoped(vault_leave) struct vault *v = vault_read(c);
	ARRAY(struct brief) nodes = {0};
	size_t sum = 0;

	if (!v)
		return false;
	const struct graph *g = &v->graph;
	struct text tag_name = text_trim(args->tag);
	if (tag_name.len && tag_name.at[0] == '#')
		tag_name = text_slice(tag_name, 1, tag_name.len);
	uint32_t tag = tag_name.len ? graph_tag(g, c->arena, tag_name) : NODE_NONE;
	const char *prefix = text_string(c->arena, name_fold(c->arena, args->path));
	for (uint32_t i = 0; i < g->count; i++) {
		const struct node *n = &g->nodes[g->order[i]];
		if (!text_starts(n->folded, prefix) || !node_visible(c, n))
			continue;
		if (tag_name.len && (tag == NODE_NONE || !node_has_tag(g, n, tag)))
			continue;
		if (args->orphans && is_orphan(c, g, n) != (args->orphans == 1))
			continue;
		if (answer->total++ < args->offset || nodes.n >= (size_t)args->limit || sum > answer_room(c))
			continue;
		*ARRAY_PUSH(c->arena, &nodes) =
			(struct brief){text_copy(c->arena, n->path), text_copy(c->arena, n->title)};
		sum += n->path.len + n->title.len + 24;
	}
	answer->nodes = (struct objects){nodes.items, nodes.n};
	vault_tell(c, v, NULL, 0);
	return true;
}

static bool list_orphans(struct call *c, const void *in, void *out)
{
	const struct orphans_args *args = in;

	return list_nodes(c, &(struct list_args){.orphans = 1, .limit = args->limit, .offset = args->offset}, out);
}

enum strategy { STRATEGY_EXACT, STRATEGY_FUZZY, STRATEGY_SEMANTIC };
static const char *const strategies[] = {"exact", "fuzzy", "semantic", NULL};

struct resolve_args {
	struct texts names;
	int strategy;
	double threshold;
};
struct match {
	struct text query, id, title;
	double score;
};
struct resolve_answer {
	struct objects matches;
};
static const struct field resolve_in[] = {
	FIELD(struct resolve_args, names, TEXTS, FIELD_REQUIRED, "Names, titles, aliases or paths",
	      .limits = BETWEEN(1, 100), .more = RARE{.item_limits = BETWEEN(1, 500)}),
	FIELD(struct resolve_args, strategy, CHOICE, 0,
	      "exact: as a [[link]] would; fuzzy: similar titles; semantic: similar meaning", .choices = strategies,
	      .otherwise = "\"fuzzy\""),
	FIELD(struct resolve_args, threshold, NUMBER, 0, "Least score of a match", .limits = BETWEEN(0, 1),
	      .otherwise = "0.7"),
	FIELDS_END,
};
static const struct field match_fields[] = {
	FIELD(struct match, query, TEXT, FIELD_REQUIRED | FIELD_TERSE, "The name asked for"),
	FIELD(struct match, id, TEXT, FIELD_REQUIRED | FIELD_NULLABLE | FIELD_TERSE,
	      "Path of the note; null: none fits"),
	FIELD(struct match, title, TEXT, FIELD_TERSE, "Its title"),
	FIELD(struct match, score, NUMBER, FIELD_REQUIRED | FIELD_TERSE, "0 to 1"),
	FIELDS_END,
};
static const struct shape match_shape = SHAPE(struct match, "match", match_fields);
static const struct field resolve_out[] = {
	FIELD(struct resolve_answer, matches, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "One for each name",
	      .shape = &match_shape),
	FIELDS_END,
};

/* Sorted pairs of neighbouring bytes, to compare two words. */
struct pairs {
	uint16_t *items;
	size_t n;
};

static int by_value(const void *a, const void *b) { return *(const uint16_t *)a - *(const uint16_t *)b; }

static struct pairs pairs_of(struct arena *a, struct text t)
{
	struct pairs p = {.items = arena_array(a, t.len + 1, sizeof *p.items)};

	for (size_t i = 0; i + 1 < t.len; i++)
		if (t.at[i] != '-' && t.at[i + 1] != '-')
			p.items[p.n++] = (uint16_t)((unsigned char)t.at[i] << 8 | (unsigned char)t.at[i + 1]);
	qsort(p.items, p.n, sizeof *p.items, by_value);
	return p;
}

/* Dice's coefficient: twice the number of shared pairs, divided by the number of all pairs. */
static double likeness(struct pairs a, struct pairs b)
{
	size_t shared = 0;

	for (size_t i = 0, k = 0; i < a.n && k < b.n;) {
		shared += a.items[i] == b.items[k];
		if (a.items[i] == b.items[k])
			i++, k++;
		else if (a.items[i] < b.items[k])
			i++;
		else
			k++;
	}
	return a.n + b.n ? 2.0 * (double)shared / (double)(a.n + b.n) : 0;
}

static void match_fuzzy(struct call *c, struct vault *v, const struct resolve_args *args, struct match *matches)
{
	const struct graph *g = &v->graph;
	struct pairs *names = arena_array(c->arena, args->names.n, sizeof *names);
	struct arena scratch = {0};

	for (size_t i = 0; i < args->names.n; i++)
		names[i] = pairs_of(c->arena, key_of(c->arena, args->names.items[i]));
	for (uint32_t k = 0; k < g->count; k++) {
		const struct node *n = &g->nodes[g->order[k]];
		if (!node_visible(c, n))
			continue;
		for (size_t form = 0; form < n->aliases.n + 2; form++) {
			struct text name = form == 0 ? n->title : form == 1 ? n->path : n->aliases.items[form - 2];
			struct pairs p = pairs_of(&scratch, key_of(&scratch, name));
			for (size_t i = 0; i < args->names.n; i++) {
				double score = likeness(names[i], p);
				if (score <= matches[i].score || score < args->threshold)
					continue;
				matches[i].score = score_shown(score);
				matches[i].id = n->path;
				matches[i].title = n->title;
			}
		}
		if (scratch.used > 1024 * 1024)
			arena_free(&scratch);
	}
	arena_free(&scratch);
}

static bool match_semantic(struct call *c, const struct resolve_args *args, struct match *matches)
{
	struct search *search;

	if (!engine_ready(c, &search))
		return false;
	for (size_t i = 0; i < args->names.n; i++) {
		struct search_found found;
		struct search_query query = {.words = args->names.items[i],
					     .mode = SEARCH_MEANING,
					     .threshold = args->threshold,
					     .limit = 1};
		engine_grant(c, &query);
		if (!search_find(c, search, &query, &found))
			return false;
		if (found.absence && !i)
			warn(c, "%s", found.absence);
		if (found.n) {
			matches[i].id = found.items[0].path;
			matches[i].score = score_shown(found.items[0].score);
		}
	}
	return true;
}

/* The name in [[name#part|shown]], or in any of its parts. */
static struct text name_asked(struct text name)
{
	struct text t = text_trim(name);

	if (text_starts(t, "!["))
		t = text_slice(t, 1, t.len);
	if (text_starts(t, "[[") && text_ends(t, "]]"))
		t = text_slice(t, 2, t.len - 2);
	t = text_slice(t, 0, text_find(t, TEXT("|"), 0));
	t = text_slice(t, 0, text_find(t, TEXT("#"), 0));
	return text_trim(t);
}

static bool resolve_nodes(struct call *c, const void *in, void *out)
{
	const struct resolve_args *args = in;
	struct resolve_answer *answer = out;
	struct match *matches = arena_array(c->arena, args->names.n, sizeof *matches);

	if (args->strategy == STRATEGY_SEMANTIC && !match_semantic(c, args, matches))
		return false;
	scoped(vault_leave) struct vault *v = vault_read(c);
	if (!v)
		return false;
	for (size_t i = 0; i < args->names.n; i++) {
		struct text name = args->names.items[i];
		uint32_t node = NODE_NONE;
		matches[i].query = name;
		if (matches[i].id.at)
			node = vault_node(c, v, matches[i].id);
		else if (args->strategy != STRATEGY_SEMANTIC) {
			node = vault_node(c, v, name);
			if (node == NODE_NONE)
				node = resolve(&v->graph, c->arena, TEXT(""), NOTE_LINK_WIKI, name_asked(name)).node;
			matches[i].score = 1;
		}
		if (node != NODE_NONE && node_visible(c, &v->graph.nodes[node])) {
			matches[i].id = v->graph.nodes[node].path;
			matches[i].title = v->graph.nodes[node].title;
		} else {
			matches[i].id = (struct text){0};
			matches[i].score = 0;
		}
	}
	if (args->strategy == STRATEGY_FUZZY)
		match_fuzzy(c, v, args, matches);
	size_t sum = 0;
	for (size_t i = 0; i < args->names.n; i++) {
		if (!matches[i].id.at)
			continue;
		sum += matches[i].query.len + matches[i].id.len + matches[i].title.len + 60;
		matches[i].id = text_copy(c->arena, matches[i].id);
		/* Leave titles out where the result would become too long; the caller can read them from the notes. */
		matches[i].title = sum < answer_room(c) ? text_copy(c->arena, matches[i].title) : (struct text){0};
	}
	answer->matches = (struct objects){matches, args->names.n};
	vault_tell(c, v, NULL, 0);
	return true;
}

struct exist_args {
	struct texts ids;
};
struct exist_answer {
	const struct json *result;
};
static const struct field exist_in[] = {
	FIELD(struct exist_args, ids, TEXTS, FIELD_REQUIRED, "Paths of notes", .limits = BETWEEN(1, 500),
	      .more = RARE{.item_limits = AT_MOST(4096)}),
	FIELDS_END,
};
static const struct field exist_out[] = {
	FIELD(struct exist_answer, result, MAP, FIELD_REQUIRED | FIELD_TERSE,
	      "For each id whether there is such a note"),
	FIELDS_END,
};

static bool nodes_exist(struct call *c, const void *in, void *out)
{
	const struct exist_args *args = in;
	struct exist_answer *answer = out;
	struct json *map = json_new_object(c->arena);
	scoped(vault_leave) struct vault *v = vault_read(c);

	if (!v)
		return false;
	for (size_t i = 0; i < args->ids.n; i++)
		json_set_key(c->arena, map, args->ids.items[i],
			     json_new_bool(c->arena, vault_node(c, v, args->ids.items[i]) != NODE_NONE));
	answer->result = map;
	vault_tell(c, v, NULL, 0);
	return true;
}

const struct tool notes_list_tools[] = {
	TOOL("list_nodes", "List notes", "Lists notes by path, with titles, filtered by tag and folder.",
	     TOOL_READS | TOOL_NO_REVISION, struct list_args, list_in, struct list_answer, list_out, list_nodes),
	TOOL("list_orphans", "Notes without links", "Lists notes that no note links to and that link to none.",
	     TOOL_READS | TOOL_NO_REVISION | TOOL_EXTRA, struct orphans_args, orphans_in, struct list_answer, list_out,
	     list_orphans),
	TOOL("resolve_nodes", "Find notes by name",
	     "Finds the note that each of many names means, in one call. Use it before linking to notes you know by name.",
	     TOOL_READS | TOOL_NO_REVISION, struct resolve_args, resolve_in, struct resolve_answer, resolve_out,
	     resolve_nodes),
	TOOL("nodes_exist", "Check which notes exist", "Says for each id whether there is such a note.",
	     TOOL_READS | TOOL_NO_REVISION | TOOL_EXTRA, struct exist_args, exist_in, struct exist_answer, exist_out,
	     nodes_exist),
	TOOLS_END,
};
