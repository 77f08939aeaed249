#include "kinds/docjl/rows/known.h"

#include <string.h>

struct node *known_node(struct known *k, int64_t uid)
{
	for (size_t i = 0; uid && i < KNOWN_NODES; i++)
		if (k->nodes[i].uid == uid)
			return &k->nodes[i];
	return NULL;
}

void known_node_is(struct known *k, const struct node *n)
{
	struct node *room = known_node(k, n->uid);

	*(room ? room : &k->nodes[k->next_node++ % KNOWN_NODES]) = *n;
}

void known_moved(struct known *k)
{
	k->last_of = -1;
	k->previous_of = 0;
}

void known_relabelled(struct known *k) { k->label_of = 0; }

void known_node_gone(struct known *k, int64_t uid)
{
	struct node *n = known_node(k, uid);

	if (n)
		n->uid = 0;
	known_relabelled(k);
	if (k->body_of == uid)
		k->body_of = 0;
	if (k->refs_of == uid)
		k->refs_of = 0;
}

struct run *known_run(struct known *k, int64_t run)
{
	for (size_t i = 0; run && i < KNOWN_RUNS; i++)
		if (k->runs[i].run == run)
			return &k->runs[i];
	return NULL;
}

void known_run_is(struct known *k, const struct run *r)
{
	struct run *room = known_run(k, r->run);

	*(room ? room : &k->runs[k->next_run++ % KNOWN_RUNS]) = *r;
}

void known_run_sized(struct known *k, int64_t run, int64_t base, int64_t n)
{
	struct run *r = known_run(k, run), *in_window = NULL;

	known_relabelled(k);
	for (int i = 0; i < k->window.n; i++)
		if (k->window.runs[i].run == run)
			in_window = &k->window.runs[i];
	/* If the base is unchanged, the run keeps its place in the window. */
	if (n && in_window && in_window->base == base)
		in_window->n = n;
	else
		k->window = (struct run_window){0};
	if (r && n) {
		r->base = base;
		r->n = n;
	} else if (r) {
		r->run = 0;
	}
}

void known_forget_runs(struct known *k)
{
	memset(k->runs, 0, sizeof k->runs);
	known_relabelled(k);
	k->window = (struct run_window){0};
}

void known_forget_nodes(struct known *k)
{
	memset(k->nodes, 0, sizeof k->nodes);
	known_relabelled(k);
}
