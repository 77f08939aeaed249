/* The scale of a sheet and the cells of its views. */
#include "kinds/floorplan/draw/sheet.h"

enum { FLOORS_IN_LINE = 4, PIXELS_A_METRE = 200 }; /* the largest scale: small houses do not fill the sheet */

struct margins margins_of(const struct sheet *s)
{
	struct margins m = {0};
	int chains[4] = {0};
	double pad = 24 * s->size, chain = 28 * s->size;
	struct title title;

	for (size_t i = 0; i < s->view_count; i++)
		for (int side = 0; side < 4 && !s->sparse; side++)
			if (s->views[i].chains[side] > chains[side])
				chains[side] = s->views[i].chains[side];
	/* In a sheet set the title block has the title. */
	m.title = s->plan->title.len && !s->sparse && !s->number ? 34 * s->size : 0;
	title = picture_title(s);
	if (title.n > 1)
		m.title += (double)(title.n - 1) * title_leading(&title);
	m.footer = s->sparse ? 0 : 62 * s->size;
	m.heading = s->sparse ? 0 : 26 * s->size;
	m.panel = s->options.show_floor_summary && !s->sparse ? 66 * s->size : 0;
	m.left = pad + chain * chains[SIDE_LEFT];
	m.right = pad + chain * chains[SIDE_RIGHT];
	m.top = pad + chain * chains[SIDE_TOP] + m.heading;
	m.bottom = pad + chain * chains[SIDE_BOTTOM] + m.panel;
	if (chains[SIDE_TOP])
		m.top += 8 * s->size;
	return m;
}

/* Arranges views in rows and columns. */
static void grid_of(const struct sheet *s, int *columns, int *rows)
{
	int n = (int)s->view_count, line = n < FLOORS_IN_LINE ? n : FLOORS_IN_LINE;

	/* More than three lines would make the picture of a tower very long: use a square grid. */
	if (n > 3 * FLOORS_IN_LINE)
		line = (int)ceil(sqrt(n));

	int lines = line ? (n + line - 1) / line : 1;

	/* Balance the lines: five floors become three and two. */
	if (lines > 1)
		line = (n + lines - 1) / lines;
	*columns = s->options.layout == LAYOUT_STACKED ? lines : line;
	*rows = s->options.layout == LAYOUT_STACKED ? line : lines;
}

/* The cell of a view: left to right and top to bottom, or bottom to top so that the lowest floor is at the bottom. */
static void cell_of(const struct sheet *s, size_t view, int columns, int rows, int *column, int *row)
{
	if (s->options.layout == LAYOUT_STACKED) {
		*column = (int)view / rows;
		*row = rows - 1 - (int)view % rows;
		/* A column that is not full is filled from the bottom. */
	} else {
		*column = (int)view % columns;
		*row = (int)view / columns;
	}
}

double scale_for(const struct sheet *s, const struct margins *m, double width, double height)
{
	int columns, rows;
	double free_x, free_y, x, y;

	grid_of(s, &columns, &rows);
	free_x = width - columns * (m->left + m->right);
	free_y = height - m->title - m->footer - s->key_height - rows * (m->top + m->bottom);
	x = s->world.width > 0 ? free_x / columns / s->world.width : INFINITY;
	y = s->world.height > 0 ? free_y / rows / s->world.height : INFINITY;
	return fmin(x, y);
}

/* Letters shrink until at least a third of the sheet is left for the plan. They do not grow with a large picture. */
static void size_choose(struct sheet *s, double width, double height)
{
	double shorter = fmin(width, height);

	s->size = shorter >= DRAW_WIDTH ? 1 : pow(shorter / DRAW_WIDTH, 0.6);
	s->sparse = shorter < 300;
	for (;;) {
		struct margins m = margins_of(s);
		int columns, rows;

		grid_of(s, &columns, &rows);
		if (columns * (m.left + m.right) < 0.66 * width &&
		    m.title + m.footer + rows * (m.top + m.bottom) < 0.66 * height)
			return;
		s->sparse = s->sparse || s->size < 0.45;
		s->size *= 0.85;
	}
}

static void picture_choose(struct sheet *s)
{
	double width = s->options.width, height = s->options.height;
	double most = PIXELS_A_METRE * fmax(fmin(width, height) / DRAW_WIDTH, 1) / s->plan->metre;
	struct margins m;

	size_choose(s, width, height);
	m = margins_of(s);
	s->scale = scale_for(s, &m, width, height);
	if (!s->cropped)
		s->scale = fmin(s->scale, most * fmin(s->size, 1));
	s->area = (struct frame){0, 0, width, height};
	s->list.width = width;
}

bool sheet_lay_out(struct sheet *s)
{
	struct margins m;
	int columns, rows;
	double used_x, used_y, left, top;

	grid_of(s, &columns, &rows);
	if (!is_paper(s))
		picture_choose(s);
	else if (!page_choose(s))
		return false;
	m = margins_of(s);
	used_x = columns * (m.left + m.right + s->world.width * s->scale);
	used_y = rows * (m.top + m.bottom + s->world.height * s->scale);
	if (!is_paper(s)) {
		s->list.height = fmin(ceil(fmax(m.title + used_y + m.footer + s->key_height, 32)), s->options.height);
		s->area.bottom = s->list.height;
	}
	left = s->area.left + fmax((s->area.right - s->area.left - used_x) / 2, 0);
	top = s->area.top + m.title;
	if (is_paper(s))
		top += fmax(s->area.bottom - s->area.top - m.title - m.footer - s->key_height - used_y, 0) / 3;
	for (size_t i = 0; i < s->view_count; i++) {
		struct view *v = &s->views[i];
		int column, row;

		cell_of(s, i, columns, rows, &column, &row);
		v->cell.left = left + column * used_x / columns;
		v->cell.right = v->cell.left + used_x / columns;
		v->cell.top = top + row * used_y / rows;
		v->cell.bottom = v->cell.top + used_y / rows;
		v->left = round(v->cell.left + m.left);
		v->top = round(v->cell.top + m.top);
		/* There is space for titles next to the last column. */
		if (column + 1 == columns || i + 1 == s->view_count)
			v->cell.right = fmax(v->cell.right, s->area.right);
	}
	return true;
}
