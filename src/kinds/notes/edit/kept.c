#include "kinds/notes/edit/kept.h"

#include "base/buffer.h"
#include "kinds/notes/edit/front.h"
#include "kinds/notes/edit/target.h"
#include "kinds/notes/note/name.h"

enum { KEPT_SHOWN = 5 };

struct text node_link(const struct graph *g, struct arena *a, uint32_t node)
{
	struct target old = {.text = TEXT(""), .form = NOTE_LINK_WIKI, .node = node};
	struct text target;

	if (!target_for(g, a, TEXT(""), &old, BY_NAME, node, &target))
		return (struct text){0};
	return text_format(a, "[[%.*s]]", TEXT_ARGS(target));
}

static struct text link_key(struct arena *a, const struct note_link *l)
{
	return text_format(a, "%d%.*s", (int)l->form, TEXT_ARGS(l->target));
}

static void rewrite(struct call *c, struct text bytes, const struct note_link *l, struct text with, struct edits *out)
{
	edit_add(c, out, l->place.from, l->place.to, target_written(c->arena, l, with));
	if (l->form == NOTE_LINK_MARKDOWN || l->has_shown || l->is_embed)
		return;
	edit_add(c, out, l->all.to - 2, l->all.to - 2,
		 shown_written(c->arena, bytes, l, shown_as(c->arena, l->target)));
}

struct text links_kept(struct call *c, struct vault *v, struct text path, struct text before, struct text after)
{
	struct note old, now;
	struct edits edits = {0};
	struct buffer list = {.arena = c->arena};
	struct map known = {.arena = c->arena};
	size_t count = 0;

	note_read(c->arena, before, &old);
	note_read(c->arena, after, &now);
	for (size_t i = 0; i < old.links.n; i++)
		map_at(&known, link_key(c->arena, &old.links.items[i]), 0, NULL);
	for (size_t i = 0; i < now.links.n; i++) {
		const struct note_link *l = &now.links.items[i];
		struct resolved r = resolve(&v->graph, c->arena, path, l->form, l->target);
		struct target target = {.text = l->target, .form = l->form};
		struct text with;
		if (r.node == NODE_NONE || !by_leniency(r.by) || !node_visible(c, &v->graph.nodes[r.node]) ||
		    map_find(&known, link_key(c->arena, l)) ||
		    !target_for(&v->graph, c->arena, path, &target, BY_NAME, r.node, &with))
			continue;
		rewrite(c, after, l, with, &edits);
		if (count++ < KEPT_SHOWN)
			buffer_format(&list, "%s[[%s]] as [[%s]]", list.len ? ", " : "", shown(c, l->target),
				      shown(c, with));
	}
	if (!count)
		return after;
	if (count > KEPT_SHOWN)
		buffer_format(&list, " and %zu more", count - KEPT_SHOWN);
	warn(c, "wrote %s: other programs find a note by its file's name only", buffer_text(&list).at);
	return splice_apply(c->arena, after, edits.items, edits.n);
}

bool content_is_whole(struct call *c, struct text content)
{
	if (!text_ends(text_trim(content), CONTENT_MARK))
		return true;
	return fail(c, FAULT_ARGUMENT,
		    "the text ends in \"" CONTENT_MARK
		    "\", the mark where get_node cuts a long note, and the rest would be lost; read the rest with "
		    "offset, or change a part with edit_node");
}
