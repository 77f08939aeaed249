#include "kinds/notes/graph/graph.h"

#include "base/array.h"
#include "base/budget.h"
#include "kinds/notes/graph/resolve.h"
#include "kinds/notes/note/name.h"

#include <stdlib.h>
#include <string.h>

void *list_more(void *items, uint32_t n, uint32_t *cap, size_t size)
{
	if (n < *cap)
		return items;
	uint32_t more = *cap ? *cap + *cap / 2 + 1 : 4;
	if (more < *cap)
		out_of_memory();
	void *bigger = budget_memory(items, (size_t)more * size);
	*cap = more;
	return bigger;
}

void graph_open(struct graph *g)
{
	*g = (struct graph){.free_node = NODE_NONE, .free_edge = NODE_NONE};
	g->names.lasts = g->maps.lasts = true;
	g->by_path.arena = g->by_key.arena = g->by_tag.arena = g->by_folded_tag.arena = &g->maps;
}

void graph_close(struct graph *g)
{
	for (uint32_t i = 0; i < g->n_nodes; i++)
		free(g->nodes[i].block);
	for (uint32_t i = 0; i < g->n_keys; i++)
		free(g->keys[i].nodes);
	free(g->nodes);
	free(g->order);
	free(g->targets);
	free(g->edges);
	free(g->keys);
	free(g->tags);
	free(g->dirty);
	free(g->dirty_keys);
	arena_free(&g->names);
	arena_free(&g->maps);
}

struct text key_of(struct arena *a, struct text text)
{
	struct text folded = name_fold(a, id_bare(id_name(text_trim(text))));
	char *out = (char *)folded.at;

	for (size_t i = 0; i < folded.len; i++)
		if (out[i] == ' ')
			out[i] = '-';
	return folded;
}

uint32_t graph_key(struct graph *g, struct text key)
{
	const uint32_t *known = map_find(&g->by_key, key);

	if (known)
		return *known;
	g->keys = list_more(g->keys, g->n_keys, &g->cap_keys, sizeof *g->keys);
	struct text kept = text_copy(&g->names, key);
	g->keys[g->n_keys] = (struct key){.text = kept, .first_target = NODE_NONE};
	*map_at(&g->by_key, kept, 0, NULL) = g->n_keys;
	return g->n_keys++;
}

static void mark_key(struct graph *g, uint32_t key)
{
	if (g->keys[key].is_dirty)
		return;
	g->keys[key].is_dirty = true;
	g->dirty_keys = list_more(g->dirty_keys, g->n_dirty_keys, &g->cap_dirty_keys, sizeof *g->dirty_keys);
	g->dirty_keys[g->n_dirty_keys++] = key;
}

static void mark_node(struct graph *g, uint32_t node)
{
	if (g->nodes[node].is_dirty)
		return;
	g->nodes[node].is_dirty = true;
	g->dirty = list_more(g->dirty, g->n_dirty, &g->cap_dirty, sizeof *g->dirty);
	g->dirty[g->n_dirty++] = node;
}

static void enter_path(struct graph *g, uint32_t node)
{
	bool was;
	struct node *n = &g->nodes[node];
	uint32_t *slot = map_at(&g->by_path, n->folded, node, &was);

	n->next_same = NODE_NONE;
	if (!was)
		return;
	/* The map's key is the first note's text and must live as long as the entry. So add the new note after the
	 * first. */
	uint32_t first = *slot;
	n->next_same = g->nodes[first].next_same;
	g->nodes[first].next_same = node;
}

static void leave_path(struct graph *g, uint32_t node)
{
	struct node *n = &g->nodes[node];
	const uint32_t *slot = map_find(&g->by_path, n->folded);

	if (!slot)
		return;
	if (*slot != node) {
		uint32_t at = *slot;
		while (g->nodes[at].next_same != node)
			at = g->nodes[at].next_same;
		g->nodes[at].next_same = n->next_same;
		return;
	}
	map_remove(&g->by_path, n->folded);
	if (n->next_same != NODE_NONE)
		*map_at(&g->by_path, g->nodes[n->next_same].folded, 0, NULL) = n->next_same;
}

static void enter_key(struct graph *g, uint32_t key, uint32_t node)
{
	struct key *k = &g->keys[key];

	k->nodes = list_more(k->nodes, k->n_nodes, &k->cap_nodes, sizeof *k->nodes);
	k->nodes[k->n_nodes++] = node;
	mark_key(g, key);
}

static void leave_key(struct graph *g, uint32_t key, uint32_t node)
{
	struct key *k = &g->keys[key];

	for (uint32_t i = 0; i < k->n_nodes; i++)
		if (k->nodes[i] == node) {
			k->nodes[i] = k->nodes[--k->n_nodes];
			break;
		}
	mark_key(g, key);
}

static void leave_keys(struct graph *g, uint32_t node)
{
	for (uint32_t i = 0; i < g->nodes[node].n_keys; i++)
		leave_key(g, g->nodes[node].keys[i], node);
}

static void enter_keys(struct graph *g, uint32_t node)
{
	for (uint32_t i = 0; i < g->nodes[node].n_keys; i++)
		enter_key(g, g->nodes[node].keys[i], node);
}

static void drop_edges(struct graph *g, uint32_t node)
{
	struct node *n = &g->nodes[node];

	for (uint32_t at = n->first_out; at != NODE_NONE;) {
		struct edge *e = &g->edges[at];
		uint32_t next = e->next_out;
		if (e->last_in == NODE_NONE)
			g->nodes[e->to].first_in = e->next_in;
		else
			g->edges[e->last_in].next_in = e->next_in;
		if (e->next_in != NODE_NONE)
			g->edges[e->next_in].last_in = e->last_in;
		g->nodes[e->to].n_in--;
		e->next_out = g->free_edge;
		g->free_edge = at;
		g->count_edges--;
		at = next;
	}
	n->first_out = NODE_NONE;
	n->n_out = 0;
}

static void add_edge(struct graph *g, uint32_t from, uint32_t to, enum resolved_by by, uint32_t *tail)
{
	uint32_t at = g->free_edge;

	if (at == NODE_NONE) {
		g->edges = list_more(g->edges, g->n_edges, &g->cap_edges, sizeof *g->edges);
		at = g->n_edges++;
	} else {
		g->free_edge = g->edges[at].next_out;
	}
	struct node *n = &g->nodes[from], *t = &g->nodes[to];
	g->edges[at] = (struct edge){from, to, NODE_NONE, t->first_in, NODE_NONE, (uint8_t)by};
	if (t->first_in != NODE_NONE)
		g->edges[t->first_in].last_in = at;
	t->first_in = at;
	t->n_in++;
	if (*tail == NODE_NONE)
		n->first_out = at;
	else
		g->edges[*tail].next_out = at;
	*tail = at;
	n->n_out++;
	g->count_edges++;
}

static void drop_targets(struct graph *g, uint32_t node)
{
	struct node *n = &g->nodes[node];

	for (uint32_t i = 0; i < n->n_targets; i++) {
		struct target *t = &g->targets[n->first_target + i];
		if (t->last == NODE_NONE)
			g->keys[t->key].first_target = t->next;
		else
			g->targets[t->last].next = t->next;
		if (t->next != NODE_NONE)
			g->targets[t->next].last = t->last;
		t->of = NODE_NONE;
	}
	g->wasted_targets += n->n_targets;
	n->n_targets = 0;
}

/* Compacts the table of targets once more than half of it is unused. */
static void compact_targets(struct graph *g)
{
	if (g->wasted_targets < 1024 || g->wasted_targets < g->n_targets / 2)
		return;
	struct target *old = g->targets;
	g->targets = NULL;
	g->n_targets = g->cap_targets = g->wasted_targets = 0;
	for (uint32_t k = 0; k < g->n_keys; k++)
		g->keys[k].first_target = NODE_NONE;
	for (uint32_t i = 0; i < g->n_nodes; i++) {
		struct node *n = &g->nodes[i];
		uint32_t from = n->first_target;
		n->first_target = g->n_targets;
		for (uint32_t k = 0; k < n->n_targets; k++) {
			g->targets = list_more(g->targets, g->n_targets, &g->cap_targets, sizeof *g->targets);
			struct target *t = &g->targets[g->n_targets];
			*t = old[from + k];
			t->last = NODE_NONE;
			t->next = g->keys[t->key].first_target;
			if (t->next != NODE_NONE)
				g->targets[t->next].last = g->n_targets;
			g->keys[t->key].first_target = g->n_targets++;
		}
	}
	free(old);
}

static void add_target(struct graph *g, struct arena *a, uint32_t node, struct text text, enum link_form form)
{
	uint32_t key = graph_key(g, key_of(a, text)), at = g->n_targets;

	g->targets = list_more(g->targets, g->n_targets, &g->cap_targets, sizeof *g->targets);
	g->n_targets++;
	g->targets[at] = (struct target){.text = text,
					 .form = form,
					 .node = NODE_NONE,
					 .key = key,
					 .of = node,
					 .next = g->keys[key].first_target,
					 .last = NODE_NONE};
	if (g->keys[key].first_target != NODE_NONE)
		g->targets[g->keys[key].first_target].last = at;
	g->keys[key].first_target = at;
	g->nodes[node].n_targets++;
}

static int by_path(const void *a, const void *b, void *g)
{
	const struct node *nodes = ((const struct graph *)g)->nodes;

	return text_order(nodes[*(const uint32_t *)a].path, nodes[*(const uint32_t *)b].path);
}

static void sort_order(struct graph *g)
{
	g->n_order = 0;
	for (uint32_t i = 0; i < g->n_nodes; i++) {
		if (!g->nodes[i].path.at || g->nodes[i].sort != NODE_NOTE)
			continue;
		g->order = list_more(g->order, g->n_order, &g->cap_order, sizeof *g->order);
		g->order[g->n_order++] = i;
	}
	if (g->n_order)
		array_sort_by(g->order, g->n_order, sizeof *g->order, by_path, g);
	g->order_is_stale = false;
	g->order_changes = 0;
}

static uint32_t order_of(const struct graph *g, struct text path)
{
	uint32_t low = 0, high = g->n_order;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (text_order(g->nodes[g->order[middle]].path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A few changes are inserted in order. After many, graph_settle() sorts once. */
static bool sorts_later(struct graph *g)
{
	enum { FEW = 64 };

	g->order_is_stale |= ++g->order_changes > FEW;
	return g->order_is_stale;
}

static void enter_order(struct graph *g, uint32_t node)
{
	if (g->nodes[node].sort != NODE_NOTE || sorts_later(g))
		return;
	uint32_t at = order_of(g, g->nodes[node].path);
	g->order = list_more(g->order, g->n_order, &g->cap_order, sizeof *g->order);
	memmove(g->order + at + 1, g->order + at, (g->n_order++ - at) * sizeof *g->order);
	g->order[at] = node;
}

static void leave_order(struct graph *g, uint32_t node)
{
	if (g->nodes[node].sort != NODE_NOTE || sorts_later(g))
		return;
	uint32_t at = order_of(g, g->nodes[node].path);
	memmove(g->order + at, g->order + at + 1, (--g->n_order - at) * sizeof *g->order);
}

static uint32_t tag_index(struct graph *g, struct arena *a, struct text tag)
{
	const uint32_t *known = map_find(&g->by_tag, tag);
	bool was;

	if (known)
		return *known;
	g->tags = list_more(g->tags, g->n_tags, &g->cap_tags, sizeof *g->tags);
	struct tag *t = &g->tags[g->n_tags];
	*t = (struct tag){text_copy(&g->names, tag), text_copy(&g->names, name_fold(a, tag)), g->n_tags};
	*map_at(&g->by_tag, t->text, 0, NULL) = g->n_tags;
	uint32_t *group = map_at(&g->by_folded_tag, t->folded, g->n_tags, &was);
	t->group = *group;
	return g->n_tags++;
}

/* Allocates from a note's block of memory, from start to end. */
struct block {
	char *at;
};

static struct text keep(struct block *b, struct text t)
{
	struct text kept = {b->at, t.len};

	if (t.len)
		memcpy(b->at, t.at, t.len);
	b->at += t.len;
	return kept;
}

static void *room(struct block *b, size_t size)
{
	b->at += -(uintptr_t)b->at & 7;
	void *p = b->at;
	b->at += size;
	return p;
}

static struct texts keep_all(struct block *b, struct text *items, struct text *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		items[i] = keep(b, from[i]);
	return (struct texts){items, n};
}

struct distinct {
	const struct note_link **items;
	size_t n;
	size_t bytes;
};

/* Each target once, in the order of their first appearance. */
static struct distinct distinct_links(struct arena *a, const struct note *note)
{
	struct distinct d = {.items = arena_array(a, note->links.n + 1, sizeof *d.items)};
	struct map seen = {.arena = a};

	for (size_t i = 0; i < note->links.n; i++) {
		const struct note_link *l = &note->links.items[i];
		bool was;
		map_at(&seen, text_format(a, "%c%.*s", link_class(l->form), TEXT_ARGS(l->target)), 0, &was);
		if (was)
			continue;
		d.items[d.n++] = l;
		d.bytes += l->target.len;
	}
	return d;
}

static uint32_t sum_keys(struct graph *g, struct arena *a, struct text path, struct text title, struct texts aliases,
			 uint32_t *out)
{
	uint32_t n = 0;

	for (size_t i = 0; i < aliases.n + 2; i++) {
		struct text name = i == 0 ? path : i == 1 ? title : aliases.items[i - 2];
		if (!name.at)
			continue;
		uint32_t key = graph_key(g, key_of(a, name)), k = 0;
		while (k < n && out[k] != key)
			k++;
		if (k == n)
			out[n++] = key;
	}
	return n;
}

static size_t lengths(const struct text *items, size_t n)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += items[i].len;
	return sum;
}

/* Fills the node from the note. The caller has already dropped the node's old targets and map entries. */
static void fill(struct graph *g, struct arena *a, uint32_t node, struct text path, const struct note *note)
{
	struct text title = note->title.at                    ? note->title
			    : sort_of_file(path) == NODE_NOTE ? title_of(a, path)
							      : id_name(path),
		    folded = name_fold(a, path), excerpt = content_cut(a, note_content(a, note), TEXT_LIST);
	struct distinct links = distinct_links(a, note);
	size_t n_tags = note->tags.n + note->words.n;
	uint32_t *keys = arena_array(a, note->aliases.n + 2, sizeof *keys);
	uint32_t n_keys = sum_keys(g, a, path, note->title, note->aliases, keys);
	struct property found[PROPERTIES_MAX];
	size_t n_found = properties_of(note, found), length = 0;
	for (size_t i = 0; i < n_found; i++) {
		found[i].name = name_fold(a, found[i].name);
		length += found[i].name.len + found[i].value.len + sizeof *found;
	}
	size_t bytes = length + path.len + folded.len + title.len + excerpt.len + links.bytes +
		       lengths(note->aliases.items, note->aliases.n) + lengths(note->problems.items, note->problems.n) +
		       (note->aliases.n + note->problems.n) * sizeof(struct text) +
		       (n_tags + n_keys) * sizeof(uint32_t) + 64;
	struct block b = {.at = budget_memory(NULL, bytes)};
	struct node *n = &g->nodes[node];

	n->block = b.at;
	n->sort = sort_of_file(path);
	struct text *aliases = room(&b, note->aliases.n * sizeof *aliases),
		    *problems = room(&b, note->problems.n * sizeof *problems);
	n->properties = room(&b, n_found * sizeof *found);
	n->n_properties = (uint32_t)n_found;
	n->tags = room(&b, n_tags * sizeof *n->tags);
	n->keys = room(&b, n_keys * sizeof *n->keys);
	memcpy(n->keys, keys, n_keys * sizeof *keys);
	n->n_keys = n_keys;
	n->n_tags = (uint32_t)note->tags.n;
	n->n_words = (uint32_t)note->words.n;
	for (size_t i = 0; i < n_tags; i++) {
		struct text tag = i < note->tags.n ? note->tags.items[i] : note->words.items[i - note->tags.n];
		n->tags[i] = tag_index(g, a, tag);
	}
	n->path = keep(&b, path);
	n->folded = keep(&b, folded);
	n->units = id_units(path);
	n->title = keep(&b, title);
	n->has_title = note->title.at;
	n->excerpt = keep(&b, excerpt);
	n->aliases = keep_all(&b, aliases, note->aliases.items, note->aliases.n);
	n->problems = keep_all(&b, problems, note->problems.items, note->problems.n);
	for (size_t i = 0; i < n_found; i++) {
		n->properties[i] = (struct property){.name = keep(&b, found[i].name)};
		if (found[i].value.at)
			n->properties[i].value = keep(&b, found[i].value);
	}
	n->first_target = g->n_targets;
	for (size_t i = 0; i < links.n; i++)
		add_target(g, a, node, keep(&b, links.items[i]->target), links.items[i]->form);
}

static bool same_keys(const struct node *a, const uint32_t *keys, uint32_t n)
{
	return a->n_keys == n && (!n || !memcmp(a->keys, keys, n * sizeof *keys));
}

static uint32_t new_node(struct graph *g, bool is_note)
{
	uint32_t node = g->free_node;

	if (node == NODE_NONE) {
		g->nodes = list_more(g->nodes, g->n_nodes, &g->cap_nodes, sizeof *g->nodes);
		node = g->n_nodes++;
	} else {
		g->free_node = g->nodes[node].next_same;
	}
	g->nodes[node] = (struct node){.first_in = NODE_NONE, .first_out = NODE_NONE};
	g->count += is_note;
	g->members += is_note;
	return node;
}

/* The note of exactly this path. */
static uint32_t exact(const struct graph *g, struct arena *a, struct text path)
{
	const uint32_t *slot = map_find(&g->by_path, name_fold(a, path));

	for (uint32_t at = slot ? *slot : NODE_NONE; at != NODE_NONE; at = g->nodes[at].next_same)
		if (text_same(g->nodes[at].path, path))
			return at;
	return NODE_NONE;
}

uint32_t graph_put(struct graph *g, struct text path, const struct note *note, struct file_stamp stamp,
		   const struct revision *revision)
{
	struct arena a = {0};
	uint32_t node = exact(g, &a, path);
	bool is_new = node == NODE_NONE;

	if (is_new) {
		node = new_node(g, sort_of_file(path) == NODE_NOTE);
		fill(g, &a, node, path, note);
		enter_order(g, node);
		enter_path(g, node);
		enter_keys(g, node);
	} else {
		/* The path's texts are in the new block, so the map needs its key from there. */
		void *old = g->nodes[node].block;
		struct node before = g->nodes[node];
		leave_path(g, node);
		drop_targets(g, node);
		fill(g, &a, node, path, note);
		enter_path(g, node);
		if (!same_keys(&before, g->nodes[node].keys, g->nodes[node].n_keys) ||
		    before.has_title != g->nodes[node].has_title || !text_same(before.title, g->nodes[node].title) ||
		    before.aliases.n || g->nodes[node].aliases.n) {
			for (uint32_t i = 0; i < before.n_keys; i++)
				leave_key(g, before.keys[i], node);
			enter_keys(g, node);
		}
		free(old);
	}
	struct node *n = &g->nodes[node];
	n->stamp = stamp;
	n->revision = *revision;
	n->is_told = false;
	mark_node(g, node);
	g->generation++;
	arena_free(&a);
	return node;
}

void graph_remove(struct graph *g, uint32_t node)
{
	struct node *n = &g->nodes[node];

	leave_order(g, node);
	/* Notes that link to it have a target with one of its keys, and leave_keys() marks those targets. */
	leave_path(g, node);
	leave_keys(g, node);
	for (uint32_t at = n->first_in; at != NODE_NONE; at = g->edges[at].next_in)
		mark_node(g, g->edges[at].from);
	/* Remove the edges to it now: another note may get its index before graph_settle(). */
	while (n->first_in != NODE_NONE)
		drop_edges(g, g->edges[n->first_in].from);
	drop_edges(g, node);
	drop_targets(g, node);
	free(n->block);
	bool was_dirty = n->is_dirty, was_note = n->sort == NODE_NOTE;
	*n = (struct node){
		.next_same = g->free_node, .first_in = NODE_NONE, .first_out = NODE_NONE, .is_dirty = was_dirty};
	g->free_node = node;
	g->count -= was_note;
	g->members += was_note;
	g->generation++;
}

/* A second link resolves to the same note, and this one strictly. */
static void harden_edge(struct graph *g, uint32_t from, uint32_t to, enum resolved_by by)
{
	for (uint32_t at = g->nodes[from].first_out; at != NODE_NONE; at = g->edges[at].next_out)
		if (g->edges[at].to == to && by_leniency(g->edges[at].by))
			g->edges[at].by = (uint8_t)by;
}

static void settle_node(struct graph *g, struct arena *a, uint32_t node)
{
	uint32_t tail = NODE_NONE, lenient = 0;

	g->epoch++;
	drop_edges(g, node);
	for (uint32_t i = 0; i < g->nodes[node].n_targets; i++) {
		struct node *n = &g->nodes[node];
		struct target *t = &g->targets[n->first_target + i];
		struct resolved r = resolve_target(g, a, n->path, t);
		t->node = r.node;
		t->is_ambiguous = r.is_ambiguous;
		t->by = (uint8_t)r.by;
		if (r.node == NODE_NONE || r.node == node || n->sort != NODE_NOTE || g->nodes[r.node].sort != NODE_NOTE)
			continue;
		bool is_known = g->nodes[r.node].seen == g->epoch;
		if (is_known && lenient && !by_leniency(r.by))
			harden_edge(g, node, r.node, r.by);
		if (is_known)
			continue;
		g->nodes[r.node].seen = g->epoch;
		lenient += by_leniency(r.by);
		add_edge(g, node, r.node, r.by, &tail);
	}
}

void graph_settle(struct graph *g)
{
	struct arena a = {0};

	for (uint32_t i = 0; i < g->n_dirty_keys; i++) {
		struct key *k = &g->keys[g->dirty_keys[i]];
		k->is_dirty = false;
		for (uint32_t at = k->first_target; at != NODE_NONE; at = g->targets[at].next)
			mark_node(g, g->targets[at].of);
	}
	g->n_dirty_keys = 0;
	for (uint32_t i = 0; i < g->n_dirty; i++) {
		uint32_t node = g->dirty[i];
		g->nodes[node].is_dirty = false;
		if (g->nodes[node].path.at)
			settle_node(g, &a, node);
		if (a.used > 1024 * 1024)
			arena_free(&a);
	}
	g->n_dirty = 0;
	compact_targets(g);
	if (g->order_is_stale)
		sort_order(g);
	g->order_changes = 0;
	arena_free(&a);
}

uint32_t graph_find(const struct graph *g, struct arena *a, struct text path)
{
	const uint32_t *slot = map_find(&g->by_path, name_fold(a, path));
	uint32_t first = slot ? *slot : NODE_NONE, best = first;

	for (uint32_t at = first; at != NODE_NONE; at = g->nodes[at].next_same) {
		if (text_same(g->nodes[at].path, path))
			return at;
		if (text_order(g->nodes[at].path, g->nodes[best].path) < 0)
			best = at;
	}
	return best;
}

bool tag_is_in(struct text tag, struct text wanted)
{
	return wanted.len && tag.len >= wanted.len && !memcmp(tag.at, wanted.at, wanted.len) &&
	       (tag.len == wanted.len || tag.at[wanted.len] == '/');
}

bool node_has_tag(const struct graph *g, const struct node *n, struct text wanted)
{
	for (uint32_t i = 0; i < n->n_tags + n->n_words; i++)
		if (tag_is_in(g->tags[n->tags[i]].folded, wanted))
			return true;
	return false;
}

void graph_disguise(struct graph *g, struct arena *a, uint32_t node, struct text path, struct text title,
		    struct disguise *saved)
{
	struct node *n = &g->nodes[node];

	*saved = (struct disguise){node, n->path, n->folded, n->title, n->units, n->has_title, n->keys, n->n_keys};
	leave_path(g, node);
	leave_keys(g, node);
	n->path = path;
	n->folded = name_fold(a, path);
	n->units = id_units(path);
	n->title = title.at ? title : n->sort == NODE_NOTE ? title_of(a, path) : id_name(path);
	n->has_title = title.at;
	n->keys = arena_array(a, n->aliases.n + 2, sizeof *n->keys);
	n->n_keys = sum_keys(g, a, path, title, n->aliases, n->keys);
	enter_path(g, node);
	enter_keys(g, node);
}

void graph_undisguise(struct graph *g, const struct disguise *saved)
{
	struct node *n = &g->nodes[saved->node];

	leave_path(g, saved->node);
	leave_keys(g, saved->node);
	n->path = saved->path;
	n->folded = saved->folded;
	n->units = saved->units;
	n->title = saved->title;
	n->has_title = saved->has_title;
	n->keys = saved->keys;
	n->n_keys = saved->n_keys;
	enter_path(g, saved->node);
	enter_keys(g, saved->node);
}
