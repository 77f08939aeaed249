/* The structure around paragraphs: boxes, tables, bookmarks, references and notes. */
#include "kinds/docx/story/reading.h"

static bool is_ours(struct text name) { return text_starts(name, "jr_para_") || text_starts(name, "_bk_"); }

void reader_open_box(struct reader *r)
{
	if (r->context.paragraph == STORY_NONE || r->boxes == BOXES_MAX)
		return;
	r->box_depth[r->boxes] = r->scan.depth;
	r->outer[r->boxes++] = r->context;
	r->context = (struct context){.paragraph = STORY_NONE};
}

void reader_close_box(struct reader *r)
{
	if (!r->boxes || r->box_depth[r->boxes - 1] != r->scan.depth)
		return;
	r->context = r->outer[--r->boxes];
}

void reader_open_table(struct reader *r)
{
	if (r->boxes || r->tables++)
		return;
	struct story *s = r->story;
	r->table = (uint32_t)s->tables.n;
	*ARRAY_PUSH(r->arena, &s->tables) =
		(struct story_table){.first = (uint32_t)s->paragraphs.n, .last = STORY_NONE, .style = STYLE_NONE};
	r->row = STORY_NONE;
}

void reader_open_row(struct reader *r)
{
	if (r->boxes || r->tables != 1)
		return;
	r->row++;
	r->col = 0;
	r->story->tables.items[r->table].rows = r->row + 1;
}

void reader_open_cell(struct reader *r)
{
	struct story *s = r->story;

	if (r->boxes || r->tables != 1)
		return;
	r->cell = (uint32_t)s->cells.n;
	*ARRAY_PUSH(r->arena, &s->cells) = (struct story_cell){
		.table = r->table, .row = r->row, .col = r->col, .span = 1, .first = (uint32_t)s->paragraphs.n};
}

void reader_close_cell(struct reader *r)
{
	struct story *s = r->story;

	if (r->boxes || r->tables != 1 || r->cell == STORY_NONE)
		return;
	r->col += s->cells.items[r->cell].span;
	struct story_table *t = &s->tables.items[r->table];
	if (r->col > t->cols)
		t->cols = r->col;
	r->cell = STORY_NONE;
}

/* Table properties that give cells their place, only for the outermost table. */
void reader_table_property(struct reader *r, uint8_t tag)
{
	int32_t n = value_number(value(r, "val"), 1);
	uint32_t span = n < 1 ? 1 : n > 1000 ? 1000 : (uint32_t)n;

	if (r->boxes || r->tables != 1)
		return;
	if (tag == OWN_GRID_SPAN && r->cell != STORY_NONE && parent_tag(r) == OWN_TC_PR)
		r->story->cells.items[r->cell].span = span;
	else if (tag == OWN_GRID_BEFORE && parent_tag(r) == OWN_TR_PR)
		r->col = n < 0 ? 0 : span;
	else if (tag == OWN_TBL_STYLE && parent_tag(r) == OWN_TBL_PR)
		r->story->tables.items[r->table].style =
			styles_find(r->story->styles, xml_value(r->scratch, value(r, "val"), true), STYLE_TABLE);
}

void reader_count_id(struct reader *r)
{
	int32_t id = value_number(value(r, "id"), -1);

	if (id > r->story->max_id && id < STORY_ID_LIMIT)
		r->story->max_id = id;
}

void reader_count_comment(struct reader *r)
{
	int32_t id = value_number(value(r, "id"), -1);

	reader_count_id(r);
	if (id > r->story->max_comment_id && id < STORY_ID_LIMIT)
		r->story->max_comment_id = id;
}

void reader_bookmark_seen(struct reader *r)
{
	struct story *s = r->story;
	struct text name = value(r, "name");

	reader_count_id(r);
	if (!name.at || r->is_reread)
		return;
	*ARRAY_PUSH(r->arena, &s->bookmarks) =
		(struct story_bookmark){name, r->context.paragraph, value_number(value(r, "id"), -1)};
	if (r->context.paragraph == STORY_NONE) {
		if (is_ours(name))
			r->waiting_id = name;
		return;
	}
	r->waiting = s->bookmarks.n;
	struct paragraph *p = &s->paragraphs.items[r->context.paragraph];
	if (is_ours(name) && !p->given_id.at)
		p->given_id = name;
}

void reader_reference_seen(struct reader *r, enum story_kind to)
{
	if (r->context.paragraph == STORY_NONE || r->is_reread)
		return;
	*ARRAY_PUSH(r->arena, &r->story->references) =
		(struct story_reference){to, value_number(value(r, "id"), -1), r->context.paragraph};
}

void reader_open_note(struct reader *r)
{
	struct story *s = r->story;
	struct text type = value(r, "type");

	if (s->kind < STORY_FOOTNOTES || r->scan.depth != 2)
		return;
	r->note = (uint32_t)s->notes.n;
	*ARRAY_PUSH(r->arena, &s->notes) = (struct story_note){.id = value_number(value(r, "id"), -1),
							       .is_special = type.at && !text_is(type, "normal"),
							       .first = (uint32_t)s->paragraphs.n,
							       .from = r->scan.from};
	r->context.fields = (struct field_state){0};
}
