/* properties.c: sets properties and tags of one note or many, and renames a tag everywhere. */
#include "kinds/notes/edit/kept.h"
#include "kinds/notes/edit/property_edit.h"
#include "kinds/notes/tools/batch.h"
#include "kinds/notes/tools/place.h"
#include "kinds/notes/tools/where.h"

struct set_args {
	struct texts ids, where, add_tags, remove_tags;
	const struct json *properties;
};
static const struct field set_in[] = {
	FIELD(struct set_args, ids, TEXTS, 0, "Paths of the notes", .limits = BETWEEN(1, 500),
	      .more = RARE{.item_limits = BETWEEN(1, 4096)}),
	FIELD(struct set_args, where, TEXTS, 0, "Or conditions, as find_nodes takes them",
	      .limits = BETWEEN(1, WHERE_MAX), .more = RARE{.item_limits = BETWEEN(1, 500)}),
	FIELD(struct set_args, properties, MAP, 0, "Name and value of each: text, number, true, list; null removes it"),
	FIELD(struct set_args, add_tags, TEXTS, 0, "Tags to add", .limits = AT_MOST(100),
	      .more = RARE{.item_limits = BETWEEN(1, 200)}),
	FIELD(struct set_args, remove_tags, TEXTS, 0, "Tags to remove", .limits = AT_MOST(100)),
	FIELDS_END,
};

static bool has_tag(struct call *c, struct texts tags, struct text tag)
{
	struct text folded = name_fold(c->arena, tag);

	for (size_t i = 0; i < tags.n; i++)
		if (text_same(name_fold(c->arena, tag_of(tags.items[i])), folded))
			return true;
	return false;
}

static bool change_tags(struct call *c, const struct set_args *args, struct text path, struct text bytes,
			struct text *out)
{
	struct note n;
	struct edits edits = {0};
	ARRAY(struct text) kept = {0};

	note_read(c->arena, bytes, &n);
	ARRAY_RESERVE(c->arena, &kept, 1);
	for (size_t i = 0; i < n.tags.n; i++)
		if (!has_tag(c, args->remove_tags, n.tags.items[i]))
			*ARRAY_PUSH(c->arena, &kept) = n.tags.items[i];
	for (size_t i = 0; i < n.words.n; i++)
		if (has_tag(c, args->remove_tags, n.words.items[i]))
			warn(c, "%s has #%s in its text; edit_node removes it there", shown(c, path),
			     shown(c, n.words.items[i]));
	size_t before = kept.n;
	struct texts tags = tags_given(c, args->add_tags, (struct texts){kept.items, kept.n});
	bool same = before == n.tags.n && tags.n == n.tags.n;
	if (!same && !front_change(c, &n, (struct text){0}, tags, &edits))
		return false;
	*out = edits.n ? splice_apply(c->arena, bytes, edits.items, edits.n) : bytes;
	return true;
}

static bool change_note(struct call *c, const void *context, struct text path, struct text bytes, struct text *out)
{
	const struct set_args *args = context;

	*out = bytes;
	for (uint32_t i = 0; args->properties && i < args->properties->len; i++) {
		const struct json_member *m = &args->properties->members[i];
		if (!property_set(c, *out, (struct text){m->key, m->key_len}, &m->value, out))
			return false;
	}
	if ((args->add_tags.n || args->remove_tags.n) && !change_tags(c, args, path, *out, out))
		return false;
	scoped(vault_leave) struct vault *v = vault_again(c);
	*out = links_kept(c, v, path, bytes, *out);
	return true;
}

static bool chosen(struct call *c, const struct set_args *args, struct texts *out)
{
	scoped(vault_leave) struct vault *v = vault_read(c);
	struct where where;
	ARRAY(struct text) paths = {0};
	struct map seen = {.arena = c->arena};

	if (!v)
		return false;
	for (size_t i = 0; i < args->ids.n; i++) {
		uint32_t node;
		bool was;
		if (!node_wanted(c, v, args->ids.items[i], &node))
			return false;
		struct text path = text_copy(c->arena, v->graph.nodes[node].path);
		map_at(&seen, path, 0, &was);
		if (!was)
			*ARRAY_PUSH(c->arena, &paths) = path;
	}
	if (args->where.n && !where_read(c, v, args->where, &where))
		return false;
	for (uint32_t i = 0; args->where.n && i < v->graph.count; i++) {
		const struct node *n = &v->graph.nodes[v->graph.order[i]];
		if (node_visible(c, n) && where_holds(c, v, &where, v->graph.order[i]))
			*ARRAY_PUSH(c->arena, &paths) = text_copy(c->arena, n->path);
	}
	vault_tell(c, v, NULL, 0);
	*out = (struct texts){paths.items, paths.n};
	return true;
}

static bool set_properties(struct call *c, const void *in, void *out)
{
	const struct set_args *args = in;
	struct batch b = {.change = change_note, .context = args};

	if (!args->ids.n == !args->where.n)
		return fail(c, FAULT_ARGUMENT, "give ids or where, to choose the notes");
	if ((!args->properties || !args->properties->len) && !args->add_tags.n && !args->remove_tags.n)
		return fail(c, FAULT_ARGUMENT, "nothing to set; give properties, add_tags or remove_tags");
	if (!tags_sound(c, args->add_tags, (struct texts){0}) || !chosen(c, args, &b.paths))
		return false;
	if (!b.paths.n)
		warn(c, "no note fulfils the conditions");
	b.summary = text_format(c->arena, "set properties of %zu note%s", b.paths.n, b.paths.n == 1 ? "" : "s").at;
	return batch_apply(c, &b, out);
}

struct rename_args {
	struct text from, to;
};
static const struct field rename_in[] = {
	FIELD(struct rename_args, from, TEXT, FIELD_REQUIRED, "The tag; those below it are renamed with it",
	      .limits = BETWEEN(1, 200)),
	FIELD(struct rename_args, to, TEXT, FIELD_REQUIRED, "Its new name; a tag that exists is joined",
	      .limits = BETWEEN(1, 200)),
	FIELDS_END,
};

static bool rename_one(struct call *c, const void *context, struct text path, struct text bytes, struct text *out)
{
	const struct rename_args *args = context;

	(void)path;
	return tag_rename(c, bytes, tag_of(args->from), tag_of(args->to), out);
}

static bool rename_tag(struct call *c, const void *in, void *out)
{
	const struct rename_args *args = in;
	struct batch b = {.change = rename_one, .context = args};
	ARRAY(struct text) paths = {0};

	if (!tags_sound(c, (struct texts){(struct text[]){args->to}, 1}, (struct texts){0}) || !tag_of(args->to).len)
		return c->error.fault ? false : fail(c, FAULT_ARGUMENT, "to is empty; name the new tag");
	{
		scoped(vault_leave) struct vault *v = vault_read(c);
		struct text from = name_fold(c->arena, tag_of(args->from));
		if (!v)
			return false;
		for (uint32_t i = 0; i < v->graph.count; i++) {
			const struct node *n = &v->graph.nodes[v->graph.order[i]];
			if (!node_has_tag(&v->graph, n, from))
				continue;
			if (node_visible(c, n))
				*ARRAY_PUSH(c->arena, &paths) = text_copy(c->arena, n->path);
		}
		vault_tell(c, v, NULL, 0);
	}
	if (!paths.n)
		warn(c, "no note has the tag %s; list_tags lists the tags", shown(c, args->from));
	b.paths = (struct texts){paths.items, paths.n};
	b.summary = text_format(c->arena, "rename tag %s to %s", shown(c, args->from), shown(c, args->to)).at;
	return batch_apply(c, &b, out);
}

const struct tool notes_property_tools[] = {
	TOOL("set_properties", "Set properties and tags",
	     "Sets properties of the front matter, and adds or removes tags, of one note or of all that fulfil conditions, in one "
	     "commit. All other bytes stay.",
	     TOOL_WRITES | TOOL_DELETES | TOOL_IDEMPOTENT | TOOL_NO_CONDITION | TOOL_NO_REVISION, struct set_args,
	     set_in, struct batch_answer, batch_out, set_properties,
	     .example =
		     "{\"ids\":[\"plan.md\"],\"properties\":{\"status\":\"done\",\"due\":null},\"add_tags\":[\"archive\"]}"),
	TOOL("rename_tag", "Rename a tag everywhere",
	     "Renames a tag, and all tags below it, in the text and the front matter of every note, in one commit.",
	     TOOL_WRITES | TOOL_DELETES | TOOL_IDEMPOTENT | TOOL_NO_CONDITION | TOOL_NO_REVISION | TOOL_EXTRA,
	     struct rename_args, rename_in, struct batch_answer, batch_out, rename_tag),
	TOOLS_END,
};
