/* picture.c: the notes around a note, as data and as a picture. */
#include "base/buffer.h"
#include "base/utf8.h"
#include "kinds/notes/notes.h"

#include <math.h>

enum { NODES_MAX = 200, LABEL_MAX = 28, RING = 170, MARGIN = 130 };
static const double TURN = 6.283185307179586;

static const char *const pictures[] = {"none", "mermaid", "svg", NULL};
enum picture { PICTURE_NONE, PICTURE_MERMAID, PICTURE_SVG };

struct local_args {
	struct text id;
	int64_t depth, limit;
	int picture;
};
struct local_node {
	struct text id, title;
	int64_t distance;
};
struct local_edge {
	struct text from, to;
};
struct local_answer {
	struct objects nodes, edges;
	int64_t total;
	struct text mermaid;
};
static const struct field local_in[] = {
	NODE_ID(struct local_args, id, "Path of the note in the middle"),
	FIELD(struct local_args, depth, INT, 0, "How many links away", .limits = BETWEEN(1, 3), .otherwise = "1"),
	FIELD(struct local_args, limit, INT, 0, "Maximum number of notes, nearest first",
	      .limits = BETWEEN(1, NODES_MAX), .otherwise = "50"),
	FIELD(struct local_args, picture, CHOICE, 0, "Also as a drawing", .choices = pictures, .otherwise = "\"none\""),
	FIELDS_END,
};
static const struct field local_node_fields[] = {
	FIELD(struct local_node, id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Path of the note"),
	FIELD(struct local_node, title, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Title"),
	FIELD(struct local_node, distance, INT, FIELD_REQUIRED | FIELD_TERSE, "Links from the middle"),
	FIELDS_END,
};
static const struct shape local_node_shape = SHAPE(struct local_node, "local_node", local_node_fields);
static const struct field local_edge_fields[] = {
	FIELD(struct local_edge, from, TEXT, FIELD_REQUIRED | FIELD_TERSE, "The linking note"),
	FIELD(struct local_edge, to, TEXT, FIELD_REQUIRED | FIELD_TERSE, "The linked note"),
	FIELDS_END,
};
static const struct shape local_edge_shape = SHAPE(struct local_edge, "local_edge", local_edge_fields);
static const struct field local_out[] = {
	FIELD(struct local_answer, nodes, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "Nearest first",
	      .shape = &local_node_shape),
	FIELD(struct local_answer, edges, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "Links between them",
	      .shape = &local_edge_shape),
	FIELD(struct local_answer, total, INT, FIELD_REQUIRED | FIELD_TERSE, "Notes within depth, shown or not"),
	FIELD(struct local_answer, mermaid, TEXT, FIELD_TERSE, "Source of a Mermaid diagram"),
	FIELDS_END,
};

struct local {
	ARRAY(uint32_t) nodes;     /* nearest first */
	ARRAY(uint32_t) distances; /* of each */
	ARRAY(struct edge) edges;  /* from and to are indices into nodes */
	size_t total;
};

/* Breadth-first, along links in both directions. */
static void gather(struct call *c, struct vault *v, uint32_t middle, int64_t depth, size_t most, struct local *l)
{
	struct map seen = {.arena = c->arena};
	uint32_t *ring = arena_copy(c->arena, &middle, sizeof middle);
	size_t n = 1;

	map_at(&seen, v->graph.nodes[middle].path, 0, NULL);
	*ARRAY_PUSH(c->arena, &l->nodes) = middle;
	*ARRAY_PUSH(c->arena, &l->distances) = 0;
	l->total = 1;
	for (int64_t distance = 1; distance <= depth && n; distance++) {
		ARRAY(uint32_t) next = {0};
		for (size_t i = 0; i < n; i++) {
			uint32_t *neighbors;
			size_t count = node_neighbors(c, v, ring[i], DIRECTION_BOTH, &neighbors);
			for (size_t k = 0; k < count; k++) {
				bool was;
				map_at(&seen, v->graph.nodes[neighbors[k]].path, (uint32_t)l->nodes.n, &was);
				if (was)
					continue;
				*ARRAY_PUSH(c->arena, &next) = neighbors[k];
				l->total++;
				if (l->nodes.n == most) {
					*map_at(&seen, v->graph.nodes[neighbors[k]].path, 0, NULL) = NODE_NONE;
					continue;
				}
				*ARRAY_PUSH(c->arena, &l->nodes) = neighbors[k];
				*ARRAY_PUSH(c->arena, &l->distances) = (uint32_t)distance;
			}
		}
		ring = next.items;
		n = next.n;
	}
	for (uint32_t i = 0; i < l->nodes.n; i++)
		for (uint32_t at = v->graph.nodes[l->nodes.items[i]].first_out; at != NODE_NONE;
		     at = v->graph.edges[at].next_out) {
			const uint32_t *to = map_find(&seen, v->graph.nodes[v->graph.edges[at].to].path);
			if (to && *to != NODE_NONE && *to < l->nodes.n)
				*ARRAY_PUSH(c->arena, &l->edges) = (struct edge){.from = i, .to = *to};
		}
}

static void put_escaped(struct buffer *b, struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		switch (t.at[i]) {
		case '<': buffer_put(b, "&lt;"); break;
		case '>': buffer_put(b, "&gt;"); break;
		case '&': buffer_put(b, "&amp;"); break;
		case '"': buffer_put(b, "&quot;"); break;
		case '\'': buffer_put(b, "&#39;"); break;
		default: buffer_byte(b, (unsigned char)t.at[i] < ' ' ? ' ' : t.at[i]);
		}
}

static struct text label(struct call *c, struct text title)
{
	size_t at = 0, n = 0;

	while (at < title.len && n++ < LABEL_MAX)
		utf8_next(title, &at);
	return at < title.len ? text_format(c->arena, "%.*s...", (int)at, title.at) : title;
}

static struct text mermaid(struct call *c, struct vault *v, const struct local *l)
{
	struct buffer b = {.arena = c->arena};

	buffer_put(&b, "graph LR\n");
	for (size_t i = 0; i < l->nodes.n; i++) {
		buffer_format(&b, "  n%zu[\"", i);
		put_escaped(&b, label(c, v->graph.nodes[l->nodes.items[i]].title));
		buffer_put(&b, "\"]\n");
	}
	for (size_t i = 0; i < l->edges.n; i++)
		buffer_format(&b, "  n%u --> n%u\n", l->edges.items[i].from, l->edges.items[i].to);
	return buffer_text(&b);
}

struct point {
	double x, y;
};

/* Places the middle note, and a ring for each distance. A ring is wide enough for all its notes. */
static struct point *places(struct call *c, const struct local *l, double *size)
{
	struct point *p = arena_array(c->arena, l->nodes.n, sizeof *p);
	double radius = 0;

	for (size_t i = 0; i < l->nodes.n;) {
		size_t n = 0;
		while (i + n < l->nodes.n && l->distances.items[i + n] == l->distances.items[i])
			n++;
		if (l->distances.items[i]) {
			double needed = (double)n * 46 / TURN;
			radius = radius + RING > needed ? radius + RING : needed;
		}
		for (size_t k = 0; k < n; k++) {
			double angle = TURN * ((double)k + 0.5 * (l->distances.items[i] % 2)) / (double)n - TURN / 4;
			p[i + k].x = radius * cos(angle);
			p[i + k].y = radius * sin(angle);
		}
		i += n;
	}
	*size = 2 * (radius + MARGIN);
	return p;
}

static struct text svg(struct call *c, struct vault *v, const struct local *l)
{
	struct buffer b = {.arena = c->arena};
	double size, half;
	struct point *p = places(c, l, &size);

	half = size / 2;
	buffer_format(
		&b,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"%.0f %.0f %.0f %.0f\" width=\"%.0f\" "
		"height=\"%.0f\" font-family=\"sans-serif\" font-size=\"12\">\n"
		"<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" "
		"orient=\"auto\"><path d=\"M0 0 8 4 0 8z\" fill=\"#889\"/></marker></defs>\n"
		"<rect x=\"%.0f\" y=\"%.0f\" width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		-half, -half, size, size, size, size, -half, -half);
	for (size_t i = 0; i < l->edges.n; i++) {
		struct point from = p[l->edges.items[i].from], to = p[l->edges.items[i].to];
		double dx = to.x - from.x, dy = to.y - from.y, length = sqrt(dx * dx + dy * dy);
		if (length < 1)
			continue;
		buffer_format(&b,
			      "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#889\" "
			      "marker-end=\"url(#a)\"/>\n",
			      from.x, from.y, to.x - dx / length * 9, to.y - dy / length * 9);
	}
	for (size_t i = 0; i < l->nodes.n; i++) {
		const struct node *n = &v->graph.nodes[l->nodes.items[i]];
		buffer_format(&b, "<g><title>");
		put_escaped(&b, n->path);
		buffer_format(
			&b,
			"</title><circle cx=\"%.1f\" cy=\"%.1f\" r=\"8\" fill=\"%s\"/><text x=\"%.1f\" y=\"%.1f\" "
			"text-anchor=\"middle\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\">",
			p[i].x, p[i].y, i ? "#4a7ebb" : "#c0504d", p[i].x, p[i].y + 22);
		put_escaped(&b, label(c, n->title));
		buffer_put(&b, "</text></g>\n");
	}
	buffer_put(&b, "</svg>\n");
	return buffer_text(&b);
}

static bool get_local_graph(struct call *c, const void *in, void *out)
{
	const struct local_args *args = in;
	struct local_answer *answer = out;
	scoped(vault_leave) struct vault *v = vault_read(c);
	struct local l = {0};
	uint32_t middle;
	size_t sum = 0, shown = 0;

	if (!v || !node_wanted(c, v, args->id, &middle))
		return false;
	gather(c, v, middle, args->depth, (size_t)args->limit, &l);
	struct local_node *nodes = arena_array(c->arena, l.nodes.n, sizeof *nodes);
	struct local_edge *edges = arena_array(c->arena, l.edges.n + 1, sizeof *edges);
	for (size_t i = 0; i < l.nodes.n; i++) {
		const struct node *n = &v->graph.nodes[l.nodes.items[i]];
		nodes[i] = (struct local_node){text_copy(c->arena, n->path), text_copy(c->arena, n->title),
					       l.distances.items[i]};
		sum += n->path.len + n->title.len + 40;
	}
	for (; shown < l.edges.n && sum < answer_room(c); shown++) {
		edges[shown] =
			(struct local_edge){nodes[l.edges.items[shown].from].id, nodes[l.edges.items[shown].to].id};
		sum += edges[shown].from.len + edges[shown].to.len + 24;
	}
	if (shown < l.edges.n)
		warn(c, "%zu of %zu links shown, the answer would get too long; ask with a smaller limit", shown,
		     l.edges.n);
	*answer =
		(struct local_answer){.nodes = {nodes, l.nodes.n}, .edges = {edges, shown}, .total = (int64_t)l.total};
	if (args->picture == PICTURE_MERMAID)
		answer->mermaid = mermaid(c, v, &l);
	if (args->picture == PICTURE_SVG)
		reply_resource(c, "notes:///graph.svg", "image/svg+xml", svg(c, v, &l));
	vault_tell(c, v, NULL, 0);
	return true;
}

const struct tool notes_picture_tools[] = {
	TOOL("get_local_graph", "Notes around a note",
	     "Returns the notes up to depth links away and the links between them, also as a Mermaid diagram or an SVG "
	     "picture.",
	     TOOL_READS | TOOL_NO_REVISION | TOOL_EXTRA, struct local_args, local_in, struct local_answer, local_out,
	     get_local_graph),
	TOOLS_END,
};
