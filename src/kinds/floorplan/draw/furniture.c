/* Everything around the plan: titles, measures of a floor, scale bar, north arrow, the list of numbered rooms. */
#include "kinds/floorplan/draw/sheet.h"

#include <stdlib.h>

/* A line of text at `x`. Before it is cut, it may start earlier (from `least`) and shrink to two thirds, so that it is
 * never cut next to empty paper. Returns where it ends. */
static double title_line(struct sheet *s, struct text wording, double x, double least, double right, double y,
			 struct lettering_style style)
{
	double width = text_width(s, style, wording);

	if (x + width > right)
		x = fmax(least, right - width);
	if (width > right - x) {
		style.size = fmax(fmax(style.size * (right - x) / width, style.size / 1.5), s->type_least);
		wording = text_cut(s, style.face, wording, style.size, right - x, 1);
	}
	put_text(s, LAYER_SHEET, wording, x, y, style, ANCHOR_START);
	return x + text_width(s, style, wording);
}

static struct text floor_facts(struct sheet *s, const struct view *v)
{
	const struct plan_floor *f = &s->plan->floors.items[v->floor];
	struct text area = area_words(s, f->centre_line_area);

	if (s->crop_room >= 0)
		return room_words(s, &s->plan->rooms.items[s->crop_room]);
	if (s->cropped)
		return text_format(s->call->arena, "detail");
	return text_format(s->call->arena, "%d room%s  \xC2\xB7  %.*s", f->rooms, f->rooms == 1 ? "" : "s",
			   TEXT_ARGS(area));
}

static void heading(struct sheet *s, const struct view *v)
{
	const struct plan_floor *f = &s->plan->floors.items[v->floor];
	struct arena *a = s->call->arena;
	struct lettering_style name =
		on_paper(s, FACE_BOLD, s->view_count > 1 || s->plan->title.len ? 16 : 20, TEXT_MAIN);
	struct lettering_style more = on_paper(s, FACE_PLAIN, 12, TEXT_SOFT);
	struct text facts = floor_facts(s, v), title = capitals(a, wording_of(a, name_words(a, f->name)));
	double right = v->cell.right - 12 * s->size, y = v->cell.top + 30 * s->size, gap = 10 * s->size;
	double left = fmin(v->left, v->cell.left + 24 * s->size);
	double end = title_line(s, title, v->left, left, right, y, name);

	if (end + gap + text_width(s, more, facts) <= right)
		put_text(s, LAYER_SHEET, facts, end + gap, y, more, ANCHOR_START);
	if (floor_is_empty(s->plan, v->floor))
		put_text(s, LAYER_SHEET, TEXT("This floor is empty."), v->left, y + 26 * s->size, more, ANCHOR_START);
}

/* The summary under a view: values with their names, side by side as far as they fit. */
static void summary(struct sheet *s, const struct view *v)
{
	const struct plan_floor *f = &s->plan->floors.items[v->floor];
	struct lettering_style value = on_paper(s, FACE_BOLD, 14, TEXT_MAIN),
			       noun = on_paper(s, FACE_PLAIN, 10.5, TEXT_SOFT);
	struct arena *a = s->call->arena;
	struct floor_areas areas = floor_areas(a, s->plan, v->floor, &v->walls);
	double around = f->box.width * f->box.height;
	struct text w = length_words(s, f->box.width), h = length_words(s, f->box.height), unit = length_unit_words(s);
	const struct {
		struct text value;
		const char *noun;
	} figures[] = {
		{text_format(a, "%d", f->rooms), "rooms"},
		{area_words(s, areas.net), "net area"},
		{area_words(s, areas.gross), "gross area"},
		{area_words(s, areas.centre_line), "centre-line area"},
		{around > 0 ? text_format(a, "%.0f %%", 100 * areas.centre_line / around) : TEXT("-"),
		 "of its bounding box"},
		{text_format(a, "%.*s \xC3\x97 %.*s%.*s", TEXT_ARGS(w), TEXT_ARGS(h), TEXT_ARGS(unit)), "overall"},
	};
	double x = v->left + 14 * s->size, right = v->cell.right - 20 * s->size, top = v->cell.bottom - 58 * s->size;
	double ends[ARRAY_COUNT(figures)], at = x;
	size_t n = 0;

	for (; n < ARRAY_COUNT(figures); n++) {
		double width =
			fmax(text_width(s, value, figures[n].value), text_width(s, noun, text_of(figures[n].noun)));

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

/* Uses round numbers of the unit in which lengths are written. Returns where it ends. */
static double scale_bar(struct sheet *s, double x, double y)
{
	const char *unit = word_of(SET_UNIT, (int)s->length_unit);
	double one = plan_length_in(s->plan, 1, s->length_unit); /* a plan unit, in the written unit */
	double step = round_step(110 * s->size / s->scale * one), width = step / one * s->scale, height = 7 * s->size;
	struct lettering_style style = on_paper(s, FACE_PLAIN, 11, TEXT_SOFT),
			       scale = on_paper(s, FACE_BOLD, 14, TEXT_MAIN);

	x = floor(x) + 0.5;
	y = floor(y) + 0.5;
	for (int i = 0; i < 4; i++) {
		path_frame(&s->list, (struct frame){x + width / 2 * i, y, x + width / 2 * (i + 1), y + height});
		path_paint(&s->list, LAYER_SHEET, i % 2 ? s->colours->paper : s->colours->ink,
			   sheet_pen(s, s->colours->ink, 1));
	}
	for (int i = 0; i <= 2; i++)
		put_text(s, LAYER_SHEET, text_format(s->call->arena, i == 2 ? "%.10g %s" : "%.10g", step * i, unit),
			 x + width * i, y + height + 2 * s->size + style.size, style, ANCHOR_MIDDLE);
	x += 2 * width + 40 * s->size;
	if (!s->page_scale)
		return x;
	put_text(s, LAYER_SHEET, scale_words(s), x, y + height, scale, ANCHOR_START);
	return x + text_width(s, scale, scale_words(s)) + 20 * s->size;
}

/* Says what the measures of the sheet refer to. */
static void reference_note(struct sheet *s, double x, double right, double y)
{
	struct lettering_style style = on_paper(s, FACE_PLAIN, 10.5, TEXT_SOFT);
	/* The heading of a whole floor has an area; that of a part does not. */
	bool areas = s->options.show_area || s->options.show_floor_summary || !(s->cropped || s->crop_room >= 0);
	struct text wording = s->dimensions && areas ? TEXT("Dimensions and room areas to wall centre lines")
			      : s->dimensions        ? TEXT("Dimensions to wall centre lines")
						     : TEXT("Room areas to wall centre lines");

	if (!s->dimensions && !areas)
		return;
	put_text(s, LAYER_SHEET, text_cut(s, style.face, wording, style.size, right - x, 1), x, y, style, ANCHOR_START);
}

/* The key of hatchings: a sample and its name. */
static void materials_key(struct sheet *s, double x, double right, double y)
{
	struct lettering_style style = on_paper(s, FACE_PLAIN, 11, TEXT_SOFT);

	for (int m = 1; m < MATERIALS; m++) {
		struct text name = text_of(material_name((enum material)m));
		struct frame swatch = {x, y - style.size, x + 26 * s->size, y + 2 * s->size};
		double end = swatch.right + 6 * s->size + text_width(s, style, name);

		if (!(s->materials >> m & 1) || end > right)
			continue;
		hatch_paint(s, LAYER_SHEET, (enum material)m, swatch);
		path_frame(&s->list, swatch);
		path_paint(&s->list, LAYER_SHEET, NO_COLOUR, sheet_pen(s, s->colours->ink, 1));
		put_text(s, LAYER_SHEET, name, swatch.right + 6 * s->size, y, style, ANCHOR_START);
		x = end + 18 * s->size;
	}
}

bool north_read(struct text value, double *degrees)
{
	static const struct {
		const char *word;
		double degrees;
	} rows[] = {{"top", 0}, {"up", 0}, {"right", 90}, {"bottom", 180}, {"down", 180}, {"left", 270}};
	char number[32], *end;

	if (!value.len || value.len >= sizeof number)
		return false;
	for (size_t k = 0; k < ARRAY_COUNT(rows); k++)
		if (text_is(value, rows[k].word)) {
			*degrees = rows[k].degrees;
			return true;
		}
	for (size_t k = 0; k <= value.len; k++)
		number[k] = k < value.len ? value.at[k] : '\0';
	*degrees = strtod(number, &end);
	return end != number && !*end && isfinite(*degrees) && fabs(*degrees) <= 360;
}

static void north_arrow(struct sheet *s, double x, double y)
{
	double turn = s->north * M_PI / 180, r = 13 * s->size;
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

struct key_table {
	struct lettering_style style;
	double column, line; /* width of a column, height of a line */
	size_t columns, rows;
};

static struct key_table key_table_of(struct sheet *s)
{
	struct key_table t = {.style = on_paper(s, FACE_PLAIN, 11, TEXT_SOFT)};
	double widest = 0, room = s->area.right - s->area.left - 48 * s->size;
	double most = (is_paper(s) ? s->area.bottom - s->area.top : s->options.height) / 3;

	t.style.size = fmax(t.style.size, 9);
	t.line = fmax(16 * s->size, 1.3 * t.style.size);
	for (size_t i = 0; i < s->keys.n; i++)
		widest = fmax(widest, text_width(s, t.style, s->keys.items[i].name));
	/* Names are cut only at the end of the sheet. */
	t.column = fmin(widest + 44 * s->size, room);
	t.columns = (size_t)fmax(room / t.column, 1);
	t.rows = (s->keys.n + t.columns - 1) / t.columns;
	/* Never more than a third of the sheet. */
	if ((double)t.rows * t.line > most)
		t.rows = (size_t)(most / t.line);
	return t;
}

double key_height_of(struct sheet *s)
{
	struct key_table t;

	if (!s->keys.n)
		return 0;
	t = key_table_of(s);
	return (double)t.rows * t.line + 14 * s->size;
}

static void key_list(struct sheet *s, double top)
{
	struct key_table t = key_table_of(s);
	double left = s->area.left + 24 * s->size;
	size_t n = s->keys.n < t.rows * t.columns ? s->keys.n : t.rows * t.columns;

	for (size_t i = 0; i < n; i++) {
		size_t column = i / t.rows, row = i % t.rows;
		double x = left + (double)column * t.column, y = top + (double)(row + 1) * t.line;
		struct lettering_style number = t.style;
		struct text name =
			text_cut(s, FACE_PLAIN, s->keys.items[i].name, t.style.size, t.column - 32 * s->size, 1);

		number.face = FACE_BOLD;
		number.colour = text_colour(s->colours->paper, TEXT_MAIN);
		put_text(s, LAYER_SHEET, text_format(s->call->arena, "%d", s->keys.items[i].number), x + 22 * s->size,
			 y, number, ANCHOR_END);
		put_text(s, LAYER_SHEET, name, x + 30 * s->size, y, t.style, ANCHOR_START);
	}
	if (n < s->keys.n)
		warn(s->call, "the key names %zu of %zu numbered rooms; make the picture larger, or crop to a room", n,
		     s->keys.n);
}

struct title picture_title(const struct sheet *s)
{
	double width = s->options.width - 48 * s->size;

	if (!s->plan->title.len || s->sparse || s->number || is_paper(s))
		return (struct title){0};
	return title_set(s->call->arena, &s->hand, plan_title_words(s->call->arena, s->plan), 21 * s->size, legible(s),
			 width);
}

/* The title is above the plan if it fits there, or else starts at the left edge. */
static void title_paint(struct sheet *s, double bar, double left, double right)
{
	struct title t = picture_title(s);
	double y = s->area.top + 38 * s->size, width = 0;

	for (size_t i = 0; i < t.n; i++)
		width = fmax(width, text_width(s, t.style, t.lines[i]));
	t.style.colour = on_paper(s, FACE_BOLD, 21, TEXT_MAIN).colour;
	for (size_t i = 0; i < t.n; i++, y += title_leading(&t))
		put_text(s, LAYER_SHEET, t.lines[i], fmin(bar, fmax(left, right - width)), y, t.style, ANCHOR_START);
	if (s->plan->title.len && is_paper(s) && !s->number)
		title_line(s, plan_title_words(s->call->arena, s->plan), bar, left, right, y,
			   on_paper(s, FACE_BOLD, 21, TEXT_MAIN));
}

void furniture(struct sheet *s)
{
	struct margins m = margins_of(s);
	double bottom = s->area.bottom - m.footer, left = s->area.left + 24 * s->size,
	       right = s->area.right - 24 * s->size;
	double bar = fmax(s->views[0].left, left), end;

	if (s->nameless.n) {
		struct text first = s->plan->rooms.items[s->nameless.items[0]].name;

		warn(s->call,
		     "%zu room%s (%s%s) %s too small for a label or a number at this size; draw larger, or crop to a room",
		     s->nameless.n, s->nameless.n == 1 ? "" : "s", shown(s->call, first),
		     s->nameless.n == 1 ? "" : " and others", s->nameless.n == 1 ? "is" : "are");
	}
	if (s->sparse)
		return;
	title_paint(s, bar, left, right);
	for (size_t i = 0; i < s->view_count; i++) {
		heading(s, &s->views[i]);
		if (s->options.show_floor_summary)
			summary(s, &s->views[i]);
	}
	if (s->keys.n)
		key_list(s, bottom - s->key_height);
	if (s->has_north) {
		right -= 40 * s->size;
		north_arrow(s, right + 14 * s->size, bottom + 22 * s->size);
	}
	/* A wide bar near the right edge moves to the left. */
	bar = fmax(fmin(bar, right - 300 * s->size), left);
	end = scale_bar(s, bar, bottom + 8 * s->size);
	if (s->materials)
		materials_key(s, end, right, bottom + 18 * s->size);
	reference_note(s, bar, right, bottom + 46 * s->size);
}
