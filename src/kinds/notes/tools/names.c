/* names.c: the notes that names mean. */
#include "base/array.h"
#include "base/utf8.h"
#include "kinds/notes/graph/resolve.h"
#include "kinds/notes/notes.h"
#include "kinds/notes/tools/engine.h"

#include <string.h>

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
	array_sort(p.items, p.n, sizeof *p.items, by_value);
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

const struct tool notes_name_tools[] = {
	TOOL("resolve_nodes", "Find notes by name",
	     "Finds the note that each of many names means, in one call. Use it before linking to notes you know by name.",
	     TOOL_READS | TOOL_NO_REVISION, struct resolve_args, resolve_in, struct resolve_answer, resolve_out,
	     resolve_nodes),
	TOOLS_END,
};
