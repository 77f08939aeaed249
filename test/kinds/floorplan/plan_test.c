/* plan_test.c: the resolved places of rooms, connections and stairs, and the spans of the text. */
#include "support/check.h"
#include "support/growth.h"

#include "kinds/floorplan/edit/edit.h"
#include "kinds/floorplan/kind.h"
#include "kinds/floorplan/plan/reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct arena arena;

static int end(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

#define WALLS " walls [top: solid] "
#define CLOSE(have, want)                                                                                              \
	do {                                                                                                           \
		double have_ = (have), want_ = (want);                                                                 \
		if (fabs(have_ - want_) > 1e-6)                                                                        \
			fail_msg("%s is %.9g, want %.9g", #have, have_, want_);                                        \
	} while (0)

static const struct plan *read(const char *source) { return plan_read(&arena, text_of(source)); }

static const struct plan *sound(const char *source)
{
	const struct plan *p = read(source);

	for (size_t i = 0; i < p->problems.n; i++)
		if (p->problems.items[i].is_error)
			fail_msg("%u:%u %s", p->problems.items[i].line, p->problems.items[i].column,
				 p->problems.items[i].message);
	return p;
}

static void directions_place_rooms(void **state)
{
	(void)state;
	static const struct {
		const char *clause;
		double x, y;
	} rows[] = {
		{"right-of A", 20, 0},
		{"left-of A", -4, 0},
		{"above A", 0, -2},
		{"below A", 0, 10},
		{"right-of A gap 1 align bottom", 21, 8},
		{"below A align right", 16, 10},
		{"below A align center", 8, 10},
		{"right-of A align center", 20, 4},
		{"above-right-of A", 20, -2},
		{"below-left-of A gap 1", -5, 11},
		{"above-left-of A", -4, -2},
		{"below-right-of A gap 2", 22, 12},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		const struct plan *p = sound(text_format(&arena,
							 "floorplan floor f { room B size (4 x 2)" WALLS
							 "%s room A at (0,0) size (20 x 10)" WALLS "}",
							 rows[i].clause)
						     .at);

		CLOSE(p->rooms.items[0].box.x, rows[i].x);
		CLOSE(p->rooms.items[0].box.y, rows[i].y);
	}
}

/* Stand in the room the door opens into and face the door. */
static void hinges_are_where_the_swing_says(void **state)
{
	(void)state;
	static const struct {
		const char *connect;
		enum side leaf;
		bool high;
	} rows[] = {
		{"connect A.right to B.left door swing: left", SIDE_RIGHT, true},
		{"connect A.right to B.left door", SIDE_RIGHT, false},
		{"connect A.right to B.left door opens into A swing: left", SIDE_LEFT, false},
		{"connect A.bottom to C.top door swing: left", SIDE_BOTTOM, false},
		{"connect A.bottom to C.top door opens into A swing: left", SIDE_TOP, true},
		{"connect A.top to outside door swing: left", SIDE_BOTTOM, false},
		{"connect A.top to outside door opens into outside swing: left", SIDE_TOP, true},
		{"connect outside to A.left door", SIDE_RIGHT, false},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		const struct plan *p = sound(text_format(&arena,
							 "floorplan floor f { room A at (0,0) size (10 x 10)" WALLS
							 "room B at (10,0) size (10 x 10)" WALLS
							 "room C at (0,10) size (10 x 10)" WALLS "} %s",
							 rows[i].connect)
						     .at);
		const struct plan_connection *k = &p->connections.items[0];

		assert_true(k->placed);
		if (k->leaf != rows[i].leaf || k->hinge_high != rows[i].high)
			fail_msg("%s: leaf %s, hinge %s", rows[i].connect, word_of(SET_SIDE, (int)k->leaf),
				 k->hinge_high ? "high" : "low");
	}
}

static void a_percent_counts_along_the_shared_part(void **state)
{
	(void)state;
	const struct plan *p =
		sound("floorplan config { default_unit: m } floor f { room A at (0,0) size (10 x 10)" WALLS
		      "room B at (10,6) size (5 x 10)" WALLS "} connect A.right to B.left door at 50%");
	const struct plan_connection *k = &p->connections.items[0];

	assert_true(k->vertical);
	CLOSE(k->line, 10);
	CLOSE(k->low, 6);
	CLOSE(k->high, 10);
	CLOSE(k->centre, 8);
	CLOSE(k->width, 0.9);
	p = sound("floorplan config { default_unit: m } floor f { room A at (0,0) size (10 x 10)" WALLS
		  "} connect A.top to outside double-door at 1%");
	CLOSE(p->connections.items[0].width, 1.6);
	CLOSE(p->connections.items[0].centre, 0.9);
	p = sound("floorplan config { default_unit: m } floor f { room A at (0,0) size (10 x 10) walls [top: solid] "
		  "composed of [ sub-room S at (2,2) size (3 x 3)" WALLS "] } connect A to S.bottom door");
	CLOSE(p->connections.items[0].line, 5);
	assert_int_equal(p->connections.items[0].leaf, SIDE_TOP);
}

static const struct plan_stair *stair(const char *shape)
{
	const struct plan *p =
		sound(text_format(&arena,
				  "floorplan config { default_unit: ft } floor f { room R at (0,0) size (50 x 50)" WALLS
				  "stair S at (2,3) shape %s rise 8ft width 3ft riser 8in tread 1ft }",
				  shape)
			      .at);

	assert_int_equal(p->stairs.items[0].steps, 12);
	CLOSE(p->stairs.items[0].box.x, 2);
	CLOSE(p->stairs.items[0].box.y, 3);
	return &p->stairs.items[0];
}

static void stairs_of_all_shapes_have_their_measures(void **state)
{
	(void)state;
	static const struct {
		const char *shape;
		double width, height;
		size_t parts;
	} rows[] = {
		{"straight toward top", 3, 12, 1},
		{"straight toward left", 12, 3, 1},
		{"L-shaped from bottom turn left", 9, 9, 3},
		{"L-shaped from bottom turn right runs 4, 8", 11, 7, 3},
		{"U-shaped from right turn right", 9, 6, 3},
		{"double-L from bottom turn right", 10, 7, 5},
		{"winder from left turn right winders 3", 8, 7, 3},
		{"spiral rotation clockwise outer-radius 4ft", 8, 8, 1},
		{"curved from bottom radius 6ft", 7.5, 7.5, 1},
		{"custom from bottom [flight 6, turn right landing (3 x 3), flight 6]", 9, 9, 3},
	};

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		const struct plan_stair *s = stair(rows[i].shape);

		if (fabs(s->box.width - rows[i].width) > 0.02 || fabs(s->box.height - rows[i].height) > 0.02 ||
		    s->part_count != rows[i].parts)
			fail_msg("%s: %g x %g in %zu parts", rows[i].shape, s->box.width, s->box.height, s->part_count);
	}
}

static void a_climber_enters_at_the_from_side_and_turns_by_hand(void **state)
{
	(void)state;
	const struct plan_stair *s = stair("L-shaped from bottom turn left");

	/* Up from the bottom on the right, then to the left. */
	CLOSE(s->walk[0].y, s->box.y + s->box.height);
	CLOSE(s->walk[0].x, s->box.x + s->box.width - 1.5);
	assert_int_equal(s->parts[0].toward, SIDE_TOP);
	assert_int_equal(s->parts[2].toward, SIDE_LEFT);
	CLOSE(s->walk[s->walk_points - 1].x, s->box.x);
	s = stair("straight toward right");
	CLOSE(s->walk[0].x, s->box.x);
	CLOSE(s->parts[0].risers[0].a.x, s->box.x);
	s = stair("U-shaped from bottom turn right");
	assert_int_equal(s->parts[2].toward, SIDE_BOTTOM);
	assert_true(s->walk[0].x < s->walk[s->walk_points - 1].x);
}

static void a_flight_is_pressed_along_a_wall(void **state)
{
	(void)state;
	const struct plan *p =
		sound("floorplan config { default_unit: ft } floor f { room W at (10,10) size (20 x 20)" WALLS
		      "stair S shape custom from bottom [flight 5 along W.right] rise 4ft width 3ft tread 1ft }");

	CLOSE(p->stairs.items[0].box.x + p->stairs.items[0].box.width, 30);
}

struct met {
	size_t n;
};

static bool count(void *to, int a, int b)
{
	(void)a, (void)b;
	((struct met *)to)->n++;
	return true;
}

static void the_sweep_finds_what_comparing_each_with_each_finds(void **state)
{
	(void)state;
	enum { BOXES = 60, ROUNDS = 200 };

	srand(7);
	for (int round = 0; round < ROUNDS; round++) {
		struct swept items[BOXES];
		struct met have = {0};
		size_t want = 0;

		for (int i = 0; i < BOXES; i++)
			items[i] = (struct swept){
				{rand() % 40, rand() % 40, 1 + rand() % 8, 1 + rand() % 8}, rand() % 3, i};
		for (int i = 0; i < BOXES; i++)
			for (int k = i + 1; k < BOXES; k++) {
				const struct box *a = &items[i].box, *b = &items[k].box;

				want += items[i].group == items[k].group &&
					fmin(a->x + a->width, b->x + b->width) - fmax(a->x, b->x) > 0.01 &&
					fmin(a->y + a->height, b->y + b->height) - fmax(a->y, b->y) > 0.01;
			}
		sweep(&arena, items, BOXES, count, &have);
		assert_int_equal(have.n, want);
	}
}

static void spans_lie_in_order_and_only_blanks_and_comments_between(void **state)
{
	(void)state;
	const char *source = "# c\nfloorplan /* d */ config { theme: dark } floor f height 3 { room A at (0,0) size "
			     "(2x3) walls [top: solid at 5%] # e\n}";
	const struct plan *p = sound(source);
	uint32_t last = 0;

	for (size_t i = 0; i < p->syntax->tokens.n; i++) {
		const struct token *t = &p->syntax->tokens.items[i];

		assert_true(t->from >= last && t->to >= t->from);
		last = t->to;
	}
	assert_int_equal(last, strlen(source));
	const struct statement *room = p->syntax->statements.items[2];

	assert_text(text_slice(p->source, room->size.width.number.from, room->size.width.number.to), "2");
	assert_text(text_slice(p->source, room->size.span.from, room->size.span.to), "(2x3)");
	assert_text(text_slice(p->source, room->walls.items[0].span.from, room->walls.items[0].span.to),
		    "top: solid at 5%");
}

/* A text ends at its length. The bytes after it may be anything, or not exist. */
static void nothing_is_read_behind_the_text(void **state)
{
	(void)state;
	static const char *const texts[] = {"---\ntitle: 12",
					    "---\nconfig:\n  theme: tru",
					    "%%{version: 1",
					    "floorplan floor f { room A at (1",
					    "floorplan floor f { room A label \"x",
					    "floorplan config { theme: da",
					    "floorplan /",
					    "floorplan floor f { stair S shape L-"};

	for (size_t i = 0; i < ARRAY_COUNT(texts); i++) {
		size_t n = strlen(texts[i]);
		char *exact = malloc(n);

		memcpy(exact, texts[i], n);
		plan_read(&arena, (struct text){exact, n});
		free(exact);
	}
}

static void errors_are_capped(void **state)
{
	(void)state;
	struct buffer b = {.arena = &arena};

	buffer_put(&b, "floorplan floor f {\n");
	for (int i = 0; i < 500; i++)
		buffer_format(&b, "room A%d size (2 x 2)\n", i);
	buffer_put(&b, "}");
	const struct plan *p = plan_read(&arena, buffer_text(&b));

	assert_int_equal(p->problems.n, ERRORS_MAX);
}

static void deep_and_long_texts_end(void **state)
{
	(void)state;
	struct buffer b = {.arena = &arena};

	buffer_put(&b, "floorplan floor f { ");
	for (int i = 0; i < 5000; i++)
		buffer_put(&b, "room A at (0,0) size (9 x 9) walls [top: solid] composed of [ ");
	assert_false(plan_is_valid(plan_read(&arena, buffer_text(&b))));
	b.len = 0;
	buffer_put(&b, "floorplan floor f { room R0 at (0,0) size (1 x 1) walls [top: solid] ");
	for (int i = 1; i < 20000; i++)
		buffer_format(&b, "room R%d size (1 x 1) walls [top: solid] right-of R%d ", i, i - 1);
	buffer_put(&b, "}");
	const struct plan *p = plan_read(&arena, buffer_text(&b));

	assert_true(plan_is_valid(p));
	CLOSE(p->rooms.items[19999].box.x, 19999);
}

/* A plan of `size` thousand bytes with rooms and one mistake that is repeated. */
static int64_t cost_of_mistake(const void *of, int size)
{
	const char *mistake = of;
	struct arena scratch = {0};
	struct buffer b = {.arena = &scratch};
	bool inside = mistake[0] == 'r' || mistake[0] == 's';

	buffer_put(&b, "floorplan floor f0 {\n");
	for (int k = 0; k < size * 2; k++)
		buffer_format(&b, "room R%d at (%d,%d) size (10 x 10) walls [top: solid]\n", k, k % 50 * 10,
			      k / 50 * 10);
	buffer_put(&b, inside ? "" : "}\n");
	while (b.len < (size_t)size * 1000)
		buffer_put(&b, mistake);
	buffer_put(&b, inside ? "}\n" : "");
	int64_t from = cost_now();

	plan_read(&scratch, buffer_text(&b));
	int64_t cost = cost_now() - from;

	arena_free(&scratch);
	return cost;
}

/* Repeated mistakes must not cause a comparison of all pairs. A megabyte is the largest text that is read. */
static void a_megabyte_of_mistakes_is_not_compared_each_with_each(void **state)
{
	(void)state;
	static const char *const mistakes[] = {
		"connect Nobody.left to Nowhere.right door\n",         "connect R1 to outside door\n",
		"room R1 at (0,0) size (9 x 9) walls [top: solid]\n",  "floor f { connect R1 to R2 door }\n",
		"stair S at (0,0) shape straight toward top rise 9\n",
	};

	for (size_t i = 0; i < ARRAY_COUNT(mistakes); i++)
		assert_not_quadratic(cost_of_mistake, mistakes[i], 125);
}

static void a_stair_along_a_wall_needs_no_place(void **state)
{
	(void)state;
	const struct plan *p =
		sound("floorplan config { default_unit: ft } floor f { room W at (10,10) size (20 x 20)" WALLS
		      "stair S shape custom from bottom [flight 5 along W.left] rise 35in }");

	assert_int_equal(p->problems.n, 0);
	CLOSE(p->stairs.items[0].box.x, 10);
}

static void every_fenced_plan_of_the_schema_is_valid_and_without_warnings(void **state)
{
	(void)state;
	struct buffer b = {.arena = &arena};
	size_t found = 0;

	schema_write(&b);
	struct text page = buffer_text(&b);

	for (size_t at = 0; (at = text_find(page, TEXT("```\nfloorplan"), at)) != SIZE_MAX; found++) {
		size_t close = text_find(page, TEXT("\n```"), at + 4);
		const struct plan *p = plan_read(&arena, text_slice(page, at + 4, close));

		if (p->problems.n)
			fail_msg("%u:%u %s", p->problems.items[0].line, p->problems.items[0].column,
				 p->problems.items[0].message);
		at = close + 4;
	}
	assert_true(found >= 4);
}

static void stair_warnings_are_in_the_plans_unit(void **state)
{
	static const struct {
		const char *unit, *part;
	} rows[] = {
		{"m", "riser 0.233m; residential wants at most 0.197m"},
		{"cm", "width 80cm; residential wants at least 91.44cm"},
		{"mm", "tread 200mm; residential wants at least 254mm"},
		{"in", "width 31.496in; residential wants at least 36in"},
		{"ft", "tread 0.656ft (7.87in); residential wants at least 0.833ft (10in)"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		char source[400];
		bool found = false;

		snprintf(source, sizeof source,
			 "floorplan\n config { default_unit: %s, stair_code: residential }\n floor G {\n"
			 "room A at (0,0) size (900m x 900m)" WALLS "\n"
			 "stair S at (1m,1m) shape straight toward right rise 2.8m width 0.8m riser 0.25m tread 0.2m }\n",
			 rows[i].unit);
		const struct plan *p = sound(source);

		for (size_t k = 0; k < p->problems.n; k++)
			found = found || strstr(p->problems.items[k].message, rows[i].part);
		if (!found)
			fail_msg("no warning says %s", rows[i].part);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(directions_place_rooms, end),
		cmocka_unit_test_teardown(hinges_are_where_the_swing_says, end),
		cmocka_unit_test_teardown(a_percent_counts_along_the_shared_part, end),
		cmocka_unit_test_teardown(stairs_of_all_shapes_have_their_measures, end),
		cmocka_unit_test_teardown(a_climber_enters_at_the_from_side_and_turns_by_hand, end),
		cmocka_unit_test_teardown(a_flight_is_pressed_along_a_wall, end),
		cmocka_unit_test_teardown(the_sweep_finds_what_comparing_each_with_each_finds, end),
		cmocka_unit_test_teardown(spans_lie_in_order_and_only_blanks_and_comments_between, end),
		cmocka_unit_test_teardown(nothing_is_read_behind_the_text, end),
		cmocka_unit_test_teardown(errors_are_capped, end),
		cmocka_unit_test_teardown(deep_and_long_texts_end, end),
		cmocka_unit_test_teardown(a_megabyte_of_mistakes_is_not_compared_each_with_each, end),
		cmocka_unit_test_teardown(a_stair_along_a_wall_needs_no_place, end),
		cmocka_unit_test_teardown(stair_warnings_are_in_the_plans_unit, end),
		cmocka_unit_test_teardown(every_fenced_plan_of_the_schema_is_valid_and_without_warnings, end),
	};

	return RUN_TESTS(tests);
}
