/* graph.c: tools for the whole graph: paths, hubs, statistics. */
#include "kinds/notes/graph/resolve.h"
#include "base/mutex.h"
#include "kinds/notes/graph/ways.h"
#include "kinds/notes/notes.h"

#include <stdlib.h>

static bool may_see(const void *call, const struct node *n) { return node_visible(call, n); }

static struct ways ways_of(struct call *c, struct vault *v)
{
	return (struct ways){&v->graph, c->arena, caller_sees_all(c) ? NULL : may_see, c};
}

struct path_args {
	struct text source, target;
	int direction;
};
struct path_answer {
	struct texts path;
	int64_t length;
};
struct path_out {
	const struct path_answer *result;
};
static const char *const path_directions[] = {"out", "both", NULL};
static const struct field path_in[] = {
	NODE_ID(struct path_args, source, "Path of the first note"),
	NODE_ID(struct path_args, target, "Path of the last note"),
	FIELD(struct path_args, direction, CHOICE, 0, "out: along the links; both: also against them",
	      .choices = path_directions, .otherwise = "\"out\""),
	FIELDS_END,
};
static const struct field path_fields[] = {
	FIELD(struct path_answer, path, TEXTS, FIELD_REQUIRED | FIELD_TERSE, "Ids from source to target"),
	FIELD(struct path_answer, length, INT, FIELD_REQUIRED | FIELD_TERSE, "Number of links"),
	FIELDS_END,
};
static const struct shape path_shape = SHAPE(struct path_answer, "path", path_fields);
static const struct field path_out_fields[] = {
	FIELD(struct path_out, result, OBJECT, FIELD_NULLABLE | FIELD_TERSE, "null: no path", .shape = &path_shape),
	FIELDS_END};

static bool find_path(struct call *c, const void *in, void *out)
{
	const struct path_args *args = in;
	struct path_out *answer = out;
	scoped(vault_leave) struct vault *v = vault_read(c);
	uint32_t *nodes = NULL;
	size_t n = 0;

	if (!v)
		return false;
	uint32_t from = vault_node(c, v, args->source), to = vault_node(c, v, args->target);
	if (from != NODE_NONE && to != NODE_NONE) {
		struct ways w = ways_of(c, v);
		n = ways_path(&w, from, to, args->direction == 1, &nodes);
	}
	if (n) {
		struct path_answer *path = arena_new(c->arena, struct path_answer);
		path->path = (struct texts){arena_array(c->arena, n, sizeof(struct text)), 0};
		path->length = (int64_t)n - 1;
		for (size_t sum = 0; path->path.n < n && sum < answer_room(c); path->path.n++) {
			struct text id = v->graph.nodes[nodes[path->path.n]].path;
			path->path.items[path->path.n] = text_copy(c->arena, id);
			sum += id.len + 3;
		}
		if (path->path.n < n)
			warn(c,
			     "the path has %zu notes, the first %zu are shown; find_path from the last of them shows the rest",
			     n, path->path.n);
		answer->result = path;
	}
	vault_tell(c, v, NULL, 0);
	return true;
}

enum metric { METRIC_IN, METRIC_OUT, METRIC_RANK };
static const char *const metrics[] = {"in_degree", "out_degree", "pagerank", NULL};

struct hubs_args {
	int metric;
	int64_t limit;
};
struct hub {
	struct text id, title;
	double score;
};
struct hubs_answer {
	struct objects result;
};
static const struct field hubs_in[] = {
	FIELD(struct hubs_args, metric, CHOICE, 0, "in_degree: notes that link to it; out_degree: notes it links to",
	      .choices = metrics, .otherwise = "\"in_degree\""),
	FIELD(struct hubs_args, limit, INT, 0, "Maximum number of notes", .limits = BETWEEN(1, 50), .otherwise = "10",
	      .more = MINIMUM_1),
	FIELDS_END,
};
static const struct field hub_fields[] = {
	FIELD(struct hub, id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Path of the note"),
	FIELD(struct hub, title, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Title"),
	FIELD(struct hub, score, NUMBER, FIELD_REQUIRED | FIELD_TERSE, "Value of the metric"),
	FIELDS_END,
};
static const struct shape hub_shape = SHAPE(struct hub, "hub", hub_fields);
static const struct field hubs_out[] = {
	FIELD(struct hubs_answer, result, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "Best first", .shape = &hub_shape),
	FIELDS_END};

/* Number of visible neighbours in one direction. */
static uint32_t seen_degree(struct call *c, const struct graph *g, const struct node *n, bool in)
{
	uint32_t count = 0;

	if (caller_sees_all(c))
		return in ? n->n_in : n->n_out;
	for (uint32_t at = in ? n->first_in : n->first_out; at != NODE_NONE;
	     at = in ? g->edges[at].next_in : g->edges[at].next_out)
		count += node_visible(c, &g->nodes[in ? g->edges[at].from : g->edges[at].to]);
	return count;
}

struct score {
	uint32_t node;
	double value;
};

static bool is_better(const struct graph *g, struct score a, struct score b)
{
	return a.value != b.value ? a.value > b.value : text_order(g->nodes[a.node].path, g->nodes[b.node].path) < 0;
}

/* The current ranks of the graph, computed again only if it changed. Called under the vault's lock. */
static void fill_ranks(struct vault *v, double *to)
{
	mutex_lock(&v->ranking);
	if (!v->ranks || v->ranks_of != v->graph.generation) {
		free(v->ranks);
		v->ranks = ways_rank(&v->graph);
		v->ranks_of = v->graph.generation;
	}
	for (uint32_t i = 0; i < v->graph.n_nodes; i++)
		to[i] = v->ranks[i];
	mutex_unlock(&v->ranking);
}

static bool get_hubs(struct call *c, const void *in, void *out)
{
	const struct hubs_args *args = in;
	struct hubs_answer *answer = out;
	scoped(vault_leave) struct vault *v = vault_read(c);

	if (!v)
		return false;
	const struct graph *g = &v->graph;
	size_t most = (size_t)args->limit, n = 0;
	struct score *best = arena_array(c->arena, most + 1, sizeof *best);
	double *ranks = NULL;
	if (args->metric == METRIC_RANK)
		fill_ranks(v, ranks = arena_array(c->arena, (size_t)g->n_nodes + 1, sizeof *ranks));
	for (uint32_t i = 0; i < g->n_nodes; i++) {
		const struct node *node = &g->nodes[i];
		if (!is_searched(node) || !node_visible(c, node))
			continue;
		struct score s = {i, ranks ? ranks[i] : seen_degree(c, g, node, args->metric == METRIC_IN)};
		if (n == most && !is_better(g, s, best[n - 1]))
			continue;
		size_t at = n < most ? n++ : n - 1;
		for (; at && is_better(g, s, best[at - 1]); at--)
			best[at] = best[at - 1];
		best[at] = s;
	}
	struct hub *hubs = arena_array(c->arena, n + 1, sizeof *hubs);
	size_t shown = 0;
	for (size_t i = 0, sum = 0; i < n && sum < answer_room(c); i++, shown++) {
		sum += g->nodes[best[i].node].path.len + g->nodes[best[i].node].title.len + 40;
		hubs[i] = (struct hub){text_copy(c->arena, g->nodes[best[i].node].path),
				       text_copy(c->arena, g->nodes[best[i].node].title),
				       ranks ? score_shown(best[i].value) : best[i].value};
	}
	answer->result = (struct objects){hubs, shown};
	vault_tell(c, v, NULL, 0);
	return true;
}

struct stats_answer {
	int64_t nodes, edges, broken, ambiguous, orphans, components, largest, tags;
	struct maybe_int vectors;
};
static const struct field no_arguments[] = {FIELDS_END};
struct nothing {
	char none;
};
static const struct field stats_out[] = {
	FIELD(struct stats_answer, nodes, INT, FIELD_REQUIRED | FIELD_TERSE, "Notes"),
	FIELD(struct stats_answer, edges, INT, FIELD_REQUIRED | FIELD_TERSE,
	      "Links between different notes, each pair once"),
	FIELD(struct stats_answer, broken, INT, FIELD_REQUIRED | FIELD_TERSE, "Links to notes that do not exist"),
	FIELD(struct stats_answer, ambiguous, INT, FIELD_REQUIRED | FIELD_TERSE, "Links that fit several notes"),
	FIELD(struct stats_answer, orphans, INT, FIELD_REQUIRED | FIELD_TERSE, "Notes without links in or out"),
	FIELD(struct stats_answer, components, INT, FIELD_REQUIRED | FIELD_TERSE, "Connected parts"),
	FIELD(struct stats_answer, largest, INT, FIELD_REQUIRED | FIELD_TERSE, "Notes in the largest part"),
	FIELD(struct stats_answer, tags, INT, FIELD_REQUIRED | FIELD_TERSE, "Different tags"),
	FIELD(struct stats_answer, vectors, MAYBE_INT, FIELD_TERSE, "Notes that search by meaning knows"),
	FIELDS_END,
};

static bool get_stats(struct call *c, const void *in, void *out)
{
	struct stats_answer *answer = out;
	scoped(vault_leave) struct vault *v = vault_read(c);

	(void)in;
	if (!v)
		return false;
	const struct graph *g = &v->graph;
	struct ways w = ways_of(c, v);
	bool *has_tag = arena_array(c->arena, (size_t)g->n_tags + 1, sizeof *has_tag);
	for (uint32_t i = 0; i < g->n_nodes; i++) {
		const struct node *n = &g->nodes[i];
		if (!n->path.at || !node_visible(c, n))
			continue;
		uint32_t incoming = seen_degree(c, g, n, true), outgoing = seen_degree(c, g, n, false);
		answer->nodes++;
		answer->edges += outgoing;
		answer->orphans += !incoming && !outgoing;
		for (uint32_t k = 0; k < n->n_targets; k++) {
			answer->broken += target_is_broken(&g->targets[n->first_target + k]);
			answer->ambiguous += g->targets[n->first_target + k].is_ambiguous;
		}
		for (uint32_t k = 0; k < n->n_tags + n->n_words; k++)
			has_tag[g->tags[n->tags[k]].group] = true;
	}
	for (uint32_t i = 0; i < g->n_tags; i++)
		answer->tags += has_tag[i];
	struct parts parts = ways_parts(&w);
	answer->components = (int64_t)parts.n;
	answer->largest = (int64_t)parts.largest;
	if (v->search_is_filled && caller_sees_all(c))
		answer->vectors = (struct maybe_int){(int64_t)search_count(v->search, c->arena).vectors, true};
	vault_tell(c, v, NULL, 0);
	return true;
}

const struct tool notes_graph_tools[] = {
	TOOL("find_path", "Shortest path between two notes",
	     "Returns the notes on a shortest path from source to target along the links; null when there is none.",
	     TOOL_READS | TOOL_BARE | TOOL_NO_REVISION | TOOL_EXTRA, struct path_args, path_in, struct path_out,
	     path_out_fields, find_path),
	TOOL("get_hubs", "Most connected notes", "Returns the notes with the highest metric, best first.",
	     TOOL_READS | TOOL_BARE | TOOL_NO_REVISION | TOOL_EXTRA, struct hubs_args, hubs_in, struct hubs_answer,
	     hubs_out, get_hubs),
	TOOL("get_stats", "Figures of the graph",
	     "Counts notes, links, broken links, orphans, connected parts and tags.",
	     TOOL_READS | TOOL_NO_REVISION | TOOL_EXTRA, struct nothing, no_arguments, struct stats_answer, stats_out,
	     get_stats),
	TOOLS_END,
};
