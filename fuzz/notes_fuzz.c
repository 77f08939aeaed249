/* Any bytes as a small vault: notes are separated by 0xff, and the first line of each is its path. Reading never fails.
 * A graph after adding notes one by one, adding them again and removing some equals one built at once. Every target
 * that is written for a link leads to its note. */
#include "must.h"
#include "kinds/notes/edit/target.h"
#include "kinds/notes/graph/graph.h"
#include "kinds/notes/note/name.h"

#include "base/utf8.h"

enum { NOTES_MAX = 12 };

struct file {
	struct text path, bytes;
};

static void put(struct graph *g, struct arena *a, const struct file *f)
{
	struct note n;
	struct revision r = revision_of(f->bytes);

	note_read(a, f->bytes, &n);
	MUST(n.text.from <= n.text.to && n.text.to <= f->bytes.len && n.front.to <= f->bytes.len);
	for (size_t i = 0; i < n.links.n; i++)
		MUST(n.links.items[i].place.from < n.links.items[i].place.to &&
		     n.links.items[i].place.to <= f->bytes.len);
	graph_put(g, f->path, &n, (struct file_stamp){0}, &r);
}

static uint32_t node_at(const struct graph *g, struct text path)
{
	for (uint32_t i = 0; i < g->n_nodes; i++)
		if (g->nodes[i].path.at && text_same(g->nodes[i].path, path))
			return i;
	return NODE_NONE;
}

static void same(const struct graph *a, const struct graph *b)
{
	MUST(a->count == b->count && a->count_edges == b->count_edges && a->n_order == b->n_order);
	for (uint32_t i = 0; i < a->count; i++) {
		const struct node *x = &a->nodes[a->order[i]], *y = &b->nodes[b->order[i]];
		MUST(text_same(x->path, y->path) && x->n_in == y->n_in && x->n_out == y->n_out);
		MUST(x->n_targets == y->n_targets);
		for (uint32_t k = 0; k < x->n_targets; k++) {
			uint32_t s = a->targets[x->first_target + k].node, t = b->targets[y->first_target + k].node;
			MUST((s == NODE_NONE) == (t == NODE_NONE));
			MUST(s == NODE_NONE || text_same(a->nodes[s].path, b->nodes[t].path));
		}
	}
}

static void write_targets(const struct graph *g, struct arena *a)
{
	for (uint32_t i = 0; i < g->n_nodes; i++)
		for (uint32_t k = 0; g->nodes[i].path.at && k < g->nodes[i].n_targets; k++) {
			const struct target *t = &g->targets[g->nodes[i].first_target + k];
			struct resolved r = resolve(g, a, g->nodes[i].path, t->form, t->text);
			struct text with;
			MUST(r.node == t->node);
			if (r.node != NODE_NONE && target_for(g, a, g->nodes[i].path, t, r.by, r.node, &with))
				MUST(resolve(g, a, g->nodes[i].path, t->form, with).node == r.node);
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena a = {0};
	struct file files[NOTES_MAX];
	struct text rest = {(const char *)bytes, n};
	size_t count = 0;
	struct graph one, two;

	while (rest.len && count < NOTES_MAX) {
		size_t end = text_find(rest, TEXT("\xff"), 0);
		struct text part = end == SIZE_MAX ? rest : text_slice(rest, 0, end);
		rest = end == SIZE_MAX ? (struct text){0} : text_slice(rest, end + 1, rest.len);
		size_t line = text_find(part, TEXT("\n"), 0);
		struct text name = line == SIZE_MAX ? part : text_slice(part, 0, line);
		struct text path =
			id_join(&a, TEXT(""), text_format(&a, "%.*s.md", TEXT_ARGS(utf8_repaired(&a, name))));
		bool known = !path.at || text_has_nul(name);
		for (size_t i = 0; i < count && !known; i++)
			known = text_same(files[i].path, path);
		if (!known)
			files[count++] =
				(struct file){path, line == SIZE_MAX ? TEXT("") : text_slice(part, line + 1, part.len)};
	}
	graph_open(&one);
	graph_open(&two);
	for (size_t i = 0; i < count; i++) {
		put(&one, &a, &files[i]);
		graph_settle(&one);
	}
	for (size_t i = 0; i < count; i += 2) {
		graph_remove(&one, node_at(&one, files[i].path));
		if (i % 4)
			graph_settle(&one);
		put(&one, &a, &files[i]);
	}
	graph_settle(&one);
	for (size_t i = 0; i < count; i++)
		put(&two, &a, &files[i]);
	graph_settle(&two);
	same(&one, &two);
	write_targets(&one, &a);
	if (count > 1) {
		/* Removing a disguise restores the graph. */
		struct disguise saved;
		graph_disguise(&one, &a, node_at(&one, files[0].path), text_format(&a, "%s2.md", files[1].path.at),
			       TEXT("title"), &saved);
		graph_undisguise(&one, &saved);
		graph_settle(&one);
		same(&one, &two);
	}
	graph_close(&one);
	graph_close(&two);
	arena_free(&a);
	return 0;
}
