/* A table on a page of a sheet set: a schedule of rooms, say. Columns are as wide as their longest text; where the page
 * is too narrow for that, all shrink alike and texts are cut. */
#include "kinds/floorplan/draw/sheet.h"

#define ROW 1.7 /* height of a row, of the size of its text */

struct table_look {
	struct lettering_style head, cell;
	double row, pad, top;
};

static struct table_look look_of(const struct sheet *s)
{
	struct table_look l = {on_paper(s, FACE_BOLD, 12, TEXT_MAIN), on_paper(s, FACE_PLAIN, 12, TEXT_MAIN), 0, 0, 0};

	l.row = ROW * l.cell.size;
	l.pad = 0.5 * l.cell.size;
	l.top = s->area.top + 64 * s->size;
	return l;
}

size_t table_rows_a_page(const struct sheet *s)
{
	struct table_look l = look_of(s);

	/* One row is for the heads, one stays free above the title block. */
	return (size_t)fmax((s->area.bottom - l.top) / l.row - 2, 1);
}

static double *widths_of(struct sheet *s, const struct table_look *l, double room)
{
	const struct sheet_table *t = s->table;
	double *widths = arena_array(s->call->arena, t->columns + 1, sizeof *widths), all = 0;

	for (size_t k = 0; k < t->columns; k++) {
		widths[k] = text_width(s, l->head, t->heads[k]);
		for (size_t i = 0; i < t->rows; i++)
			widths[k] = fmax(widths[k], text_width(s, l->cell, t->cells[i * t->columns + k]));
		widths[k] += 2 * l->pad;
		all += widths[k];
	}
	for (size_t k = 0; all > room && k < t->columns; k++)
		widths[k] *= room / all;
	return widths;
}

static void row_paint(struct sheet *s, const struct table_look *l, const struct text *texts, const double *widths,
		      struct lettering_style style, double y)
{
	double x = s->area.left + 24 * s->size;

	for (size_t k = 0; k < s->table->columns; x += widths[k++]) {
		bool right = s->table->is_number[k];
		struct text text = text_cut(s, style.face, wording_of(s->call->arena, texts[k]), style.size,
					    widths[k] - 2 * l->pad + 1e-6, 1);

		put_text(s, LAYER_SHEET, text, right ? x + widths[k] - l->pad : x + l->pad, y - 0.5 * style.size, style,
			 right ? ANCHOR_END : ANCHOR_START);
	}
}

void table_paint(struct sheet *s, size_t first, size_t rows)
{
	const struct sheet_table *t = s->table;
	struct table_look l = look_of(s);
	double left = s->area.left + 24 * s->size, room = s->area.right - 24 * s->size - left, right = left,
	       y = l.top + l.row;
	double *widths = widths_of(s, &l, room);

	for (size_t k = 0; k < t->columns; k++)
		right += widths[k];
	put_text(s, LAYER_SHEET, capitals(s->call->arena, t->title), left + l.pad, s->area.top + 38 * s->size,
		 on_paper(s, FACE_BOLD, 16, TEXT_MAIN), ANCHOR_START);
	row_paint(s, &l, t->heads, widths, l.head, y);
	line_paint(&s->list, LAYER_SHEET, left, y, right, y, sheet_pen(s, s->colours->ink, 1.6));
	for (size_t i = first; i < first + rows && i < t->rows; i++) {
		y += l.row;
		row_paint(s, &l, &t->cells[i * t->columns], widths, l.cell, y);
		line_paint(&s->list, LAYER_SHEET, left, y, right, y, sheet_pen(s, s->colours->hair, 0.8));
	}
}
