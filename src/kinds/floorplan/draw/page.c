/* Paper: sizes, standard scales, pens, and the frame and title block of a sheet set.
 *
 * Paper of the A series has metric scales; Letter to Arch D have scales in inches per foot. All measures of a page are
 * in millimetres. They are converted to sheet units here. */
#include "kinds/floorplan/draw/sheet.h"

#include "base/clock.h"

#define UNITS_A_MM (72 / 25.4 / PAGE_UNIT)

/* Text has at least 7 pt. Labels have the size of a screen drawing, a little larger. */
#define TYPE_LEAST (7 / PAGE_UNIT)
#define PAGE_SIZE 1.2

enum {
	EDGE = 5,        /* millimetres that no printer can reach */
	FRAME_LEFT = 20, /* of a sheet set: filing margin (ISO 5457) */
	FRAME = 10,
	BLOCK = 20 /* height of the title block: TITLE_LINES of small letters */
};

/* ISO 128: each pen is about 1.4 times the one before. */
static const double pens[] = {0.18, 0.25, 0.35, 0.5, 0.7};

double page_pen(double width)
{
	double best = pens[0];

	for (size_t i = 1; i < ARRAY_COUNT(pens); i++)
		if (fabs(pens[i] * UNITS_A_MM - width) < fabs(best * UNITS_A_MM - width))
			best = pens[i];
	return best * UNITS_A_MM;
}

struct standard_scale {
	int of; /* 50 for 1:50 */
	const char *words;
};

static const struct standard_scale metric_scales[] = {
	{20, NULL},   {50, NULL},   {100, NULL},  {200, NULL},   {500, NULL},
	{1000, NULL}, {2000, NULL}, {5000, NULL}, {10000, NULL},
};
static const struct standard_scale imperial_scales[] = {
	{24, "1/2\" = 1'-0\""},   {48, "1/4\" = 1'-0\""},   {64, "3/16\" = 1'-0\""},  {96, "1/8\" = 1'-0\""},
	{128, "3/32\" = 1'-0\""}, {192, "1/16\" = 1'-0\""}, {384, "1/32\" = 1'-0\""}, {600, "1\" = 50'"},
	{1200, "1\" = 100'"},     {2400, "1\" = 200'"},     {6000, "1\" = 500'"},     {12000, "1\" = 1000'"},
};

static const struct standard_scale *scales_of(int paper, size_t *n)
{
	if (paper_rows[paper].scales == MEASURE_IMPERIAL) {
		*n = ARRAY_COUNT(imperial_scales);
		return imperial_scales;
	}
	*n = ARRAY_COUNT(metric_scales);
	return metric_scales;
}

struct text scale_words(const struct sheet *s)
{
	for (size_t i = 0; i < ARRAY_COUNT(imperial_scales); i++)
		if (s->page_scale == imperial_scales[i].of && paper_rows[s->paper].scales == MEASURE_IMPERIAL)
			return text_of(imperial_scales[i].words);
	return s->page_scale ? text_format(s->call->arena, "1 : %d", s->page_scale) : TEXT("no true scale");
}

/* Sheet units per plan unit. */
static double scale_units(const struct sheet *s, int of) { return 1000 * UNITS_A_MM / of / s->plan->metre; }

struct page {
	int paper;
	bool lies; /* landscape */
};

static struct frame page_area(const struct sheet *s, struct page p, double *width, double *height)
{
	const struct paper_row *row = &paper_rows[p.paper];
	double w = p.lies ? row->height : row->width, h = p.lies ? row->width : row->height;
	struct frame mm = {EDGE, EDGE, w - EDGE, h - EDGE};

	if (s->number)
		mm = (struct frame){FRAME_LEFT, FRAME, w - FRAME, h - FRAME - BLOCK};
	*width = w * UNITS_A_MM;
	*height = h * UNITS_A_MM;
	return (struct frame){mm.left * UNITS_A_MM, mm.top * UNITS_A_MM, mm.right * UNITS_A_MM, mm.bottom * UNITS_A_MM};
}

/* The largest scale at which the plan fits this page. */
static double page_most(const struct sheet *s, struct page p)
{
	struct margins m = margins_of(s);
	double width, height;
	struct frame area = page_area(s, p, &width, &height);

	return scale_for(s, &m, area.right - area.left, area.bottom - area.top);
}

/* The better orientation of this paper for the plan. */
static struct page page_turned(const struct sheet *s, int paper)
{
	struct page upright = {paper, false}, lies = {paper, true};

	return page_most(s, lies) > page_most(s, upright) ? lies : upright;
}

static bool page_takes(const struct sheet *s, struct page p, int of)
{
	return page_most(s, p) >= scale_units(s, of) * (1 - 1e-9);
}

static int page_best(const struct sheet *s, struct page p)
{
	size_t n;
	const struct standard_scale *scales = scales_of(p.paper, &n);

	for (size_t i = 0; i < n; i++)
		if (scales[i].of >= s->scale_limit && page_takes(s, p, scales[i].of))
			return scales[i].of;
	return 0;
}

/* The sizes to choose from if none is named: those of the plan's system of units, smallest first. A single page uses
 * only sizes for office printers. */
static void papers_usual(const struct sheet *s, int *first, int *last)
{
	bool imperial = unit_rows[s->length_unit].measure == MEASURE_IMPERIAL;

	*first = imperial ? PAPER_LETTER : PAPER_A4;
	*last = s->number ? (imperial ? PAPER_ARCH_D : PAPER_A0) : (imperial ? PAPER_TABLOID : PAPER_A3);
}

enum { DETAIL = 100 }; /* 1:100 shows a dwelling well; a larger sheet is used only if that does not fit */

static bool page_find(const struct sheet *s, struct page *page, int *of)
{
	int wanted = s->options.page_scale, first = s->options.paper, last = s->options.paper;
	bool found = false;

	if (first < 0)
		papers_usual(s, &first, &last);
	for (int paper = first; paper <= last; paper++) {
		struct page p = page_turned(s, paper);
		int best = wanted ? (page_takes(s, p, wanted) ? wanted : 0) : page_best(s, p);

		if (!best)
			continue;
		if (!found || best < *of) {
			*page = p;
			*of = best;
		}
		found = true;
		if (wanted || *of <= DETAIL)
			return true;
	}
	return found;
}

bool page_choose(struct sheet *s)
{
	struct page page;
	int of = 0;

	s->size = PAGE_SIZE;
	s->type_least = TYPE_LEAST;
	s->sparse = false;
	if (!page_find(s, &page, &of)) {
		int first = s->options.paper, last = first;

		if (first < 0)
			papers_usual(s, &first, &last);
		if (s->options.page_scale) {
			fail(s->call, FAULT_ARGUMENT,
			     "the plan does not fit %s at 1:%d; leave pageScale out to get one that fits%s",
			     word_of(SET_PAPER, last), s->options.page_scale,
			     last == PAPER_A0 || last == PAPER_ARCH_D ? "" : ", or name a larger paper");
			s->call->error.where = "/pageScale";
			return false;
		}
		page = page_turned(s, last);
		of = 0;
	}
	s->page_scale = of;
	s->scale = of ? scale_units(s, of) : page_most(s, page);
	s->paper = page.paper;
	s->area = page_area(s, page, &s->list.width, &s->list.height);
	s->page_width = s->list.width * PAGE_UNIT;
	s->page_height = s->list.height * PAGE_UNIT;
	return s->scale > 0 ||
	       fail(s->call, FAULT_ARGUMENT, "the plan does not fit %s with its dimensions; name a larger paper",
		    word_of(SET_PAPER, page.paper));
}

/* A cell of the block: a small caption above the value. A long value is first made smaller, then split into lines. */
static void block_cell(struct sheet *s, struct frame f, const char *noun, struct text value, double size)
{
	struct lettering_style small = on_paper(s, FACE_PLAIN, 9, TEXT_SOFT),
			       main = on_paper(s, FACE_BOLD, size, TEXT_MAIN);
	double pad = 2 * UNITS_A_MM, width = f.right - f.left - 2 * pad, y;
	struct text lines[TITLE_LINES];
	size_t n;

	if (text_width(s, main, value) > width)
		main.size = fmax(main.size * width / text_width(s, main, value), s->type_least);
	n = text_lines(s->call->arena, &s->hand, main, value, width, lines, TITLE_LINES);
	y = f.bottom - pad - main.size * TEXT_DROP;
	line_paint(&s->list, LAYER_SHEET, f.left, f.top, f.left, f.bottom, sheet_pen(s, s->colours->ink, 1));
	put_text(s, LAYER_SHEET, text_of(noun), f.left + pad, f.top + pad + small.size * TEXT_RISE, small,
		 ANCHOR_START);
	for (size_t i = n; i-- > 0; y -= 1.2 * main.size)
		put_text(s, LAYER_SHEET, lines[i], f.left + pad, y, main, ANCHOR_START);
}

static struct text meta_value(const struct plan *p, const char *key)
{
	for (size_t i = 0; i < p->meta.n; i++)
		if (text_is(p->meta.items[i].key, key))
			return p->meta.items[i].value;
	return (struct text){0};
}

static struct text sheet_date(const struct sheet *s)
{
	struct text date = s->options.date.at ? s->options.date : meta_value(s->plan, "date");

	return date.len ? wording_of(s->call->arena, date)
			: text_slice(clock_iso(s->call->arena, clock_now()), 0, sizeof "2026-11-18" - 1);
}

void title_block(struct sheet *s)
{
	struct arena *a = s->call->arena;
	struct frame f = {s->area.left, s->area.top, s->area.right, s->area.bottom + BLOCK * UNITS_A_MM};
	double top = s->area.bottom, middle = top + BLOCK * UNITS_A_MM / 2, right = f.right;
	double wide = fmin(34 * UNITS_A_MM, (f.right - f.left) / 4);
	const struct plan_floor *floor = s->view_count ? &s->plan->floors.items[s->views[0].floor] : NULL;
	struct text title = plan_title_words(a, s->plan);
	struct text name = floor      ? wording_of(a, name_words(a, floor->name))
			   : s->table ? s->table->title
				      : TEXT("Floor plan");

	/* The frame, and the line above the block, with the thick pen. */
	path_frame(&s->list, f);
	path_paint(&s->list, LAYER_SHEET, NO_COLOUR, sheet_pen(s, s->colours->ink, 3.4));
	line_paint(&s->list, LAYER_SHEET, f.left, top, f.right, top, sheet_pen(s, s->colours->ink, 2.2));
	line_paint(&s->list, LAYER_SHEET, right - 2 * wide, middle, right, middle, sheet_pen(s, s->colours->ink, 1));
	block_cell(s, (struct frame){right - wide, top, right, middle}, "Sheet",
		   text_format(a, "%d of %d", s->number, s->of), 13);
	block_cell(s, (struct frame){right - wide, middle, right, f.bottom}, "Paper",
		   text_of(word_of(SET_PAPER, s->paper)), 13);
	block_cell(s, (struct frame){right - 2 * wide, top, right - wide, middle}, "Scale",
		   s->table ? TEXT("-") : scale_words(s), 13);
	block_cell(s, (struct frame){right - 2 * wide, middle, right - wide, f.bottom}, "Date", sheet_date(s), 13);

	double end = right - 2 * wide, third = f.left + (end - f.left) * 0.6;

	if (title.len)
		block_cell(s, (struct frame){f.left, top, third, f.bottom}, "Title", title, 20);
	block_cell(s, (struct frame){title.len ? third : f.left, top, end, f.bottom}, "Drawing", name, 20);
}
