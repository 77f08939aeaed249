#include "draw_fixture.h"
#include "kinds/floorplan/plan/room_use.h"

#include <math.h>

#define ALL_SOLID "walls [top: solid, right: solid, bottom: solid, left: solid]"
#define METRES "floorplan\n config { default_unit: m, area_unit: sqm }\n floor Ground {\n"

static const struct mark *text_find_in(const struct desk *d, enum layer layer, const char *wording)
{
	for (size_t i = 0; i < d->sheet.list.marks.n; i++) {
		const struct mark *m = &d->sheet.list.marks.items[i];

		if (m->type == MARK_TEXT && m->layer == layer && text_is(m->wording, wording))
			return m;
	}
	return NULL;
}

static size_t count_in(const struct desk *d, enum layer layer, enum mark_type type)
{
	size_t n = 0;

	for (size_t i = 0; i < d->sheet.list.marks.n; i++)
		n += d->sheet.list.marks.items[i].layer == layer && d->sheet.list.marks.items[i].type == type;
	return n;
}

static struct frame room_frame(const struct desk *d, const struct view *v, const struct plan_room *r)
{
	const struct sheet *s = &d->sheet;

	return (struct frame){view_x(s, v, r->box.x), view_y(s, v, r->box.y), view_x(s, v, r->box.x + r->box.width),
			      view_y(s, v, r->box.y + r->box.height)};
}

static const struct view *view_of(const struct desk *d, int floor)
{
	for (size_t i = 0; i < d->sheet.view_count; i++)
		if (d->sheet.views[i].floor == floor)
			return &d->sheet.views[i];
	return NULL;
}

/* Every label is in its room, and not on another label, a sub-room, a stair or a lift. */
static void labels_are_sound(const struct desk *d, const char *of)
{
	const struct display_list *list = &d->sheet.list;

	for (size_t i = 0; i < list->marks.n; i++) {
		const struct mark *m = &list->marks.items[i];

		if (m->layer != LAYER_LABELS)
			continue;
		assert_true(m->type == MARK_TEXT && m->subject >= 0);

		const struct plan_room *r = &d->plan->rooms.items[m->subject];
		const struct view *v = view_of(d, r->floor);
		struct frame room = room_frame(d, v, r);

		if (m->frame.left < room.left || m->frame.right > room.right || m->frame.top < room.top ||
		    m->frame.bottom > room.bottom)
			fail_msg("%s: \"%.*s\" leaves its room", of, TEXT_ARGS(m->wording));
		for (size_t k = i + 1; k < list->marks.n; k++)
			if (list->marks.items[k].layer == LAYER_LABELS &&
			    frames_meet(m->frame, list->marks.items[k].frame))
				fail_msg("%s: \"%.*s\" meets \"%.*s\"", of, TEXT_ARGS(m->wording),
					 TEXT_ARGS(list->marks.items[k].wording));
		for (size_t k = 0; k < d->plan->rooms.n; k++) {
			const struct plan_room *sub = &d->plan->rooms.items[k];

			if (sub->parent == m->subject && frames_meet(m->frame, room_frame(d, v, sub)))
				fail_msg("%s: \"%.*s\" lies on a sub-room", of, TEXT_ARGS(m->wording));
		}
		for (size_t k = 0; k < d->plan->stairs.n; k++) {
			struct plan_room stair = {.box = d->plan->stairs.items[k].box};

			if (d->plan->stairs.items[k].floor == r->floor &&
			    frames_meet(m->frame, room_frame(d, v, &stair)))
				fail_msg("%s: \"%.*s\" lies on a stair", of, TEXT_ARGS(m->wording));
		}
	}
}

static void labels_at_each_size(const char *name, const char *source)
{
	for (int round = 0; round < 3; round++) {
		struct desk *d = desk_new(source);

		d->options.all_floors = true;
		d->options.show_area = round != 2;
		d->options.show_dimensions = round != 2;
		if (round == 1)
			d->options.width = d->options.height = 500;
		desk_compose(d);
		labels_are_sound(d, name);
		desk_free(d);
	}
}

static void labels_of_all_plans_lie_in_their_rooms_and_apart(void **state)
{
	(void)state;
	each_data_plan(labels_at_each_size);
}

static const char crowded[] =
	METRES "room A at (0,0) size (6 x 4) walls [top: window, right: open, bottom: solid, left: door]\n"
	       "room B at (6,0) size (1.1 x 4) " ALL_SOLID " label \"A very long name for such a narrow room\"\n"
	       "room C at (7.1,0) size (5 x 0.9) " ALL_SOLID " label \"Low passage\"\n"
	       "room D at (7.1,0.9) size (0.7 x 0.7) " ALL_SOLID " label \"Electricity meters\"\n"
	       "room E at (7.8,0.9) size (3 x 3.1) " ALL_SOLID " composed of [\n"
	       "  sub-room F at (0.2,0.2) size (1.2 x 1.2) " ALL_SOLID
	       "\n  sub-room G at (1.6,1.6) size (1 x 1) " ALL_SOLID "\n ]\n"
	       "room H at (1,1) size (3 x 2) " ALL_SOLID " label \"Overlapping\"\n"
	       "room I at (0,4) size (5 x 4) " ALL_SOLID "\n"
	       "stair S at (0.3,4.3) shape straight toward right rise 2.8m width 1m\n"
	       "lift L at (3,6) size (1.5m x 1.5m) doors (left)\n }\n"
	       "connect A.bottom to I.top door at 30%\nconnect A.left to outside double-door at 70%\n";

static void labels_in_a_crowd_lie_in_their_rooms_and_apart(void **state)
{
	static const int sizes[][2] = {{1200, 1568}, {4096, 4096}, {640, 480}, {300, 300}, {200, 900}, {64, 64}};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
		struct desk *d = desk_new(crowded);

		d->options.width = sizes[i][0];
		d->options.height = sizes[i][1];
		d->options.show_area = true;
		d->options.show_dimensions = 1;
		desk_compose(d);
		labels_are_sound(d, "crowded");
		assert_true(d->sheet.list.width <= sizes[i][0] && d->sheet.list.height <= sizes[i][1]);
		desk_free(d);
	}
}

static void labels_of_rooms_on_one_place_are_apart(void **state)
{
	struct buffer source = {0};
	struct desk *d;

	(void)state;
	buffer_put(&source, "floorplan\n floor A {\n");
	for (int i = 0; i < 120; i++)
		buffer_format(&source, "room X%d at (0,0) size (10 x 10) " ALL_SOLID "\n", i);
	buffer_put(&source, "}\n");
	d = desk_new(buffer_text(&source).at);
	d->options.show_area = true;
	desk_compose(d);
	labels_are_sound(d, "one place");
	desk_free(d);
	buffer_free(&source);
}

/* The cost of a label depends only on what it can show. Measuring this whole label would take minutes. */
static void a_label_of_a_hundred_thousand_words_is_cut_first(void **state)
{
	struct buffer source = {0};
	struct desk *d;

	(void)state;
	buffer_put(&source, "floorplan\n floor A { room X at (0,0) size (10 x 10) " ALL_SOLID " label \"");
	for (int i = 0; i < 100000; i++)
		buffer_put(&source, "word ");
	buffer_put(&source, "\" }\n");
	d = desk_with(buffer_text(&source).at);
	labels_are_sound(d, "long label");
	assert_int_equal(d->sheet.keys.n, 0);
	for (size_t i = 0; i < d->sheet.list.marks.n; i++)
		assert_true(d->sheet.list.marks.items[i].wording.len <= WORDING_MAX + 3);
	desk_free(d);
	buffer_free(&source);
}

static void a_label_says_name_identifier_size_and_area(void **state)
{
	struct desk *d = desk_new(METRES "room LivingRoom at (0,0) size (5 x 4) " ALL_SOLID " label \"Lounge\"\n }");

	(void)state;
	d->options.show_area = true;
	d->options.show_dimensions = 1;
	desk_compose(d);
	assert_non_null(text_find_in(d, LAYER_LABELS, "Lounge"));
	assert_non_null(text_find_in(d, LAYER_LABELS, "LivingRoom"));
	assert_non_null(text_find_in(d, LAYER_LABELS, "5.00 \xC3\x97 4.00 m"));
	assert_non_null(text_find_in(d, LAYER_LABELS, "20.0 m\xC2\xB2"));
	desk_free(d);
}

static void a_name_without_label_gets_its_blanks_and_no_identifier(void **state)
{
	struct desk *d = desk_with(METRES "room MasterBath_2 at (0,0) size (5 x 4) " ALL_SOLID "\n }");

	(void)state;
	assert_non_null(text_find_in(d, LAYER_LABELS, "Master Bath 2"));
	assert_int_equal(count_in(d, LAYER_LABELS, MARK_TEXT), 1);
	desk_free(d);
}

static void a_low_room_has_its_label_on_one_line(void **state)
{
	struct desk *d = desk_new(METRES "room Hall at (0,0) size (12 x 0.6) " ALL_SOLID "\n }");
	const struct mark *name, *rest;

	(void)state;
	d->options.show_area = true;
	d->options.show_dimensions = 1;
	desk_compose(d);
	name = text_find_in(d, LAYER_LABELS, "Hall");
	rest = text_find_in(d, LAYER_LABELS, "12.00 \xC3\x97 0.60 m  \xC2\xB7  7.2 m\xC2\xB2");
	assert_non_null(name);
	assert_non_null(rest);
	assert_true(name->y == rest->y && name->frame.right < rest->frame.left);
	desk_free(d);
}

static void a_narrow_room_has_its_label_turned(void **state)
{
	struct desk *d = desk_with(METRES "room Hall at (0,0) size (0.8 x 9) " ALL_SOLID " label \"Cloakroom\"\n"
					  "room B at (0.8,0) size (8 x 9) " ALL_SOLID "\n }");
	const struct mark *m = text_find_in(d, LAYER_LABELS, "Cloakroom");

	(void)state;
	assert_non_null(m);
	assert_true(m->upright);
	desk_free(d);
}

static void a_label_keeps_out_of_a_doors_swing(void **state)
{
	struct desk *d = desk_with(METRES "room Hall at (0,0) size (3 x 2) " ALL_SOLID
					  "\n }\n connect Hall.top to outside door at 50%\n");
	const struct mark *m = text_find_in(d, LAYER_LABELS, "Hall");
	struct box swing = opening_swing(d->plan, &d->sheet.views[0].walls.openings.items[0]);
	struct plan_room room = {.box = swing};

	(void)state;
	assert_non_null(m);
	assert_false(frames_meet(m->frame, room_frame(d, &d->sheet.views[0], &room)));
	desk_free(d);
}

static void a_name_that_fits_nowhere_becomes_a_number_in_a_list(void **state)
{
	struct desk *d =
		desk_with(METRES "room A at (0,0) size (30 x 20) " ALL_SOLID "\n"
				 "room Meters at (30,0) size (1.2 x 1.2) " ALL_SOLID " label \"Electricity\"\n }");

	(void)state;
	assert_int_equal(d->sheet.keys.n, 1);
	assert_non_null(text_find_in(d, LAYER_LABELS, "1"));
	assert_non_null(text_find_in(d, LAYER_SHEET, "1"));
	assert_non_null(text_find_in(d, LAYER_SHEET, "Electricity"));
	desk_free(d);
}

static void labels_can_be_left_out(void **state)
{
	struct desk *d = desk_with(
		"floorplan\n config { show_labels: false }\n floor G { room A at (0,0) size (10 x 10) " ALL_SOLID " }");

	(void)state;
	assert_int_equal(count_in(d, LAYER_LABELS, MARK_TEXT), 0);
	desk_free(d);
}

static void text_has_contrast_on_every_fill(void **state)
{
	static const uint32_t styles[] = {0x000000, 0xFFFFFF, 0x808080, 0x767676, 0x8B4513,
					  0xD4A574, 0xFF0000, 0x00FF00, 0x0000FF, 0x2D2D2D};

	(void)state;
	for (int t = 0; t < (int)word_count(SET_THEME); t++) {
		const struct colours *c = colours_of((enum theme)t);

		for (int role = TEXT_MAIN; role <= TEXT_FAINT; role++) {
			for (int use = 0; use < TINTS; use++)
				assert_true(colour_contrast(c->tints[use],
							    text_colour(c->tints[use], (enum text_role)role)) >= 4.5);
			assert_true(colour_contrast(c->paper, text_colour(c->paper, (enum text_role)role)) >= 4.5);
		}
		/* Walls have contrast to paper and rooms. */
		assert_true(colour_contrast(c->wall, c->paper) >= 4.5);
	}
	for (size_t i = 0; i < ARRAY_COUNT(styles); i++)
		for (int role = TEXT_MAIN; role <= TEXT_FAINT; role++)
			assert_true(colour_contrast(styles[i], text_colour(styles[i], (enum text_role)role)) >= 4.5);
}

static void a_room_is_tinted_by_its_last_telling_word(void **state)
{
	(void)state;
	assert_int_equal(room_use_of(TEXT("MasterBath"), (struct text){0}), USE_BATH);
	assert_int_equal(tint_of(TEXT("MasterBath"), (struct text){0}), TINT_WET);
	assert_true(room_uses_of(TEXT("A"), TEXT("Kitchen and dining")).said & 1u << USE_KITCHEN);
	assert_false(room_uses_of(TEXT("A"), TEXT("Living")).said & 1u << USE_KITCHEN);
	assert_int_equal(room_use_of(TEXT("X1"), TEXT("Parents Bed")), USE_SLEEPING);
	assert_int_equal(room_use_of(TEXT("Hall_G"), TEXT("")), USE_CIRCULATION);
	assert_int_equal(room_use_of(TEXT("Garden"), (struct text){0}), USE_OUTDOORS);
	assert_int_equal(room_use_of(TEXT("Q"), (struct text){0}), USE_OTHER);
}

static void dimensions_stand_outside_and_only_when_asked_for(void **state)
{
	struct desk *d = desk_with(METRES "room A at (0,0) size (4 x 3) " ALL_SOLID
					  "\nroom B at (4,0) size (2.5 x 3) " ALL_SOLID "\n }");

	(void)state;
	assert_int_equal(count_in(d, LAYER_DIMENSIONS, MARK_TEXT), 0);
	desk_free(d);
	d = desk_new(METRES "room A at (0,0) size (4 x 3) " ALL_SOLID "\nroom B at (4,0) size (2.5 x 3) " ALL_SOLID
			    "\n }");
	d->options.show_dimensions = 1;
	desk_compose(d);
	assert_non_null(text_find_in(d, LAYER_DIMENSIONS, "4.00"));
	assert_non_null(text_find_in(d, LAYER_DIMENSIONS, "2.50"));
	assert_non_null(text_find_in(d, LAYER_DIMENSIONS, "6.50"));
	assert_non_null(text_find_in(d, LAYER_DIMENSIONS, "3.00"));
	assert_int_equal(count_in(d, LAYER_DIMENSIONS, MARK_TEXT), 4);

	const struct view *v = &d->sheet.views[0];
	struct frame plan = {view_x(&d->sheet, v, 0), view_y(&d->sheet, v, 0), view_x(&d->sheet, v, 6.5),
			     view_y(&d->sheet, v, 3)};

	for (size_t i = 0; i < d->sheet.list.marks.n; i++)
		if (d->sheet.list.marks.items[i].layer == LAYER_DIMENSIONS &&
		    d->sheet.list.marks.items[i].type == MARK_TEXT)
			assert_false(frames_meet(d->sheet.list.marks.items[i].frame, plan));
	desk_free(d);
}

static void a_side_that_differs_gets_its_own_chain(void **state)
{
	struct desk *d =
		desk_new(METRES "room A at (0,0) size (6 x 3) " ALL_SOLID "\nroom B at (0,3) size (2 x 3) " ALL_SOLID
				"\nroom C at (2,3) size (4 x 3) " ALL_SOLID "\n }");

	(void)state;
	d->options.show_dimensions = 1;
	desk_compose(d);
	assert_int_equal(d->sheet.views[0].chains[SIDE_TOP], 1);
	assert_int_equal(d->sheet.views[0].chains[SIDE_BOTTOM], 1);
	assert_int_equal(d->sheet.views[0].chains[SIDE_LEFT], 2);
	assert_int_equal(d->sheet.views[0].chains[SIDE_RIGHT], 0);
	assert_non_null(text_find_in(d, LAYER_DIMENSIONS, "2.00"));
	desk_free(d);
}

static void lengths_and_areas_are_converted(void **state)
{
	struct desk *d = desk_new(
		"floorplan\n config { default_unit: ft }\n floor G { room A at (0,0) size (12.5 x 10) " ALL_SOLID " }");

	(void)state;
	d->options.show_area = true;
	d->options.show_dimensions = 1;
	desk_compose(d);
	assert_non_null(text_find_in(d, LAYER_DIMENSIONS, "12'-6\""));
	assert_non_null(text_find_in(d, LAYER_LABELS, "125 ft\xC2\xB2"));
	desk_free(d);
	d = desk_new("floorplan\n config { default_unit: ft }\n floor G { room A at (0,0) size (12.5 x 10) " ALL_SOLID
		     " }");
	d->options.show_area = true;
	d->options.show_dimensions = 1;
	d->options.length_unit = UNIT_MM;
	d->options.area_unit = AREA_SQM;
	desk_compose(d);
	assert_non_null(text_find_in(d, LAYER_DIMENSIONS, "3810"));
	assert_non_null(text_find_in(d, LAYER_LABELS, "11.6 m\xC2\xB2"));
	desk_free(d);
}

static void a_stair_says_up_and_at_its_upper_end_down(void **state)
{
	struct desk *d = desk_new("floorplan\n config { default_unit: m }\n"
				  "floor G { room A at (0,0) size (6 x 6) " ALL_SOLID "\n"
				  "stair S at (1,1) shape straight toward top rise 2.8m width 1m }\n"
				  "floor F { room B at (0,0) size (6 x 6) " ALL_SOLID "\n"
				  "stair S at (1,1) shape straight toward top rise 2.8m width 1m }\n"
				  "vertical G.S to F.S\n");

	(void)state;
	desk_compose(d);
	assert_non_null(text_find_in(d, LAYER_STAIRS, "UP 16 R"));
	assert_null(text_find_in(d, LAYER_STAIRS, "DN"));
	d->options.floor = 1;
	desk_compose(d);
	assert_non_null(text_find_in(d, LAYER_STAIRS, "DN"));
	desk_free(d);
}

static void stairs_of_every_shape_are_drawn(void **state)
{
	static const char *const shapes[] = {
		"straight toward right",
		"L-shaped from bottom turn right",
		"U-shaped from bottom turn left",
		"double-L from left turn right",
		"spiral rotation clockwise outer-radius 1.2m",
		"curved from bottom radius 2m",
		"winder from bottom turn left winders 3",
		"custom from left [flight 4, turn right landing (1m x 1m), flight 4]",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(shapes); i++) {
		char source[500];
		struct desk *d;

		snprintf(source, sizeof source,
			 METRES "room A at (0,0) size (9 x 9) " ALL_SOLID
				"\nstair S at (1,1) shape %s rise 2.8m width 1m }",
			 shapes[i]);
		d = desk_with(source);
		/* Treads, outline and arrow: many paths, and the words at the arrow's tail. */
		if (count_in(d, LAYER_STAIRS, MARK_PATH) < 12 || !text_find_in(d, LAYER_STAIRS, "UP 16 R"))
			fail_msg("%s: %zu paths", shapes[i], count_in(d, LAYER_STAIRS, MARK_PATH));
		labels_are_sound(d, shapes[i]);
		desk_free(d);
	}
}

static const char four_floors[] = "floorplan\n config { default_unit: m }\n"
				  "floor A { room R at (0,0) size (6 x 6) " ALL_SOLID " }\n"
				  "floor B { room R at (1,1) size (4 x 4) " ALL_SOLID " }\n"
				  "floor C { room R at (-1,0) size (6 x 6) " ALL_SOLID " }\n"
				  "floor D { room R at (2,2) size (1 x 1) " ALL_SOLID " }\n";

static void floors_side_by_side_share_scale_and_origin(void **state)
{
	struct desk *d = desk_new(four_floors);

	(void)state;
	d->options.all_floors = true;
	desk_compose(d);
	assert_int_equal(d->sheet.view_count, 4);
	for (size_t i = 1; i < 4; i++) {
		const struct view *before = &d->sheet.views[i - 1], *v = &d->sheet.views[i];

		assert_true(v->top == before->top);
		assert_true(v->cell.left >= before->cell.right - 1e-6);
		/* The same point of the plan is at the same place of each cell, within a pixel of rounding. */
		assert_true(fabs((v->left - v->cell.left) - (before->left - before->cell.left)) <= 1);
	}
	desk_free(d);
}

static void stacked_floors_have_the_first_lowest(void **state)
{
	struct desk *d = desk_new(four_floors);

	(void)state;
	d->options.all_floors = true;
	d->options.layout = LAYOUT_STACKED;
	desk_compose(d);
	for (size_t i = 1; i < 4; i++) {
		assert_true(d->sheet.views[i].cell.bottom <= d->sheet.views[i - 1].cell.top + 1e-6);
		assert_true(d->sheet.views[i].left == d->sheet.views[0].left);
	}
	desk_free(d);
}

static void more_than_four_floors_wrap(void **state)
{
	char source[2000] = "floorplan\n";
	struct desk *d;

	(void)state;
	for (int i = 0; i < 7; i++)
		sprintf(source + strlen(source), "floor F%d { room R at (0,0) size (10 x 10) " ALL_SOLID " }\n", i);
	d = desk_new(source);
	d->options.all_floors = true;
	desk_compose(d);
	assert_true(d->sheet.views[4].cell.top >= d->sheet.views[0].cell.bottom - 1e-6);
	assert_true(d->sheet.views[4].left == d->sheet.views[0].left);
	desk_free(d);
}

static void the_sheet_names_floor_rooms_and_area(void **state)
{
	struct desk *d =
		desk_with("---\ntitle: Lake House\n---\nfloorplan\n config { default_unit: m, area_unit: sqm }\n"
			  "floor GroundFloor { room A at (0,0) size (5 x 4) " ALL_SOLID " }");

	(void)state;
	assert_non_null(text_find_in(d, LAYER_SHEET, "Lake House"));
	assert_non_null(text_find_in(d, LAYER_SHEET, "GROUND FLOOR"));
	assert_non_null(text_find_in(d, LAYER_SHEET, "1 room  \xC2\xB7  20.0 m\xC2\xB2"));
	desk_free(d);
}

static void everything_lies_on_the_sheet(void **state)
{
	/* A sub-room that extends beyond its parent, a door that turns outwards, a stair before the house. */
	struct desk *d =
		desk_new(METRES "room A at (0,0) size (4 x 4) " ALL_SOLID " composed of [\n"
				"  sub-room B at (3,3) size (9 x 2) " ALL_SOLID "\n ]\n"
				"stair S at (-6,1) shape straight toward right rise 2.8m width 1m\n }\n"
				"connect A.top to outside double-door at 50% size (3 x 2) opens into outside\n");

	(void)state;
	d->options.show_dimensions = 1;
	desk_compose(d);
	for (size_t i = 0; i < d->sheet.list.steps.n; i++) {
		const struct step *s = &d->sheet.list.steps.items[i];

		if (s->type != STEP_CLOSE && (s->x - s->radius < 0 || s->x + s->radius > d->sheet.list.width ||
					      s->y - s->radius < 0 || s->y + s->radius > d->sheet.list.height))
			fail_msg("a step at %g, %g leaves the sheet of %g x %g", s->x, s->y, d->sheet.list.width,
				 d->sheet.list.height);
	}
	desk_free(d);
}

static void north_is_shown_where_the_head_gives_it(void **state)
{
	struct desk *d =
		desk_with("---\nnorth: 90\n---\nfloorplan\n floor A { room R at (0,0) size (9 x 9) " ALL_SOLID " }");

	(void)state;
	assert_non_null(text_find_in(d, LAYER_SHEET, "N"));
	desk_free(d);
	d = desk_with("floorplan\n floor A { room R at (0,0) size (9 x 9) " ALL_SOLID " }");
	assert_null(text_find_in(d, LAYER_SHEET, "N"));
	desk_free(d);
}

static void the_scale_bar_has_round_numbers(void **state)
{
	struct desk *d = desk_with(METRES "room A at (0,0) size (12 x 9) " ALL_SOLID "\n }");

	(void)state;
	assert_non_null(text_find_in(d, LAYER_SHEET, "0"));
	assert_non_null(text_find_in(d, LAYER_SHEET, "1"));
	assert_non_null(text_find_in(d, LAYER_SHEET, "2 m"));
	desk_free(d);
}

static void a_name_too_long_for_its_room_is_cut_with_an_ellipsis(void **state)
{
	struct desk *d = desk_with(METRES "room A at (0,0) size (9 x 9) " ALL_SOLID
					  "\n room B at (9,0) size (2.2 x 2) " ALL_SOLID
					  " label \"Donaudampfschifffahrtsgesellschaftskabine\"\n }");
	bool found = false;

	(void)state;
	for (size_t i = 0; i < d->sheet.list.marks.n; i++) {
		const struct mark *m = &d->sheet.list.marks.items[i];

		found = found || (m->layer == LAYER_LABELS && text_starts(m->wording, "Donaudampf") &&
				  text_ends(m->wording, "\xE2\x80\xA6"));
	}
	assert_true(found);
	desk_free(d);
}

static void the_summary_is_there_when_asked_for(void **state)
{
	struct desk *d = desk_with(four_floors);

	(void)state;
	assert_null(text_find_in(d, LAYER_SHEET, "net area"));
	d->options.show_floor_summary = true;
	desk_compose(d);
	assert_non_null(text_find_in(d, LAYER_SHEET, "net area"));
	assert_non_null(text_find_in(d, LAYER_SHEET, "gross area"));
	assert_non_null(text_find_in(d, LAYER_SHEET, "centre-line area"));
	desk_free(d);
}

static void an_empty_plan_says_so(void **state)
{
	struct desk *d = desk_with("floorplan\n");

	(void)state;
	assert_non_null(text_find_in(d, LAYER_SHEET, "This plan is empty."));
	assert_true(d->sheet.scale == 0 && d->sheet.list.width <= 600);
	desk_free(d);
	d = desk_with("floorplan\n floor A { }\n floor B { room R at (0,0) size (3 x 3) " ALL_SOLID " }");
	assert_non_null(text_find_in(d, LAYER_SHEET, "This floor is empty."));
	desk_free(d);
}

static void floors_and_sizes_that_do_not_exist_are_refused(void **state)
{
	struct desk *d = desk_new(four_floors);

	(void)state;
	d->options.floor = 4;
	assert_false(sheet_compose(&d->call, d->plan, &d->options, &d->sheet));
	assert_int_equal(d->call.error.fault, FAULT_ARGUMENT);
	assert_non_null(strstr(error_sentence(d->call.arena, &d->call.error), "0 to 3"));
	d->options = DRAW_DEFAULTS;
	d->options.width = 63;
	assert_false(sheet_compose(&d->call, d->plan, &d->options, &d->sheet));
	d->options.width = 4097;
	assert_false(sheet_compose(&d->call, d->plan, &d->options, &d->sheet));
	desk_free(d);
}

static void a_font_we_do_not_have_is_a_warning(void **state)
{
	struct desk *d = desk_with(
		"floorplan\n config { font_family: \"Papyrus\" }\n floor A { room R at (0,0) size (9 x 9) " ALL_SOLID
		" }");

	(void)state;
	assert_int_equal(d->call.warnings.n, 1);
	assert_non_null(strstr(d->call.warnings.items[0].at, "Papyrus"));
	assert_non_null(strstr(d->call.warnings.items[0].at, "fonts-dejavu-core"));
	desk_free(d);
	/* Families of other packages are used if installed. If not, a warning names the package. */
	d = desk_with("floorplan\n config { font_family: \"Arial\" }\n floor A { room R at (0,0) size (9 x 9) " ALL_SOLID
		      " }");
	assert_true(d->sheet.hand.family == FAMILY_LIBERATION ? !d->call.warnings.n
							      : strstr(d->call.warnings.items[0].at, "fonts-liberation") != NULL);
	desk_free(d);
	d = desk_with("floorplan\n config { font_family: \"Courier New, monospace\" }\n floor A { room R at (0,0) size "
		      "(9 x 9) " ALL_SOLID " }");
	assert_int_equal(d->call.warnings.n, 0);
	desk_free(d);
}

static unsigned chance(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* The plan with some of its numbers replaced by odd ones. */
static void numbers_shuffled(struct buffer *to, const char *source, unsigned *seed)
{
	static const char *const odd[] = {"0",   "1",   "0.001",      "100000", "3.7", "12",
					  "0.5", "999", "1000000000", "2",      "50"};

	for (const char *at = source; *at;) {
		size_t digits = strspn(at, "0123456789.");

		if (!digits) {
			buffer_byte(to, *at++);
			continue;
		}
		if (chance(seed) % 3 == 0)
			buffer_put(to, odd[chance(seed) % ARRAY_COUNT(odd)]);
		else
			buffer_add(to, (struct text){at, digits});
		at += digits;
	}
}

static void all_is_finite_and_texts_are_on_the_sheet(const struct desk *d)
{
	const struct display_list *list = &d->sheet.list;

	for (size_t i = 0; i < list->steps.n; i++)
		assert_true(isfinite(list->steps.items[i].x) && isfinite(list->steps.items[i].y));
	for (size_t i = 0; i < list->marks.n; i++) {
		const struct mark *m = &list->marks.items[i];

		if (m->type != MARK_TEXT)
			continue;
		assert_true(isfinite(m->x) && isfinite(m->y) && m->style.size > 0);
		if (m->layer == LAYER_LABELS)
			assert_true(m->frame.left >= -1 && m->frame.right <= list->width + 1 && m->frame.top >= -1 &&
				    m->frame.bottom <= list->height + 1);
		for (size_t k = i + 1; k < list->marks.n; k++)
			assert_false(m->layer == LAYER_LABELS && list->marks.items[k].layer == LAYER_LABELS &&
				     frames_meet(m->frame, list->marks.items[k].frame));
	}
}

static void odd_numbers_never_break_a_drawing(void **state)
{
	unsigned seed = 7;
	int drawn = 0;

	(void)state;
	for (int round = 0; round < 400; round++) {
		struct buffer source = {0};

		numbers_shuffled(&source, crowded, &seed);
		if (is_valid(buffer_text(&source).at)) {
			struct desk *d = desk_new(buffer_text(&source).at);

			d->options.width = 64 + (int)(chance(&seed) % 2000);
			d->options.height = 64 + (int)(chance(&seed) % 2000);
			d->options.show_area = chance(&seed) % 2;
			d->options.show_dimensions = chance(&seed) % 2;
			desk_compose(d);
			all_is_finite_and_texts_are_on_the_sheet(d);
			desk_free(d);
			drawn++;
		}
		buffer_free(&source);
	}
	assert_true(drawn > 50);
}

static void a_page_has_a_true_scale(void **state)
{
	struct desk *d = desk_new(METRES "room A at (0,0) size (8 x 10) " ALL_SOLID "\n }");
	struct drawing drawing;

	(void)state;
	d->options.format = FORMAT_PDF;
	desk_compose(d);
	assert_int_equal(d->sheet.page_scale, 50);
	sheet_paint(&d->sheet, &drawing);
	assert_int_equal(drawing.width, 595);
	assert_int_equal(drawing.height, 842);
	/* One metre at 1:50 is 20 mm. */
	assert_true(fabs(drawing.scale - 20 / 25.4 * 72) < 1e-6);
	assert_non_null(text_find_in(d, LAYER_SHEET, "1 : 50"));
	desk_free(d);

	d = desk_new(METRES "room A at (0,0) size (20 x 12) " ALL_SOLID "\n }");
	d->options.format = FORMAT_PDF;
	desk_compose(d);
	assert_int_equal(d->sheet.page_scale, 100);
	assert_true(d->sheet.page_width > d->sheet.page_height);
	d->options.page_scale = 20;
	assert_false(sheet_compose(&d->call, d->plan, &d->options, &d->sheet));
	assert_int_equal(d->call.error.fault, FAULT_ARGUMENT);
	desk_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_of_all_plans_lie_in_their_rooms_and_apart),
		cmocka_unit_test(labels_in_a_crowd_lie_in_their_rooms_and_apart),
		cmocka_unit_test(labels_of_rooms_on_one_place_are_apart),
		cmocka_unit_test(a_label_of_a_hundred_thousand_words_is_cut_first),
		cmocka_unit_test(a_label_says_name_identifier_size_and_area),
		cmocka_unit_test(a_name_without_label_gets_its_blanks_and_no_identifier),
		cmocka_unit_test(a_low_room_has_its_label_on_one_line),
		cmocka_unit_test(a_narrow_room_has_its_label_turned),
		cmocka_unit_test(a_label_keeps_out_of_a_doors_swing),
		cmocka_unit_test(a_name_that_fits_nowhere_becomes_a_number_in_a_list),
		cmocka_unit_test(labels_can_be_left_out),
		cmocka_unit_test(text_has_contrast_on_every_fill),
		cmocka_unit_test(a_room_is_tinted_by_its_last_telling_word),
		cmocka_unit_test(dimensions_stand_outside_and_only_when_asked_for),
		cmocka_unit_test(a_side_that_differs_gets_its_own_chain),
		cmocka_unit_test(lengths_and_areas_are_converted),
		cmocka_unit_test(a_stair_says_up_and_at_its_upper_end_down),
		cmocka_unit_test(stairs_of_every_shape_are_drawn),
		cmocka_unit_test(floors_side_by_side_share_scale_and_origin),
		cmocka_unit_test(stacked_floors_have_the_first_lowest),
		cmocka_unit_test(more_than_four_floors_wrap),
		cmocka_unit_test(the_sheet_names_floor_rooms_and_area),
		cmocka_unit_test(everything_lies_on_the_sheet),
		cmocka_unit_test(north_is_shown_where_the_head_gives_it),
		cmocka_unit_test(the_scale_bar_has_round_numbers),
		cmocka_unit_test(a_name_too_long_for_its_room_is_cut_with_an_ellipsis),
		cmocka_unit_test(the_summary_is_there_when_asked_for),
		cmocka_unit_test(an_empty_plan_says_so),
		cmocka_unit_test(floors_and_sizes_that_do_not_exist_are_refused),
		cmocka_unit_test(a_font_we_do_not_have_is_a_warning),
		cmocka_unit_test(odd_numbers_never_break_a_drawing),
		cmocka_unit_test(a_page_has_a_true_scale),
	};

	return RUN_DESK_TESTS(tests);
}
