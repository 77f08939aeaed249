#include "kinds/hnpx/tools/render.h"
#include "kinds/hnpx/tree/pages.h"
#include "kinds/hnpx/prose/emphasis.h"
#include "kinds/hnpx/prose/speech.h"
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"
#include "kinds/hnpx/tools/show.h"
#include "tool/reply.h"

void render_paragraph(struct buffer *to, struct arena *scratch, const struct book *b, uint32_t paragraph, bool speaker)
{
	struct text prose = node_shown_prose(scratch, b, paragraph);
	int mode = node_mode(scratch, b, paragraph);
	const char *mark = "";

	/* An unwritten paragraph has no text and no speaker. */
	if (text_is_blank(prose))
		return;
	if (mode == MODE_DIALOGUE) {
		if (speaker) {
			buffer_add(to, node_attribute(scratch, b, paragraph, "char"));
			buffer_put(to, ": ");
		}
		speech_put(to, scratch, prose);
		return;
	} else if (mode == MODE_INTERNAL) {
		struct emphasis emphasis = {0};
		emphasis_find(scratch, prose, EMPHASIS_PROSE, &emphasis);
		mark = emphasis_is_whole(prose, &emphasis) ? "" : "*";
	}
	buffer_put(to, mark);
	buffer_add(to, prose);
	buffer_put(to, mark);
}

/* Indents each line of the text by `blanks`. An empty line stays empty. */
static void indented(struct buffer *to, struct text t, size_t blanks)
{
	for (size_t from = 0; from <= t.len;) {
		size_t end = text_find(t, TEXT("\n"), from);
		if (end == SIZE_MAX)
			end = t.len;
		if (end > from)
			buffer_fill(to, ' ', blanks);
		buffer_add(to, text_slice(t, from, end));
		buffer_byte(to, '\n');
		from = end + 1;
	}
}

static void headline(struct buffer *to, struct arena *a, const struct book *b, uint32_t node, uint32_t chapter)
{
	struct text pov = {0}, time;

	switch ((enum level)b->nodes[node].level) {
	case LEVEL_CHAPTER:
		buffer_format(to, "Chapter %u: ", chapter);
		buffer_add(to, node_attribute(a, b, node, "title"));
		pov = node_attribute(a, b, node, "pov");
		break;
	case LEVEL_SEQUENCE:
		buffer_put(to, "Sequence: ");
		buffer_add(to, node_place_name(a, b, node));
		time = node_attribute(a, b, node, "time");
		if (!text_is_blank(time)) {
			buffer_put(to, " at ");
			buffer_add(to, time);
		}
		pov = node_attribute(a, b, node, "pov");
		break;
	case LEVEL_BOOK:
	case LEVEL_BEAT:
		buffer_put(to, level_titles[b->nodes[node].level]);
		buffer_put(to, ": ");
		buffer_add(to, text_trim(node_summary(a, b, node)));
		break;
	case LEVEL_PARAGRAPH:
	case LEVELS: buffer_add(to, text_trim(node_summary(a, b, node))); break;
	}
	if (!text_is_blank(pov)) {
		buffer_put(to, " (POV: ");
		buffer_add(to, pov);
		buffer_put(to, ")");
	}
}

/* Removes our newlines at the end. */
static void trim_end(struct buffer *to)
{
	while (to->len && to->at[to->len - 1] == '\n')
		to->len--;
}

uint32_t render_outline(struct buffer *to, struct arena *scratch, const struct book *b, uint32_t top,
			const struct render_options *options)
{
	struct walk w;
	uint32_t chapter = 0;       /* number of the current one; 0: none yet */
	uint32_t shown = BOOK_NONE; /* the last node, if it is not the first */
	size_t before = 0;          /* the length without it */

	int deepest = options->is_plan && options->deepest ? options->deepest : LEVEL_PARAGRAPH;

	for (walk_begin(&w, b, top, options->start, deepest); w.at != BOOK_NONE; walk_on(&w)) {
		const struct node *node = &b->nodes[w.at];
		size_t blanks = 2 * (size_t)(node->level - b->nodes[top].level);
		struct buffer line = {.arena = scratch};
		if (options->room && to->len > options->room && shown != BOOK_NONE) {
			/* What does not fit begins the next part. */
			to->len = before;
			w.at = shown;
			break;
		}
		if (to->len && (options->start == BOOK_NONE || w.at > options->start)) {
			before = to->len;
			shown = w.at;
		}
		if (options->ids) {
			buffer_byte(&line, '[');
			buffer_add(&line, book_id(scratch, b, w.at));
			buffer_put(&line, "] ");
		}
		if (node->level == LEVEL_CHAPTER)
			chapter = chapter ? chapter + 1 : book_place(b, w.at) + 1;
		headline(&line, scratch, b, w.at, chapter);
		if (line.len)
			indented(to, text_trim(buffer_text(&line)), blanks);
		if (options->is_plan && (node->level == LEVEL_CHAPTER || node->level == LEVEL_SEQUENCE))
			indented(to, text_trim(node_summary(scratch, b, w.at)), blanks + 2);
		if (node->level == LEVEL_PARAGRAPH && !options->is_plan) {
			struct buffer prose = {.arena = scratch};
			render_paragraph(&prose, scratch, b, w.at, false);
			if (prose.len)
				indented(to, buffer_text(&prose), blanks);
			buffer_byte(to, '\n');
		}
	}
	trim_end(to);
	return w.at;
}

uint32_t render_prose(struct buffer *to, struct arena *scratch, const struct book *b, uint32_t top,
		      const struct render_options *options)
{
	struct pages pages;
	uint32_t node, shown = BOOK_NONE;
	size_t before = 0;
	enum page_event e;

	/* With ids, show unwritten paragraphs too, so that they can be written by id. */
	pages_begin(&pages, b, top, options->ids);
	if (options->start != BOOK_NONE)
		pages_skip_to(&pages, options->start);
	while ((e = pages_next(&pages, &node)) != PAGE_END) {
		if (options->room && to->len > options->room && shown != BOOK_NONE) {
			to->len = before;
			trim_end(to);
			return shown;
		}
		if (to->len) {
			before = to->len;
			shown = node;
		}
		if (e == PAGE_CHAPTER && options->headings) {
			buffer_put(to, "=== ");
			buffer_add(to, node_attribute(scratch, b, node, "title"));
			buffer_put(to, " ===\n\n");
		}
		if (e == PAGE_BREAK && options->headings)
			buffer_put(to, "***\n\n");
		if (e != PAGE_PARAGRAPH && (e != PAGE_UNWRITTEN || b->nodes[node].level != LEVEL_PARAGRAPH))
			continue;
		if (options->ids) {
			buffer_byte(to, '[');
			buffer_add(to, book_id(scratch, b, node));
			buffer_put(to, "] ");
		}
		render_paragraph(to, scratch, b, node, true);
		buffer_put(to, "\n\n");
	}
	trim_end(to);
	return BOOK_NONE;
}

struct render_args {
	struct text file_path, node_id, start;
	bool show_ids, show_markers, headings;
	struct maybe_int max_chars;
	int broken;
};

#define MORE_FIELDS                                                                                                    \
	FIELD(struct render_args, start, TEXT, 0, "Continue a cut answer here"),                                       \
		FIELD(struct render_args, max_chars, MAYBE_INT, FIELD_UNLISTED, "Longest answer; default 60000",       \
		      .limits = AT_LEAST(200)),                                                                        \
		BROKEN(struct render_args)

static const struct field node_in[] = {
	FILE_PATH(struct render_args),
	NODE_ID(struct render_args, "Node id, or \"book\""),
	FIELD(struct render_args, show_ids, FLAG, FIELD_TERSE, "Show node ids", .otherwise = "true"),
	FIELD(struct render_args, show_markers, FLAG, 0, "false: prose only", .otherwise = "true"),
	MORE_FIELDS,
	FIELDS_END,
};
static const struct field document_in[] = {
	FILE_PATH(struct render_args),
	FIELD(struct render_args, headings, FLAG, FIELD_TERSE, "Show chapter titles and scene breaks",
	      .otherwise = "false"),
	FIELD(struct render_args, show_ids, FLAG, FIELD_TERSE, "Show paragraph ids", .otherwise = "false"),
	MORE_FIELDS,
	FIELDS_END,
};

static bool render(struct call *c, const struct render_args *args, struct text node_id, bool as_outline)
{
	struct opened o;
	uint32_t top, start = BOOK_NONE;
	struct buffer text = {.arena = c->arena};
	size_t broken;

	if (!book_read_shown(c, args->file_path, args->broken, &o, &broken) || !book_node(c, &o, node_id, &top) ||
	    (args->start.at && !book_node(c, &o, args->start, &start)))
		return false;
	if (start != BOOK_NONE && (start < top || start >= o.book->nodes[top].after))
		return book_refuse(c, details_of(c, o.path), "INVALID_ATTRIBUTE",
				   "start must be a node below node_id, not %s", shown(c, args->start));
	struct render_options options = {
		.ids = args->show_ids, .headings = args->headings, .start = start, .room = answer_room(c)};
	if (args->max_chars.there)
		options.room = answer_widen(c, (size_t)args->max_chars.value);
	uint32_t cut = as_outline ? render_outline(&text, c->arena, o.book, top, &options)
				  : render_prose(&text, c->arena, o.book, top, &options);
	reply_text(c, buffer_text(&text));
	if (cut != BOOK_NONE)
		reply_text(c, text_format(c->arena,
					  "Cut: %u of %u nodes shown; call %s again with start \"%s\" for the rest",
					  cut - top, o.book->nodes[top].after - top, c->tool ? c->tool : "it",
					  book_id(c->arena, o.book, cut).at));
	book_tell_broken(c, broken);
	return true;
}

static bool render_node(struct call *c, const void *in, void *out)
{
	const struct render_args *args = in;

	(void)out;
	return render(c, args, args->node_id, args->show_markers);
}

static bool render_document(struct call *c, const void *in, void *out)
{
	(void)out;
	return render(c, in, TEXT("book"), false);
}

const struct tool hnpx_render_tools[] = {
	TEXT_TOOL("render_node", "Render a node",
		  "Shows a node and everything below it as an indented outline with ids, summaries and prose.",
		  TOOL_READS, struct render_args, node_in, render_node,
		  .example = "{\"file_path\":\"novel.hnpx\",\"node_id\":\"r4s8t6\"}"),
	TEXT_TOOL("render_document", "Render the book", "Shows the prose of the book as plain text.",
		  TOOL_READS | TOOL_EXTRA, struct render_args, document_in, render_document,
		  .example = "{\"file_path\":\"novel.hnpx\"}"),
	TOOLS_END,
};
