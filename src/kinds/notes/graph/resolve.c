#include "kinds/notes/graph/resolve.h"

#include "kinds/notes/note/name.h"

#include <string.h>

/* The target to resolve, folded once. */
struct question {
	const struct graph *g;
	struct arena *a;
	struct text folder;         /* of the linking note, as on disk */
	struct text target, folded; /* without a leading slash */
	bool has_suffix;            /* .md or .markdown was written */
	bool is_bare;               /* being tried: the target with .md or .markdown added, not as written */
	bool is_loose;              /* being tried: names that are equal when folded, such as ß and ss */
	enum resolved_by fixed;     /* BY_RELATIVE, BY_ROOT: the target is a whole path */
	const struct key *key;      /* every possible result is among its notes */
};

static bool is_ascii(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (t.at[i] & 0x80)
			return false;
	return true;
}

/* The path without its last bytes. */
static struct text id_cut(struct text path, size_t less) { return text_slice(path, 0, path.len - less); }

/* Are two names that are equal when folded also equal for other programs? */
static bool same_name(const struct question *q, struct text path, struct text name)
{
	if (q->is_loose || (is_ascii(path) && is_ascii(name)))
		return true;
	return text_ends(name_lower(q->a, path), text_string(q->a, name_lower(q->a, name)));
}

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
			if (!same_name(q, id_cut(n->path, suffix.len), path))
				continue;
			if (best == NODE_NONE || text_order(n->path, q->g->nodes[best].path) < 0)
				best = q->key->nodes[i];
		}
		return best;
	}
	char *joined = arena_alloc(q->a, folded.len + suffix.len + 1);
	memcpy(joined, folded.at, folded.len);
	memcpy(joined + folded.len, suffix.at, suffix.len);
	const uint32_t *slot = map_find(&q->g->by_path, (struct text){joined, folded.len + suffix.len});
	uint32_t best = NODE_NONE;
	for (uint32_t at = slot ? *slot : NODE_NONE; at != NODE_NONE; at = q->g->nodes[at].next_same) {
		struct text there = id_cut(q->g->nodes[at].path, suffix.len);
		if (text_same(there, path))
			return at;
		if (same_name(q, there, path) &&
		    (best == NODE_NONE || text_order(q->g->nodes[at].path, q->g->nodes[best].path) < 0))
			best = at;
	}
	return best;
}

/* The note at exactly this path from the root. */
static uint32_t at_path(const struct question *q, struct text path)
{
	if (!path.at || !path.len)
		return NODE_NONE;
	struct text folded = path.at == q->target.at && q->folded.at ? q->folded : name_fold(q->a, path);
	if (!q->is_bare)
		return at_folded(q, path, folded, TEXT(""));
	uint32_t node = at_folded(q, path, folded, TEXT(".md"));
	return node != NODE_NONE ? node : at_folded(q, path, folded, TEXT(".markdown"));
}

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
	struct text path;

	switch (fit) {
	case FIT_NAME:
		path = q->is_bare ? id_bare(n->folded) : n->folded;
		if (q->is_bare && path.len == n->folded.len)
			return false;
		return (text_same(path, name) || ends_with_path(path, name)) &&
		       same_name(q, q->is_bare ? id_bare(n->path) : n->path, q->target);
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
	return a->units != b->units ? a->units < b->units : text_order(a->path, b->path) < 0;
}

static bool is_below(struct text path, struct text folder)
{
	return !folder.len ||
	       (path.len > folder.len && path.at[folder.len] == '/' && !memcmp(path.at, folder.at, folder.len));
}

/* Chooses among all matching notes of the key: those below the linking note's folder first, then the shortest path. */
static bool choose(const struct question *q, enum fit fit, struct text name, struct resolved *out)
{
	const struct key *k = q->key;
	const struct node *best = NULL;
	bool is_near = false;
	uint32_t count = 0;

	out->is_tied = false;
	for (uint32_t i = 0; i < k->n_nodes; i++) {
		const struct node *n = &q->g->nodes[k->nodes[i]];
		if (!fits(q, n, fit, name))
			continue;
		bool near = is_below(n->path, q->folder);
		count++;
		if (best && near == is_near && n->units == best->units)
			out->is_tied = true;
		else if (!best || near > is_near || (near == is_near && n->units < best->units))
			out->is_tied = false;
		if (best && (near != is_near ? is_near : !is_shorter(n, best)))
			continue;
		best = n;
		is_near = near;
		out->node = k->nodes[i];
	}
	out->is_ambiguous = count > 1 && !text_same(id_folder(best->path), q->folder);
	return count;
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
	struct text t = q->folded;
	bool blanks = memchr(t.at, ' ', t.len), hyphens = memchr(t.at, '-', t.len);

	if (blanks == hyphens || q->has_suffix)
		return false;
	out->by = BY_VARIANT;
	return choose(q, FIT_NAME, swapped(q->a, t, blanks ? ' ' : '-', blanks ? '-' : ' '), out);
}

static bool has_slash(const struct question *q) { return memchr(q->target.at, '/', q->target.len); }

/* As written, then with .md. `step` tries one of them. */
static bool twice(struct question *q, bool (*step)(const struct question *q, struct resolved *out),
		  struct resolved *out)
{
	q->is_bare = false;
	if (memchr(q->target.at, '.', q->target.len) && step(q, out))
		return true;
	q->is_bare = true;
	return !q->has_suffix && step(q, out);
}

/* The same for names that only quire takes for equal. */
static bool loosely(struct question *q, bool (*step)(const struct question *q, struct resolved *out),
		    struct resolved *out)
{
	q->is_loose = true;
	if (!twice(q, step, out))
		return false;
	out->by = BY_VARIANT;
	return true;
}

static bool wiki_step(const struct question *q, struct resolved *out)
{
	if (by_path(q, false, out))
		return true;
	out->by = has_slash(q) ? BY_END : BY_NAME;
	return choose(q, FIT_NAME, q->folded, out);
}

static struct resolved resolve_wiki(struct question *q)
{
	struct resolved r = {.node = NODE_NONE};

	if (twice(q, wiki_step, &r) || loosely(q, wiki_step, &r))
		return r;
	if (!q->has_suffix) {
		r.by = BY_TITLE;
		if (choose(q, FIT_TITLE, q->folded, &r))
			return r;
		r.by = BY_ALIAS;
		if (choose(q, FIT_ALIAS, q->folded, &r))
			return r;
	}
	if (by_variant(q, &r))
		return r;
	return (struct resolved){.node = NODE_NONE};
}

static bool markdown_step(const struct question *q, struct resolved *out)
{
	if (by_path(q, true, out))
		return true;
	/* A word in parentheses that is not a path may be anything. A name with an extension means a file. */
	if (q->is_bare || !(q->has_suffix || id_extension(q->target).at))
		return false;
	out->by = has_slash(q) ? BY_END : BY_NAME;
	return choose(q, FIT_NAME, q->folded, out);
}

static struct resolved resolve_markdown(struct question *q)
{
	struct resolved r = {.node = NODE_NONE};

	return twice(q, markdown_step, &r) || loosely(q, markdown_step, &r) ? r : (struct resolved){.node = NODE_NONE};
}

/* From the linking note's folder, or from the root. */
static bool fixed_step(const struct question *q, struct resolved *out)
{
	return found(out, at_path(q, q->target), q->fixed);
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
	if (form == NOTE_LINK_FOLDER)
		return r;
	if (form == NOTE_LINK_PATH) {
		q.target = target;
		q.fixed = BY_ROOT;
		return fixed_step(&q, &r) ? r : (struct resolved){.node = NODE_NONE};
	}
	bool is_relative = text_starts(target, "./") || text_starts(target, "../");
	if (is_relative || target.at[0] == '/') {
		q.target = id_join(a, is_relative ? q.folder : TEXT(""), target);
		q.fixed = is_relative ? BY_RELATIVE : BY_ROOT;
		bool is_found = q.target.at && (twice(&q, fixed_step, &r) || loosely(&q, fixed_step, &r));
		return is_found ? r : (struct resolved){.node = NODE_NONE};
	}
	q.target = target;
	q.folded = name_fold(a, target);
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

const char *by_name(enum resolved_by by)
{
	static const char *const names[] = {[BY_TITLE] = "title", [BY_ALIAS] = "alias", [BY_VARIANT] = "variant"};

	return by_leniency(by) ? names[by] : NULL;
}

/* A Markdown link may lead to a folder or to a site without a scheme, so only endings of attachments count. */
bool target_names_file(enum link_form form, struct text target)
{
	static const char attached[] =
		".md .markdown .canvas .base .png .jpg .jpeg .gif .bmp .svg .webp .avif .pdf .mp3 .wav "
		".m4a .ogg .flac .3gp .mp4 .webm .ogv .mov .mkv";

	return form == NOTE_LINK_MARKDOWN ? text_ends_in(target, attached) : form != NOTE_LINK_FOLDER;
}
