/* resources.c: every note as a resource, notes:///path. */
#include "base/utf8.h"
#include "base/uri.h"
#include "kinds/notes/notes.h"

#include <string.h>

#define URI "notes:///"

static bool read_note(struct call *c, const struct text *values)
{
	scoped(vault_leave) struct vault *v = vault_read(c);
	struct file_content file;

	if (!v)
		return false;
	uint32_t node = vault_node(c, v, values[0]);
	if (node == NODE_NONE)
		return fail(c, FAULT_NOT_FOUND, "there is no note %s; resources/list lists the notes",
			    shown(c, values[0]));
	struct text path = text_copy(c->arena, v->graph.nodes[node].path);
	if (!work_read(c, path, c->arena, &file))
		return false;
	reply_resource(c, uri_of(c->arena, URI, path).at, "text/markdown", utf8_repaired(c->arena, file.bytes));
	return true;
}

/* The index of the first note after this path, in the order of paths. */
static uint32_t behind(const struct graph *g, struct text path)
{
	uint32_t low = 0, high = g->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (text_order(g->nodes[g->order[middle]].path, path) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool list_notes(struct call *c, struct text after, size_t most, struct resource_entry **out, size_t *n,
		       bool *more)
{
	scoped(vault_leave) struct vault *v = vault_read(c);
	struct resource_entry *entries = arena_array(c->arena, most, sizeof *entries);

	*n = 0;
	*more = false;
	if (!v)
		return false;
	const struct graph *g = &v->graph;
	struct text path = after.at ? uri_decode(c->arena, text_slice(after, strlen(URI), after.len)) : TEXT("");
	for (uint32_t i = path.at && path.len ? behind(g, path) : 0; i < g->count; i++) {
		const struct node *node = &g->nodes[g->order[i]];
		if (!node_visible(c, node))
			continue;
		if (*n == most) {
			*more = true;
			break;
		}
		struct text id = text_copy(c->arena, node->path);
		entries[(*n)++] = (struct resource_entry){.uri = uri_of(c->arena, URI, id),
							  .name = id,
							  .title = text_copy(c->arena, node->title),
							  .mime = TEXT("text/markdown"),
							  .size = node->stamp.size,
							  .modified = node->stamp.modified / 1000000};
	}
	*out = entries;
	return true;
}

static bool complete_path(struct call *c, int value, struct text typed, struct texts *out)
{
	enum { SUGGESTED = 100 };
	scoped(vault_leave) struct vault *v = vault_read(c);
	struct text *items = arena_array(c->arena, SUGGESTED, sizeof *items);

	(void)value;
	if (!v)
		return false;
	const struct graph *g = &v->graph;
	const char *prefix = text_string(c->arena, name_fold(c->arena, typed));
	out->items = items;
	out->n = 0;
	for (uint32_t i = 0; i < g->count && out->n < SUGGESTED; i++) {
		const struct node *node = &g->nodes[g->order[i]];
		if (text_starts(node->folded, prefix) && node_visible(c, node))
			items[out->n++] = text_copy(c->arena, node->path);
	}
	return true;
}

/* Called once a second while a client is subscribed. This also takes in the watcher's news. */
static bool note_revision(struct call *c, const struct text *values, struct text *out)
{
	scoped(vault_leave) struct vault *v = vault_read(c);

	*out = (struct text){0};
	if (!v)
		return false;
	uint32_t node = vault_node(c, v, values[0]);
	if (node != NODE_NONE)
		*out = text_copy(c->arena, text_of(v->graph.nodes[node].revision.chars));
	return true;
}

const struct resource notes_resources[] = {
	{.uri = URI "{+path}",
	 .name = "note",
	 .title = "Note",
	 .prose = "A Markdown note as it is in its file, front matter included",
	 .mime = "text/markdown",
	 .read = read_note,
	 .list = list_notes,
	 .complete = complete_path,
	 .revision = note_revision},
	{.uri = NULL},
};
