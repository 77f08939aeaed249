#include "kinds/floorplan/draw/sheet.h"

#include "kinds/floorplan/draw/canvas/canvas_svg.h"

#include <math.h>
#include <stdlib.h>

enum { FLOORS_IN_LINE = 4, KEY_ROUNDS = 3, PIXELS_A_METRE = 200 }; /* a hut need not fill the sheet */

double view_x(const struct sheet *s, const struct view *v, double x) { return v->left + (x - s->world.x) * s->scale; }

double view_y(const struct sheet *s, const struct view *v, double y) { return v->top + (y - s->world.y) * s->scale; }

struct pen sheet_pen(const struct sheet *s, uint32_t colour, double width)
{
	return (struct pen){.colour = colour, .width = width * s->size};
}

void put_text(struct sheet *s, enum layer layer, struct text wording, double x, double y, struct lettering_style style,
	      enum anchor anchor)
{
	text_paint(&s->list, layer, wording, x, y, style, anchor, false,
		   hand_width(&s->hand, style.face, wording) * style.size);
}

static struct lettering_style on_paper(const struct sheet *s, enum face face, double size, enum text_role role)
{
	return (struct lettering_style){face, size * s->size, text_colour(s->colours->paper, role)};
}

/* --- lengths and areas in words ----------------------------------------------------------------------------------- */

struct text length_words(const struct sheet *s, double length)
{
	double v = plan_length_in(s->plan, length, s->length_unit);
	struct arena *a = s->call->arena;

	switch (s->length_unit) {
	case UNIT_FT: {
		long inches = lround(v * 12);

		return text_format(a, "%ld'-%ld\"", inches / 12, inches % 12);
	}
	case UNIT_IN: return text_format(a, "%ld\"", lround(v));
	case UNIT_M: return text_format(a, "%.2f", v);
	case UNIT_CM:
	case UNIT_MM: break;
	}
	return text_format(a, "%ld", lround(v));
}

struct text length_unit_words(const struct sheet *s)
{
	switch (s->length_unit) {
	case UNIT_M: return TEXT(" m");
	case UNIT_CM: return TEXT(" cm");
	case UNIT_MM: return TEXT(" mm");
	case UNIT_FT:
	case UNIT_IN: break;
	}
	return TEXT("");
}

struct text area_words(const struct sheet *s, double area)
{
	double v = plan_area_in(s->plan, area, s->area_unit);

	switch (s->area_unit) {
	case AREA_SQFT: return text_format(s->call->arena, v < 10 ? "%.1f ft\xC2\xB2" : "%.0f ft\xC2\xB2", v);
	case AREA_SQM: break;
	}
	return text_format(s->call->arena, v < 1000 ? "%.1f m\xC2\xB2" : "%.0f m\xC2\xB2", v);
}

/* --- what is drawn ------------------------------------------------------------------------------------------------ */

static void world_add(struct box *world, const struct box *b)
{
	double right, bottom;

	if (world->width < 0) {
		*world = *b;
		return;
	}
	right = fmax(world->x + world->width, b->x + b->width);
	bottom = fmax(world->y + world->height, b->y + b->height);
	world->x = fmin(world->x, b->x);
	world->y = fmin(world->y, b->y);
	world->width = right - world->x;
	world->height = bottom - world->y;
}

static bool floor_is_empty(const struct plan *p, int floor)
{
	for (size_t i = 0; i < p->rooms.n; i++)
		if (p->rooms.items[i].floor == floor && p->rooms.items[i].placed)
			return false;
	for (size_t i = 0; i < p->stairs.n; i++)
		if (p->stairs.items[i].floor == floor && p->stairs.items[i].placed)
			return false;
	for (size_t i = 0; i < p->lifts.n; i++)
		if (p->lifts.items[i].floor == floor && p->lifts.items[i].placed)
			return false;
	return true;
}

/* Floors, their walls, and the part of the world that shows them all: the same for each, so that shafts line up. */
static void views_make(struct sheet *s)
{
	const struct plan *p = s->plan;
	double half = wall_thickness(p, WEIGHT_OUTER) / 2;

	s->views = arena_array(s->call->arena, p->floors.n + 1, sizeof *s->views);
	s->world = (struct box){.width = -1};
	for (size_t i = 0; i < p->floors.n; i++) {
		struct view *v;

		if (!s->options.all_floors && (int)i != s->options.floor)
			continue;
		v = &s->views[s->view_count++];
		v->floor = (int)i;
		if (floor_is_empty(p, v->floor))
			continue;
		wall_graph_make(s->call->arena, p, v->floor, &v->walls);
		world_add(&s->world, &p->floors.items[i].box);
		/* A sub-room should lie in its parent, but need not. */
		for (size_t k = 0; k < p->rooms.n; k++)
			if (p->rooms.items[k].floor == v->floor && p->rooms.items[k].placed)
				world_add(&s->world, &p->rooms.items[k].box);
		for (size_t k = 0; k < v->walls.openings.n; k++) {
			struct box swing = opening_swing(p, &v->walls.openings.items[k]);

			if (swing.width > 0)
				world_add(&s->world, &swing);
		}
		count_chains(s, v);
	}
	if (s->world.width < 0)
		return;
	s->world.x -= half;
	s->world.y -= half;
	s->world.width += 2 * half;
	s->world.height += 2 * half;
}

/* --- the page ----------------------------------------------------------------------------------------------------- */

/* What surrounds the plan, in sheet units. */
struct margins {
	double title, footer;            /* of the whole sheet */
	double left, right, top, bottom; /* of each view */
	double panel;                    /* the summary, part of bottom */
	double heading;                  /* the floor's name, part of top */
};

static struct margins margins_of(const struct sheet *s)
{
	struct margins m = {0};
	int chains[4] = {0};
	double pad = 24 * s->size, chain = 28 * s->size;

	for (size_t i = 0; i < s->view_count; i++)
		for (int side = 0; side < 4 && !s->sparse; side++)
			if (s->views[i].chains[side] > chains[side])
				chains[side] = s->views[i].chains[side];
	m.title = s->plan->title.len && !s->sparse ? 34 * s->size : 0;
	m.footer = s->sparse ? 0 : 46 * s->size;
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

/* Views in rows and columns. */
static void grid_of(const struct sheet *s, int *columns, int *rows)
{
	int n = (int)s->view_count, line = n < FLOORS_IN_LINE ? n : FLOORS_IN_LINE;

	/* A tower would become a ribbon: more than three lines turn into a square. */
	if (n > 3 * FLOORS_IN_LINE)
		line = (int)ceil(sqrt(n));

	int lines = line ? (n + line - 1) / line : 1;

	/* Even lines: five floors are three and two. */
	if (lines > 1)
		line = (n + lines - 1) / lines;
	*columns = s->options.layout == LAYOUT_STACKED ? lines : line;
	*rows = s->options.layout == LAYOUT_STACKED ? line : lines;
}

/* The cell of a view: left to right and top to bottom, or upwards so that the lowest floor lies lowest. */
static void cell_of(const struct sheet *s, size_t view, int columns, int rows, int *column, int *row)
{
	if (s->options.layout == LAYOUT_STACKED) {
		*column = (int)view / rows;
		*row = rows - 1 - (int)view % rows;
		/* An unfilled column stands on the ground too. */
	} else {
		*column = (int)view % columns;
		*row = (int)view / columns;
	}
}

/* The scale that fits a sheet of this size. */
static double scale_for(const struct sheet *s, const struct margins *m, double width, double height)
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

/* Letters shrink until at least a third of the sheet is left to the plan. */
static void size_choose(struct sheet *s, double width, double height)
{
	double shorter = fmin(width, height);

	s->size = shorter >= DRAW_WIDTH ? shorter / DRAW_WIDTH : pow(shorter / DRAW_WIDTH, 0.6);
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

struct page {
	const char *name;
	double width, height; /* points */
};

/* ISO 216, in points. */
static const struct page pages[] = {
	{"A4", 595.28, 841.89}, {"A4", 841.89, 595.28}, {"A3", 841.89, 1190.55}, {"A3", 1190.55, 841.89}};
static const int page_scales[] = {50, 100, 200, 500, 1000, 2000, 5000};

static double page_scale_units(const struct sheet *s, int scale)
{
	return 72 / 0.0254 / PAGE_UNIT / scale / s->plan->metre;
}

/* The smallest page that takes the plan at this scale, upright or lying as the plan is. */
static const struct page *page_fit(const struct sheet *s, int scale)
{
	struct margins m = margins_of(s);
	size_t lies;
	int columns, rows;

	grid_of(s, &columns, &rows);
	lies = s->world.width * columns > s->world.height * rows;
	for (size_t i = 0; i < ARRAY_COUNT(pages); i++) {
		const struct page *page = &pages[i ^ lies];

		if (scale_for(s, &m, page->width / PAGE_UNIT, page->height / PAGE_UNIT) >= page_scale_units(s, scale))
			return page;
	}
	return NULL;
}

/* 1:50 or 1:100 on A4, then on A3, then smaller and smaller. */
static bool page_choose(struct sheet *s)
{
	const struct page *page = NULL;
	int scale = s->options.page_scale;

	s->size = 1;
	s->sparse = false;
	if (scale) {
		page = page_fit(s, scale);
		if (!page)
			return fail(s->call, FAULT_ARGUMENT,
				    "the plan does not fit A3 at 1:%d; leave the scale out to get one that fits",
				    scale);
	}
	for (size_t i = 0; !page && i < ARRAY_COUNT(page_scales); i++) {
		const struct page *here = page_fit(s, page_scales[i]);
		const struct page *next = i + 1 < ARRAY_COUNT(page_scales) ? page_fit(s, page_scales[i + 1]) : NULL;

		/* A3 at 1:50 gives way to A4 at 1:100: more people can print that. */
		if (!here || (here >= &pages[2] && i == 0 && next && next < &pages[2]))
			continue;
		page = here;
		scale = page_scales[i];
	}
	if (!page) {
		struct margins m = margins_of(s);

		page = s->world.width > s->world.height ? &pages[3] : &pages[2];
		scale = 0;
		s->scale = scale_for(s, &m, page->width / PAGE_UNIT, page->height / PAGE_UNIT);
	} else {
		s->scale = page_scale_units(s, scale);
	}
	s->page_scale = scale;
	s->page_width = page->width;
	s->page_height = page->height;
	s->list.width = page->width / PAGE_UNIT;
	s->list.height = page->height / PAGE_UNIT;
	return true;
}

/* Settles scale and height, and puts the views in their cells. */
static bool sheet_lay_out(struct sheet *s)
{
	struct margins m;
	int columns, rows;
	double used_x, used_y, left, top;

	grid_of(s, &columns, &rows);
	if (s->options.format == FORMAT_PDF) {
		if (!page_choose(s))
			return false;
		m = margins_of(s);
	} else {
		s->list.width = s->options.width;
		size_choose(s, s->options.width, s->options.height);
		m = margins_of(s);
		s->scale = scale_for(s, &m, s->options.width, s->options.height);
		s->scale = fmin(s->scale, PIXELS_A_METRE * s->size / s->plan->metre);
	}
	used_x = columns * (m.left + m.right + s->world.width * s->scale);
	used_y = rows * (m.top + m.bottom + s->world.height * s->scale);
	if (s->options.format != FORMAT_PDF)
		s->list.height = fmin(ceil(fmax(m.title + used_y + m.footer + s->key_height, 32)), s->options.height);
	left = fmax((s->list.width - used_x) / 2, 0);
	top = m.title;
	if (s->options.format == FORMAT_PDF)
		top += fmax(s->list.height - m.title - m.footer - s->key_height - used_y, 0) / 3;
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
	}
	return true;
}

/* --- titles, list, bar -------------------------------------------------------------------------------------------- */

static struct text capitals(struct arena *a, struct text t)
{
	char *out = arena_copy(a, t.at ? t.at : "", t.len);

	for (size_t i = 0; i < t.len; i++)
		if (out[i] >= 'a' && out[i] <= 'z')
			out[i] = (char)(out[i] - 32);
	return (struct text){out, t.len};
}

static void heading(struct sheet *s, const struct view *v)
{
	const struct plan_floor *f = &s->plan->floors.items[v->floor];
	struct lettering_style name =
		on_paper(s, FACE_BOLD, s->view_count > 1 || s->plan->title.len ? 16 : 20, TEXT_MAIN);
	struct lettering_style more = on_paper(s, FACE_PLAIN, 12, TEXT_SOFT);
	struct text area = area_words(s, f->net_area);
	struct text facts = text_format(s->call->arena, "%d room%s  \xC2\xB7  %.*s net", f->rooms,
					f->rooms == 1 ? "" : "s", TEXT_ARGS(area));
	double room = v->cell.right - v->left - 12 * s->size, y = v->cell.top + 30 * s->size, width;
	struct text title = text_cut(
		s, name.face, capitals(s->call->arena, wording_of(s->call->arena, name_words(s->call->arena, f->name))),
		name.size, room, 1);

	if (!title.len)
		return;
	width = hand_width(&s->hand, name.face, title) * name.size;
	put_text(s, LAYER_SHEET, title, v->left, y, name, ANCHOR_START);
	if (width + 10 * s->size + hand_width(&s->hand, more.face, facts) * more.size <= room)
		put_text(s, LAYER_SHEET, facts, v->left + width + 10 * s->size, y, more, ANCHOR_START);
	if (floor_is_empty(s->plan, v->floor))
		put_text(s, LAYER_SHEET, TEXT("This floor is empty."), v->left, y + 26 * s->size, more, ANCHOR_START);
}

/* Figures under a view: a value and what it is, side by side as far as they fit. */
static void summary(struct sheet *s, const struct view *v)
{
	const struct plan_floor *f = &s->plan->floors.items[v->floor];
	struct lettering_style value = on_paper(s, FACE_BOLD, 14, TEXT_MAIN),
			       noun = on_paper(s, FACE_PLAIN, 10.5, TEXT_SOFT);
	struct arena *a = s->call->arena;
	double around = f->box.width * f->box.height;
	struct text w = length_words(s, f->box.width), h = length_words(s, f->box.height), unit = length_unit_words(s);
	const struct {
		struct text value;
		const char *noun;
	} figures[] = {
		{text_format(a, "%d", f->rooms), "rooms"},
		{area_words(s, f->net_area), "net area"},
		{around > 0 ? text_format(a, "%.0f %%", 100 * f->net_area / around) : TEXT("-"), "of its bounding box"},
		{text_format(a, "%.*s \xC3\x97 %.*s%.*s", TEXT_ARGS(w), TEXT_ARGS(h), TEXT_ARGS(unit)), "overall"},
	};
	double x = v->left + 14 * s->size, right = v->cell.right - 20 * s->size, top = v->cell.bottom - 58 * s->size;
	double ends[ARRAY_COUNT(figures)], at = x;
	size_t n = 0;

	for (; n < ARRAY_COUNT(figures); n++) {
		double width = fmax(hand_width(&s->hand, value.face, figures[n].value) * value.size,
				    hand_width(&s->hand, noun.face, text_of(figures[n].noun)) * noun.size);

		if (at + width > right)
			break;
		at += width + 28 * s->size;
		ends[n] = at;
	}
	if (!n)
		return;
	path_frame(&s->list, (struct frame){floor(v->left) + 0.5, floor(top) + 0.5, floor(at - 14 * s->size) + 0.5,
					    floor(top + 46 * s->size) + 0.5});
	path_paint(&s->list, LAYER_SHEET, NO_COLOUR, sheet_pen(s, s->colours->hair, 1));
	for (size_t i = 0; i < n; i++) {
		double left = i ? ends[i - 1] : x;

		put_text(s, LAYER_SHEET, figures[i].value, left, top + 20 * s->size, value, ANCHOR_START);
		put_text(s, LAYER_SHEET, text_of(figures[i].noun), left, top + 36 * s->size, noun, ANCHOR_START);
	}
}

/* One, two or five times a power of ten. */
static double round_step(double about)
{
	double power = pow(10, floor(log10(about))), share = about / power;

	return power * (share >= 5 ? 5 : share >= 2 ? 2 : 1);
}

static void scale_bar(struct sheet *s, double x, double y)
{
	const char *unit = word_of(SET_UNIT, (int)s->plan->unit);
	double step = round_step(110 * s->size / s->scale), width = step * s->scale, height = 7 * s->size;
	struct lettering_style style = on_paper(s, FACE_PLAIN, 11, TEXT_SOFT);

	x = floor(x) + 0.5;
	y = floor(y) + 0.5;
	for (int i = 0; i < 4; i++) {
		path_frame(&s->list, (struct frame){x + width / 2 * i, y, x + width / 2 * (i + 1), y + height});
		path_paint(&s->list, LAYER_SHEET, i % 2 ? s->colours->paper : s->colours->ink,
			   sheet_pen(s, s->colours->ink, 1));
	}
	for (int i = 0; i <= 2; i++)
		put_text(s, LAYER_SHEET, text_format(s->call->arena, i == 2 ? "%.10g %s" : "%.10g", step * i, unit),
			 x + width * i, y + height + 13 * s->size, style, ANCHOR_MIDDLE);
	if (s->page_scale)
		put_text(s, LAYER_SHEET, text_format(s->call->arena, "1 : %d", s->page_scale),
			 x + 2 * width + 40 * s->size, y + height, on_paper(s, FACE_BOLD, 14, TEXT_MAIN), ANCHOR_START);
}

/* Degrees clockwise from the top of the sheet, when the plan's head says where north is. */
static bool north_of(const struct plan *p, double *degrees)
{
	static const struct {
		const char *word;
		double degrees;
	} rows[] = {{"top", 0}, {"up", 0}, {"right", 90}, {"bottom", 180}, {"down", 180}, {"left", 270}};

	for (size_t i = 0; i < p->meta.n; i++) {
		const struct plan_meta *m = &p->meta.items[i];
		char number[32], *end;

		if (!text_is(m->key, "north") || m->value.len >= sizeof number)
			continue;
		for (size_t k = 0; k < ARRAY_COUNT(rows); k++)
			if (text_is(m->value, rows[k].word)) {
				*degrees = rows[k].degrees;
				return true;
			}
		for (size_t k = 0; k <= m->value.len; k++)
			number[k] = k < m->value.len ? m->value.at[k] : '\0';
		*degrees = strtod(number, &end);
		return end != number && isfinite(*degrees);
	}
	return false;
}

static void north_arrow(struct sheet *s, double x, double y)
{
	double degrees, turn, r = 13 * s->size;

	if (!north_of(s->plan, &degrees))
		return;
	turn = degrees * M_PI / 180;

	double dx = sin(turn), dy = -cos(turn);

	path_arc(&s->list, x, y, r, 0, 2 * M_PI);
	path_close(&s->list);
	path_paint(&s->list, LAYER_SHEET, NO_COLOUR, sheet_pen(s, s->colours->fine, 1));
	path_move(&s->list, x + dx * r, y + dy * r);
	path_line(&s->list, x - dx * r * 0.8 - dy * r * 0.45, y - dy * r * 0.8 + dx * r * 0.45);
	path_line(&s->list, x - dx * r * 0.4, y - dy * r * 0.4);
	path_line(&s->list, x - dx * r * 0.8 + dy * r * 0.45, y - dy * r * 0.8 - dx * r * 0.45);
	path_close(&s->list);
	path_paint(&s->list, LAYER_SHEET, s->colours->ink, NO_PEN);
	put_text(s, LAYER_SHEET, TEXT("N"), x + dx * r * 1.6, y + dy * r * 1.6 + 4 * s->size,
		 on_paper(s, FACE_BOLD, 11, TEXT_MAIN), ANCHOR_MIDDLE);
}

/* --- the list of numbered rooms ----------------------------------------------------------------------------------- */

struct key_table {
	struct lettering_style style;
	double column, line; /* width of a column, height of a line */
	size_t columns, rows;
};

static struct key_table key_table_of(struct sheet *s)
{
	struct key_table t = {.style = on_paper(s, FACE_PLAIN, 11, TEXT_SOFT), .line = 16 * s->size};
	double widest = 0, room = s->list.width - 48 * s->size;

	t.style.size = fmax(t.style.size, 9);
	for (size_t i = 0; i < s->keys.n; i++)
		widest = fmax(widest, hand_width(&s->hand, FACE_PLAIN, s->keys.items[i].name) * t.style.size);
	t.column = fmin(widest + 44 * s->size, fmax(room / 2, 120 * s->size));
	t.columns = room > t.column ? (size_t)(room / t.column) : 1;
	t.rows = (s->keys.n + t.columns - 1) / t.columns;
	/* Never more than a third of the sheet: the answer's list of rooms has them all. */
	if ((double)t.rows * t.line > s->options.height / 3.0)
		t.rows = (size_t)(s->options.height / 3.0 / t.line);
	return t;
}

static double key_height_of(struct sheet *s)
{
	return s->keys.n ? (double)key_table_of(s).rows * 16 * s->size + 14 * s->size : 0;
}

static void key_list(struct sheet *s, double top)
{
	struct key_table t = key_table_of(s);
	double left = 24 * s->size;

	for (size_t i = 0; i < s->keys.n && i < t.rows * t.columns; i++) {
		size_t column = i / t.rows, row = i % t.rows;
		double x = left + (double)column * t.column, y = top + (double)(row + 1) * t.line;
		struct lettering_style number = t.style;
		struct text name =
			text_cut(s, FACE_PLAIN, s->keys.items[i].name, t.style.size, t.column - 40 * s->size, 1);

		number.face = FACE_BOLD;
		number.colour = text_colour(s->colours->paper, TEXT_MAIN);
		put_text(s, LAYER_SHEET, text_format(s->call->arena, "%d", s->keys.items[i].number), x + 22 * s->size,
			 y, number, ANCHOR_END);
		put_text(s, LAYER_SHEET, name, x + 30 * s->size, y, t.style, ANCHOR_START);
	}
}

/* --- all together ------------------------------------------------------------------------------------------------- */

static void furniture(struct sheet *s)
{
	struct margins m = margins_of(s);
	double bottom = s->list.height - m.footer;

	if (s->sparse)
		return;
	if (s->plan->title.len) {
		struct lettering_style style = on_paper(s, FACE_BOLD, 21, TEXT_MAIN);
		struct text title = text_cut(s, style.face, wording_of(s->call->arena, s->plan->title), style.size,
					     s->list.width - 48 * s->size, 1);

		put_text(s, LAYER_SHEET, title, fmax(s->views[0].left, 24 * s->size), 38 * s->size, style,
			 ANCHOR_START);
	}
	for (size_t i = 0; i < s->view_count; i++) {
		heading(s, &s->views[i]);
		if (s->options.show_floor_summary)
			summary(s, &s->views[i]);
	}
	if (s->keys.n)
		key_list(s, bottom - s->key_height);
	scale_bar(s, fmax(s->views[0].left, 24 * s->size), bottom + 8 * s->size);
	north_arrow(s, s->list.width - 50 * s->size, bottom + 14 * s->size);
}

static void list_reset(struct sheet *s)
{
	s->list.steps.n = s->list.marks.n = s->list.open = 0;
	s->list.subject = -1;
	s->keys.n = 0;
}

static bool paint_views(struct sheet *s)
{
	list_reset(s);
	for (size_t i = 0; i < s->view_count; i++) {
		struct view *v = &s->views[i];

		if (!goes_on(s->call))
			return false;
		if (floor_is_empty(s->plan, v->floor))
			continue;
		draw_rooms(s, v);
		draw_walls(s, v);
		draw_openings(s, v);
		draw_stairs(s, v);
		draw_labels(s, v);
		if (!s->sparse)
			draw_dimensions(s, v);
	}
	return true;
}

static void empty_sheet(struct sheet *s)
{
	bool pdf = s->options.format == FORMAT_PDF;
	struct lettering_style style;
	struct text wording = s->plan->floors.n ? TEXT("This floor is empty.") : TEXT("This plan is empty.");
	double width, height;

	s->page_width = pages[0].width;
	s->page_height = pages[0].height;
	width = pdf ? s->page_width / PAGE_UNIT : fmin(s->options.width, 600);
	height = pdf ? s->page_height / PAGE_UNIT : fmin(s->options.height, ceil(width / 3));
	s->size = fmin(width / 600, 1);
	style = on_paper(s, FACE_PLAIN, 18, TEXT_SOFT);
	s->list.width = width;
	s->list.height = height;
	style.size = fmin(style.size, width * 0.9 / hand_width(&s->hand, style.face, wording));
	put_text(s, LAYER_SHEET, wording, floor(width / 2), floor(height / 2), style, ANCHOR_MIDDLE);
}

/* Everything that may be written: the fonts are chosen by it. */
static bool hand_take(struct sheet *s)
{
	const struct plan *p = s->plan;
	ARRAY(struct text) all = {0};
	struct arena *a = s->call->arena;

	*ARRAY_PUSH(a, &all) = wording_of(a, p->title);
	for (size_t i = 0; i < p->rooms.n; i++)
		*ARRAY_PUSH(a, &all) = wording_of(a, p->rooms.items[i].label);
	for (size_t i = 0; i < p->stairs.n; i++)
		*ARRAY_PUSH(a, &all) = wording_of(a, p->stairs.items[i].label);
	for (size_t i = 0; i < p->lifts.n; i++)
		*ARRAY_PUSH(a, &all) = wording_of(a, p->lifts.items[i].label);
	return hand_choose(s->call, s->options.lettering, p->config.font_family, all.items, all.n, &s->hand);
}

static bool options_check(struct sheet *s)
{
	const struct draw_options *o = &s->options;
	int floors = (int)s->plan->floors.n;

	if (o->width < DRAW_SIDE_MIN || o->width > DRAW_SIDE_MAX || o->height < DRAW_SIDE_MIN ||
	    o->height > DRAW_SIDE_MAX)
		return fail(s->call, FAULT_ARGUMENT, "width and height must be %d to %d pixels, not %d and %d",
			    DRAW_SIDE_MIN, DRAW_SIDE_MAX, o->width, o->height);
	if (!o->all_floors && floors && (o->floor < 0 || o->floor >= floors))
		return fail(s->call, FAULT_ARGUMENT, "there is no floor %d; this plan has the floors 0 to %d", o->floor,
			    floors - 1);
	return true;
}

bool sheet_compose(struct call *c, const struct plan *p, const struct draw_options *o, struct sheet *out)
{
	struct sheet *s = out;

	*s = (struct sheet){.call = c, .plan = p, .options = *o};
	if (!options_check(s))
		return false;
	if (!s->options.lettering)
		s->options.lettering = s->own = lettering_new();
	s->colours = colours_of(o->theme >= 0 ? (enum theme)o->theme : p->config.theme);
	s->length_unit = o->length_unit >= 0 ? (enum unit)o->length_unit : p->unit;
	s->area_unit = o->area_unit >= 0 ? (enum area_unit)o->area_unit : p->config.area_unit;
	s->dimensions = o->show_dimensions >= 0 ? o->show_dimensions : p->config.show_dimensions;
	s->letters = p->config.font_size > 0 ? fmin(fmax(p->config.font_size / 0.8, 0.5), 2.5) : 1;
	s->size = 1;
	s->list =
		(struct display_list){.arena = c->arena, .paper = s->colours->paper, .subject = -1, .title = p->title};
	if (!hand_take(s))
		return false;
	views_make(s);
	if (s->world.width < 0) {
		empty_sheet(s);
		return true;
	}
	if (!s->list.title.len)
		s->list.title = name_words(c->arena, p->floors.items[s->views[0].floor].name);
	/* The list of numbers takes place from the plan, which may push more names out of their rooms. */
	for (int round_ = 0; round_ < KEY_ROUNDS; round_++) {
		double needed;

		if (!sheet_lay_out(s) || !paint_views(s))
			return false;
		needed = s->sparse ? 0 : key_height_of(s);
		if (needed <= s->key_height)
			break;
		if (round_ + 1 < KEY_ROUNDS)
			s->key_height = needed;
	}
	furniture(s);
	return true;
}

void sheet_paint(struct sheet *s, struct drawing *out)
{
	struct canvas_svg svg;
	struct canvas *canvas = NULL;
	bool pdf = s->options.format == FORMAT_PDF;

	switch (s->options.format) {
	case FORMAT_PNG: canvas = canvas_png(s->call, &s->hand); break;
	case FORMAT_PDF: canvas = canvas_pdf(s->call, &s->hand, s->page_width, s->page_height, PAGE_UNIT); break;
	case FORMAT_SVG:
		canvas_svg_init(&svg, s->call->arena, hand_family(&s->hand));
		canvas = &svg.canvas;
		break;
	}
	out->bytes = display_list_replay(&s->list, canvas);
	out->mime = format_mimes[s->options.format];
	out->width = (int)(pdf ? round(s->page_width) : s->list.width);
	out->height = (int)(pdf ? round(s->page_height) : s->list.height);
	out->scale = s->scale * (pdf ? PAGE_UNIT : 1);
}

void sheet_free(struct sheet *s)
{
	lettering_free(s->own);
	s->own = NULL;
}
