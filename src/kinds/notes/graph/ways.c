#include "kinds/notes/graph/ways.h"

#include "base/budget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One side of a breadth-first search from both ends. */
struct side {
	uint32_t *came;  /* by index: the previous note + 1; 0: not reached */
	uint32_t *front; /* reached in the last round */
	size_t n;
	bool forward;
};

static bool is_note(const struct node *n) { return n->path.at && n->sort == NODE_NOTE; }

static bool exists(const struct ways *w, uint32_t node) { return !w->may || w->may(w->context, &w->g->nodes[node]); }

struct meeting {
	uint32_t node;
};

/* One round of one side. Returns true if it met the other side. */
static bool advance(const struct ways *w, struct side *s, const struct side *other, bool both, struct meeting *m)
{
	const struct graph *g = w->g;
	ARRAY(uint32_t) next = {0};

	for (size_t i = 0; i < s->n; i++) {
		uint32_t node = s->front[i];
		for (int way = 0; way < 2; way++) {
			bool out = way == 0;
			if (out != s->forward && !both)
				continue;
			for (uint32_t at = out ? g->nodes[node].first_out : g->nodes[node].first_in; at != NODE_NONE;
			     at = out ? g->edges[at].next_out : g->edges[at].next_in) {
				uint32_t to = out ? g->edges[at].to : g->edges[at].from;
				if (s->came[to] || !exists(w, to))
					continue;
				s->came[to] = node + 1;
				if (other->came[to]) {
					m->node = to;
					return true;
				}
				*ARRAY_PUSH(w->a, &next) = to;
			}
		}
	}
	s->front = next.items;
	s->n = next.n;
	return false;
}

size_t ways_path(const struct ways *w, uint32_t from, uint32_t to, bool both, uint32_t **out)
{
	uint32_t n = w->g->n_nodes;
	struct side a = {.came = arena_array(w->a, n, sizeof *a.came), .front = &from, .n = 1, .forward = true},
		    b = {.came = arena_array(w->a, n, sizeof *b.came), .front = &to, .n = 1};
	struct meeting m = {from};
	ARRAY(uint32_t) path = {0};

	a.came[from] = from + 1;
	b.came[to] = to + 1;
	/* Advance the smaller front, so that a hub is not expanded if the other end is close. The first meeting is a
	 * shortest path, because each round adds one link and both sides have completed their rounds. */
	while (from != to) {
		if (!a.n || !b.n)
			return 0;
		if (a.n <= b.n ? advance(w, &a, &b, both, &m) : advance(w, &b, &a, both, &m))
			break;
	}
	for (uint32_t at = m.node;; at = a.came[at] - 1) {
		*ARRAY_PUSH(w->a, &path) = at;
		if (at == from)
			break;
	}
	for (size_t i = 0; i < path.n / 2; i++) {
		uint32_t swap = path.items[i];
		path.items[i] = path.items[path.n - 1 - i];
		path.items[path.n - 1 - i] = swap;
	}
	for (uint32_t at = m.node; at != to;) {
		at = b.came[at] - 1;
		*ARRAY_PUSH(w->a, &path) = at;
	}
	*out = path.items;
	return path.n;
}

double *ways_rank(const struct graph *g)
{
	enum { ROUNDS_MAX = 200 };
	static const double damping = 0.85, enough = 1e-8;
	double *rank = budget_zero((size_t)g->n_nodes + 1, sizeof *rank),
	       *next = budget_zero((size_t)g->n_nodes + 1, sizeof *next);

	for (uint32_t i = 0; i < g->n_nodes; i++)
		rank[i] = is_note(&g->nodes[i]) ? 1.0 / g->count : 0;
	for (int round = 0; round < ROUNDS_MAX; round++) {
		double loose = 0, moved = 0;
		for (uint32_t i = 0; i < g->n_nodes; i++)
			if (is_note(&g->nodes[i]) && !g->nodes[i].n_out)
				loose += rank[i];
		double base = g->count ? (1 - damping + damping * loose) / g->count : 0;
		for (uint32_t i = 0; i < g->n_nodes; i++)
			next[i] = is_note(&g->nodes[i]) ? base : 0;
		for (uint32_t i = 0; i < g->n_nodes; i++)
			for (uint32_t at = g->nodes[i].path.at ? g->nodes[i].first_out : NODE_NONE; at != NODE_NONE;
			     at = g->edges[at].next_out)
				next[g->edges[at].to] += damping * rank[i] / g->nodes[i].n_out;
		for (uint32_t i = 0; i < g->n_nodes; i++)
			moved += fabs(next[i] - rank[i]);
		double *swap = rank;
		rank = next;
		next = swap;
		if (moved < enough)
			break;
	}
	free(next);
	return rank;
}

struct parts ways_parts(const struct ways *w)
{
	const struct graph *g = w->g;
	bool *seen = arena_array(w->a, (size_t)g->n_nodes + 1, sizeof *seen);
	uint32_t *stack = arena_array(w->a, (size_t)g->n_nodes + 1, sizeof *stack);
	struct parts parts = {0};

	for (uint32_t i = 0; i < g->n_nodes; i++) {
		size_t n = 0, size = 0;
		if (seen[i] || !is_note(&g->nodes[i]) || !exists(w, i))
			continue;
		seen[i] = true;
		stack[n++] = i;
		while (n) {
			const struct node *node = &g->nodes[stack[--n]];
			size++;
			for (int way = 0; way < 2; way++)
				for (uint32_t at = way ? node->first_in : node->first_out; at != NODE_NONE;
				     at = way ? g->edges[at].next_in : g->edges[at].next_out) {
					uint32_t to = way ? g->edges[at].from : g->edges[at].to;
					if (seen[to] || !exists(w, to))
						continue;
					seen[to] = true;
					stack[n++] = to;
				}
		}
		parts.n++;
		if (size > parts.largest)
			parts.largest = size;
	}
	return parts;
}
