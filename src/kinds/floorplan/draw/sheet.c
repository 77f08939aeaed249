#include "kinds/floorplan/draw/sheet.h"

#include "kinds/floorplan/draw/canvas/canvas_svg.h"

enum { KEY_ROUNDS = 3 };

double view_x(const struct sheet *s, const struct view *v, double x) { return v->left + (x - s->world.x) * s->scale; }

double view_y(const struct sheet *s, const struct view *v, double y) { return v->top + (y - s->world.y) * s->scale; }

struct frame view_frame(const struct sheet *s, const struct view *v)
{
	return (struct frame){v->left, v->top, v->left + s->world.width * s->scale,
			      v->top + s->world.height * s->scale};
}

bool view_shows(const struct sheet *s, const struct box *b)
{
	const struct box *w = &s->world;

	return !s->cropped ||
	       (b->x < w->x + w->width && w->x < b->x + b->width && b->y < w->y + w->height && w->y < b->y + b->height);
}

struct pen sheet_pen(const struct sheet *s, uint32_t colour, double width)
{
	return (struct pen){.colour = colour, .width = is_paper(s) ? page_pen(width * s->size) : width * s->size};
}

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

bool floor_is_empty(const struct plan *p, int floor)
{
	for (size_t i = floor_rooms(p, floor); i < floor_rooms(p, floor + 1); i++)
		if (p->rooms.items[i].placed)
			return false;
	for (size_t i = 0; i < p->stairs.n; i++)
		if (p->stairs.items[i].floor == floor && p->stairs.items[i].placed)
			return false;
	for (size_t i = 0; i < p->lifts.n; i++)
		if (p->lifts.items[i].floor == floor && p->lifts.items[i].placed)
			return false;
	return true;
}

/* All of a floor: rooms, stairs and lifts, and the leaves of doors that open outwards. */
static void world_of_floor(const struct plan *p, const struct view *v, struct box *world)
{
	world_add(world, &p->floors.items[v->floor].box);
	/* A sub-room should be inside its parent, but the text can place it elsewhere. */
	for (size_t k = floor_rooms(p, v->floor); k < floor_rooms(p, v->floor + 1); k++)
		if (p->rooms.items[k].placed)
			world_add(world, &p->rooms.items[k].box);
	for (size_t k = 0; k < v->walls.openings.n; k++) {
		struct box swing = opening_swing(p, &v->walls.openings.items[k]);

		if (swing.width > 0)
			world_add(world, &swing);
	}
}

static void box_grow(struct box *b, double x, double y)
{
	b->x -= x;
	b->y -= y;
	b->width += 2 * x;
	b->height += 2 * y;
}

/* The part for crop and zoom. Around a room, parts of its neighbours are shown. */
static void world_crop(struct sheet *s)
{
	double zoom = s->options.zoom_given ? s->options.zoom : 1;

	if (s->crop_room >= 0) {
		const struct box *b = &s->plan->rooms.items[s->crop_room].box;
		double around = fmax(0.6 * s->plan->metre, 0.12 * fmax(b->width, b->height));

		s->world = *b;
		box_grow(&s->world, around, around);
	}
	box_grow(&s->world, s->world.width * (1 / zoom - 1) / 2, s->world.height * (1 / zoom - 1) / 2);
	s->cropped = s->crop_room >= 0 || zoom > 1;
}

/* Makes the views: floors, their walls, and the part of the world to show. It is the same for each floor, so that
 * shafts line up. */
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
		world_of_floor(p, v, &s->world);
	}
	if (s->world.width < 0)
		return;
	box_grow(&s->world, half, half);
	world_crop(s);
	for (size_t i = 0; i < s->view_count; i++)
		if (!floor_is_empty(p, s->views[i].floor))
			count_chains(s, &s->views[i]);
}

static void list_reset(struct sheet *s)
{
	s->list.steps.n = s->list.marks.n = s->list.open = 0;
	s->list.subject = -1;
	s->list.clipping = false;
	s->keys.n = s->nameless.n = 0;
	s->materials = 0;
}

/* A thin line around a cropped view: the plan continues beyond it. */
static void crop_edge(struct sheet *s, const struct view *v)
{
	struct frame f = view_frame(s, v);

	path_frame(&s->list, (struct frame){floor(f.left) + 0.5, floor(f.top) + 0.5, floor(f.right) + 0.5,
					    floor(f.bottom) + 0.5});
	path_paint(&s->list, LAYER_SHEET, NO_COLOUR, sheet_pen(s, s->colours->hair, 1));
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
		v->words.n = 0;
		s->list.clip = view_frame(s, v);
		s->list.clipping = s->cropped;
		draw_rooms(s, v);
		draw_stairs(s, v);
		draw_walls(s, v);
		draw_openings(s, v);
		draw_lifts(s, v);
		s->list.clipping = false;
		draw_labels(s, v);
		if (s->cropped)
			crop_edge(s, v);
		if (!s->sparse)
			draw_dimensions(s, v);
	}
	return true;
}

static bool empty_sheet(struct sheet *s)
{
	struct lettering_style style;
	struct text wording = s->plan->floors.n ? TEXT("This floor is empty.") : TEXT("This plan is empty.");
	double width = fmin(s->options.width, 600);

	s->world = (struct box){0, 0, s->plan->metre, s->plan->metre};
	if (is_paper(s)) {
		if (!page_choose(s))
			return false;
		width = s->list.width;
	} else {
		s->list.width = width;
		s->list.height = fmin(s->options.height, ceil(width / 3));
		s->size = fmin(width / 600, 1);
		s->area = (struct frame){0, 0, s->list.width, s->list.height};
	}
	s->scale = 0;
	s->page_scale = 0;
	style = on_paper(s, FACE_PLAIN, 18, TEXT_SOFT);
	style.size = fmin(style.size, width * 0.9 / hand_width(&s->hand, style.face, wording));
	put_text(s, LAYER_SHEET, wording, floor(width / 2), floor(s->list.height / 2), style, ANCHOR_MIDDLE);
	if (s->number)
		title_block(s);
	return true;
}

/* Collects all possible text of the drawing, to choose the fonts. */
static bool hand_take(struct sheet *s)
{
	const struct plan *p = s->plan;
	ARRAY(struct text) all = {0};
	struct arena *a = s->call->arena;

	if (!s->options.lettering)
		s->options.lettering = s->own = lettering_new();
	*ARRAY_PUSH(a, &all) = plan_title_words(a, p);
	for (size_t i = 0; i < p->rooms.n; i++)
		*ARRAY_PUSH(a, &all) = wording_of(a, p->rooms.items[i].label);
	for (size_t i = 0; i < p->stairs.n; i++)
		*ARRAY_PUSH(a, &all) = wording_of(a, p->stairs.items[i].label);
	for (size_t i = 0; i < p->lifts.n; i++)
		*ARRAY_PUSH(a, &all) = wording_of(a, p->lifts.items[i].label);
	return hand_choose(s->call, s->options.lettering, p->config.font_family, all.items, all.n, &s->hand);
}

static void north_take(struct sheet *s)
{
	const struct plan *p = s->plan;

	if (s->options.north.at) {
		s->has_north = north_read(s->options.north, &s->north);
		return;
	}
	for (size_t i = 0; i < p->meta.n; i++) {
		if (!text_is(p->meta.items[i].key, "north"))
			continue;
		s->has_north = north_read(p->meta.items[i].value, &s->north);
		if (!s->has_north)
			warn(s->call, "north: %s in the head is not shown; write top, right, bottom, left or degrees",
			     shown(s->call, p->meta.items[i].value));
	}
}

static void sheet_begin(struct call *c, const struct plan *p, const struct draw_options *o, struct sheet *s)
{
	*s = (struct sheet){.call = c, .plan = p, .options = *o, .paper = -1, .crop_room = -1};
	s->colours = colours_of(o->theme >= 0 ? (enum theme)o->theme : p->config.theme);
	s->length_unit = o->length_unit >= 0 ? (enum unit)o->length_unit : p->unit;
	s->area_unit = o->area_unit >= 0 ? (enum area_unit)o->area_unit : p->config.area_unit;
	s->dimensions = o->show_dimensions >= 0 ? o->show_dimensions : p->config.show_dimensions;
	s->letters = p->config.font_size > 0 ? fmin(fmax(p->config.font_size / 0.8, 0.5), 2.5) : 1;
	s->size = 1;
	s->list =
		(struct display_list){.arena = c->arena, .paper = s->colours->paper, .subject = -1, .title = p->title};
}

/* Scale, places and marks of the views. May be done again. */
static bool sheet_settle(struct sheet *s)
{
	if (!s->list.title.len)
		s->list.title = name_words(s->call->arena, s->plan->floors.items[s->views[0].floor].name);
	s->key_height = 0;
	/* The key takes space from the plan, so more names may no longer fit their rooms. */
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
	return true;
}

static void sheet_finish(struct sheet *s)
{
	furniture(s);
	if (s->number)
		title_block(s);
}

bool sheet_compose(struct call *c, const struct plan *p, const struct draw_options *o, struct sheet *out)
{
	struct sheet *s = out;

	sheet_begin(c, p, o, s);
	if (!options_check(c, p, &s->options, &s->crop_room) || !hand_take(s))
		return false;
	north_take(s);
	views_make(s);
	if (s->world.width < 0)
		return empty_sheet(s);
	if (!sheet_settle(s))
		return false;
	sheet_finish(s);
	return true;
}

void sheet_paint(struct sheet *s, struct drawing *out)
{
	struct canvas_svg svg;
	struct canvas *canvas = &svg.canvas;

	if (is_paper(s)) {
		sheet_set_paint(&(struct sheet_set){s, 1}, out);
		return;
	}
	if (s->options.format == FORMAT_PNG)
		canvas = canvas_png(s->call, &s->hand, s->options.png_most);
	else
		canvas_svg_init(&svg, s->call->arena, hand_family(&s->hand));
	display_list_replay(&s->list, canvas);
	*out = (struct drawing){.bytes = canvas->finish(canvas),
				.mime = format_mimes[s->options.format],
				.width = (int)s->list.width,
				.height = (int)s->list.height,
				.scale = s->scale,
				.floor = s->options.floor};
}

void sheet_free(struct sheet *s)
{
	lettering_free(s->own);
	s->own = NULL;
}

static bool is_empty(const struct sheet *s) { return s->world.width < 0; }

/* Makes one page for each floor, with its walls. */
static bool set_begin(struct call *c, const struct plan *p, const struct draw_options *o, struct sheet_set *set)
{
	size_t n = o->all_floors && p->floors.n ? p->floors.n : 1;
	struct draw_options one = *o;

	set->pages = arena_array(c->arena, n, sizeof *set->pages);
	set->n = 0;
	one.all_floors = false;
	for (size_t i = 0; i < n; i++) {
		struct sheet *s = &set->pages[set->n++], *first = set->pages;

		if (o->all_floors)
			one.floor = (int)i;
		sheet_begin(c, p, &one, s);
		if (!i) {
			if (!options_check(c, p, &s->options, &s->crop_room) || !hand_take(s))
				return false;
			north_take(s);
			one.lettering = s->options.lettering;
		}
		/* Warnings of fonts and north are given once, not for each page. */
		s->hand = first->hand;
		s->has_north = first->has_north;
		s->north = first->north;
		s->number = (int)i + 1;
		s->of = (int)n;
		views_make(s);
	}
	return true;
}

/* Sets one paper and one scale for all pages: the largest paper and the smallest scale that any page needs. Returns
 * true if all pages already agree. */
static bool set_agrees(struct sheet_set *set)
{
	int paper = -1, of = 0;
	bool same = true;

	for (size_t i = 0; i < set->n; i++) {
		if (is_empty(&set->pages[i]))
			continue;
		same = same && (paper < 0 || (set->pages[i].paper == paper && set->pages[i].page_scale == of));
		paper = set->pages[i].paper > paper ? set->pages[i].paper : paper;
		of = set->pages[i].page_scale > of ? set->pages[i].page_scale : of;
	}
	for (size_t i = 0; i < set->n; i++) {
		if (set->pages[i].options.paper < 0)
			set->pages[i].options.paper = paper;
		set->pages[i].scale_limit = of;
	}
	return same;
}

/* Pages for the table after those of the floors, on the same paper. */
static void set_tables(struct sheet_set *set, const struct sheet *first, const struct sheet_table *table)
{
	struct sheet like = *first, *all;
	size_t rows, pages;

	like.own = NULL;
	like.table = table;
	like.view_count = 0;
	like.list.marks.items = NULL;
	like.list.steps.items = NULL;
	like.list.marks.n = like.list.marks.cap = like.list.steps.n = like.list.steps.cap = like.list.open = 0;
	rows = table_rows_a_page(&like);
	pages = table->rows ? (table->rows + rows - 1) / rows : 1;
	all = arena_array(like.call->arena, set->n + pages, sizeof *all);
	for (size_t i = 0; i < set->n + pages; i++) {
		all[i] = i < set->n ? set->pages[i] : like;
		all[i].number = (int)i + 1;
		all[i].of = (int)(set->n + pages);
		if (i >= set->n) {
			table_paint(&all[i], (i - set->n) * rows, rows);
			title_block(&all[i]);
		}
	}
	set->pages = all;
	set->n += pages;
}

bool sheet_set_compose(struct call *c, const struct plan *p, const struct draw_options *o, struct sheet_set *out)
{
	enum { ROUNDS = 3 };
	struct box world = {.width = -1};

	if (!set_begin(c, p, o, out))
		return false;
	for (size_t i = 0; i < out->n; i++)
		if (!is_empty(&out->pages[i]))
			world_add(&world, &out->pages[i].world);
	for (int round_ = 0; round_ < ROUNDS; round_++) {
		for (size_t i = 0; i < out->n; i++) {
			if (is_empty(&out->pages[i]))
				continue;
			/* Every page shows the world of all floors, so that stairs and shafts are at the same place. */
			out->pages[i].world = world;
			if (!sheet_settle(&out->pages[i]))
				return false;
		}
		if (set_agrees(out))
			break;
	}
	const struct sheet *drawn = NULL;
	size_t floors = out->n;

	for (size_t i = 0; i < floors && !drawn; i++)
		drawn = is_empty(&out->pages[i]) ? NULL : &out->pages[i];
	/* An empty plan has no table. */
	if (o->table && drawn)
		set_tables(out, drawn, o->table);
	for (size_t i = 0; i < floors; i++) {
		if (!is_empty(&out->pages[i]))
			sheet_finish(&out->pages[i]);
		else if (!empty_sheet(&out->pages[i]))
			return false;
	}
	return true;
}

void sheet_set_paint(struct sheet_set *set, struct drawing *out)
{
	struct sheet *first = &set->pages[0];
	struct canvas *canvas = canvas_pdf(first->call, &first->hand, PAGE_UNIT);

	for (size_t i = 0; i < set->n; i++)
		display_list_replay(&set->pages[i].list, canvas);
	*out = (struct drawing){.bytes = canvas->finish(canvas),
				.mime = format_mimes[FORMAT_PDF],
				.width = (int)round(first->page_width),
				.height = (int)round(first->page_height),
				.scale = first->scale * PAGE_UNIT,
				.pages = (int)set->n,
				.floor = first->options.floor};
}

void sheet_set_free(struct sheet_set *set)
{
	for (size_t i = 0; i < set->n; i++)
		sheet_free(&set->pages[i]);
	set->n = 0;
}
