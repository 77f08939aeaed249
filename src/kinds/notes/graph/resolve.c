#include "kinds/notes/graph/resolve.h"

#include "kinds/notes/note/name.h"

#include <string.h>

/* The target to resolve, folded once. */
struct question {
	const struct graph *g;
	struct arena *a;
	struct text folder;         /* of the linking note, as on disk */
	struct text target, folded; /* without a leading slash */
	struct text bare;           /* folded, without .md */
	bool has_suffix;            /* .md or .markdown was written */
	const struct key *key;      /* every possible result is among its notes */
};

/* The note whose folded path is this one with the suffix. `path` is as written, to choose between notes that differ in
 * case only. */
static uint32_t at_folded(const struct question *q, struct text path, struct text folded, struct text suffix)
{
	/* Up to this many notes of one name, comparing each costs less than a lookup in a large table. */
	enum { FEW = 8 };

	if (q->key->n_nodes <= FEW) {
		uint32_t best = NODE_NONE;
		for (uint32_t i = 0; i < q->key->n_nodes; i++) {
			const struct node *n = &q->g->nodes[q->key->nodes[i]];
			if (n->folded.len != folded.len + suffix.len ||
			    memcmp(n->folded.at, folded.at, folded.len) != 0 ||
			    memcmp(n->folded.at + folded.len, suffix.at, suffix.len) != 0)
				continue;
			bool is_exact = n->path.len == path.len + suffix.len && !memcmp(n->path.at, path.at, path.len);
			if (is_exact)
				return q->key->nodes[i];
			if (best == NODE_NONE || text_order(n->path, q->g->nodes[best].path) < 0)
				best = q->key->nodes[i];
		}
		return best;
	}
	char *joined = arena_alloc(q->a, folded.len + suffix.len + 1);
	memcpy(joined, folded.at, folded.len);
	memcpy(joined + folded.len, suffix.at, suffix.len);
	const uint32_t *slot = map_find(&q->g->by_path, (struct text){joined, folded.len + suffix.len});
	if (!slot || q->g->nodes[*slot].next_same == NODE_NONE)
		return slot ? *slot : NODE_NONE;
	return graph_find(q->g, q->a, text_format(q->a, "%.*s%.*s", TEXT_ARGS(path), TEXT_ARGS(suffix)));
}

/* The note at exactly this path from the root, with or without its extension. */
static uint32_t at_path(const struct question *q, struct text path)
{
	uint32_t node = NODE_NONE;

	if (!path.at || !path.len)
		return NODE_NONE;
	struct text folded = path.at == q->target.at && q->folded.at ? q->folded : name_fold(q->a, path);
	if (id_is_note(path))
		node = at_folded(q, path, folded, TEXT(""));
	if (node != NODE_NONE || q->has_suffix)
		return node;
	node = at_folded(q, path, folded, TEXT(".md"));
	return node != NODE_NONE ? node : at_folded(q, path, folded, TEXT(".markdown"));
}

/* The folded path without its extension. */
static struct text bare_of(const struct node *n) { return id_bare(n->folded); }

static bool ends_with_path(struct text path, struct text end)
{
	return path.len > end.len && path.at[path.len - end.len - 1] == '/' &&
	       !memcmp(path.at + path.len - end.len, end.at, end.len);
}

static struct text swapped(struct arena *a, struct text t, char from, char to)
{
	struct text copy = text_copy(a, t);

	for (size_t i = 0; i < copy.len; i++)
		if (copy.at[i] == from)
			((char *)copy.at)[i] = to;
	return copy;
}

enum fit { FIT_NAME, FIT_TITLE, FIT_ALIAS };

static bool fits(const struct question *q, const struct node *n, enum fit fit, struct text name)
{
	struct text bare;

	switch (fit) {
	case FIT_NAME: bare = bare_of(n); return text_same(bare, name) || ends_with_path(bare, name);
	case FIT_TITLE: return n->has_title && text_same(name_fold(q->a, n->title), name);
	case FIT_ALIAS:
		for (size_t i = 0; i < n->aliases.n; i++)
			if (text_same(name_fold(q->a, n->aliases.items[i]), name))
				return true;
		return false;
	}
	return false;
}

static bool is_shorter(const struct node *a, const struct node *b)
{
	return a->path.len != b->path.len ? a->path.len < b->path.len : text_order(a->path, b->path) < 0;
}

/* Chooses among all matching notes of the key: one in the linking note's folder, or else the one with the shortest
 * path. */
static bool choose(const struct question *q, enum fit fit, struct text name, bool here_first, struct resolved *out)
{
	const struct key *k = q->key;
	uint32_t best = NODE_NONE, here = NODE_NONE, count = 0;

	for (uint32_t i = 0; i < k->n_nodes; i++) {
		const struct node *n = &q->g->nodes[k->nodes[i]];
		if (!fits(q, n, fit, name))
			continue;
		count++;
		if (best == NODE_NONE || is_shorter(n, &q->g->nodes[best]))
			best = k->nodes[i];
		if (here_first && text_same(id_folder(n->path), q->folder) &&
		    (here == NODE_NONE || is_shorter(n, &q->g->nodes[here])))
			here = k->nodes[i];
	}
	if (!count)
		return false;
	out->node = here != NODE_NONE ? here : best;
	out->is_ambiguous = here == NODE_NONE && count > 1;
	return true;
}

static bool found(struct resolved *out, uint32_t node, enum resolved_by by)
{
	out->node = node;
	out->by = node == NODE_NONE ? BY_NOTHING : by;
	return node != NODE_NONE;
}

static bool by_path(const struct question *q, bool folder_first, struct resolved *out)
{
	if (!q->folder.len && !memchr(q->target.at, '.', q->target.len))
		return found(out, at_path(q, q->target), folder_first ? BY_FOLDER : BY_ROOT);
	struct text there = id_join(q->a, q->folder, q->target);

	if (folder_first)
		return found(out, at_path(q, there), BY_FOLDER) || found(out, at_path(q, q->target), BY_ROOT);
	return found(out, at_path(q, q->target), BY_ROOT) || found(out, at_path(q, there), BY_FOLDER);
}

static bool by_variant(const struct question *q, struct resolved *out)
{
	bool blanks = memchr(q->bare.at, ' ', q->bare.len), hyphens = memchr(q->bare.at, '-', q->bare.len);

	if (blanks == hyphens || q->has_suffix)
		return false;
	out->by = BY_VARIANT;
	return choose(q, FIT_NAME, swapped(q->a, q->bare, blanks ? ' ' : '-', blanks ? '-' : ' '), true, out);
}

static struct resolved resolve_wiki(const struct question *q)
{
	struct resolved r = {.node = NODE_NONE};
	bool has_slash = memchr(q->target.at, '/', q->target.len);

	if (by_path(q, false, &r))
		return r;
	r.by = has_slash ? BY_END : BY_NAME;
	if (choose(q, FIT_NAME, q->bare, !has_slash, &r))
		return r;
	if (!q->has_suffix) {
		r.by = BY_TITLE;
		if (choose(q, FIT_TITLE, q->folded, true, &r))
			return r;
		r.by = BY_ALIAS;
		if (choose(q, FIT_ALIAS, q->folded, true, &r))
			return r;
	}
	if (by_variant(q, &r))
		return r;
	return (struct resolved){.node = NODE_NONE};
}

static struct resolved resolve_markdown(const struct question *q)
{
	struct resolved r = {.node = NODE_NONE};
	struct text extension = id_extension(q->target);

	if (by_path(q, true, &r))
		return r;
	/* A word in parentheses that is not a path may be anything. A name with .md means a note. */
	if (!q->has_suffix && extension.at)
		return r;
	r.by = memchr(q->target.at, '/', q->target.len) ? BY_END : BY_NAME;
	if (q->has_suffix && choose(q, FIT_NAME, q->bare, true, &r))
		return r;
	return (struct resolved){.node = NODE_NONE};
}

static struct resolved resolve_among(const struct graph *g, struct arena *a, const struct key *key, struct text from,
				     enum link_form form, struct text target)
{
	struct question q = {.g = g, .a = a, .folder = id_folder(from), .key = key};
	struct resolved r = {.node = NODE_NONE};
	bool is_markdown = form == NOTE_LINK_MARKDOWN;

	target = text_trim(target);
	q.has_suffix = id_is_note(target) && id_name(id_bare(target)).len;
	if (!target.len || target.at[target.len - 1] == '/' || text_is(id_name(target), ".") ||
	    text_is(id_name(target), ".."))
		return r;
	if (text_starts(target, "./") || text_starts(target, "../")) {
		found(&r, at_path(&q, id_join(a, q.folder, target)), BY_RELATIVE);
		return r;
	}
	if (target.at[0] == '/') {
		found(&r, at_path(&q, id_join(a, TEXT(""), target)), BY_ROOT);
		return r;
	}
	q.target = target;
	q.folded = name_fold(a, target);
	q.bare = q.has_suffix ? id_bare(q.folded) : q.folded;
	return is_markdown ? resolve_markdown(&q) : resolve_wiki(&q);
}

struct resolved resolve(const struct graph *g, struct arena *a, struct text from, enum link_form form,
			struct text target)
{
	const uint32_t *known = map_find(&g->by_key, key_of(a, target));

	if (!known || !g->keys[*known].n_nodes)
		return (struct resolved){.node = NODE_NONE};
	return resolve_among(g, a, &g->keys[*known], from, form, target);
}

struct resolved resolve_target(const struct graph *g, struct arena *a, struct text from, const struct target *t)
{
	if (!g->keys[t->key].n_nodes)
		return (struct resolved){.node = NODE_NONE};
	return resolve_among(g, a, &g->keys[t->key], from, t->form, t->text);
}

bool target_is_file(struct text target)
{
	struct text extension = id_extension(target);

	return extension.at && !id_is_note(target);
}

bool target_names_note(enum link_form form, struct text target)
{
	return form == NOTE_LINK_MARKDOWN ? id_is_note(target) : !target_is_file(target);
}
