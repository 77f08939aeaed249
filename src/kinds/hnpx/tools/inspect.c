/* inspect.c: tools that find the next empty node and show nodes. */
#include "kinds/hnpx/tree/pages.h"
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/tools/progress.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"
#include "kinds/hnpx/tools/show.h"
#include "tool/reply.h"

struct empty_args {
	struct text file_path, node_id;
	bool unwritten, progress;
	struct maybe_int target_words;
};
struct empty_answer {
	struct text id, type, message;
	struct maybe_flag unwritten;
	const struct progress *progress;
};

static const struct field empty_in[] = {
	FILE_PATH(struct empty_args),
	FIELD(struct empty_args, node_id, TEXT, 0, "Only below this node"),
	FIELD(struct empty_args, unwritten, FLAG, 0, "Then paragraphs without prose", .otherwise = "false"),
	FIELD(struct empty_args, progress, FLAG, 0, "Count words and nodes by chapter and person",
	      .otherwise = "false"),
	FIELD(struct empty_args, target_words, MAYBE_INT, FIELD_UNLISTED, "Planned length in words, for progress",
	      .limits = AT_LEAST(1)),
	FIELDS_END,
};
static const struct field empty_out[] = {
	FIELD(struct empty_answer, id, TEXT, FIELD_REQUIRED | FIELD_NULLABLE, "Id of the container to fill next"),
	FIELD(struct empty_answer, type, TEXT, FIELD_REQUIRED | FIELD_NULLABLE, "book, chapter, sequence or beat"),
	FIELD(struct empty_answer, message, TEXT, FIELD_REQUIRED, "What it lacks"),
	FIELD(struct empty_answer, unwritten, MAYBE_FLAG, 0,
	      "It is a paragraph: edit_node_attributes with text fills it"),
	FIELD(struct empty_answer, progress, OBJECT, 0, "How far the book is", .shape = &progress_shape),
	FIELDS_END,
};

static uint32_t next_unwritten(const struct book *b, uint32_t top)
{
	uint32_t first = book_first_unwritten(b);

	if (first == BOOK_NONE || (first >= top && first < b->nodes[top].after))
		return first;
	for (uint32_t i = top; i < b->nodes[top].after; i++)
		if (b->nodes[i].level == LEVEL_PARAGRAPH && !paragraph_is_written(b, i))
			return i;
	return BOOK_NONE;
}

static bool get_next_empty_container(struct call *c, const void *in, void *out)
{
	const struct empty_args *args = in;
	struct empty_answer *answer = out;
	struct opened o;
	uint32_t top = 0;

	if (!book_read(c, args->file_path, &o) || (args->node_id.at && !book_node(c, &o, args->node_id, &top)) ||
	    (args->progress && !book_progress(c, o.book, top, args->target_words, &answer->progress)))
		return false;
	uint32_t found = book_next_empty(o.book, top);
	if (found != BOOK_NONE) {
		int level = o.book->nodes[found].level;
		answer->id = book_id(c->arena, o.book, found);
		answer->type = text_of(level_names[level]);
		answer->message = text_format(c->arena, "%s has no %s", level_titles[level], level_plurals[level + 1]);
		return true;
	}
	uint32_t paragraph = next_unwritten(o.book, top);
	if (args->unwritten && paragraph != BOOK_NONE) {
		answer->id = book_id(c->arena, o.book, paragraph);
		answer->type = TEXT("paragraph");
		answer->message = TEXT("Paragraph has no prose");
		answer->unwritten = (struct maybe_flag){true, true};
		return true;
	}
	answer->message = text_format(
		c->arena, "No empty container: %s is fully expanded%s", top ? "this part" : "the document",
		paragraph == BOOK_NONE ? "" : "; some paragraphs have no prose yet, unwritten: true names the next");
	if (!args->progress)
		reply_text(c, TEXT("null"));
	return true;
}

struct node_args {
	struct text file_path, node_id;
};

static const struct field node_in[] = {
	FILE_PATH(struct node_args),
	NODE_ID(struct node_args, "Id, or \"book\""),
	FIELDS_END,
};

/* Returns the XML without its last newline. */
static bool answer_xml(struct call *c, struct buffer *xml)
{
	struct text t = buffer_text(xml);

	if (t.len && t.at[t.len - 1] == '\n')
		t.len--;
	reply_text(c, t);
	return true;
}

static bool get_node(struct call *c, const void *in, void *out)
{
	const struct node_args *args = in;
	struct opened o;
	uint32_t node;
	struct buffer xml = {.arena = c->arena};

	(void)out;
	if (!book_read(c, args->file_path, &o) || !book_node(c, &o, args->node_id, &node))
		return false;
	show_node(&xml, c->arena, o.book, node, 0);
	return answer_xml(c, &xml);
}

static bool get_node_path(struct call *c, const void *in, void *out)
{
	const struct node_args *args = in;
	struct opened o;
	uint32_t node, way[LEVELS], n = 0;
	struct buffer xml = {.arena = c->arena};

	(void)out;
	if (!book_read(c, args->file_path, &o) || !book_node(c, &o, args->node_id, &node))
		return false;
	for (; node != BOOK_NONE; node = o.book->nodes[node].parent)
		way[n++] = node;
	buffer_put(&xml, "<path>\n");
	while (n)
		show_node(&xml, c->arena, o.book, way[--n], 1);
	buffer_put(&xml, "</path>\n");
	return answer_xml(c, &xml);
}

struct children_args {
	struct text file_path, node_id;
	int64_t offset;
	struct maybe_int limit;
};

static const struct field children_in[] = {
	FILE_PATH(struct children_args),
	NODE_ID(struct children_args, "Id, or \"book\""),
	FIELD(struct children_args, offset, INT, FIELD_TERSE, "Number of children to skip", .limits = AT_LEAST(0),
	      .otherwise = "0"),
	FIELD(struct children_args, limit, MAYBE_INT, FIELD_TERSE, "Maximum number of children", .limits = AT_LEAST(1)),
	FIELDS_END,
};

static bool get_direct_children(struct call *c, const void *in, void *out)
{
	const struct children_args *args = in;
	struct opened o;
	uint32_t node, seen = 0, next = 0;
	struct buffer xml = {.arena = c->arena};
	bool too_long = false;

	(void)out;
	if (!book_read(c, args->file_path, &o) || !book_node(c, &o, args->node_id, &node))
		return false;
	const struct node *nodes = o.book->nodes, *top = &nodes[node];
	int64_t from = args->offset, to = top->children;
	if (args->limit.there && args->limit.value < to - from)
		to = from + args->limit.value;
	if (args->limit.there)
		answer_widen(c, ANSWER_WHOLE);
	for (uint32_t i = node + 1; i < top->after; i = nodes[i].after, seen++) {
		if (seen < from || seen >= to || too_long)
			continue;
		size_t before = xml.len;
		show_node(&xml, c->arena, o.book, i, 1);
		too_long = before && xml.len > answer_room(c);
		if (too_long)
			xml.len = before;
		else
			next = seen + 1;
		if (!(seen % 256) && !goes_on(c))
			return false;
	}
	struct buffer whole = {.arena = c->arena};
	bool is_cut = from > 0 || next < top->children;
	if (top->children && is_cut)
		buffer_format(&whole, "<children total=\"%u\" offset=\"%lld\"", top->children, (long long)from);
	else
		buffer_put(&whole, "<children");
	buffer_put(&whole, xml.len ? ">\n" : "/>\n");
	if (xml.len) {
		buffer_add(&whole, buffer_text(&xml));
		buffer_put(&whole, "</children>\n");
	}
	answer_xml(c, &whole);
	if (xml.len && next < top->children && (too_long || args->limit.there))
		reply_text(c, said(c, "%u of %u children shown; call get_direct_children with offset %u for the rest",
				   next - (uint32_t)from, top->children, next));
	return true;
}

static const char *const prunings[] = {"book", "chapter", "sequence", "beat", "full", NULL};

struct subtree_args {
	struct text file_path, node_id, start;
	struct maybe_int depth, max_chars;
	int pruning_level, broken;
};

static const struct field subtree_in[] = {
	FILE_PATH(struct subtree_args),
	NODE_ID(struct subtree_args, "Id, or \"book\""),
	FIELD(struct subtree_args, depth, MAYBE_INT, 0, "Levels below; default all", .limits = BETWEEN(0, 4)),
	FIELD(struct subtree_args, pruning_level, CHOICE, 0, "Deepest level shown", .choices = prunings),
	FIELD(struct subtree_args, start, TEXT, 0, "Continue a cut answer here"),
	FIELD(struct subtree_args, max_chars, MAYBE_INT, FIELD_UNLISTED, "Longest answer; default 60000",
	      .limits = AT_LEAST(200)),
	BROKEN(struct subtree_args),
	FIELDS_END,
};

/* The node to continue at, if given. It must be below the top. */
static bool start_of(struct call *c, const struct opened *o, uint32_t top, struct text id, uint32_t *out)
{
	*out = BOOK_NONE;
	if (!id.at)
		return true;
	if (!book_node(c, o, id, out))
		return false;
	if (*out < top || *out >= o->book->nodes[top].after)
		return book_refuse(c, details_of(c, o->path), "INVALID_ATTRIBUTE",
				   "start must be a node below node_id, not %s", shown(c, id));
	return true;
}

/* Comments after children that are not shown are not shown either. */
static void close_shown(struct buffer *xml, struct arena *a, const struct book *b, uint32_t node, int base, int deepest)
{
	const struct node *n = &b->nodes[node];

	if (!n->children || n->level < deepest)
		show_comments_inside(xml, a, b, node, n->level - base + 1);
	show_close(xml, b, node, n->level - base);
}

static bool get_subtree(struct call *c, const void *in, void *out)
{
	const struct subtree_args *args = in;
	struct opened o;
	uint32_t top, start, open[LEVELS], n = 0;
	struct buffer xml = {.arena = c->arena};
	struct walk w;
	uint32_t cut = BOOK_NONE, count = 0;
	size_t broken;

	(void)out;
	if (!book_read_shown(c, args->file_path, args->broken, &o, &broken) || !book_node(c, &o, args->node_id, &top) ||
	    !start_of(c, &o, top, args->start, &start))
		return false;
	const struct node *nodes = o.book->nodes;
	size_t room = args->max_chars.there ? answer_widen(c, (size_t)args->max_chars.value) : answer_room(c);
	int deepest = LEVEL_PARAGRAPH, base = nodes[top].level;
	if (args->depth.there)
		deepest = base + (int)args->depth.value;
	if (args->pruning_level >= 0 && args->pruning_level < deepest)
		deepest = args->pruning_level < base ? base : args->pruning_level;
	for (walk_begin(&w, o.book, top, start, deepest); w.at != BOOK_NONE; walk_on(&w)) {
		while (n && nodes[open[n - 1]].after <= w.at) {
			n--;
			close_shown(&xml, c->arena, o.book, open[n], base, deepest);
		}
		bool shown_some = count > 0 && (start == BOOK_NONE || w.at > start);
		size_t before = xml.len;
		show_comments_before(&xml, c->arena, o.book, w.at, nodes[w.at].level - base);
		show_open(&xml, c->arena, o.book, w.at, nodes[w.at].level - base);
		if (xml.len > room && shown_some) {
			xml.len = before; /* it begins the next part */
			cut = w.at;
			break;
		}
		open[n++] = w.at;
		if (!(++count % 256) && !goes_on(c))
			return false;
	}
	while (n) {
		n--;
		if (cut == BOOK_NONE)
			close_shown(&xml, c->arena, o.book, open[n], base, deepest);
		else
			show_close(&xml, o.book, open[n], nodes[open[n]].level - base);
	}
	answer_xml(c, &xml);
	if (cut != BOOK_NONE)
		reply_text(
			c,
			said(c,
			     "Cut: %u of %u nodes shown; call get_subtree again with start \"%s\" for the rest, or with a "
			     "smaller depth",
			     count, nodes[top].after - top, book_id(c->arena, o.book, cut).at));
	book_tell_broken(c, broken);
	return true;
}

const struct tool hnpx_inspect_tools[] = {
	TOOL("get_next_empty_container", "What to fill next",
	     "Returns the next node without children, level by level: book, chapters, sequences, beats. Fill it and call "
	     "again. null: all are filled.",
	     TOOL_READS, struct empty_args, empty_in, struct empty_answer, empty_out, get_next_empty_container,
	     .example = "{\"file_path\":\"novel.hnpx\"}"),
	TEXT_TOOL("get_node", "Show a node", "Shows one node as XML, without its children.", TOOL_READS | TOOL_EXTRA,
		  struct node_args, node_in, get_node,
		  .example = "{\"file_path\":\"novel.hnpx\",\"node_id\":\"k9p3q1\"}"),
	TEXT_TOOL("get_subtree", "Show a node and all below it",
		  "Shows a node and everything below it as XML. For an outline use pruning_level.", TOOL_READS,
		  struct subtree_args, subtree_in, get_subtree,
		  .example = "{\"file_path\":\"novel.hnpx\",\"node_id\":\"book\",\"pruning_level\":\"chapter\"}"),
	TEXT_TOOL("get_direct_children", "List the children of a node",
		  "Shows the children of a node as XML, without theirs.", TOOL_READS | TOOL_EXTRA, struct children_args,
		  children_in, get_direct_children, .example = "{\"file_path\":\"novel.hnpx\",\"node_id\":\"book\"}"),
	TEXT_TOOL("get_node_path", "Show the way to a node", "Shows the nodes from the book down to a node as XML.",
		  TOOL_READS | TOOL_EXTRA, struct node_args, node_in, get_node_path,
		  .example = "{\"file_path\":\"novel.hnpx\",\"node_id\":\"u1v7w3\"}"),
	TOOLS_END,
};
