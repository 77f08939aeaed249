/* resources.c: books as resources, prompts to start the work, and completion of their arguments. */
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/tree/reading.h"

#include "base/uri.h"

#include <string.h>

enum { FILES_MAX = 100000 };

static bool list_books(struct call *c, struct file_entry **files, size_t *n)
{
	return work_list(c, TEXT(""), ".hnpx", FILES_MAX, files, n);
}

static const char prefix[] = "hnpx:///";

static bool read_book(struct call *c, const struct text *values)
{
	struct document *d;

	if (!document_open(c, values[0], &d))
		return false;
	reply_resource(c, uri_of(c->arena, prefix, values[0]).at, "application/xml", document_bytes(d));
	return true;
}

static bool list_resources(struct call *c, struct text after, size_t most, struct resource_entry **out, size_t *n,
			   bool *more)
{
	struct file_entry *files;
	size_t count;
	ARRAY(struct resource_entry) list = {0};

	if (!list_books(c, &files, &count))
		return false;
	/* Continue by order, not by name: the last book of the previous page may have been deleted. */
	size_t from = 0;
	struct text last = uri_decode(c->arena, text_slice(after, strlen(prefix), after.len));
	while (after.at && from < count && text_order(files[from].path, last) <= 0)
		from++;
	*more = count - from > most;
	for (size_t i = from; i < count && list.n < most; i++)
		*ARRAY_PUSH(c->arena, &list) = (struct resource_entry){.uri = uri_of(c->arena, prefix, files[i].path),
								       .name = files[i].path,
								       .mime = TEXT("application/xml"),
								       .size = files[i].size,
								       .modified = files[i].modified};
	*out = list.items;
	*n = list.n;
	return true;
}

static bool complete_path(struct call *c, int value, struct text typed, struct texts *out)
{
	struct file_entry *files;
	size_t count;
	ARRAY(struct text) list = {0};
	const char *start = text_string(c->arena, typed);

	(void)value;
	if (!list_books(c, &files, &count))
		return false;
	for (size_t i = 0; i < count; i++)
		if (text_starts(files[i].path, start))
			*ARRAY_PUSH(c->arena, &list) = files[i].path;
	*out = (struct texts){list.items, list.n};
	return true;
}

static bool book_revision(struct call *c, const struct text *values, struct text *out)
{
	return work_stamp(c, values[0], out);
}

const struct resource hnpx_resources[] = {
	{.uri = "hnpx:///{+path}",
	 .name = "book",
	 .title = "HNPX book",
	 .prose = "A book as the XML of its file",
	 .mime = "application/xml",
	 .read = read_book,
	 .list = list_resources,
	 .complete = complete_path,
	 .revision = book_revision},
	{.uri = NULL},
};

struct plan_args {
	struct text file_path, idea;
};
struct next_args {
	struct text file_path, node_id;
};
struct revise_args {
	struct text file_path, chapter_id, aim;
};

#define LEVELS_TOLD                                                                                                    \
	"An HNPX book has five levels: book > chapter > sequence (one place and time) > beat (one turn of the "        \
	"action) > "                                                                                                   \
	"paragraph (the prose). Every node has a summary that says what belongs in it.\n\n"

static const struct field plan_in[] = {
	FIELD(struct plan_args, file_path, TEXT, FIELD_REQUIRED, "Where the book shall be, as in novel.hnpx"),
	FIELD(struct plan_args, idea, TEXT, FIELD_REQUIRED, "What it shall be about: genre, characters, tone, length"),
	FIELDS_END,
};
static const struct field next_in[] = {
	FIELD(struct next_args, file_path, TEXT, FIELD_REQUIRED, "The book"),
	FIELD(struct next_args, node_id, TEXT, 0, "Only below this node"),
	FIELDS_END,
};
static const struct field revise_in[] = {
	FIELD(struct revise_args, file_path, TEXT, FIELD_REQUIRED, "The book"),
	FIELD(struct revise_args, chapter_id, TEXT, FIELD_REQUIRED, "Id of the chapter"),
	FIELD(struct revise_args, aim, TEXT, 0, "What to look for: pace, voice, consistency"),
	FIELDS_END,
};

static void say(struct call *c, struct buffer *b) { reply_text(c, buffer_text(b)); }

static bool plan_book(struct call *c, const void *in)
{
	const struct plan_args *args = in;
	struct buffer b = {.arena = c->arena};

	buffer_put(&b, "Plan a book in the file ");
	buffer_add(&b, args->file_path);
	buffer_put(&b, ". The idea:\n\n");
	buffer_add(&b, args->idea);
	buffer_put(
		&b,
		"\n\n" LEVELS_TOLD
		"1. create_document, then edit_node_attributes on \"book\" with a summary of the whole story: "
		"premise, characters, conflict, end.\n"
		"2. Propose the chapters to me, each with a title, a summary and a point of view. When I agree, make "
		"them with create_chapter or create_nodes.\n"
		"3. Go on level by level: get_next_empty_container names what to fill, get_writing_context what to "
		"know. Stop after the beats; the prose comes later.\n"
		"Let me decide at every level before you go down to the next.");
	say(c, &b);
	return true;
}

static bool write_next(struct call *c, const void *in)
{
	const struct next_args *args = in;
	struct buffer b = {.arena = c->arena};

	buffer_put(&b, "Write what comes next in ");
	buffer_add(&b, args->file_path);
	buffer_put(&b, ".\n\n" LEVELS_TOLD "1. get_next_empty_container");
	if (args->node_id.at) {
		buffer_put(&b, " with node_id ");
		buffer_add(&b, args->node_id);
	}
	buffer_put(&b, ".\n2. get_writing_context on the node it names: the summaries above, the point of view, the "
		       "last words before it.\n"
		       "3. A beat: write its paragraphs with create_paragraph, or all at once with create_nodes; "
		       "spoken words are mode dialogue with char, thoughts are mode internal. Any other container: "
		       "plan its children, with summaries.\n"
		       "4. Show me what you wrote with render_node, then stop.");
	say(c, &b);
	return true;
}

static bool revise_chapter(struct call *c, const void *in)
{
	const struct revise_args *args = in;
	struct buffer b = {.arena = c->arena};

	buffer_put(&b, "Revise chapter ");
	buffer_add(&b, args->chapter_id);
	buffer_put(&b, " of ");
	buffer_add(&b, args->file_path);
	if (args->aim.at) {
		buffer_put(&b, ", with an eye on ");
		buffer_add(&b, args->aim);
	}
	buffer_put(&b, ".\n\n" LEVELS_TOLD "1. get_node_path for its place in the story, then render_node with "
		       "show_markers false: the prose with the id of each paragraph.\n"
		       "2. Tell me first what you would change and why, paragraph by paragraph.\n"
		       "3. When I agree: replace_text for a few words, edit_node_attributes for a paragraph, "
		       "reorder_children for the order, remove_node for what must go. file_undo "
		       "undoes the last step.");
	say(c, &b);
	return true;
}

static bool complete_prompt(struct call *c, const char *argument, struct text typed, struct texts *out)
{
	*out = (struct texts){0};
	return text_is(text_of(argument), "file_path") ? complete_path(c, 0, typed, out) : true;
}

const struct prompt hnpx_prompts[] = {
	{.name = "plan_book",
	 .title = "Plan a book",
	 .prose = "From an idea to a book planned down to its beats",
	 .in = plan_in,
	 .in_size = sizeof(struct plan_args),
	 .run = plan_book,
	 .complete = complete_prompt},
	{.name = "write_next",
	 .title = "Write the next part",
	 .prose = "Fill the next empty container: plan it, or write its prose",
	 .in = next_in,
	 .in_size = sizeof(struct next_args),
	 .run = write_next,
	 .complete = complete_prompt},
	{.name = "revise_chapter",
	 .title = "Revise a chapter",
	 .prose = "Read a chapter, propose changes, make those agreed on",
	 .in = revise_in,
	 .in_size = sizeof(struct revise_args),
	 .run = revise_chapter,
	 .complete = complete_prompt},
	{.name = NULL},
};
