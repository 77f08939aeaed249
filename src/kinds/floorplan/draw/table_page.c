/* A table on a page of a sheet set, for example a schedule of rooms. A column is as wide as its longest text. If the
 * page is too narrow, heads wrap at blanks. If that is not enough, the widest columns of words shrink and their texts
 * are cut. */
#include "kinds/floorplan/draw/sheet.h"

#define ROW 1.7      /* height of a row, relative to the size of its text */
#define HEAD_ROW 1.3 /* the same for a line of the heads */

/* Lines of a head: its words on two, its unit below. */
enum { HEAD_ROWS = 3 };

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

	/* Some rows are for the heads, one stays free above the title block. */
	return (size_t)fmax((s->area.bottom - l.top) / l.row - HEAD_ROWS - 1, 1);
}

/* A head on one line, or on two lines of similar length. */
static void head_split(struct sheet *s, const struct table_look *l, struct text head, struct text out[2])
{
	double best = INFINITY;

	out[0] = head;
	out[1] = (struct text){0};
	for (size_t i = 1; i + 1 < head.len; i++) {
		struct text a = text_slice(head, 0, i), b = text_slice(head, i + 1, head.len);
		double width =
			head.at[i] == ' ' ? fmax(text_width(s, l->head, a), text_width(s, l->head, b)) : INFINITY;

		if (width >= best)
			continue;
		best = width;
		out[0] = a;
		out[1] = b;
	}
}

static double column_width(struct sheet *s, const struct table_look *l, size_t k)
{
	const struct sheet_table *t = s->table;
	struct text head[2];
	double width = text_width(s, l->head, t->units[k]);

	head_split(s, l, t->heads[k], head);
	for (int i = 0; i < 2; i++)
		if (head[i].len)
			width = fmax(width, text_width(s, l->head, head[i]));
	for (size_t i = 0; i < t->rows; i++)
		width = fmax(width, text_width(s, l->cell, t->cells[i * t->columns + k]));
	return width + 2 * l->pad;
}

static double *widths_of(struct sheet *s, const struct table_look *l, double room)
{
	const struct sheet_table *t = s->table;
	double *widths = arena_array(s->call->arena, t->columns + 1, sizeof *widths), all = 0;

	for (size_t k = 0; k < t->columns; k++)
		all += widths[k] = column_width(s, l, k);
	/* The widest column of words shrinks to the next one, until all fit. */
	for (int tries = 0; all > room && tries < 200; tries++) {
		size_t widest = t->columns;

		for (size_t k = 0; k < t->columns; k++)
			if (!t->is_number[k] && (widest == t->columns || widths[k] > widths[widest]))
				widest = k;
		if (widest == t->columns || widths[widest] < 4 * l->cell.size)
			break;

		double less = fmin(all - room, 0.05 * widths[widest]);

		widths[widest] -= less;
		all -= less;
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

/* Heads are aligned at the bottom, whether they have one line, two lines, or a unit. */
static void heads_paint(struct sheet *s, const struct table_look *l, const double *widths, double *y)
{
	const struct sheet_table *t = s->table;
	struct text *lines[HEAD_ROWS];

	for (int i = 0; i < HEAD_ROWS; i++)
		lines[i] = arena_array(s->call->arena, t->columns + 1, sizeof *lines[i]);
	for (size_t k = 0; k < t->columns; k++) {
		struct text parts[3] = {{0}};
		int row = HEAD_ROWS;

		head_split(s, l, t->heads[k], parts);
		parts[2] = t->units[k];
		for (int i = 2; i >= 0; i--)
			if (parts[i].len)
				lines[--row][k] = parts[i];
	}
	for (int i = 0; i < HEAD_ROWS; i++, *y += i < HEAD_ROWS ? HEAD_ROW * l->head.size : 0)
		row_paint(s, l, lines[i], widths, l->head, *y);
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
	heads_paint(s, &l, widths, &y);
	line_paint(&s->list, LAYER_SHEET, left, y, right, y, sheet_pen(s, s->colours->ink, 1.6));
	for (size_t i = first; i < first + rows && i < t->rows; i++) {
		y += l.row;
		row_paint(s, &l, &t->cells[i * t->columns], widths, l.cell, y);
		line_paint(&s->list, LAYER_SHEET, left, y, right, y, sheet_pen(s, s->colours->hair, 0.8));
	}
}
