#include "kinds/notes/tools/place.h"

#include "base/utf8.h"

#include <string.h>

static bool refuse_folder(struct call *c, struct text given)
{
	return fail(
		c, FAULT_ARGUMENT,
		"%s is not a folder for notes; give a path relative to the root, such as notes/drafts, without .. and "
		"without names that begin with a dot",
		shown(c, given));
}

static size_t components(struct text path)
{
	size_t n = path.len > 0;

	for (size_t i = 0; i < path.len; i++)
		n += path.at[i] == '/';
	return n;
}

static struct text first_components(struct text path, size_t n)
{
	size_t at = 0;

	for (; at < path.len; at++)
		if (path.at[at] == '/' && !--n)
			break;
	return text_slice(path, 0, at);
}

/* The folder with the case it has on disk, as far as it contains notes. */
static struct text known_case(struct call *c, struct vault *v, struct text folder)
{
	for (size_t depth = components(folder); depth; depth--) {
		struct text part = first_components(folder, depth);
		struct text folded = text_format(c->arena, "%.*s/", TEXT_ARGS(name_fold(c->arena, part)));
		struct text other = {0};
		for (uint32_t i = 0; i < v->graph.n_nodes; i++) {
			const struct node *n = &v->graph.nodes[i];
			if (!n->path.at || !text_starts(n->folded, folded.at))
				continue;
			struct text here = first_components(n->path, depth);
			if (text_same(here, part))
				return folder;
			other = here;
		}
		if (other.at)
			return text_format(c->arena, "%.*s%.*s", TEXT_ARGS(other),
					   TEXT_ARGS(text_slice(folder, part.len, folder.len)));
	}
	return folder;
}

bool place_folder(struct call *c, struct vault *v, struct text given, struct text *out)
{
	struct text folder = text_copy(c->arena, given.at ? text_trim(given) : TEXT(""));

	for (size_t i = 0; i < folder.len; i++) {
		if (folder.at[i] == '\\')
			((char *)folder.at)[i] = '/';
		if ((unsigned char)folder.at[i] < ' ' || folder.at[i] == 0x7f)
			return refuse_folder(c, given);
	}
	if (text_starts(folder, "./"))
		folder = text_slice(folder, 2, folder.len);
	while (folder.len > 1 && folder.at[folder.len - 1] == '/')
		folder.len--;
	if (text_is(folder, "."))
		folder.len = 0;
	for (size_t i = 0; i < folder.len; i++)
		if ((i == 0 || folder.at[i - 1] == '/') && (folder.at[i] == '.' || folder.at[i] == '/'))
			return refuse_folder(c, given);
	for (size_t i = 0, from = 0; i <= folder.len; i++)
		if (i == folder.len || folder.at[i] == '/') {
			if (i - from > 255)
				return refuse_folder(c, given);
			from = i + 1;
		}
	if (folder.len > 3000)
		return refuse_folder(c, given);
	*out = text_copy(c->arena, known_case(c, v, folder));
	return true;
}

struct text place_in(struct call *c, struct text folder, struct text name)
{
	return folder.len ? text_format(c->arena, "%.*s/%.*s", TEXT_ARGS(folder), TEXT_ARGS(name))
			  : text_copy(c->arena, name);
}

struct text title_file(struct call *c, struct text title)
{
	const struct vault *v = c->state;

	return v->config.file_names ? name_of(c->arena, title) : slug_of(c->arena, title);
}

bool place_free(struct call *c, struct vault *v, struct text path, uint32_t but)
{
	uint32_t node = graph_find(&v->graph, c->arena, path);

	/* A file there is not indexed: no tool would find it and no link would resolve to it. */
	if (vault_leaves_out(c, v, path))
		return fail(c, FAULT_ARGUMENT,
			    "%s is ignored by .quireignore or as node_modules; choose another folder or name",
			    shown(c, path));
	/* Where this caller may not write, the write is refused, whatever is there. */
	if (node == NODE_NONE || node == but || !path_writable(c, path))
		return true;
	return fail(c, FAULT_EXISTS,
		    "%s exists; read it with get_node, change it with update_node, or choose another title or folder",
		    node_visible(c, &v->graph.nodes[node]) ? shown(c, v->graph.nodes[node].path) : shown(c, path));
}

bool place_refused(struct call *c, struct text path)
{
	if (c->error.fault == FAULT_EXISTS)
		return fail(
			c, FAULT_EXISTS,
			"%s exists; read it with get_node, change it with update_node, or choose another title or folder",
			shown(c, path));
	return false;
}
