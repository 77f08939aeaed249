/* get_document_outline: headings and numbered clauses, for an overview before reading. */
#include "base/utf8.h"
#include "kinds/docx/docx.h"
#include "kinds/docx/story/separator.h"
#include "kinds/docx/read/header.h"
#include "kinds/docx/read/view.h"
#include "tool/reply.h"

#include <string.h>

enum { TITLE_MAX = 100 };

struct outline_args {
	struct target target;
	int64_t max_level, offset;
};
static const struct field outline_in[] = {
	TARGET_FIELDS(struct outline_args),
	FIELD(struct outline_args, max_level, INT, 0, "Deepest level, from 1", .limits = BETWEEN(1, 9),
	      .otherwise = "2"),
	FIELD(struct outline_args, offset, INT, FIELD_TERSE, "Entries to skip", .limits = AT_LEAST(0),
	      .otherwise = "0"),
	FIELDS_END,
};

struct entry_row {
	struct text id;
	int64_t level, row;
	struct text label, title, text;
};
static const struct field entry_fields[] = {
	FIELD(struct entry_row, id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Id of the paragraph"),
	FIELD(struct entry_row, level, INT, FIELD_REQUIRED | FIELD_TERSE, "From 1"),
	FIELD(struct entry_row, row, INT, FIELD_REQUIRED | FIELD_TERSE, "Its row in read_file"),
	FIELD(struct entry_row, label, TEXT, FIELD_TERSE | FIELD_EMPTY, "The number it prints"),
	FIELD(struct entry_row, title, TEXT, FIELD_REQUIRED | FIELD_TERSE | FIELD_EMPTY, "Its heading; empty: none"),
	FIELD(struct entry_row, text, TEXT, FIELD_TERSE, "Without a heading: how its text begins"),
	FIELDS_END,
};
static const struct shape entry_shape = SHAPE(struct entry_row, "entry", entry_fields);

struct outline_answer {
	struct session_facts session;
	struct objects entries;
	int64_t total;
	struct maybe_int next_offset;
};
static const struct field outline_out[] = {
	SESSION_FIELDS(struct outline_answer),
	FIELD(struct outline_answer, entries, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "In document order",
	      .shape = &entry_shape),
	FIELD(struct outline_answer, total, INT, FIELD_REQUIRED | FIELD_TERSE, "Entries in all"),
	FIELD(struct outline_answer, next_offset, MAYBE_INT, FIELD_TERSE, "Offset of the next page"),
	FIELDS_END,
};

/* The outline level of a paragraph, from 1; 0: none. The document's outline levels take precedence. If a document has
 * numbered clauses without headings, the list's level counts. */
static int64_t level_of(const struct session *s, const struct rows_walk *w)
{
	uint32_t style = styles_of_paragraph(s->styles, w->story->paragraphs.items[w->paragraph].style);
	const struct style *named = style == STYLE_NONE ? NULL : &s->styles->items.items[style];

	if (w->story->paragraphs.items[w->paragraph].cell != STORY_NONE)
		return 0;
	if (w->is_item && w->item.definition->format != FORMAT_BULLET)
		return w->item.level + 1;
	if (named && named->all_paragraph.outline >= 0 && named->is_heading)
		return named->all_paragraph.outline + 1;
	return 0;
}

static struct text cut_to(struct call *c, struct text t)
{
	struct text cut = {t.at, utf8_cut(t, TITLE_MAX)};

	return cut.len < t.len ? text_format(c->arena, "%.*s...", TEXT_ARGS(cut)) : t;
}

/* Do all long words begin with a capital? "Special Mandatory Conversion." is a heading, although it ends in a point. */
static bool is_titled(struct text t)
{
	for (size_t i = 0, from = 0; i <= t.len; i++) {
		if (i < t.len && t.at[i] != ' ')
			continue;
		if (i - from > 3 && t.at[from] >= 'a' && t.at[from] <= 'z')
			return false;
		from = i + 1;
	}
	return true;
}

/* Is the whole paragraph a heading? By its look, by its place before a style separator, or by a heading style on a text
 * that is no sentence: agreements use heading styles for whole clauses too. */
static bool is_heading(struct call *c, const struct session *s, const struct row *r, struct text t)
{
	uint32_t style = styles_of_paragraph(s->styles, r->story->paragraphs.items[r->paragraph].style);

	if (header_is_whole(r) || separator_last(c, r->story, r->paragraph) != r->paragraph)
		return true;
	return style != STYLE_NONE && s->styles->items.items[style].is_heading && t.len &&
	       utf8_cut(t, TITLE_MAX) == t.len && (!strchr(".;,:", t.at[t.len - 1]) || is_titled(t));
}

static void put_words(struct call *c, const struct session *s, const struct row *r, struct entry_row *e)
{
	struct text t = text_trim(text_slice(r->all, r->body, r->all.len));

	e->title = TEXT("");
	if (r->header.len)
		e->title = cut_to(c, r->header);
	else if (is_heading(c, s, r, t))
		e->title = cut_to(c, t);
	else if (t.len)
		e->text = cut_to(c, t);
}

static bool get_document_outline(struct call *c, const void *in, void *out)
{
	const struct outline_args *args = in;
	struct outline_answer *answer = out;
	scoped(session_leave) struct session *s = NULL;
	ARRAY(struct entry_row) list = {0};
	size_t bytes = 0;
	struct rows_walk w;

	if (!session_enter(c, &args->target, &s, &answer->session) || !rows_begin(c, s, SCOPE_BODY, &w))
		return false;
	while (rows_next(&w)) {
		int64_t level = level_of(s, &w);
		struct row row;
		if (!level || level > args->max_level || separator_first(c, w.story, w.paragraph) != w.paragraph ||
		    answer->total++ < args->offset)
			continue;
		if (bytes > answer_room(c)) {
			if (!answer->next_offset.there)
				answer->next_offset = (struct maybe_int){answer->total - 1, true};
			continue;
		}
		if (!rows_row(&w, &row))
			return false;
		struct entry_row *e = ARRAY_PUSH(c->arena, &list);
		*e = (struct entry_row){
			text_of(story_id(c, w.story, w.paragraph)), level, (int64_t)w.number, row.label, {0}, {0}};
		put_words(c, s, &row, e);
		bytes += e->title.len + e->text.len + e->label.len + 90;
	}
	answer->entries = (struct objects){list.items, list.n};
	return true;
}

const struct tool docx_outline_tools[] = {
	TOOL("get_document_outline", "Outline a Word document",
	     "Lists headings and numbered clauses with their labels and ids: an overview of a long document before reading "
	     "parts of it with read_file.",
	     TOOL_READS | TOOL_EXTRA, struct outline_args, outline_in, struct outline_answer, outline_out,
	     get_document_outline, .example = "{\"file_path\":\"contract.docx\",\"max_level\":1}"),
	TOOLS_END,
};
