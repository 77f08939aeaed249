#include "draw_fixture.h"

#include <math.h>

#define ALL_SOLID "walls [top: solid, right: solid, bottom: solid, left: solid]"

static const struct wall_graph *walls(struct desk *d) { return &d->sheet.views[0].walls; }

static size_t pieces_on(struct desk *d, bool vertical, double line, const struct wall_piece **first)
{
	size_t n = 0;

	for (size_t i = 0; i < walls(d)->pieces.n; i++) {
		const struct wall_piece *p = &walls(d)->pieces.items[i];

		if (p->at.vertical == vertical && fabs(p->at.line - line) < 1e-6 && !n++)
			*first = p;
	}
	return n;
}

static void a_shared_wall_is_drawn_once_and_thinner(void **state)
{
	struct desk *d = desk_with("floorplan\n config { default_unit: m }\n floor G {\n"
				   "room A at (0,0) size (4 x 3) " ALL_SOLID "\n"
				   "room B at (4,0) size (4 x 3) " ALL_SOLID "\n }");
	const struct wall_piece *p = NULL;

	(void)state;
	assert_int_equal(pieces_on(d, true, 4, &p), 1);
	assert_int_equal(p->weight, WEIGHT_INNER);
	assert_int_equal(pieces_on(d, true, 0, &p), 1);
	assert_int_equal(p->weight, WEIGHT_OUTER);
	assert_int_equal(walls(d)->pieces.n, 5);
	desk_free(d);
}

static void rooms_a_hand_apart_share_a_wall(void **state)
{
	struct desk *d = desk_with("floorplan\n config { default_unit: m }\n floor G {\n"
				   "room A at (0,0) size (5 x 5) " ALL_SOLID "\n"
				   "room B at (5.08,0) size (5 x 5) " ALL_SOLID "\n }");
	const struct wall_piece *p = NULL;

	(void)state;
	assert_int_equal(pieces_on(d, true, 5, &p), 1);
	assert_int_equal(p->weight, WEIGHT_INNER);
	assert_int_equal(pieces_on(d, true, 5.08, &p), 0);
	desk_free(d);
}

static void a_wall_partly_shared_is_cut_where_the_neighbour_ends(void **state)
{
	struct desk *d = desk_with("floorplan\n config { default_unit: m }\n floor G {\n"
				   "room A at (0,0) size (4 x 6) " ALL_SOLID "\n"
				   "room B at (4,0) size (4 x 3) " ALL_SOLID "\n }");
	const struct wall_piece *p = NULL;

	(void)state;
	assert_int_equal(pieces_on(d, true, 4, &p), 2);
	desk_free(d);
}

static void only_two_open_sides_make_an_open_edge(void **state)
{
	struct desk *d =
		desk_with("floorplan\n config { default_unit: m }\n floor G {\n"
			  "room A at (0,0) size (4 x 3) walls [top: solid, right: open, bottom: solid, left: solid]\n"
			  "room B at (4,0) size (4 x 3) walls [top: solid, right: open, bottom: solid, left: open]\n"
			  "room C at (8,0) size (4 x 3) " ALL_SOLID "\n }");
	const struct wall_piece *p = NULL;

	(void)state;
	assert_int_equal(pieces_on(d, true, 4, &p), 0);
	assert_int_equal(pieces_on(d, true, 8, &p), 1);
	assert_int_equal(walls(d)->edges.n, 1);
	assert_true(fabs(walls(d)->edges.items[0].line - 4) < 1e-9);
	desk_free(d);
}

static bool is_wall_at(const struct sheet *s, double x, double y)
{
	for (size_t i = 0; i < s->list.marks.n; i++) {
		const struct mark *m = &s->list.marks.items[i];

		if (m->layer != LAYER_WALLS || m->type != MARK_PATH || !m->fill_on_top)
			continue;
		for (size_t k = m->first; k + 4 < m->first + m->n; k += 5) {
			const struct step *a = &s->list.steps.items[k], *b = &s->list.steps.items[k + 2];

			if (x > a->x && x < b->x && y > a->y && y < b->y)
				return true;
		}
	}
	return false;
}

/* At a corner of solid walls, all four quarters within the thickness are wall. */
static void corners_of(const struct desk *d)
{
	const struct sheet *s = &d->sheet;

	for (size_t i = 0; i < d->plan->rooms.n; i++) {
		const struct plan_room *r = &d->plan->rooms.items[i];

		if (r->floor != s->views[0].floor)
			continue;
		for (int k = 0; k < 4; k++) {
			double x = view_x(s, &s->views[0], r->box.x + (k & 1 ? r->box.width : 0));
			double y = view_y(s, &s->views[0], r->box.y + (k & 2 ? r->box.height : 0));
			double off = wall_pixels(s, WEIGHT_INNER) / 2 - 1.2;

			for (int q = 0; q < 4; q++)
				if (!is_wall_at(s, x + (q & 1 ? off : -off), y + (q & 2 ? off : -off)))
					fail_msg("a gap at corner %d of %.*s", k, TEXT_ARGS(r->name));
		}
	}
}

static void corners_and_joints_have_no_gaps(void **state)
{
	struct desk *d = desk_with("floorplan\n config { default_unit: m }\n floor G {\n"
				   "room A at (0,0) size (4 x 3) " ALL_SOLID "\n"
				   "room B at (4,0) size (3 x 5) " ALL_SOLID "\n"
				   "room C at (1,3) size (3 x 3) " ALL_SOLID "\n"
				   "room D at (7,1) size (2 x 2) " ALL_SOLID " composed of [\n"
				   "  sub-room E at (0.4,0.4) size (1 x 1) " ALL_SOLID "\n ]\n }");

	(void)state;
	corners_of(d);
	desk_free(d);
}

/* Does a wall, or an opening in one, begin at this point and run to the side `high` across? */
static bool runs_across(const struct wall_graph *g, bool vertical, double line, double along, bool high)
{
	for (size_t i = 0; i < g->pieces.n + g->openings.n; i++) {
		const struct stretch *s =
			i < g->pieces.n ? &g->pieces.items[i].at : &g->openings.items[i - g->pieces.n].at;

		if (s->vertical != vertical && fabs(s->line - along) < 1e-9 &&
		    (high ? s->from <= line + 1e-9 && s->to > line + 1e-9 : s->to >= line - 1e-9 && s->from < line - 1e-9))
			return true;
	}
	return false;
}

/* Where a wall changes its thickness, there are walls on both sides, so that no room's face has a step. */
static void no_steps(const char *name, const char *source)
{
	struct desk *d = desk_new(source);

	d->options.all_floors = true;
	desk_compose(d);
	for (size_t v = 0; v < d->sheet.view_count; v++) {
		const struct wall_graph *g = &d->sheet.views[v].walls;

		for (size_t i = 0; i < g->pieces.n; i++)
			for (size_t k = 0; k < g->pieces.n; k++) {
				const struct wall_piece *a = &g->pieces.items[i], *b = &g->pieces.items[k];

				if (a->at.vertical == b->at.vertical && a->at.line == b->at.line &&
				    a->at.to == b->at.from && a->weight != b->weight &&
				    !(runs_across(g, a->at.vertical, a->at.line, a->at.to, true) &&
				      runs_across(g, a->at.vertical, a->at.line, a->at.to, false)))
					fail_msg("%s: a step in the wall at %g, %g", name, a->at.line, a->at.to);
			}
	}
	desk_free(d);
}

/* A room that projects from the house, like a stair tower. */
static const char tower[] = "floorplan\n config { default_unit: m }\n floor G {\n"
			    "room Hall at (2,0) size (4 x 9) " ALL_SOLID "\n"
			    "room Tower at (0,3) size (2 x 3) " ALL_SOLID "\n"
			    "room Left at (2,9) size (2 x 3) " ALL_SOLID "\n"
			    "room Right at (4,9) size (5 x 3) " ALL_SOLID "\n }";

static void a_wall_has_no_step_in_a_rooms_face(void **state)
{
	struct desk *d = desk_with(tower);
	const struct wall_piece *p = NULL;

	(void)state;
	/* The hall's left wall is outer, then shared with the tower, then outer: three pieces of one thickness. */
	assert_int_equal(pieces_on(d, true, 2, &p), 3);
	for (size_t i = 0; i < walls(d)->pieces.n; i++)
		if (walls(d)->pieces.items[i].at.vertical && walls(d)->pieces.items[i].at.line == 2) {
			p = &walls(d)->pieces.items[i];
			assert_int_equal(p->weight, WEIGHT_OUTER);
			assert_int_equal(p->outside, p->at.from != 3);
		}
	/* The wall between Left and Right ends at both walls: it stays thin. */
	assert_int_equal(pieces_on(d, true, 4, &p), 1);
	assert_int_equal(p->weight, WEIGHT_INNER);
	desk_free(d);
	no_steps("tower", tower);
	each_data_plan(no_steps);
}

static void no_wall_in_openings(const struct desk *d)
{
	for (size_t v = 0; v < d->sheet.view_count; v++) {
		const struct wall_graph *g = &d->sheet.views[v].walls;

		for (size_t i = 0; i < g->openings.n; i++)
			for (size_t k = 0; k < g->pieces.n; k++) {
				const struct stretch *o = &g->openings.items[i].at, *p = &g->pieces.items[k].at;

				if (o->vertical == p->vertical && o->line == p->line && p->from < o->to - 1e-9 &&
				    o->from < p->to - 1e-9)
					fail_msg("a wall stands in an opening at %g, %g..%g", o->line, o->from, o->to);
			}
	}
}

static void doors_and_windows_apart(const struct desk *d)
{
	for (size_t v = 0; v < d->sheet.view_count; v++) {
		const struct wall_graph *g = &d->sheet.views[v].walls;

		for (size_t i = 0; i < g->openings.n; i++)
			for (size_t k = 0; k < g->openings.n; k++) {
				const struct opening *a = &g->openings.items[i], *b = &g->openings.items[k];

				if (a->type == OPENING_WINDOW && i != k && a->at.vertical == b->at.vertical &&
				    a->at.line == b->at.line && a->at.from < b->at.to - 1e-9 &&
				    b->at.from < a->at.to - 1e-9)
					fail_msg("a window meets another opening at %g", a->at.line);
			}
	}
}

static void check_shared(const char *name, const char *source)
{
	struct desk *d = desk_new(source);

	(void)name;
	d->options.all_floors = true;
	desk_compose(d);
	no_wall_in_openings(d);
	doors_and_windows_apart(d);
	desk_free(d);
}

static void every_opening_of_every_plan_is_cut(void **state)
{
	(void)state;
	each_data_plan(check_shared);
}

static void every_opening_is_cut(void **state)
{
	struct desk *d = desk_with(
		"floorplan\n config { default_unit: m }\n floor G {\n"
		"room A at (0,0) size (5 x 4) walls [top: window, right: solid, bottom: door, left: window]\n"
		"room B at (5,0) size (5 x 4) walls [top: window, right: door, bottom: solid, left: solid]\n }\n"
		"connect A.right to B.left double-door at 50%\n"
		"connect A.top to outside door at 50%\n"
		"connect B.bottom to outside opening at 20%\n");

	(void)state;
	assert_int_equal(walls(d)->openings.n, 8);
	no_wall_in_openings(d);
	doors_and_windows_apart(d);
	desk_free(d);
}

static const struct opening *find(struct desk *d, enum opening_type type, size_t *n)
{
	const struct opening *found = NULL;

	*n = 0;
	for (size_t i = 0; i < walls(d)->openings.n; i++)
		if (walls(d)->openings.items[i].type == type && !(*n)++)
			found = &walls(d)->openings.items[i];
	return found;
}

static void a_window_gives_way_to_a_door(void **state)
{
	struct desk *d = desk_with(
		"floorplan\n config { default_unit: m }\n floor G {\n"
		"room A at (0,0) size (6 x 4) walls [top: window, right: solid, bottom: solid, left: solid]\n }\n"
		"connect A.top to outside door at 50%\n");
	size_t n;
	const struct opening *window = find(d, OPENING_WINDOW, &n);

	(void)state;
	assert_int_equal(n, 1);
	assert_true(window->at.to < 2.6 || window->at.from > 3.4);
	desk_free(d);
}

static void a_window_that_both_rooms_list_is_one(void **state)
{
	struct desk *d = desk_with(
		"floorplan\n config { default_unit: m }\n floor G {\n"
		"room A at (0,0) size (4 x 3) walls [top: solid, right: window, bottom: solid, left: solid]\n"
		"room B at (4,0) size (4 x 3) walls [top: solid, right: solid, bottom: solid, left: window]\n }");
	size_t n;

	(void)state;
	find(d, OPENING_WINDOW, &n);
	assert_int_equal(n, 1);
	desk_free(d);
}

static void a_window_prefers_the_outside(void **state)
{
	/* The right two thirds of the side are shared with B: the window goes to the left third. */
	struct desk *d =
		desk_with("floorplan\n config { default_unit: m }\n floor G {\n"
			  "room A at (0,3) size (9 x 3) walls [top: window, right: solid, bottom: solid, left: solid]\n"
			  "room B at (3,0) size (6 x 3) " ALL_SOLID "\n }");
	size_t n;
	const struct opening *window = find(d, OPENING_WINDOW, &n);

	(void)state;
	assert_int_equal(n, 1);
	assert_true(window->at.to < 3);
	assert_int_equal(window->weight, WEIGHT_OUTER);
	desk_free(d);
}

static void a_connection_replaces_the_wall_door_below_it(void **state)
{
	struct desk *d =
		desk_with("floorplan\n config { default_unit: m }\n floor G {\n"
			  "room A at (0,0) size (4 x 3) walls [top: solid, right: door, bottom: solid, left: solid]\n"
			  "room B at (4,0) size (4 x 3) " ALL_SOLID "\n }\n"
			  "connect A.right to B.left door at 50%\n");
	size_t n;
	const struct opening *door = find(d, OPENING_DOOR, &n);

	(void)state;
	assert_int_equal(n, 1);
	assert_int_equal(door->connection, 0);
	desk_free(d);
}

static void a_wall_door_opens_into_the_room_that_lists_it(void **state)
{
	struct desk *d = desk_with(
		"floorplan\n config { default_unit: m }\n floor G {\n"
		"room A at (0,0) size (4 x 3) walls [top: solid, right: door, bottom: solid, left: solid]\n }");
	size_t n;
	const struct opening *door = find(d, OPENING_DOOR, &n);

	(void)state;
	assert_int_equal(n, 1);
	assert_int_equal(door->leaf, -1);
	assert_int_equal(door->into, 0);
	desk_free(d);
}

static void openings_keep_off_corners(void **state)
{
	struct desk *d = desk_with("floorplan\n config { default_unit: m }\n floor G {\n"
				   "room A at (0,0) size (6 x 4) " ALL_SOLID "\n }\n"
				   "connect A.top to outside door at 0%\n");
	size_t n;
	const struct opening *door = find(d, OPENING_DOOR, &n);

	(void)state;
	assert_int_equal(n, 1);
	/* After the face of the outer wall, 0.125, and a rest of 0.1. */
	assert_true(door->at.from > 0.224 && door->at.from < 0.3);
	desk_free(d);
}

/* Standing in the room and facing the door, `swing: left` has the hinges on the left hand. */
static void hinges_are_on_the_hand_that_the_swing_names(void **state)
{
	static const struct {
		const char *side, *swing;
		bool hinge_low;
	} cases[] = {
		{"top", "left", true},   {"top", "right", false}, {"bottom", "left", false}, {"bottom", "right", true},
		{"left", "left", false}, {"left", "right", true}, {"right", "left", true},   {"right", "right", false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		char source[400];
		struct desk *d;
		const struct mark *leaf = NULL;
		struct frame f = {INFINITY, INFINITY, -INFINITY, -INFINITY};
		bool vertical = cases[i].side[0] == 'l' || cases[i].side[0] == 'r';

		snprintf(source, sizeof source,
			 "floorplan\n config { default_unit: m }\n floor G {\n room A at (0,0) size (4 x 4) " ALL_SOLID
			 "\n }\n"
			 "connect A.%s to outside door at 50%% opens into A swing: %s\n",
			 cases[i].side, cases[i].swing);
		d = desk_with(source);
		for (size_t k = 0; k < d->sheet.list.marks.n; k++)
			if (d->sheet.list.marks.items[k].layer == LAYER_DOORS &&
			    d->sheet.list.marks.items[k].fill != NO_COLOUR)
				leaf = &d->sheet.list.marks.items[k];
		assert_non_null(leaf);
		for (size_t k = 0; k + 1 < leaf->n; k++) {
			const struct step *s = &d->sheet.list.steps.items[leaf->first + k];

			f = (struct frame){fmin(f.left, s->x), fmin(f.top, s->y), fmax(f.right, s->x),
					   fmax(f.bottom, s->y)};
		}
		/* The leaf is at the hinge: before or after the middle of the side. */
		double middle =
			vertical ? view_y(&d->sheet, &d->sheet.views[0], 2) : view_x(&d->sheet, &d->sheet.views[0], 2);
		double at = vertical ? (f.top + f.bottom) / 2 : (f.left + f.right) / 2;

		if ((at < middle) != cases[i].hinge_low)
			fail_msg("%s, swing %s: the hinge is on the wrong hand", cases[i].side, cases[i].swing);
		/* And it is inside the room. */
		assert_true(f.left > view_x(&d->sheet, &d->sheet.views[0], 0) &&
			    f.right < view_x(&d->sheet, &d->sheet.views[0], 4));
		assert_true(f.top > view_y(&d->sheet, &d->sheet.views[0], 0) &&
			    f.bottom < view_y(&d->sheet, &d->sheet.views[0], 4));
		desk_free(d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shared_wall_is_drawn_once_and_thinner),
		cmocka_unit_test(rooms_a_hand_apart_share_a_wall),
		cmocka_unit_test(a_wall_partly_shared_is_cut_where_the_neighbour_ends),
		cmocka_unit_test(only_two_open_sides_make_an_open_edge),
		cmocka_unit_test(corners_and_joints_have_no_gaps),
		cmocka_unit_test(a_wall_has_no_step_in_a_rooms_face),
		cmocka_unit_test(every_opening_is_cut),
		cmocka_unit_test(every_opening_of_every_plan_is_cut),
		cmocka_unit_test(a_window_gives_way_to_a_door),
		cmocka_unit_test(a_window_that_both_rooms_list_is_one),
		cmocka_unit_test(a_window_prefers_the_outside),
		cmocka_unit_test(a_connection_replaces_the_wall_door_below_it),
		cmocka_unit_test(a_wall_door_opens_into_the_room_that_lists_it),
		cmocka_unit_test(openings_keep_off_corners),
		cmocka_unit_test(hinges_are_on_the_hand_that_the_swing_names),
	};

	return RUN_DESK_TESTS(tests);
}
