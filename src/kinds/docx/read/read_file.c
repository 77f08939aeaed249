/* read_file: the document as rows, a page at a time. */
#include "base/utf8.h"
#include "format/json.h"
#include "kinds/docx/docx.h"
#include "kinds/docx/read/hidden.h"
#include "kinds/docx/read/node.h"
#include "kinds/docx/read/view.h"
#include "tool/reply.h"

#include <string.h>

enum {
	PAGE_BYTES = 56000,    /* 14,000 tokens of four characters */
	ROW_TEXT_MAX = 40000,  /* bytes of one row's text; longer text is cut, and grep finds the rest */
	NODE_TEXT_MAX = 24000, /* the same for json, which has the text twice */
	SIMPLE_MAX = 5000      /* characters of a row of the simple format */
};

enum page_format { FORMAT_TOON, FORMAT_JSON, FORMAT_SIMPLE };
static const char *const format_names[] = {"toon", "json", "simple", NULL};

struct read_args {
	struct target target;
	int64_t offset;
	struct maybe_int limit;
	struct texts node_ids;
	struct text format;
	bool show_formatting;
	int scope;
};
static const struct field read_in[] = {
	TARGET_FIELDS(struct read_args),
	FIELD(struct read_args, offset, INT, 0, "First row, from 1; negative counts from the end", .otherwise = "0"),
	FIELD(struct read_args, limit, MAYBE_INT, 0, "Most rows", .limits = AT_LEAST(1)),
	FIELD(struct read_args, node_ids, TEXTS, 0, "Only these paragraphs", .limits = AT_MOST(1000)),
	FIELD(struct read_args, format, TEXT, 0, "toon, json (with metadata) or simple", .otherwise = "\"toon\""),
	FIELD(struct read_args, show_formatting, FLAG, 0, "Tags <b> <i> <u> ... in text", .otherwise = "true"),
	FIELD(struct read_args, scope, CHOICE, FIELD_TERSE, "Part of the document", .choices = scope_names,
	      .otherwise = "\"body\""),
	FIELDS_END,
};

struct read_answer {
	struct session_facts session;
	struct text content;
	const struct json *nodes;
	int64_t total_paragraphs, paragraphs_returned;
	bool has_more;
	struct maybe_int next_offset;
	struct text pagination_hint, deprecation_warning;
};
static const struct field read_out[] = {
	SESSION_FIELDS(struct read_answer),
	FIELD(struct read_answer, content, TEXT, FIELD_TERSE | FIELD_EMPTY, "toon and simple: the rows"),
	FIELD(struct read_answer, nodes, ANY, FIELD_TERSE, "json: the rows"),
	FIELD(struct read_answer, total_paragraphs, INT, FIELD_REQUIRED | FIELD_TERSE, "Rows in all"),
	FIELD(struct read_answer, paragraphs_returned, INT, FIELD_REQUIRED | FIELD_TERSE, "Rows here"),
	FIELD(struct read_answer, has_more, FLAG, FIELD_REQUIRED | FIELD_TERSE, "Rows follow"),
	FIELD(struct read_answer, next_offset, MAYBE_INT, FIELD_TERSE, "Offset of the next page"),
	FIELD(struct read_answer, pagination_hint, TEXT, FIELD_TERSE, "How to go on"),
	FIELD(struct read_answer, deprecation_warning, TEXT, FIELD_UNLISTED, "open_document: what to call instead"),
	FIELDS_END,
};

struct page {
	struct call *c;
	struct session *s;
	enum page_format format;
	bool with_tags;
	uint8_t base;
	size_t room; /* bytes of the rows */
	struct buffer out;
	uint32_t table; /* open #TABLE; STORY_NONE: none */
	struct story *table_story;
	struct arena *scratch; /* of one row */
	int64_t rows, hidden_rows;
	struct hidden_places unseen;
	struct text first_hidden; /* id of the first row with hidden text */
};

static void close_table(struct page *p)
{
	if (p->table != STORY_NONE && p->format == FORMAT_TOON)
		buffer_put(&p->out, "#END_TABLE\n");
	p->table = STORY_NONE;
}

static void follow_table(struct page *p, const struct row *r)
{
	uint32_t cell = r->story->paragraphs.items[r->paragraph].cell;
	uint32_t table = cell == STORY_NONE ? STORY_NONE : r->story->cells.items[cell].table;

	if (table == p->table && (table == STORY_NONE || p->table_story == r->story))
		return;
	close_table(p);
	if (table == STORY_NONE)
		return;
	const struct story_table *t = &r->story->tables.items[table];
	if (p->format == FORMAT_TOON)
		buffer_format(&p->out, "#TABLE _tbl_%u | %u rows × %u cols\n", table, t->rows, t->cols);
	p->table = table;
	p->table_story = r->story;
}

static struct text cut(struct page *p, const struct row *r, struct text t)
{
	size_t whole = p->format == FORMAT_JSON ? NODE_TEXT_MAX : ROW_TEXT_MAX;
	size_t most = whole < p->room / 4 * 3 ? whole : p->room / 4 * 3;

	if (t.len <= most)
		return t;
	warn(p->c, "paragraph %s has %zu characters; only its beginning is shown, `grep` finds the rest",
	     story_id(p->c, r->story, r->paragraph), utf8_count(r->all));
	return text_format(p->c->arena, "%.*s...", (int)utf8_cut(t, most), t.at);
}

static void put_toon(struct page *p, struct row *r)
{
	struct text style = node_style(p->c, p->s, r);

	buffer_put(&p->out, story_id(p->c, r->story, r->paragraph));
	buffer_put(&p->out, " | ");
	toon_cell(&p->out, r->label, false);
	buffer_put(&p->out, " | ");
	toon_cell(&p->out, r->header, false);
	buffer_put(&p->out, " | ");
	toon_cell(&p->out, style, false);
	buffer_put(&p->out, " | ");
	toon_cell(&p->out, cut(p, r, row_text(p->scratch, r, p->with_tags, p->base)), true);
	buffer_byte(&p->out, '\n');
}

static void put_simple(struct page *p, struct row *r)
{
	struct text t = r->all;
	size_t end = 0;

	for (size_t n = 0; end < t.len && n < SIMPLE_MAX; n++)
		utf8_next(t, &end);
	buffer_put(&p->out, story_id(p->c, r->story, r->paragraph));
	buffer_put(&p->out, " | ");
	toon_cell(&p->out, text_slice(t, 0, end), true);
	buffer_put(&p->out, end < t.len ? "...\n" : "\n");
}

static void put_row(struct page *p, struct row *r)
{
	hidden_note(p->c, &p->unseen, r);
	if (!text_is_blank(r->atoms.hidden) && !p->hidden_rows++)
		p->first_hidden = text_of(story_id(p->c, r->story, r->paragraph));
	if (p->format == FORMAT_TOON) {
		follow_table(p, r);
		put_toon(p, r);
	} else if (p->format == FORMAT_SIMPLE) {
		put_simple(p, r);
	} else {
		if (p->rows)
			buffer_byte(&p->out, ',');
		node_put(p->c, p->s, r, p->with_tags, p->base,
			 cut(p, r, row_text(p->scratch, r, p->with_tags, p->base)), &p->out);
	}
	p->rows++;
}

/* Which rows a page has. */
struct window {
	uint64_t from, most; /* numbers from 1 */
	struct map wanted;   /* node_ids: "story:paragraph"; empty: by number */
	bool is_by_id;
};

static struct text wanted_key(struct arena *a, const struct story *s, uint32_t p)
{
	return text_format(a, "%p:%u", (const void *)s, p);
}

static bool plan_window(struct call *c, struct session *s, const struct read_args *args, struct window *w)
{
	int64_t total = (int64_t)rows_total(s, (enum scope)args->scope);

	*w = (struct window){.most = args->limit.there ? (uint64_t)args->limit.value : UINT64_MAX,
			     .wanted = {.arena = c->arena}};
	w->from = args->offset > 0   ? (uint64_t)args->offset
		  : args->offset < 0 ? (uint64_t)(total + args->offset + 1 > 1 ? total + args->offset + 1 : 1)
				     : 1;
	if (args->node_ids.n) {
		w->is_by_id = true;
		w->most = UINT64_MAX;
		for (size_t i = 0; i < args->node_ids.n; i++) {
			struct story *story;
			uint32_t p;
			bool was;
			if (!session_anchor(c, s, args->node_ids.items[i], &story, &p))
				return false;
			map_at(&w->wanted, wanted_key(c->arena, story, p), 1, &was);
		}
		return true;
	}
	if (total && args->offset > total)
		return fail(c, FAULT_ARGUMENT, "offset %lld is after the last row; there are %lld rows",
			    (long long)args->offset, (long long)total);
	return true;
}

static void finish(struct page *p, const struct read_args *args, const struct window *w, uint64_t next,
		   struct read_answer *answer)
{
	struct call *c = p->c;

	answer->paragraphs_returned = p->rows;
	answer->has_more = next != 0;
	if (next && !w->is_by_id) {
		answer->next_offset = (struct maybe_int){(int64_t)next, true};
		answer->pagination_hint =
			said(c, "Call read_file with session_id \"%s\"%s and offset %llu for the rest.", p->s->id,
			     p->format != FORMAT_TOON || args->scope != SCOPE_BODY ? ", the same format and scope" : "",
			     (unsigned long long)next);
	} else if (next) {
		answer->pagination_hint = TEXT("The answer is full; ask for the other node_ids in another call.");
	}
	/* One sentence for all rows: a document may have thousands. */
	if (p->hidden_rows)
		warn(c,
		     "%lld row%s here, the first %.*s, ha%s hidden text, which is not shown; check_document and format "
		     "json report it",
		     (long long)p->hidden_rows, p->hidden_rows == 1 ? "" : "s", TEXT_ARGS(p->first_hidden),
		     p->hidden_rows == 1 ? "s" : "ve");
	hidden_warn(c, &p->unseen);
	struct text note = text_format(c->arena, "session_id %s; rows %lld of %lld%s%.*s", p->s->id, (long long)p->rows,
				       (long long)answer->total_paragraphs, answer->pagination_hint.at ? ". " : "",
				       TEXT_ARGS(answer->pagination_hint));
	reply_text(c, buffer_text(&p->out));
	reply_text(c, note);
}

static bool fill(struct page *p, const struct read_args *args, struct window *w, uint64_t *next)
{
	struct rows_walk walk;
	size_t found = 0;

	*next = 0;
	if (!rows_begin(p->c, p->s, w->is_by_id ? SCOPE_ALL : (enum scope)args->scope, &walk))
		return false;
	walk.scratch = p->scratch;
	while (rows_next(&walk)) {
		struct row row;
		if (w->is_by_id ? !map_find(&w->wanted, wanted_key(p->c->arena, walk.story, walk.paragraph))
				: walk.number < w->from)
			continue;
		size_t before = p->out.len;
		bool is_full = (uint64_t)p->rows == w->most || p->out.len >= p->room;
		if (is_full) {
			*next = walk.number;
			break;
		}
		if (!rows_row(&walk, &row))
			return false;
		int64_t rows = p->rows, hidden_rows = p->hidden_rows;
		uint32_t unseen = p->unseen.n;
		uint32_t table = p->table;
		struct story *table_story = p->table_story;
		put_row(p, &row);
		if (rows && p->out.len > p->room) {
			/* The row does not fit: the next page begins with it. */
			p->out.len = before;
			p->rows = rows;
			p->hidden_rows = hidden_rows;
			p->unseen.n = unseen;
			p->table = table;
			p->table_story = table_story;
			*next = walk.number;
			break;
		}
		if (w->is_by_id && ++found == w->wanted.n)
			break;
		if (!(p->rows % 256) && !goes_on(p->c))
			return false;
	}
	return true;
}

static bool read_file(struct call *c, const void *in, void *out)
{
	const struct read_args *args = in;
	struct read_answer *answer = out;
	scoped(session_leave) struct session *s = NULL;
	scoped(arena_free) struct arena scratch = {0};
	struct window window;
	uint64_t next;
	int format = -1;

	for (int i = 0; format_names[i]; i++)
		if (text_is(args->format, format_names[i]))
			format = i;
	if (format < 0)
		return fail_as(c, "INVALID_FORMAT", "there is no format %s; use toon, json or simple",
			       shown(c, args->format));
	if (!session_enter(c, &args->target, &s, &answer->session))
		return false;
	if (args->scope != SCOPE_BODY && !session_stories(c, s))
		return false;
	/* Quotes and line ends are longer in the result's JSON. */
	size_t room = answer_room(c) / 5 * (format == FORMAT_JSON ? 3 : 4);
	struct page page = {.c = c,
			    .room = room < PAGE_BYTES ? room : PAGE_BYTES,
			    .s = s,
			    .format = (enum page_format)format,
			    .with_tags = args->show_formatting,
			    .base = view_base(c, s),
			    .out = {.arena = c->arena},
			    .scratch = &scratch,
			    .table = STORY_NONE};
	buffer_put(&page.out, format == FORMAT_TOON     ? "#SCHEMA id | list_label | header | style | text\n"
			      : format == FORMAT_SIMPLE ? "#TOON id | text\n"
							: "[");
	answer->total_paragraphs = (int64_t)rows_total(s, (enum scope)args->scope);
	if (!plan_window(c, s, args, &window) || !fill(&page, args, &window, &next))
		return false;
	close_table(&page);
	if (format == FORMAT_JSON) {
		struct json_error why;
		buffer_byte(&page.out, ']');
		answer->nodes = json_parse(c->arena, buffer_text(&page.out), JSON_DEPTH_MAX, &why);
	} else {
		answer->content = buffer_text(&page.out);
	}
	finish(&page, args, &window, next, answer);
	return true;
}

static bool open_document(struct call *c, const void *in, void *out)
{
	struct read_answer *answer = out;

	answer->deprecation_warning =
		TEXT("open_document is no longer needed: call read_file with file_path, which opens the document.");
	return read_file(c, in, out);
}

const struct tool docx_read_tools[] = {
	TOOL("read_file", "Read a Word document",
	     "Shows a .docx as rows: id | list_label | header | style | text. Ids are stable; pass them to the editing "
	     "tools. list_label is the number Word prints; it is not part of the text. Opens a session on first use. Long "
	     "documents come in pages.",
	     TOOL_READS, struct read_args, read_in, struct read_answer, read_out, read_file,
	     .example = "{\"file_path\":\"contract.docx\",\"offset\":1,\"limit\":50}"),
	TOOL("open_document", "Open a Word document", "The same as read_file, under its older name.",
	     TOOL_READS | TOOL_UNLISTED, struct read_args, read_in, struct read_answer, read_out, open_document),
	TOOLS_END,
};
