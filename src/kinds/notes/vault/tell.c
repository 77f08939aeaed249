#include "kinds/notes/vault/tell.h"

#include "base/buffer.h"
#include "base/mutex.h"
#include "base/utf8.h"
#include "kinds/notes/graph/resolve.h"

#include <string.h>

enum { WARNINGS_MAX = 20, GONE_SHOWN = 5 };

bool target_is_broken(const struct target *t) { return t->node == NODE_NONE && target_names_file(t->form, t->text); }

struct text target_shown(struct arena *a, const struct target *t)
{
	enum { SHOWN_MAX = 200 }; /* bytes */
	struct text text = text_slice(t->text, 0, utf8_cut(t->text, SHOWN_MAX));
	const char *cut = text.len < t->text.len ? "..." : "";

	return text_format(a, t->form == NOTE_LINK_MARKDOWN ? "[...](%.*s%s)" : "[[%.*s%s]]", TEXT_ARGS(text), cut);
}

struct telling {
	struct call *c;
	struct vault *v;
	size_t told, more;
};

static void say(struct telling *t, struct text sentence)
{
	if (t->told++ < WARNINGS_MAX)
		*ARRAY_PUSH(t->c->arena, &t->c->warnings) = sentence;
	else
		t->more++;
}

static void tell_node(struct telling *t, uint32_t node, bool named)
{
	struct graph *g = &t->v->graph;
	struct node *n = &g->nodes[node];
	struct arena *a = t->c->arena;
	struct text in = named ? text_format(a, " in %.*s", TEXT_ARGS(n->path)) : TEXT("");

	if (n->is_told || !n->path.at || !node_visible(t->c, n))
		return;
	n->is_told = true;
	for (size_t i = 0; i < n->problems.n; i++)
		say(t, text_format(a, "%.*s%.*s", TEXT_ARGS(n->problems.items[i]), TEXT_ARGS(in)));
	for (uint32_t i = 0; i < n->n_targets; i++) {
		const struct target *target = &g->targets[n->first_target + i];
		if (target_is_broken(target))
			say(t,
			    text_format(a, "Broken link: %.*s%.*s", TEXT_ARGS(target_shown(a, target)), TEXT_ARGS(in)));
		else if (target->is_ambiguous && target->node != NODE_NONE &&
			 node_visible(t->c, &g->nodes[target->node]))
			say(t, text_format(a, "Ambiguous link: %.*s%.*s fits several notes; it means %.*s",
					   TEXT_ARGS(target_shown(a, target)), TEXT_ARGS(in),
					   TEXT_ARGS(g->nodes[target->node].path)));
	}
	if (n->next_same != NODE_NONE && node_visible(t->c, &g->nodes[n->next_same]))
		say(t, text_format(a, "%.*s and %.*s differ only in case; name them exactly", TEXT_ARGS(n->path),
				   TEXT_ARGS(g->nodes[n->next_same].path)));
}

static void tell_summary(struct telling *t)
{
	struct graph *g = &t->v->graph;
	size_t links = 0, notes = 0;

	for (uint32_t i = 0; i < g->n_nodes; i++) {
		const struct node *n = &g->nodes[i];
		size_t here = 0;
		for (uint32_t k = 0; n->path.at && k < n->n_targets; k++)
			here += target_is_broken(&g->targets[n->first_target + k]);
		if (!here || !node_visible(t->c, n))
			continue;
		links += here;
		notes++;
	}
	if (links)
		say(t, said(t->c, "%zu broken link%s in %zu note%s; list_unresolved shows them", links,
			    links == 1 ? "" : "s", notes, notes == 1 ? "" : "s"));
}

/* Warns about links to notes that another program removed or renamed. Warnings about notes that this caller may not see
 * are kept for another caller. */
static void tell_gone(struct telling *t)
{
	struct graph *g = &t->v->graph;
	struct arena *a = t->c->arena;
	struct map links = {.arena = a}, notes = {.arena = a};
	struct buffer names = {.arena = a};
	size_t kept = 0, gone = 0;

	for (size_t i = 0; i < t->v->gone.n; i++) {
		struct gone *one = &t->v->gone.items[i];
		if (!path_visible(t->c, one->path)) {
			t->v->gone.items[kept++] = *one;
			continue;
		}
		size_t before = links.n;
		for (uint32_t k = 0; k < one->n_keys; k++)
			for (uint32_t at = g->keys[one->keys[k]].first_target; at != NODE_NONE;
			     at = g->targets[at].next) {
				const struct target *target = &g->targets[at];
				const struct node *of = &g->nodes[target->of];
				if (!target_is_broken(target) || !node_visible(t->c, of))
					continue;
				map_at(&links, text_format(a, "%u", at), 0, NULL);
				map_at(&notes, of->path, 0, NULL);
			}
		if (links.n > before && gone++ < GONE_SHOWN)
			buffer_format(&names, "%s%.*s", names.len ? ", " : "", TEXT_ARGS(one->path));
	}
	t->v->gone.n = kept;
	if (gone > GONE_SHOWN)
		buffer_format(&names, " and %zu more", gone - GONE_SHOWN);
	if (gone)
		say(t, text_format(
			       a, "%.*s %s gone; %zu link%s in %zu note%s %s broken now; list_unresolved shows them",
			       TEXT_ARGS(buffer_text(&names)), gone == 1 ? "is" : "are", links.n,
			       links.n == 1 ? "" : "s", notes.n, notes.n == 1 ? "" : "s", links.n == 1 ? "is" : "are"));
}

static void tell_notices(struct telling *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->v->notices.n; i++) {
		const struct notice *one = &t->v->notices.items[i];
		if (one->path.at ? path_visible(t->c, one->path) : caller_sees_all(t->c))
			say(t, text_copy(t->c->arena, one->sentence));
		else
			t->v->notices.items[kept++] = *one;
	}
	t->v->notices.n = kept;
}

static void tell(struct call *c, struct vault *v, const uint32_t *nodes, size_t n, bool names_first)
{
	struct telling t = {.c = c, .v = v};

	mutex_lock(&v->telling);
	bool is_first = v->summary_is_due;
	for (size_t i = 0; i < n; i++)
		tell_node(&t, nodes[i], names_first || i > 0);
	if (v->summary_is_due && t.told == 0)
		tell_summary(&t);
	v->summary_is_due = false;
	tell_gone(&t);
	for (uint32_t i = 0; i < v->n_news && !is_first; i++)
		if (v->news[i] < v->graph.n_nodes)
			tell_node(&t, v->news[i], true);
	v->n_news = 0;
	tell_notices(&t);
	if (!v->notices.n && !v->gone.n) {
		memset(&v->notices, 0, sizeof v->notices);
		memset(&v->gone, 0, sizeof v->gone);
		arena_free(&v->notice_arena);
	}
	if (t.more)
		*ARRAY_PUSH(c->arena, &c->warnings) =
			said(c, "and %zu more; list_unresolved shows broken links", t.more);
	mutex_unlock(&v->telling);
}

void vault_tell(struct call *c, struct vault *v, const uint32_t *nodes, size_t n) { tell(c, v, nodes, n, false); }

void vault_tell_list(struct call *c, struct vault *v, const uint32_t *nodes, size_t n) { tell(c, v, nodes, n, true); }
