#include "kinds/docx/read/node.h"

#include "base/utf8.h"
#include "format/json_write.h"

enum { HIDDEN_MAX = 4000 }; /* bytes of hidden text; longer text is cut */

static const struct story_cell *cell_of(const struct row *r)
{
	const struct paragraph *p = &r->story->paragraphs.items[r->paragraph];

	return p->cell == STORY_NONE || p->flags & PARAGRAPH_IN_BOX ? NULL : &r->story->cells.items[p->cell];
}

struct text node_style(struct call *c, struct session *s, const struct row *r)
{
	const struct story_cell *cell = cell_of(r);

	if (cell)
		return text_format(c->arena, "%s(%u,%u)", cell->row ? "td" : "th", cell->row, cell->col);
	return view_style(c, s, r);
}

static void put_flag(struct json_out *o, const char *key, bool is)
{
	json_key(o, key);
	json_put_bool(o, is);
}

static void put_text(struct json_out *o, const char *key, struct text t)
{
	json_key(o, key);
	json_put_text(o, t);
}

static void put_int(struct json_out *o, const char *key, int64_t n)
{
	json_key(o, key);
	json_put_int(o, n);
}

static void put_header_formatting(struct json_out *o, const struct row *r)
{
	json_open(o, '{');
	put_flag(o, "bold", r->header_bold);
	put_flag(o, "italic", r->header_italic);
	put_flag(o, "underline", r->header_underline);
	json_close(o, '}');
}

static void put_numbering(struct json_out *o, const struct row *r)
{
	json_key(o, "numbering");
	json_open(o, '{');
	json_key(o, "num_id");
	if (r->is_numbered)
		json_put_int(o, r->item.num->id);
	else
		json_put_null(o);
	json_key(o, "ilvl");
	if (r->is_numbered)
		json_put_int(o, r->item.level);
	else
		json_put_null(o);
	put_flag(o, "is_auto_numbered", r->is_numbered);
	json_close(o, '}');
}

static void put_list(struct json_out *o, const struct row *r)
{
	json_key(o, "list_metadata");
	if (!r->label.len && !r->is_numbered && !r->header.len) {
		json_put_null(o);
		return;
	}
	json_open(o, '{');
	put_int(o, "list_level", r->is_numbered ? r->item.level : -1);
	json_key(o, "label_type");
	if (r->label.len)
		json_put_string(o, label_type_names[r->type]);
	else
		json_put_null(o);
	put_text(o, "label_string", r->label);
	json_key(o, "source");
	if (r->label.len)
		json_put_string(o, r->is_typed ? "typed" : "auto");
	else
		json_put_null(o);
	put_text(o, "header_text", r->header.len ? r->header : (struct text){0});
	json_key(o, "header_style");
	if (r->header.len)
		put_header_formatting(o, r);
	else
		json_put_null(o);
	json_close(o, '}');
}

static void put_paragraph(struct json_out *o, struct session *s, const struct row *r)
{
	static const char *const alignments[] = {"LEFT", "LEFT", "CENTER", "RIGHT", "JUSTIFY"};
	static const char *const indents[] = {"left", "right", "first_line"};

	put_text(o, "paragraph_style_id", row_plain_style(s, r, false));
	put_text(o, "paragraph_style_name", row_plain_style(s, r, true));
	json_key(o, "paragraph_alignment");
	json_put_string(o, alignments[r->properties.alignment]);
	json_key(o, "paragraph_indents_pt");
	json_open(o, '{');
	for (int i = 0; i < INDENTS; i++) {
		json_key(o, indents[i]);
		json_put_number(o, (double)r->properties.indents[i] / 20);
	}
	json_close(o, '}');
	json_key(o, "body_run_formatting");
	json_open(o, '{');
	put_flag(o, "bold", r->look.on & 1 << TOGGLE_BOLD);
	put_flag(o, "italic", r->look.on & 1 << TOGGLE_ITALIC);
	put_flag(o, "underline", r->look.on & 1 << TOGGLE_UNDERLINE);
	if (r->look.font.at)
		put_text(o, "font", r->look.font);
	if (r->look.size) {
		json_key(o, "size");
		json_put_number(o, (double)r->look.size / 2);
	}
	if (r->look.color.at)
		put_text(o, "color", r->look.color);
	json_close(o, '}');
}

static uint32_t place_in_cell(const struct row *r, uint32_t cell)
{
	uint32_t n = 0;

	for (uint32_t p = r->story->cells.items[cell].first; p != STORY_NONE && p != r->paragraph;
	     p = story_next(r->story, p))
		n += r->story->paragraphs.items[p].cell == cell &&
		     !(r->story->paragraphs.items[p].flags & PARAGRAPH_IN_BOX);
	return n;
}

/* The text of the first row's cell in the same column. */
static struct text column_header(struct call *c, const struct row *r, const struct story_cell *cell)
{
	for (uint32_t i = 0; i < r->story->cells.n; i++) {
		const struct story_cell *top = &r->story->cells.items[i];
		if (top->table != cell->table || top->row || cell->col < top->col || cell->col >= top->col + top->span)
			continue;
		return top->first < r->story->paragraphs.n ? story_text(c, r->story, top->first) : (struct text){0};
	}
	return (struct text){0};
}

static void put_table(struct call *c, struct json_out *o, const struct row *r)
{
	const struct story_cell *cell = cell_of(r);

	json_key(o, "table_context");
	if (!cell) {
		json_put_null(o);
		return;
	}
	const struct story_table *t = &r->story->tables.items[cell->table];
	json_open(o, '{');
	put_text(o, "table_id", text_format(c->arena, "_tbl_%u", cell->table));
	put_int(o, "table_index", cell->table);
	put_int(o, "row_index", cell->row);
	put_int(o, "col_index", cell->col);
	put_text(o, "col_header", column_header(c, r, cell));
	put_int(o, "total_rows", t->rows);
	put_int(o, "total_cols", t->cols);
	put_flag(o, "is_header_row", cell->row == 0);
	put_int(o, "para_in_cell", place_in_cell(r, r->story->paragraphs.items[r->paragraph].cell));
	put_int(o, "cell_para_count", cell->paragraphs);
	json_close(o, '}');
}

static struct text cut(struct arena *a, struct text t)
{
	return t.len <= HIDDEN_MAX ? t : text_format(a, "%.*s...", (int)utf8_cut(t, HIDDEN_MAX), t.at);
}

void node_put(struct call *c, struct session *s, struct row *r, bool with_tags, uint8_t base, struct text text,
	      struct buffer *to)
{
	struct json_out o = {.to = to};

	(void)with_tags, (void)base;
	json_open(&o, '{');
	json_key(&o, "id");
	json_put_string(&o, story_id(c, r->story, r->paragraph));
	put_text(&o, "list_label", r->label);
	put_text(&o, "header", r->header);
	put_text(&o, "style", node_style(c, s, r));
	put_text(&o, "text", text);
	json_key(&o, "style_fingerprint");
	json_put_raw(&o, row_fingerprint(c->arena, s, r));
	json_key(&o, "header_formatting");
	if (r->header.len)
		put_header_formatting(&o, r);
	else
		json_put_null(&o);
	put_numbering(&o, r);
	/* If the text is cut, the whole text would not fit either. */
	put_text(&o, "clean_text", r->all.len <= text.len + 400 ? r->all : (struct text){0});
	put_paragraph(&o, s, r);
	put_list(&o, r);
	put_table(c, &o, r);
	if (!text_is_blank(r->atoms.hidden))
		put_text(&o, "hidden_text", cut(c->arena, r->atoms.hidden));
	json_close(&o, '}');
}
