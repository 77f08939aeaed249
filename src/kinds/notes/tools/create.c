/* create.c: a new note. */
#include "kinds/notes/edit/front.h"
#include "kinds/notes/edit/kept.h"
#include "kinds/notes/notes.h"
#include "kinds/notes/tools/place.h"

#include <string.h>

struct create_args {
	struct text title, content, directory;
	struct texts tags;
	bool brief;
};
static const struct field create_in[] = {
	FIELD(struct create_args, title, TEXT, FIELD_REQUIRED, "Title; the file's name is made from it",
	      .limits = BETWEEN(1, 500)),
	FIELD(struct create_args, content, TEXT, FIELD_REQUIRED | FIELD_EMPTY,
	      "Text in Markdown; link to a note with its `link`"),
	FIELD(struct create_args, tags, TEXTS, 0, "Tags", .limits = AT_MOST(100),
	      .more = RARE{.item_limits = BETWEEN(1, 200)}, .otherwise = "[]"),
	FIELD(struct create_args, directory, TEXT, 0, "Folder, such as notes/drafts; default: the root"),
	FIELD(struct create_args, brief, FLAG, 0, "Return only id and link", .otherwise = "false"),
	FIELDS_END,
};

static bool is_tag(struct text tag)
{
	for (size_t i = 0; i < tag.len; i++)
		if ((unsigned char)tag.at[i] <= ' ' || strchr(",#[]{}\"'`\x7f", tag.at[i]))
			return false;
	return true;
}

bool tags_sound(struct call *c, struct texts tags, struct texts known)
{
	for (size_t i = 0; i < tags.n; i++) {
		struct text tag = tag_of(tags.items[i]);
		bool was = !tag.len || is_tag(tag);
		for (size_t k = 0; k < known.n && !was; k++)
			was = text_same(known.items[k], tag);
		if (!was)
			return fail(
				c, FAULT_ARGUMENT,
				"tags/%zu, %s, is not a tag; a tag has letters, digits, - _ and /, without blanks or commas; several "
				"tags are several items",
				i, shown(c, tags.items[i]));
	}
	return true;
}

struct texts tags_given(struct call *c, struct texts tags, struct texts first)
{
	struct map seen = {.arena = c->arena};
	ARRAY(struct text) list = {0};

	ARRAY_RESERVE(c->arena, &list, 1);
	for (size_t i = 0; i < first.n + tags.n; i++) {
		struct text tag = tag_of(i < first.n ? first.items[i] : tags.items[i - first.n]);
		bool was;
		if (!tag.len)
			continue;
		map_at(&seen, name_fold(c->arena, tag), 0, &was);
		if (!was)
			*ARRAY_PUSH(c->arena, &list) = tag;
	}
	return (struct texts){list.items, list.n};
}

/* Protects a text that would be parsed as front matter by mistake. */
static struct text kept_as_text(struct call *c, struct text content)
{
	struct note n;

	note_read(c->arena, content, &n);
	return n.malformed ? text_format(c->arena, "\n%.*s", TEXT_ARGS(content)) : content;
}

static bool write_text(struct call *c, const struct create_args *args, struct text path, struct text *out)
{
	struct note n;
	struct edits edits = {0};
	struct text title = text_trim(args->title), content = kept_as_text(c, args->content);
	bool ends = content.len && content.at[content.len - 1] == '\n';

	note_read(c->arena, content, &n);
	/* Write the title only if it cannot be derived from the file's name. */
	bool is_derived = text_same(title_of(c->arena, path), title) && !n.title.at;
	struct text set = is_derived || text_same(n.title, title) ? (struct text){0} : title;
	struct texts tags = args->tags.n ? tags_given(c, args->tags, n.tags) : (struct texts){0};
	if (!front_change(c, &n, set, tags, &edits))
		return false;
	struct text bytes = splice_apply(c->arena, content, edits.items, edits.n);
	*out = ends ? bytes : text_format(c->arena, "%.*s%.*s", TEXT_ARGS(bytes), TEXT_ARGS(newline_of(&n)));
	return true;
}

static bool create_node(struct call *c, const void *in, void *out)
{
	const struct create_args *args = in;
	struct text folder, path, bytes;
	struct document *d;

	if (text_is_blank(args->title))
		return fail(c, FAULT_ARGUMENT, "title is blank; name the note");
	if (!content_is_whole(c, args->content) || !tags_sound(c, args->tags, (struct texts){0}))
		return false;
	{
		scoped(vault_leave) struct vault *v = vault_change(c);
		if (!v || !place_folder(c, v, args->directory, &folder))
			return false;
		path = place_in(c, folder, text_format(c->arena, "%.*s.md", TEXT_ARGS(title_file(c, args->title))));
		if (!place_free(c, v, path, NODE_NONE))
			return false;
	}
	if (!write_text(c, args, path, &bytes))
		return false;
	{
		scoped(vault_leave) struct vault *v = vault_again(c);
		bytes = links_kept(c, v, path, (struct text){0}, bytes);
	}
	if (!documents_change(c, &(struct want){.path = path, .want = DOCUMENT_NEW, .make_folders = true}, 1, &d) ||
	    !vault_may_hold(c, d) ||
	    !work_commit(c, &(struct change){.kind = CHANGE_WHOLE, .document = d, .bytes = bytes}, 1, "create %s",
			 shown(c, path)))
		return place_refused(c, path);
	answer_written(c, path, d, bytes, args->brief, out);
	return true;
}

const struct tool notes_create_tools[] = {
	TOOL("create_node", "Create a note",
	     "Creates DIRECTORY/title-in-lower-case.md with text and tags, and folders as needed. Returns the note with its "
	     "path as id; fails when it exists.",
	     TOOL_WRITES, struct create_args, create_in, struct node_answer, written_out, create_node,
	     .example = "{\"title\":\"Weekly Plan\",\"content\":\"See [[goals]].\",\"tags\":[\"plan\"]}"),
	TOOLS_END,
};
