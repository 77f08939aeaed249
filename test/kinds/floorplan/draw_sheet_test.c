/* Sheets: dimensions that add up, parts of a plan, stairs, labels and doors, paper. */
#include "draw_fixture.h"

#include <math.h>

#define ALL_SOLID "walls [top: solid, right: solid, bottom: solid, left: solid]"
#define METRES "floorplan\n config { default_unit: m, area_unit: sqm }\n floor Ground {\n"

static const struct mark *text_find_in(const struct sheet *s, enum layer layer, const char *wording)
{
	for (size_t i = 0; i < s->list.marks.n; i++) {
		const struct mark *m = &s->list.marks.items[i];

		if (m->type == MARK_TEXT && m->layer == layer && text_is(m->wording, wording))
			return m;
	}
	return NULL;
}

static const struct mark *text_with(const struct sheet *s, enum layer layer, const char *part)
{
	for (size_t i = 0; i < s->list.marks.n; i++) {
		const struct mark *m = &s->list.marks.items[i];

		if (m->type == MARK_TEXT && m->layer == layer &&
		    text_find(m->wording, text_of(part), 0) < m->wording.len)
			return m;
	}
	return NULL;
}

static void refused(struct desk *d, const char *part)
{
	d->call.error = (struct error){0};
	if (sheet_compose(&d->call, d->plan, &d->options, &d->sheet))
		fail_msg("not refused: %s", part);
	if (!strstr(error_sentence(d->call.arena, &d->call.error), part))
		fail_msg("\"%s\" does not say \"%s\"", d->call.error.message, part);
	sheet_free(&d->sheet);
	d->call.error = (struct error){0};
}

static const char awkward[] = METRES "room A at (0,0) size (2.626 x 3.3333) " ALL_SOLID "\n"
				     "room B at (2.626,0) size (0.887 x 3.3333) " ALL_SOLID "\n"
				     "room C at (3.513,0) size (1.3 x 3.3333) " ALL_SOLID "\n"
				     "room D at (0,3.3333) size (1.6154 x 2.7771) " ALL_SOLID "\n"
				     "room E at (1.6154,3.3333) size (3.1976 x 2.7771) " ALL_SOLID "\n }";

/* The value of a dimension of a chain, in the smallest written unit. */
static double worth(struct text t)
{
	char copy[64], *at = copy;
	double feet = 0, whole = 0, part, of;

	snprintf(copy, sizeof copy, "%.*s", TEXT_ARGS(t));
	if (strchr(copy, '\'')) {
		feet = strtod(copy, &at);
		at = strchr(copy, '-') + 1;
	}
	whole = strtod(at, &at);
	if (!strchr(copy, '"'))
		return round(whole * 100);
	if (sscanf(at, " %lf/%lf", &part, &of) == 2)
		whole += part / of;
	return round((feet * 12 + whole) * 8);
}

/* The dimensions of one horizontal chain are on one base line. */
static void chains_add_up(const struct desk *d, const char *of)
{
	const struct display_list *list = &d->sheet.list;
	double lines[2] = {0}, sums[2] = {0};
	int n = 0;

	for (size_t i = 0; i < list->marks.n; i++) {
		const struct mark *m = &list->marks.items[i];
		int k = 0;

		if (m->layer != LAYER_DIMENSIONS || m->type != MARK_TEXT || m->upright || m->y > d->sheet.views[0].top)
			continue;
		while (k < n && fabs(lines[k] - m->y) > 1)
			k++;
		if (k == n && n++ < 2)
			lines[k] = m->y;
		if (k < 2)
			sums[k] += worth(m->wording);
	}
	if (n != 2 || sums[0] != sums[1])
		fail_msg("%s: %d chains; %g is not %g", of, n, sums[0], sums[1]);
}

static void parts_of_a_chain_add_up_in_every_unit(void **state)
{
	(void)state;
	for (int unit = 0; unit < (int)word_count(SET_UNIT); unit++) {
		struct desk *d = desk_new(awkward);

		d->options.show_dimensions = 1;
		d->options.length_unit = unit;
		d->options.width = d->options.height = 2400;
		desk_compose(d);
		chains_add_up(d, word_of(SET_UNIT, unit));
		desk_free(d);
	}
}

static void feet_inches_and_fractions_are_written_as_practice_has_it(void **state)
{
	static const struct {
		enum unit unit;
		double length; /* feet */
		const char *words;
	} rows[] = {
		{UNIT_FT, 10.125, "10'-1 1/2\""},
		{UNIT_FT, 12.5, "12'-6\""},
		{UNIT_FT, 9.999, "10'-0\""},
		{UNIT_FT, 0.25, "0'-3\""},
		{UNIT_FT, 7 + 0.375 / 12, "7'-0 3/8\""},
		{UNIT_IN, 96.5 / 12, "96 1/2\""},
		{UNIT_IN, 8, "96\""},
		{UNIT_FT, 7.9999999, "8'-0\""},
	};
	struct desk *d = desk_with(
		"floorplan\n config { default_unit: ft }\n floor G { room A at (0,0) size (9 x 9) " ALL_SOLID " }");

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		d->sheet.length_unit = rows[i].unit;
		struct text have = length_words(&d->sheet, rows[i].length);

		if (!text_is(have, rows[i].words))
			fail_msg("%s is written %.*s", rows[i].words, TEXT_ARGS(have));
	}
	desk_free(d);
}

static void the_scale_bar_follows_the_length_unit(void **state)
{
	static const struct {
		enum unit unit;
		const char *end;
	} rows[] = {{UNIT_M, " m"}, {UNIT_CM, " cm"}, {UNIT_MM, " mm"}, {UNIT_FT, " ft"}, {UNIT_IN, " in"}};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct desk *d = desk_new(awkward);

		d->options.length_unit = (int)rows[i].unit;
		desk_compose(d);
		if (!text_with(&d->sheet, LAYER_SHEET, rows[i].end))
			fail_msg("no%s", rows[i].end);
		desk_free(d);
	}
}

static void the_sheet_says_what_figures_refer_to(void **state)
{
	struct desk *d = desk_new(awkward);

	(void)state;
	d->options.show_dimensions = 1;
	desk_compose(d);
	assert_non_null(text_find_in(&d->sheet, LAYER_SHEET, "Dimensions and room areas to wall centre lines"));
	desk_free(d);
	d = desk_with(awkward);
	assert_non_null(text_find_in(&d->sheet, LAYER_SHEET, "Room areas to wall centre lines"));
	/* A single room shows no area unless requested. */
	d->options.crop = d->plan->rooms.items[0].name;
	desk_compose(d);
	assert_null(text_find_in(&d->sheet, LAYER_SHEET, "Room areas to wall centre lines"));
	d->options.show_dimensions = 1;
	desk_compose(d);
	assert_non_null(text_find_in(&d->sheet, LAYER_SHEET, "Dimensions to wall centre lines"));
	d->options.show_area = true;
	desk_compose(d);
	assert_non_null(text_find_in(&d->sheet, LAYER_SHEET, "Dimensions and room areas to wall centre lines"));
	desk_free(d);
}

static void a_large_picture_has_letters_of_the_same_size(void **state)
{
	struct desk *d = desk_with(awkward);
	double size = text_find_in(&d->sheet, LAYER_LABELS, "A")->style.size, scale = d->sheet.scale;

	(void)state;
	desk_free(d);
	d = desk_new(awkward);
	d->options.width = d->options.height = 4096;
	desk_compose(d);
	assert_true(text_find_in(&d->sheet, LAYER_LABELS, "A")->style.size == size);
	assert_true(d->sheet.scale > 2 * scale);
	desk_free(d);
}

static const char storeys[] = "---\ntitle: Three storeys\nnorth: 30\n---\nfloorplan\n config { default_unit: m }\n"
			      "floor G { room Hall at (0,0) size (6 x 6) " ALL_SOLID "\n"
			      "room Bath at (6,0) size (2 x 3) " ALL_SOLID "\n"
			      "stair S at (1,1) shape straight toward top rise 2.8m width 1m }\n"
			      "floor F { room Hall at (0,0) size (6 x 6) " ALL_SOLID "\n"
			      "stair S at (1,1) shape straight toward top rise 2.8m width 1m }\n"
			      "floor T { room Loft at (0,0) size (6 x 6) " ALL_SOLID "\n"
			      "stair S at (1,1) shape straight toward top rise 2.8m width 1m }\n"
			      "vertical G.S to F.S to T.S\n connect G.Hall.right to G.Bath.left door at 50%\n";
static const char *const storeys_source = storeys;

static struct desk *cropped(const char *crop)
{
	struct desk *d = desk_new(storeys_source);

	d->options.crop = text_of(crop);
	return d;
}

static void crop_draws_one_room_and_what_is_around(void **state)
{
	struct desk *d = cropped("Bath");
	const struct sheet *s = &d->sheet;

	(void)state;
	d->options.show_dimensions = 1;
	desk_compose(d);
	assert_true(s->cropped && s->view_count == 1 && s->world.x < 6 && s->world.x > 4 && s->world.width < 4);
	assert_non_null(text_find_in(s, LAYER_LABELS, "Bath"));
	/* Only its own dimensions. */
	assert_non_null(text_find_in(s, LAYER_DIMENSIONS, "2.00"));
	assert_null(text_find_in(s, LAYER_DIMENSIONS, "6.00"));
	for (size_t i = 0; i < s->list.marks.n; i++) {
		const struct mark *m = &s->list.marks.items[i];

		/* Marks that may extend beyond the part are clipped. Texts of rooms are within it. */
		if (m->layer == LAYER_WALLS || m->layer == LAYER_ROOMS || m->layer == LAYER_DOORS)
			assert_true(m->clipped);
		if (m->layer == LAYER_LABELS)
			assert_true(m->frame.left >= s->list.clip.left && m->frame.right <= s->list.clip.right &&
				    m->frame.top >= s->list.clip.top && m->frame.bottom <= s->list.clip.bottom);
	}
	desk_free(d);
}

static void crop_takes_a_floor_and_a_room_of_a_floor(void **state)
{
	static const struct {
		const char *crop;
		int floor, room;
	} rows[] = {{"F", 1, -1}, {"F.Hall", 1, 2}, {"Loft", 2, 3}, {"G.Bath", 0, 1}};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct desk *d = cropped(rows[i].crop);

		desk_compose(d);
		assert_int_equal(d->sheet.views[0].floor, rows[i].floor);
		assert_int_equal(d->sheet.crop_room, rows[i].room);
		desk_free(d);
	}
}

/* Every error says what to do instead, and that works. */
static void parts_that_cannot_be_are_refused_with_what_to_do(void **state)
{
	struct desk *d = cropped("Hall");

	(void)state;
	refused(d, "several floors; name one of G.Hall, F.Hall");
	d->options.crop = TEXT("F.Hall");
	desk_compose(d);
	d->options.crop = TEXT("Cellar");
	refused(d, "the rooms are G.Hall, G.Bath, F.Hall, T.Loft");
	d->options.crop = TEXT("G.Loft");
	refused(d, "there is no room or floor G.Loft");
	d->options.crop = TEXT("Loft");
	d->options.floor_given = true;
	refused(d, "there is no room or floor Loft");
	d->options.crop = TEXT("T.Loft");
	refused(d, "leave out one of the two");
	d->options.floor_given = false;
	desk_compose(d);
	d->options.all_floors = true;
	refused(d, "leave out renderAllFloors");
	d->options.all_floors = false;
	desk_compose(d);
	d->options.crop = (struct text){0};
	d->options.zoom_given = true;
	for (int i = 0; i < 5; i++) {
		d->options.zoom = (double[]){0, -1, 51, INFINITY, NAN}[i];
		refused(d, "zoom must be 0.1 to 50");
	}
	d->options.zoom = 1;
	desk_compose(d);
	d->options.zoom_given = false;
	d->options.paper = PAPER_A3;
	refused(d, "for png give width and height");
	d->options.paper = -1;
	d->options.page_scale = 50;
	refused(d, "pageScale is for pdf");
	d->options.page_scale = 0;
	d->options.sheet_set = true;
	refused(d, "write a .pdf");
	d->options.format = FORMAT_PDF;
	d->options.crop = TEXT("Bath");
	refused(d, "leave out crop, or sheet_set");
	d->options.sheet_set = false;
	desk_compose(d);
	d->options.crop = (struct text){0};
	d->options.page_scale = 1;
	d->options.paper = PAPER_A4;
	refused(d, "leave pageScale out to get one that fits, or name a larger paper");
	d->options.page_scale = 20;
	refused(d, "does not fit A4 at 1:20");
	d->options.paper = PAPER_A2;
	desk_compose(d);
	assert_int_equal(d->sheet.page_scale, 20);
	d->options.page_scale = 0;
	d->options.paper = PAPER_A4;
	desk_compose(d);
	d->options.north = TEXT("upwards");
	refused(d, "such as 30");
	d->options.north = TEXT("30");
	desk_compose(d);
	assert_true(d->sheet.has_north && d->sheet.north == 30);
	desk_free(d);
}

static void zoom_shows_a_part_and_less_than_one_more(void **state)
{
	struct desk *d = desk_with(storeys_source);
	double width = d->sheet.world.width, scale = d->sheet.scale;

	(void)state;
	desk_free(d);
	d = desk_new(storeys_source);
	d->options.zoom_given = true;
	d->options.zoom = 4;
	desk_compose(d);
	assert_true(fabs(d->sheet.world.width - width / 4) < 1e-9 && d->sheet.scale > 3 * scale);
	d->options.zoom = 0.5;
	desk_compose(d);
	assert_true(fabs(d->sheet.world.width - width * 2) < 1e-9 && !d->sheet.cropped);
	desk_free(d);
}

static void a_middle_storey_shows_up_and_down(void **state)
{
	static const bool up[] = {true, true, false}, down[] = {false, true, true};
	struct desk *d = desk_new(storeys_source);

	(void)state;
	for (int floor = 0; floor < 3; floor++) {
		d->options.floor = floor;
		desk_compose(d);
		assert_int_equal(text_with(&d->sheet, LAYER_STAIRS, "UP 16 R") != NULL, up[floor]);
		assert_int_equal(text_with(&d->sheet, LAYER_STAIRS, "DN") != NULL, down[floor]);
	}
	desk_free(d);
}

/* Walls are painted over stairs, and no patch behind words hides a tread. */
static void stairs_hide_nothing(const char *name, const char *source)
{
	struct desk *d = desk_new(source);
	const struct display_list *list = &d->sheet.list;

	for (int floor = 0; floor < (int)d->plan->floors.n; floor++) {
		bool walls = false, treads = false;

		d->options.floor = floor;
		desk_compose(d);
		for (size_t i = 0; i < list->marks.n; i++) {
			const struct mark *m = &list->marks.items[i];

			walls = walls || m->layer == LAYER_WALLS;
			if (m->layer != LAYER_STAIRS)
				continue;
			if (walls)
				fail_msg("%s: a stair lies over walls", name);
			treads = treads || (m->type == MARK_PATH && m->n == 2);
			/* A rectangle that is only filled. The ground below the parts is painted before all treads of a
			 * stair. */
			if (treads && m->type == MARK_TEXT && i && list->marks.items[i - 1].type == MARK_PATH &&
			    list->marks.items[i - 1].pen.colour == NO_COLOUR && list->marks.items[i - 1].n == 5)
				fail_msg("%s: a patch below \"%.*s\"", name, TEXT_ARGS(m->wording));
		}
	}
	desk_free(d);
}

static void walls_lie_over_stairs_and_words_hide_no_tread(void **state)
{
	(void)state;
	stairs_hide_nothing("storeys", storeys_source);
	each_data_plan(stairs_hide_nothing);
}

/* Two neighbouring spans that are too narrow for their dimensions: both are written and do not overlap. */
static void narrow_spans_keep_their_figures(void **state)
{
	struct desk *d = desk_new(METRES "room A at (0,0) size (8 x 3.5) " ALL_SOLID
					 "\nroom B at (8,0) size (4 x 3.2) " ALL_SOLID
					 "\nroom C at (12,0) size (3 x 2.8) " ALL_SOLID
					 "\nroom D at (0,-20) size (30 x 20) " ALL_SOLID "\n }\n");
	const struct mark *one, *other;

	(void)state;
	d->options.show_dimensions = 1;
	desk_compose(d);
	one = text_find_in(&d->sheet, LAYER_DIMENSIONS, "0.40");
	other = text_find_in(&d->sheet, LAYER_DIMENSIONS, "0.30");
	assert_non_null(one);
	assert_non_null(other);
	assert_false(frames_meet(one->frame, other->frame));
	desk_free(d);
}

static bool lies_in(struct frame f, double x, double y)
{
	return x > f.left && x < f.right && y > f.top && y < f.bottom;
}

/* Points of the leaf and the arc of a door, as in the drawing. */
static void label_is_off_door(const struct sheet *s, const struct view *v, const struct opening *o,
			      const struct mark *m, const char *of)
{
	struct frame f = piece_frame(s, v, &o->at, o->weight);
	double from = o->at.vertical ? f.top : f.left, to = o->at.vertical ? f.bottom : f.right;
	double face = o->leaf > 0 ? (o->at.vertical ? f.right : f.bottom) : (o->at.vertical ? f.left : f.top);
	bool twin = o->type == OPENING_DOUBLE;

	if (o->type != OPENING_DOOR && !twin)
		return;
	for (int leaf = 0; leaf <= twin; leaf++) {
		bool high = twin ? leaf : o->hinge_high;
		double hinge = high ? to : from, toward = high ? -1 : 1, reach = (to - from) / (twin ? 2 : 1);

		for (int i = 0; i <= 60; i++) {
			double a = M_PI_2 * i / 60;
			double u[] = {hinge + toward * reach * cos(a), hinge, hinge + toward * leaf_thickness(s)};
			double w[] = {face + o->leaf * reach * sin(a), face + o->leaf * reach * i / 60,
				      face + o->leaf * reach * i / 60};

			for (int k = 0; k < 3; k++)
				if (lies_in(m->frame, o->at.vertical ? w[k] : u[k], o->at.vertical ? u[k] : w[k]))
					fail_msg("%s: \"%.*s\" lies on a %s", of, TEXT_ARGS(m->wording),
						 k ? "leaf" : "arc");
		}
	}
}

static void labels_are_off_doors(const struct desk *d, const char *of)
{
	const struct sheet *s = &d->sheet;

	for (size_t i = 0; i < s->list.marks.n; i++) {
		const struct mark *m = &s->list.marks.items[i];

		if (m->layer != LAYER_LABELS)
			continue;
		for (size_t v = 0; v < s->view_count; v++)
			for (size_t k = 0; s->views[v].floor == d->plan->rooms.items[m->subject].floor &&
					   k < s->views[v].walls.openings.n;
			     k++)
				if (s->views[v].walls.openings.items[k].into == m->subject)
					label_is_off_door(s, &s->views[v], &s->views[v].walls.openings.items[k], m, of);
	}
}

/* No name of a room and no word at a stair is on a wall, even if rooms overlap or a stair runs through a wall. */
static void words_are_off_walls(const struct desk *d, const char *of)
{
	const struct sheet *s = &d->sheet;

	for (size_t i = 0; i < s->list.marks.n; i++) {
		const struct mark *m = &s->list.marks.items[i];

		if (m->type != MARK_TEXT || (m->layer != LAYER_LABELS && m->layer != LAYER_STAIRS))
			continue;
		for (size_t v = 0; v < s->view_count; v++)
			for (size_t k = 0; k < s->views[v].walls.pieces.n; k++) {
				const struct wall_piece *w = &s->views[v].walls.pieces.items[k];

				if (frames_meet(m->frame, piece_frame(s, &s->views[v], &w->at, w->weight)))
					fail_msg("%s: \"%.*s\" lies on a wall", of, TEXT_ARGS(m->wording));
			}
	}
}

/* Every room has a label of its own, or a number that the key explains. */
static void rooms_are_named(const struct desk *d, const char *of)
{
	const struct sheet *s = &d->sheet;

	for (size_t r = 0; r < d->plan->rooms.n; r++) {
		bool named = false;

		for (size_t i = 0; i < s->list.marks.n && !named; i++)
			named = s->list.marks.items[i].layer == LAYER_LABELS &&
				s->list.marks.items[i].subject == (int)r;
		for (size_t i = 0; i < s->keys.n && !named; i++)
			named = s->keys.items[i].room == (int)r;
		if (!named)
			fail_msg("%s: %.*s has neither label nor number", of, TEXT_ARGS(d->plan->rooms.items[r].name));
	}
	for (size_t i = 0; i < s->keys.n; i++) {
		char number[16];

		snprintf(number, sizeof number, "%d", s->keys.items[i].number);
		if (s->keys.items[i].number != (int)i + 1 || !text_find_in(s, LAYER_SHEET, number))
			fail_msg("%s: number %s is not in the key", of, number);
	}
}

static void labels_at_each_size(const char *name, const char *source)
{
	static const int widths[] = {1200, 640, 4096};

	for (size_t i = 0; i < ARRAY_COUNT(widths); i++) {
		struct desk *d = desk_new(source);

		d->options.all_floors = true;
		d->options.show_area = i != 1;
		d->options.show_dimensions = i == 0;
		d->options.width = widths[i];
		d->options.height = widths[i] > DRAW_HEIGHT ? widths[i] : DRAW_HEIGHT;
		desk_compose(d);
		labels_are_off_doors(d, name);
		words_are_off_walls(d, name);
		rooms_are_named(d, name);
		desk_free(d);
	}
}

static const char cramped[] =
	METRES "room Hall at (0,0) size (3 x 1.2) " ALL_SOLID "\nroom Bath at (3,0) size (1.1 x 1.2) " ALL_SOLID "\n"
	       "room Shaft at (4.1,0) size (0.2 x 0.2) " ALL_SOLID "\nroom Store at (4.3,0) size (30 x 20) " ALL_SOLID
	       "\nroom Duct at (10,20) size (0.15 x 0.15) " ALL_SOLID "\n }\n"
	       "connect Hall.right to Bath.left door at 50%\nconnect Hall.top to outside double-door at 50%\n";

static const char overlapping[] =
	METRES "room Kitchen at (0,2) size (8 x 8) " ALL_SOLID "\nroom Storage at (5,1) size (3 x 3) " ALL_SOLID "\n"
	       "room Core at (8,2) size (2 x 4) " ALL_SOLID "\nroom Linen at (8,6) size (2 x 4) " ALL_SOLID "\n"
	       "stair S at (8.3,2.4) shape straight toward bottom rise 2.8 width 1.4 "
	       "label \"Main Stair\"\n }\n";

static void no_label_lies_on_a_leaf_or_a_wall_and_every_room_is_named(void **state)
{
	(void)state;
	labels_at_each_size("overlapping", overlapping);
	labels_at_each_size("cramped", cramped);
	labels_at_each_size("storeys", storeys_source);
	each_data_plan(labels_at_each_size);
}

/* A number that the list explains says more than the first letters of a name. */
static void a_usual_name_is_never_cut(void **state)
{
	struct desk *d = desk_new(METRES "room Ward at (0,0) size (30 x 20) " ALL_SOLID
					 "\nroom Linen at (30,0) size (1.2 x 1.2) " ALL_SOLID "\n }\n");

	(void)state;
	d->options.width = 700;
	desk_compose(d);
	assert_int_equal(d->sheet.keys.n, 1);
	assert_true(text_is(d->sheet.keys.items[0].name, "Linen"));
	for (size_t i = 0; i < d->sheet.list.marks.n; i++)
		assert_false(text_ends(d->sheet.list.marks.items[i].wording, "\xE2\x80\xA6"));
	desk_free(d);
}

static void rooms_that_cannot_be_named_are_told(void **state)
{
	struct desk *d = desk_new(cramped);

	(void)state;
	d->options.width = d->options.height = 200;
	desk_compose(d);
	assert_true(d->sheet.nameless.n > 0);
	assert_int_equal(d->call.warnings.n, 1);
	assert_non_null(strstr(d->call.warnings.items[0].at, "draw larger, or crop to a room"));
	/* Both suggestions work. */
	d->options.width = d->options.height = 1200;
	desk_compose(d);
	assert_int_equal(d->sheet.nameless.n, 0);
	d->options.width = d->options.height = 400;
	d->options.crop = TEXT("Shaft");
	desk_compose(d);
	assert_int_equal(d->sheet.nameless.n, 0);
	desk_free(d);
}

static void titles_are_not_cut_beside_empty_paper(void **state)
{
	struct desk *d = desk_new(
		"---\ntitle: The quite remarkable house of the two brothers on the far side of the narrow river\n---\n"
		"floorplan\n config { default_unit: m }\n"
		"floor A_floor_with_a_name_that_is_wider_than_the_plan_below_it { room A at (0,0) size (1 x 30) " ALL_SOLID
		"\nroom B at (0,30) size (0.4 x 0.4) " ALL_SOLID
		" label \"A cupboard below the stairs for old coats\" }");

	static const int widths[] = {1200, 700, 360};

	(void)state;
	for (size_t w = 0; w < ARRAY_COUNT(widths); w++) {
		d->options.width = widths[w];
		desk_compose(d);
		/* A narrow sheet has several title lines. */
		assert_true(w < 2 || picture_title(&d->sheet).n > 1);
		for (size_t i = 0; i < d->sheet.list.marks.n; i++) {
			const struct mark *m = &d->sheet.list.marks.items[i];

			if (m->type != MARK_TEXT || m->layer != LAYER_SHEET)
				continue;
			assert_true(w || text_find(m->wording, TEXT("\xE2\x80\xA6"), 0) >= m->wording.len);
			assert_true(m->frame.right <= d->sheet.list.width);
		}
		assert_false(text_ends(picture_title(&d->sheet).lines[picture_title(&d->sheet).n - 1], "\xE2\x80\xA6"));
	}
	desk_free(d);
}

#define MM (72 / 25.4 / PAGE_UNIT)

static bool is_pen(double width)
{
	static const double pens[] = {0.18, 0.25, 0.35, 0.5, 0.7};

	for (size_t i = 0; i < ARRAY_COUNT(pens); i++)
		if (fabs(pens[i] * MM - width) < 1e-6)
			return true;
	return false;
}

/* Everything is within the printable margins, no text is below 7 pt, and all pens are standard ones, at least three of
 * them. */
static void page_is_sound(const struct sheet *s, const char *of)
{
	const struct display_list *list = &s->list;
	double edge = 5 * MM - 1e-6, pens[16];
	size_t n = 0;

	for (size_t i = 0; i < list->marks.n; i++) {
		const struct mark *m = &list->marks.items[i];
		struct frame f = m->frame;

		if (m->type == MARK_TEXT) {
			if (m->style.size * PAGE_UNIT < 7 - 1e-9)
				fail_msg("%s: \"%.*s\" has %g pt", of, TEXT_ARGS(m->wording),
					 m->style.size * PAGE_UNIT);
			if (f.left < edge || f.top < edge || f.right > list->width - edge ||
			    f.bottom > list->height - edge)
				fail_msg("%s: \"%.*s\" lies in the margin", of, TEXT_ARGS(m->wording));
			continue;
		}
		for (size_t k = m->first; k < m->first + m->n; k++) {
			const struct step *p = &list->steps.items[k];

			if (p->type != STEP_CLOSE &&
			    (p->x < edge || p->y < edge || p->x > list->width - edge || p->y > list->height - edge))
				fail_msg("%s: a line of %s lies in the margin", of, layer_names[m->layer]);
		}
		if (m->pen.colour == NO_COLOUR)
			continue;
		if (!is_pen(m->pen.width))
			fail_msg("%s: a pen of %g mm", of, m->pen.width / MM);
		size_t k = 0;
		while (k < n && pens[k] != m->pen.width)
			k++;
		if (k == n && n < ARRAY_COUNT(pens))
			pens[n++] = m->pen.width;
	}
	if (n < 3)
		fail_msg("%s: %zu pens", of, n);
}

static bool is_standard(int paper, int of)
{
	static const int metric[] = {20, 50, 100, 200, 500, 1000, 2000, 5000, 10000},
			 imperial[] = {24, 48, 64, 96, 128, 192, 384, 600, 1200, 2400, 6000, 12000};

	for (size_t i = 0; paper < PAPER_LETTER && i < ARRAY_COUNT(metric); i++)
		if (metric[i] == of)
			return true;
	for (size_t i = 0; paper >= PAPER_LETTER && i < ARRAY_COUNT(imperial); i++)
		if (imperial[i] == of)
			return true;
	return false;
}

static void set_is_sound(const char *name, const char *source, int paper)
{
	struct desk *d = desk_new(source);
	struct sheet_set set;
	char of[100];

	d->options.format = FORMAT_PDF;
	d->options.sheet_set = d->options.all_floors = true;
	d->options.paper = paper;
	d->options.show_dimensions = 1;
	d->options.show_area = true;
	d->options.date = TEXT("2026-05-01");
	if (!sheet_set_compose(&d->call, d->plan, &d->options, &set))
		fail_msg("%s: %s", name, d->call.error.message);
	assert_int_equal(set.n, d->plan->floors.n);
	for (size_t i = 0; i < set.n; i++) {
		const struct sheet *s = &set.pages[i];

		snprintf(of, sizeof of, "%s, %s, sheet %zu", name, word_of(SET_PAPER, s->paper), i + 1);
		page_is_sound(s, of);
		assert_true(paper < 0 || s->paper == paper);
		if (s->scale > 0) {
			if (!is_standard(s->paper, s->page_scale))
				fail_msg("%s: scale %d", of, s->page_scale);
			assert_true(fabs(s->scale * PAGE_UNIT - 72 / 0.0254 / s->page_scale / d->plan->metre) < 1e-6);
			assert_int_equal(s->page_scale, set.pages[0].page_scale);
			assert_int_equal(s->paper, set.pages[0].paper);
		}
		snprintf(of, sizeof of, "%zu of %zu", i + 1, set.n);
		assert_non_null(text_find_in(s, LAYER_SHEET, of));
		assert_non_null(text_find_in(s, LAYER_SHEET, "2026-05-01"));
		assert_non_null(text_find_in(s, LAYER_SHEET, word_of(SET_PAPER, s->paper)));
	}
	sheet_set_free(&set);
	desk_free(d);
}

static void set_of_data(const char *name, const char *source) { set_is_sound(name, source, -1); }

static void a_sheet_set_has_a_page_for_each_floor_on_every_paper(void **state)
{
	(void)state;
	for (int paper = -1; paper < (int)word_count(SET_PAPER); paper++) {
		set_is_sound("storeys", storeys_source, paper);
		set_is_sound("awkward", awkward, paper);
	}
	set_is_sound("an empty floor",
		     "floorplan\n floor A { room R at (0,0) size (9 x 9) " ALL_SOLID " }\n floor B { }", -1);
	each_data_plan(set_of_data);
}

static void a_page_by_itself_keeps_margins_too(void **state)
{
	(void)state;
	for (int paper = -1; paper < (int)word_count(SET_PAPER); paper++) {
		struct desk *d = desk_new(storeys_source);

		d->options.format = FORMAT_PDF;
		d->options.all_floors = d->options.show_area = true;
		d->options.show_dimensions = 1;
		d->options.paper = paper;
		desk_compose(d);
		page_is_sound(&d->sheet, "a page by itself");
		desk_free(d);
	}
}

static void a_title_block_has_the_heads_title_and_date(void **state)
{
	struct desk *d =
		desk_new("---\ntitle: Mill\ndate: May 2026\n---\nfloorplan\n floor Ground { room R at (0,0) size "
			 "(9 x 9) " ALL_SOLID " }");
	struct sheet_set set;

	(void)state;
	d->options.format = FORMAT_PDF;
	d->options.sheet_set = true;
	assert_true(sheet_set_compose(&d->call, d->plan, &d->options, &set));
	assert_non_null(text_find_in(&set.pages[0], LAYER_SHEET, "Mill"));
	assert_non_null(text_find_in(&set.pages[0], LAYER_SHEET, "Ground"));
	assert_non_null(text_find_in(&set.pages[0], LAYER_SHEET, "May 2026"));
	/* A plan in feet uses Letter paper and a scale in inches per foot. */
	assert_int_equal(set.pages[0].paper, PAPER_LETTER);
	assert_non_null(text_find_in(&set.pages[0], LAYER_SHEET, "1/2\" = 1'-0\""));
	sheet_set_free(&set);
	desk_free(d);
}

/* A title block has three lines for a title. The title is cut only if they are full. */
static void a_title_block_shows_a_title_of_three_lines(void **state)
{
	struct desk *d =
		desk_new("---\ntitle: A very long title of a very large house that stands at the end of a very long "
			 "street in a town with an even longer name, second revision\n---\nfloorplan\n config { "
			 "default_unit: m }\n floor G { room R at (0,0) size (9 x 9) " ALL_SOLID " }");
	struct sheet_set set;
	bool ends = false;

	(void)state;
	d->options.format = FORMAT_PDF;
	d->options.sheet_set = true;
	d->options.paper = PAPER_A3;
	assert_true(sheet_set_compose(&d->call, d->plan, &d->options, &set));
	for (size_t i = 0; i < set.pages[0].list.marks.n; i++) {
		struct text t = set.pages[0].list.marks.items[i].wording;

		ends = ends || text_ends(t, "second revision");
		assert_false(text_ends(t, "\xE2\x80\xA6"));
	}
	assert_true(ends);
	sheet_set_free(&set);
	desk_free(d);
}

static void walls_are_hatched_by_material_when_asked(void **state)
{
	static const char source[] =
		"floorplan\n style Old { wall_texture: \"textures/red_brick.jpg\" }\n style TimberFrame { floor_color: "
		"\"#eeeeee\" }\n style Plain { wall_color: \"#112233\" }\n config { default_unit: m }\n floor G {\n"
		"room A at (0,0) size (4 x 4) " ALL_SOLID " style Old\nroom B at (6,0) size (4 x 4) " ALL_SOLID
		" style TimberFrame\nroom C at (12,0) size (4 x 4) " ALL_SOLID " style Plain\n }";
	struct desk *d = desk_new(source);

	(void)state;
	d->options.hatch = true;
	desk_compose(d);
	assert_int_equal(d->sheet.materials, 1u << MATERIAL_BRICK | 1u << MATERIAL_WOOD);
	assert_non_null(text_find_in(&d->sheet, LAYER_SHEET, "brick"));
	assert_non_null(text_find_in(&d->sheet, LAYER_SHEET, "wood"));
	desk_free(d);
	d = desk_with(source);
	assert_int_equal(d->sheet.materials, 0);
	desk_free(d);
}

static void hatching_stays_within_its_wall(void **state)
{
	struct desk *d = desk_with(awkward);
	struct sheet *s = &d->sheet;

	(void)state;
	for (int m = 1; m < MATERIALS; m++) {
		struct frame f = {101.5, 53.25, 160, 71};
		size_t first = s->list.steps.n;

		for (int turn = 0; turn < 2; turn++, f = (struct frame){f.top, f.left, f.bottom, f.right})
			hatch_paint(s, LAYER_WALLS, (enum material)m, f);
		assert_true(s->list.steps.n > first + 20);
		f = (struct frame){53.25, 53.25, 160, 160};
		for (size_t i = first; i < s->list.steps.n; i++)
			if (s->list.steps.items[i].type != STEP_CLOSE)
				assert_true(s->list.steps.items[i].x >= f.left - 1e-6 &&
					    s->list.steps.items[i].x <= f.right + 1e-6 &&
					    s->list.steps.items[i].y >= f.top - 1e-6 &&
					    s->list.steps.items[i].y <= f.bottom + 1e-6);
	}
	desk_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_of_a_chain_add_up_in_every_unit),
		cmocka_unit_test(narrow_spans_keep_their_figures),
		cmocka_unit_test(feet_inches_and_fractions_are_written_as_practice_has_it),
		cmocka_unit_test(the_scale_bar_follows_the_length_unit),
		cmocka_unit_test(the_sheet_says_what_figures_refer_to),
		cmocka_unit_test(a_large_picture_has_letters_of_the_same_size),
		cmocka_unit_test(crop_draws_one_room_and_what_is_around),
		cmocka_unit_test(crop_takes_a_floor_and_a_room_of_a_floor),
		cmocka_unit_test(parts_that_cannot_be_are_refused_with_what_to_do),
		cmocka_unit_test(zoom_shows_a_part_and_less_than_one_more),
		cmocka_unit_test(a_middle_storey_shows_up_and_down),
		cmocka_unit_test(walls_lie_over_stairs_and_words_hide_no_tread),
		cmocka_unit_test(no_label_lies_on_a_leaf_or_a_wall_and_every_room_is_named),
		cmocka_unit_test(a_usual_name_is_never_cut),
		cmocka_unit_test(rooms_that_cannot_be_named_are_told),
		cmocka_unit_test(titles_are_not_cut_beside_empty_paper),
		cmocka_unit_test(a_sheet_set_has_a_page_for_each_floor_on_every_paper),
		cmocka_unit_test(a_page_by_itself_keeps_margins_too),
		cmocka_unit_test(a_title_block_has_the_heads_title_and_date),
		cmocka_unit_test(a_title_block_shows_a_title_of_three_lines),
		cmocka_unit_test(walls_are_hatched_by_material_when_asked),
		cmocka_unit_test(hatching_stays_within_its_wall),
	};

	return RUN_DESK_TESTS(tests);
}
