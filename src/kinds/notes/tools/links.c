/* links.c: links to a note with the text around them, and broken links. */
#include "base/array.h"
#include "base/utf8.h"
#include "kinds/notes/graph/resolve.h"
#include "kinds/notes/notes.h"

#include <string.h>

enum { CONTEXT_MAX = 240 }; /* characters around a link */

struct backlinks_args {
	struct text id;
	int64_t limit, offset;
};
struct backlink {
	struct text id, title, context;
	int64_t line;
};
struct backlinks_answer {
	struct objects links;
	int64_t total;
};
static const struct field backlinks_in[] = {
	NODE_ID(struct backlinks_args, id, "Path of the note"),
	FIELD(struct backlinks_args, limit, INT, 0, "Maximum number of linking notes", .limits = BETWEEN(1, 100),
	      .otherwise = "20"),
	FIELD(struct backlinks_args, offset, INT, 0, "Number of linking notes to skip", .limits = AT_LEAST(0),
	      .otherwise = "0"),
	FIELDS_END,
};
static const struct field backlink_fields[] = {
	FIELD(struct backlink, id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "The linking note"),
	FIELD(struct backlink, title, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Its title"),
	FIELD(struct backlink, line, INT, FIELD_REQUIRED | FIELD_TERSE, "Line of the link in the file, from 1"),
	FIELD(struct backlink, context, TEXT, FIELD_REQUIRED | FIELD_TERSE, "The line around the link"),
	FIELDS_END,
};
static const struct shape backlink_shape = SHAPE(struct backlink, "backlink", backlink_fields);
static const struct field backlinks_out[] = {
	FIELD(struct backlinks_answer, links, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "By linking note, then line",
	      .shape = &backlink_shape),
	FIELD(struct backlinks_answer, total, INT, FIELD_REQUIRED | FIELD_TERSE, "Number of linking notes"),
	FIELDS_END,
};

struct backlinks {
	ARRAY(struct backlink) list;
	size_t sum;
};

/* The line that contains the span, cut around it. */
static struct text line_around(struct call *c, struct text bytes, struct span s)
{
	size_t from = s.from, to = s.to;

	while (from && bytes.at[from - 1] != '\n')
		from--;
	while (to < bytes.len && bytes.at[to] != '\n')
		to++;
	if (to - from > CONTEXT_MAX && s.from - from > CONTEXT_MAX / 2)
		from = s.from - CONTEXT_MAX / 2;
	while (from < s.from && ((unsigned char)bytes.at[from] & 0xc0) == 0x80)
		from++;
	if (to - from > CONTEXT_MAX && to - s.to > CONTEXT_MAX / 2)
		to = s.to + CONTEXT_MAX / 2;
	while (to > s.to && to < bytes.len && ((unsigned char)bytes.at[to] & 0xc0) == 0x80)
		to--;
	return utf8_repaired(c->arena, text_copy(c->arena, text_trim(text_slice(bytes, from, to))));
}

static bool take_links(struct call *c, struct vault *v, uint32_t from, uint32_t target, struct backlinks *out)
{
	struct file_content file;
	struct note n;
	struct text path = v->graph.nodes[from].path;
	uint32_t line = 1, at = 0;

	if (!work_read(c, path, c->arena, &file)) {
		c->error = (struct error){0};
		return true;
	}
	note_read(c->arena, file.bytes, &n);
	for (size_t i = 0; i < n.links.n; i++) {
		const struct note_link *l = &n.links.items[i];
		if (resolve(&v->graph, c->arena, path, l->form, l->target).node != target)
			continue;
		/* Links are ordered by their ends, so a link may begin before the previous one. */
		if (l->all.from < at)
			line = 1, at = 0;
		for (; at < l->all.from; at++)
			line += file.bytes.at[at] == '\n';
		struct backlink b = {text_copy(c->arena, path), text_copy(c->arena, v->graph.nodes[from].title),
				     text_shown(c, line_around(c, file.bytes, l->all)), line};
		out->sum += b.id.len + b.title.len + b.context.len + 40;
		if (out->sum > answer_room(c) && out->list.n)
			return false;
		*ARRAY_PUSH(c->arena, &out->list) = b;
	}
	return true;
}

static bool get_backlinks(struct call *c, const void *in, void *out)
{
	const struct backlinks_args *args = in;
	struct backlinks_answer *answer = out;
	scoped(vault_leave) struct vault *v = vault_read(c);
	struct backlinks found = {0};
	uint32_t node, *nodes;

	if (!v || !node_wanted(c, v, args->id, &node))
		return false;
	size_t n = node_neighbors(c, v, node, DIRECTION_IN, &nodes), done = (size_t)args->offset;
	for (; done < n && done - (size_t)args->offset < (size_t)args->limit; done++) {
		if (!goes_on(c))
			return false;
		if (!take_links(c, v, nodes[done], node, &found)) {
			warn(c, "the answer would get too long; ask for the rest with offset %zu", done);
			break;
		}
	}
	answer->links = (struct objects){found.list.items, found.list.n};
	answer->total = (int64_t)n;
	vault_tell(c, v, NULL, 0);
	return true;
}

enum { SOURCES_SHOWN = 10 };

struct unresolved_args {
	int64_t limit, offset;
};
struct unresolved {
	struct text name;
	struct texts notes;
	int64_t count;
};
struct unresolved_answer {
	struct objects unresolved;
	int64_t total;
};
static const struct field unresolved_in[] = {
	FIELD(struct unresolved_args, limit, INT, 0, "Maximum number of names", .limits = BETWEEN(1, 500),
	      .otherwise = "100"),
	FIELD(struct unresolved_args, offset, INT, 0, "Number of names to skip", .limits = AT_LEAST(0),
	      .otherwise = "0"),
	FIELDS_END,
};
static const struct field unresolved_fields[] = {
	FIELD(struct unresolved, name, TEXT, FIELD_REQUIRED | FIELD_TERSE, "What the links name"),
	FIELD(struct unresolved, count, INT, FIELD_REQUIRED | FIELD_TERSE, "Notes that link to it"),
	FIELD(struct unresolved, notes, TEXTS, FIELD_REQUIRED | FIELD_TERSE, "The first ten of them"),
	FIELDS_END,
};
static const struct shape unresolved_shape = SHAPE(struct unresolved, "unresolved", unresolved_fields);
static const struct field unresolved_out[] = {
	FIELD(struct unresolved_answer, unresolved, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "Most wanted first",
	      .shape = &unresolved_shape),
	FIELD(struct unresolved_answer, total, INT, FIELD_REQUIRED | FIELD_TERSE, "Number of names"),
	FIELDS_END,
};

static int by_count(const void *a, const void *b)
{
	const struct unresolved *x = a, *y = b;

	return x->count != y->count ? (x->count < y->count ? 1 : -1) : text_order(x->name, y->name);
}

static bool list_unresolved(struct call *c, const void *in, void *out)
{
	const struct unresolved_args *args = in;
	struct unresolved_answer *answer = out;
	scoped(vault_leave) struct vault *v = vault_read(c);
	ARRAY(struct unresolved) list = {0};
	struct map known = {.arena = c->arena};

	if (!v)
		return false;
	const struct graph *g = &v->graph;
	/* Notes by path, then canvases and bases. */
	for (uint32_t i = 0; i < g->count + g->n_nodes; i++) {
		const struct node *n = &g->nodes[i < g->count ? g->order[i] : i - g->count];
		bool counts = n->path.at && (i < g->count || n->sort != NODE_NOTE) && path_visible(c, n->path);
		for (uint32_t k = 0; k < n->n_targets && counts; k++) {
			const struct target *t = &g->targets[n->first_target + k];
			bool was;
			if (!target_is_broken(t))
				continue;
			uint32_t *at = map_at(&known, name_fold(c->arena, t->text), (uint32_t)list.n, &was);
			if (!was) {
				struct unresolved *u = ARRAY_PUSH(c->arena, &list);
				u->name = text_copy(c->arena, t->text);
				u->notes.items = arena_array(c->arena, SOURCES_SHOWN, sizeof(struct text));
			}
			struct unresolved *u = &list.items[*at];
			if (u->notes.n < SOURCES_SHOWN)
				u->notes.items[u->notes.n++] = text_copy(c->arena, n->path);
			u->count++;
		}
	}
	if (list.n)
		array_sort(list.items, list.n, sizeof *list.items, by_count);
	size_t from = (size_t)args->offset < list.n ? (size_t)args->offset : list.n, shown = 0, sum = 0;
	while (from + shown < list.n && shown < (size_t)args->limit && sum < answer_room(c)) {
		const struct unresolved *u = &list.items[from + shown++];
		sum += u->name.len + 40;
		for (size_t i = 0; i < u->notes.n; i++)
			sum += u->notes.items[i].len + 3;
	}
	answer->unresolved = (struct objects){list.items ? list.items + from : NULL, shown};
	answer->total = (int64_t)list.n;
	vault_tell(c, v, NULL, 0);
	return true;
}

const struct tool notes_link_tools[] = {
	TOOL("get_backlinks", "Links to a note", "Returns every link to a note with the line around it.",
	     TOOL_READS | TOOL_NO_REVISION, struct backlinks_args, backlinks_in, struct backlinks_answer, backlinks_out,
	     get_backlinks),
	TOOL("list_unresolved", "Links to notes that do not exist",
	     "Lists the names that links use and no note has, with the notes that link to them.",
	     TOOL_READS | TOOL_NO_REVISION, struct unresolved_args, unresolved_in, struct unresolved_answer,
	     unresolved_out, list_unresolved),
	TOOLS_END,
};
