/* The critic: for each rule a plan that breaks it and one that does not. */
#include "support/check.h"

#include "format/json.h"
#include "kinds/floorplan/critic/critic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WALLS(t, r, b, l) "walls [top: " #t ", right: " #r ", bottom: " #b ", left: " #l "]\n"
#define SOLID WALLS(solid, solid, solid, solid)
#define METRES "floorplan\n config { default_unit: m, default_height: 2.6 }\n floor Ground {\n"

struct judged {
	struct arena arena;
	const struct plan *plan;
	struct findings findings;
};

static struct judged *judge_by(const char *source, const struct critic_limits *limits)
{
	struct judged *j = calloc(1, sizeof *j);

	j->plan = plan_read(&j->arena, text_copy(&j->arena, text_of(source)));
	for (size_t i = 0; i < j->plan->problems.n; i++)
		if (j->plan->problems.items[i].is_error)
			fail_msg("line %u: %s", j->plan->problems.items[i].line, j->plan->problems.items[i].message);
	critic_read(&j->arena, j->plan, limits, &j->findings);
	return j;
}

static struct judged *judge(const char *source)
{
	struct critic_limits limits;

	critic_limits_default(&limits);
	return judge_by(source, &limits);
}

static void judged_free(struct judged *j)
{
	arena_free(&j->arena);
	free(j);
}

static const struct finding *found(const struct judged *j, enum critic_rule rule)
{
	for (size_t i = 0; i < j->findings.n; i++)
		if (j->findings.items[i].rule == rule)
			return &j->findings.items[i];
	return NULL;
}

static void expect(const char *source, enum critic_rule rule, enum severity severity, const char *says)
{
	struct judged *j = judge(source);
	const struct finding *f = found(j, rule);

	if (!f)
		fail_msg("%s was not found in\n%s", rule_rows[rule].name, source);
	if (f->severity != severity)
		fail_msg("%s is %s, not %s: %s", rule_rows[rule].name, word_of(SET_SEVERITY, (int)f->severity),
			 word_of(SET_SEVERITY, (int)severity), f->message);
	if (!strstr(f->message, says))
		fail_msg("'%s' does not say '%s'", f->message, says);
	assert_true(f->from < strlen(source));
	judged_free(j);
}

static void expect_none(const char *source, enum critic_rule rule)
{
	struct judged *j = judge(source);
	const struct finding *f = found(j, rule);

	if (f)
		fail_msg("%s: %s", rule_rows[rule].name, f->message);
	judged_free(j);
}

static void expect_good(const char *name, const char *source)
{
	struct judged *j = judge(source);

	for (size_t i = 0; i < j->findings.n; i++)
		if (j->findings.items[i].severity > SEVERITY_INFO)
			fail_msg("%s: %s: %s", name, rule_rows[j->findings.items[i].rule].name,
				 j->findings.items[i].message);
	judged_free(j);
}

static void a_plan_without_entrance_is_an_error(void **state)
{
	(void)state;
	const char *two = METRES " room Hall at (0,0) size (2 x 5) " SOLID " room Living at (2,0) size (5 x 5) " WALLS(
		window, solid, solid, solid) " }\n connect Hall to Living door\n";

	expect(two, RULE_NO_ENTRANCE, SEVERITY_ERROR, "no entrance");
	expect_none(METRES " room Hall at (0,0) size (2 x 5) " SOLID " room Living at (2,0) size (5 x 5) " WALLS(
			    window, solid, solid,
			    solid) " }\n connect Hall to Living door\n connect Hall.top to outside door\n",
		    RULE_NO_ENTRANCE);
	/* A door in the list of walls is an entrance too. */
	expect_none(METRES " room Living at (0,0) size (5 x 5) " WALLS(window, solid, door, solid) " }\n",
		    RULE_NO_ENTRANCE);
}

static void a_sketch_without_doors_is_told_once(void **state)
{
	(void)state;
	const char *sketch =
		METRES " room Hall at (0,0) size (2 x 5) " SOLID " room Bath at (2,0) size (3 x 5) " SOLID " }\n";

	expect(sketch, RULE_NO_ENTRANCE, SEVERITY_INFO, "no doors yet");
	expect_none(sketch, RULE_UNREACHABLE);
	expect_none("floorplan\n", RULE_NO_ENTRANCE);
}

static void rooms_without_a_way_in_are_found(void **state)
{
	(void)state;
	expect(METRES " room Hall at (0,0) size (2 x 5) " SOLID " room Bath at (2,0) size (3 x 5) " SOLID
		      " }\n connect Hall.top to outside door\n",
	       RULE_UNREACHABLE, SEVERITY_WARNING, "Bath");
	/* An upper floor is reached by its stair if a vertical joins them. */
	const char *floors = METRES " room Hall at (0,0) size (3 x 8) " SOLID
				    " stair S at (1,1) shape straight toward bottom rise 2.8 width 1\n }\n floor Up {\n"
				    " room Landing at (0,0) size (3 x 8) " SOLID
				    " stair S at (1,1) shape straight toward bottom rise 2.8 width 1\n }\n"
				    " connect Hall.top to outside door\n";

	expect(floors, RULE_UNREACHABLE, SEVERITY_WARNING, "Landing");
	char joined[2000];

	snprintf(joined, sizeof joined, "%s vertical Ground.S to Up.S\n", floors);
	expect_none(joined, RULE_UNREACHABLE);
}

static void rooms_behind_a_bedroom_or_bath_are_found(void **state)
{
	(void)state;
#define FLAT                                                                                                           \
	METRES " room Hall at (0,0) size (2 x 5) " SOLID " room Living at (0,5) size (6 x 4) " WALLS(                  \
		solid, solid, window, window) " room Bedroom at (2,0) size (4 x 5) " WALLS(window, solid, solid,       \
											   solid)
	const char *kitchen = FLAT " room Kitchen at (6,0) size (3 x 5) " WALLS(
		solid, window, solid,
		solid) " }\n connect Hall.top to outside door\n connect Hall.bottom to Living.top "
		       "door\n connect Hall.right to Bedroom.left door\n";
	char text[2000];

	snprintf(text, sizeof text, "%s connect Bedroom.right to Kitchen.left door\n", kitchen);
	expect(text, RULE_THROUGH_BEDROOM, SEVERITY_WARNING, "Kitchen is reached only through Bedroom");
	/* A second way solves it. A bath behind its bedroom is usual. */
	snprintf(text, sizeof text,
		 "%s connect Bedroom.right to Kitchen.left door\n connect Kitchen.top to outside door\n", kitchen);
	expect_none(text, RULE_THROUGH_BEDROOM);
	expect_none(FLAT " room Bath at (6,0) size (3 x 5) " SOLID
			 " }\n connect Hall.top to outside door\n connect Hall.right to Bedroom.left door\n connect "
			 "Bedroom.right to Bath.left door\n",
		    RULE_THROUGH_BEDROOM);
	expect(METRES
	       " room Hall at (0,0) size (2 x 5) " SOLID " room Bath at (2,0) size (3 x 5) " SOLID
	       " room Bedroom at (5,0) size (4 x 5) " WALLS(
		       window, solid, solid, solid) " }\n connect Hall.top to outside door\n connect Hall.right "
						    "to Bath.left door\n connect Bath.right to Bedroom.left door\n",
	       RULE_THROUGH_BATH, SEVERITY_WARNING, "Bedroom is reached only through Bath");
	/* In a studio the bed is in the living room. */
	expect_none(
		METRES " room Sleeping at (0,0) size (5 x 5) " WALLS(
			window, solid, door,
			solid) " room Kitchen at (5,0) size (3 x 5) " WALLS(solid, window, solid,
									    solid) " }\n connect Sleeping.right to Kitchen.left door\n",
		RULE_THROUGH_BEDROOM);
}

#define CORNER                                                                                                         \
	METRES " room Hall at (0,0) size (4 x 4) " SOLID " room A at (4,0) size (4 x 4) " SOLID                        \
	       " room B at (0,4) size (4 x 4) " SOLID " }\n connect Hall.top to outside door at 20% opens into Hall\n"

static void leaves_that_hit_each_other_are_found(void **state)
{
	(void)state;
	/* Both doors in one corner of the hall, both opening into it. */
	expect(CORNER
	       " connect Hall.right to A.left door at 95% opens into Hall\n connect Hall.bottom to B.top door at "
	       "95% opens into Hall\n",
	       RULE_SWINGS_MEET, SEVERITY_WARNING, "Hall-A and Hall-B");
	expect_none(CORNER
		    " connect Hall.right to A.left door at 95% opens into A\n connect Hall.bottom to B.top door at "
		    "95% opens into B\n",
		    RULE_SWINGS_MEET);
	expect_none(CORNER
		    " connect Hall.right to A.left door at 20% opens into Hall\n connect Hall.bottom to B.top door "
		    "at 20% opens into Hall\n",
		    RULE_SWINGS_MEET);
	/* Both leaves of a double door are in the way: that is one finding, and a fix must solve it completely. */
	struct judged *j =
		judge(CORNER " connect Hall.right to A.left double-door at 96% size (1.2 x 2) opens into Hall\n"
			     " connect Hall.bottom to B.top door at 96% size (1.6 x 2) opens into Hall swing: left\n");
	size_t met = 0;

	for (size_t i = 0; i < j->findings.n; i++)
		met += j->findings.items[i].rule == RULE_SWINGS_MEET;
	assert_int_equal(met, 1);
	judged_free(j);
	/* The two leaves of a double door meet as they should. */
	expect_none(CORNER " connect Hall.right to A.left double-door at 50% opens into Hall\n", RULE_SWINGS_MEET);
}

static void a_leaf_that_hits_a_wall_is_found(void **state)
{
	(void)state;
	const char *closet =
		METRES " room Hall at (0,0) size (4 x 4) " SOLID " room Closet at (4,0) size (0.7 x 4) " SOLID
		       " }\n connect Hall.top to outside door\n connect Hall.right to Closet.left door opens into ";
	char text[1000];

	snprintf(text, sizeof text, "%sCloset\n", closet);
	expect(text, RULE_SWING_WALL, SEVERITY_WARNING, "Hall-Closet");
	snprintf(text, sizeof text, "%sHall\n", closet);
	expect_none(text, RULE_SWING_WALL);
}

static void a_door_over_steps_is_found(void **state)
{
	(void)state;
	const char *core =
		METRES " room Hall at (0,0) size (4 x 8) " SOLID " room Core at (4,0) size (2 x 8) " SOLID
		       " stair S at (4.5,1) shape straight toward bottom rise 2.8 width 1 tread 0.28\n }\n connect "
		       "Hall.top to outside door\n connect Hall.right to Core.left door at 50% opens into ";
	char text[1000];

	snprintf(text, sizeof text, "%sCore\n", core);
	expect(text, RULE_SWING_STAIR, SEVERITY_WARNING, "steps of stair S");
	snprintf(text, sizeof text, "%sHall\n", core);
	expect_none(text, RULE_SWING_STAIR);
}

static void narrow_doors_and_corridors_are_found(void **state)
{
	(void)state;
#define PAIR(hall, door)                                                                                               \
	METRES " room Corridor at (0,0) size (" hall " x 5) " SOLID " room Living at (" hall                           \
	       ",0) size (5 x 5) " WALLS(window, window, solid,                                                        \
					 solid) " }\n connect Corridor.right to Living.left door size (" door          \
						" x 2.1)\n connect Corridor.top to outside door\n"
	expect(PAIR("1.6", "0.6"), RULE_DOOR_WIDTH, SEVERITY_WARNING, "0.6 m wide");
	expect_none(PAIR("1.6", "0.75"), RULE_DOOR_WIDTH);
	expect(PAIR("0.8", "0.8"), RULE_CORRIDOR_WIDTH, SEVERITY_WARNING, "Corridor");
	/* Wide enough by its own numbers, not between its walls. */
	expect(PAIR("1", "0.8"), RULE_CORRIDOR_WIDTH, SEVERITY_INFO, "between its walls");
	expect_none(PAIR("1.3", "0.8"), RULE_CORRIDOR_WIDTH);
	expect("floorplan\n config { default_unit: m, door_width: 0.75 }\n floor G {\n room Living at (0,0) size (5 x 5) " WALLS(
		       window, window, solid, solid) " }\n connect Living.bottom to outside door\n",
	       RULE_ENTRANCE_WIDTH, SEVERITY_WARNING, "0.75 m");
	expect_none(PAIR("1.6", "0.75"), RULE_ENTRANCE_WIDTH);
}

static void habitable_rooms_want_windows(void **state)
{
	(void)state;
	expect(METRES " room Bedroom at (0,0) size (4 x 4) " SOLID " room Hall at (4,0) size (2 x 4) " SOLID
		      " }\n connect Bedroom to Hall door\n connect Hall.top to "
		      "outside door\n",
	       RULE_NO_WINDOW, SEVERITY_WARNING, "Bedroom has no window");
	expect_none(METRES " room Bedroom at (0,0) size (4 x 4) " WALLS(window, solid, solid, solid) " }\n",
		    RULE_NO_WINDOW);
	/* A window into another room gives no daylight. */
	expect(METRES " room Bedroom at (0,0) size (4 x 4) " WALLS(
		       solid, window, solid, solid) " room Store at (4,0) size (2 x 4) " SOLID " }\n",
	       RULE_NO_WINDOW, SEVERITY_WARNING, "Bedroom");
	/* Baths need none; an open side lets light in. */
	expect_none(METRES " room Bath at (0,0) size (2 x 4) " SOLID " room Living at (2,0) size (4 x 4) " WALLS(
			    window, open, solid, solid) " room Dining at (6,0) size (3 x 4) " WALLS(solid, solid, solid,
												    open) " }\n",
		    RULE_NO_WINDOW);
	expect(METRES
	       " room Living at (0,0) size (8 x 8) " WALLS(window at 50 % size(0.6 x 1.2), solid, solid, solid) " }\n",
	       RULE_LITTLE_GLAZING, SEVERITY_INFO, "1.1 %");
	expect(METRES " room Bedroom at (0,0) size (2 x 2) " WALLS(window, solid, solid, solid) " }\n", RULE_ROOM_AREA,
	       SEVERITY_WARNING, "4.0 m²");
	expect("floorplan\n config { default_unit: m }\n floor G height 2 {\n room Bedroom at (0,0) size (4 x 4) " WALLS(
		       window, solid, solid, solid) " }\n",
	       RULE_CEILING_HEIGHT, SEVERITY_WARNING, "2 m high");
}

#define STAIR(clauses)                                                                                                 \
	METRES " room Hall at (0,0) size (6 x 9) " SOLID " stair S at (2,2) shape straight toward bottom " clauses     \
	       "\n }\n connect Hall.top to outside door\n"

static void stairs_are_measured(void **state)
{
	(void)state;
	expect(STAIR("rise 2.6 width 1 riser 0.2 tread 0.32"), RULE_STEP, SEVERITY_WARNING, "0.72 m");
	expect(STAIR("rise 2.6 width 1 riser 0.13 tread 0.28"), RULE_STEP, SEVERITY_WARNING, "0.54 m");
	expect_none(STAIR("rise 2.72 width 1 riser 0.17 tread 0.29"), RULE_STEP);
	expect(STAIR("rise 2.6 width 1 headroom 1.9"), RULE_HEADROOM, SEVERITY_WARNING, "1.9 m");
	expect_none(STAIR("rise 2.6 width 1 headroom 2.1"), RULE_HEADROOM);
	/* Steps to a platform under the same ceiling. */
	expect(STAIR("rise 1 width 1"), RULE_HEADROOM, SEVERITY_WARNING, "1.6 m");
	expect(METRES " room Hall at (0,0) size (2 x 9) " SOLID
		      " stair S at (0.5,0.4) shape straight toward bottom rise 2.7 width 1\n }\n connect Hall.left to "
		      "outside door\n",
	       RULE_STAIR_LANDING, SEVERITY_WARNING, "first step");
	expect_none(STAIR("rise 2.7 width 1"), RULE_STAIR_LANDING);
	expect("floorplan\n config { default_unit: m }\n floor A height 2.6 {\n room H at (0,0) size (4 x 9) " SOLID
	       " stair S at (1,2) shape straight toward bottom rise 2 width 1\n }\n floor B height 2.6 {\n room H at (0,0) "
	       "size (4 x 9) " SOLID
	       " stair S at (1,2) shape straight toward bottom rise 2 width 1\n }\n connect H.top to "
	       "outside door\n vertical A.S to B.S\n",
	       RULE_STAIR_RISE, SEVERITY_INFO, "climbs 2 m");
}

static void far_ways_are_found(void **state)
{
	(void)state;
	expect(METRES " room Hall at (0,0) size (80 x 2) " SOLID " }\n connect Hall.left to outside door\n",
	       RULE_EGRESS_DISTANCE, SEVERITY_WARNING, "Hall");
	expect_none(METRES " room Hall at (0,0) size (80 x 2) " SOLID
			   " }\n connect Hall.left to outside door\n connect Hall.right to outside door\n",
		    RULE_EGRESS_DISTANCE);
#define EATING(x)                                                                                                      \
	METRES " room Hall at (0,0) size (30 x 2) " SOLID " room Kitchen at (0,2) size (4 x 4) " WALLS(                \
		solid, solid, window,                                                                                  \
		solid) " room Dining at (" x                                                                           \
		       ",2) size (4 x 4) " WALLS(                                                                      \
			       solid, solid, window,                                                                   \
			       solid) " }\n connect Hall.left to outside door\n connect Hall.bottom to Kitchen.top door at 40%\n connect Hall.bottom to Dining.top door at 60%\n"
	expect(EATING("24"), RULE_KITCHEN_DINING, SEVERITY_WARNING, "Kitchen");
	expect_none(EATING("5"), RULE_KITCHEN_DINING);
}

static void limits_can_be_changed(void **state)
{
	(void)state;
	struct critic_limits limits;
	struct judged *j;

	critic_limits_default(&limits);
	limits.corridor_width = 0.5;
	j = judge_by(PAIR("0.8", "0.8"), &limits);
	assert_null(found(j, RULE_CORRIDOR_WIDTH));
	judged_free(j);
	limits.corridor_width = 2;
	j = judge_by(PAIR("1.6", "0.8"), &limits);
	assert_non_null(found(j, RULE_CORRIDOR_WIDTH));
	judged_free(j);
}

static void the_gravest_come_first_and_each_has_a_source(void **state)
{
	(void)state;
	struct judged *j =
		judge(METRES " room Bedroom at (0,0) size (2 x 2) " SOLID " room Kitchen at (2,0) size (2 x 2) " SOLID
			     " }\n connect Bedroom to Kitchen door\n");

	assert_true(j->findings.n >= 3);
	assert_int_equal(j->findings.items[0].severity, SEVERITY_ERROR);
	for (size_t i = 1; i < j->findings.n; i++)
		assert_true(j->findings.items[i].severity <= j->findings.items[i - 1].severity);
	for (int i = 0; i < RULES; i++)
		assert_true(rule_rows[i].name && strlen(rule_rows[i].source) > 10);
	judged_free(j);
}

static char *bytes_of(const char *path)
{
	static char bytes[1 << 18];
	FILE *f = fopen(path, "rb");

	if (!f)
		return NULL;
	bytes[fread(bytes, 1, sizeof bytes - 1, f)] = '\0';
	fclose(f);
	return bytes;
}

static void good_plans_have_no_flaws(void **state)
{
	(void)state;
	static const char *const ours[] = {"examples/flat.floorplan", "examples/house.floorplan"};
	static const char *const named[] = {"studio", "seed", "one-br", "two-br", "two-br-seed", "three-br-house"};

	for (size_t i = 0; i < ARRAY_COUNT(ours); i++) {
		const char *source = bytes_of(ours[i]);

		assert_non_null(source);
		expect_good(ours[i], source);
	}
	for (size_t i = 0; i < ARRAY_COUNT(named); i++) {
		char path[1024];
		const char *source;

		snprintf(path, sizeof path, "%s/floorplan/plans/%s.floorplan", data_folder(),
			 named[i]);
		if ((source = bytes_of(path)))
			expect_good(named[i], source);
	}
}

/* The wall at x = 4 continues as an outer wall below B, so its whole length is thick. Living is behind it. */
#define BEHIND_A_THICK_WALL(rooms_use)                                                                                 \
	METRES "room Living at (0,0) size (4 x 12) " SOLID "room Store at (4,0) size (4 x 3) " SOLID "room " rooms_use \
	       " at (4,3) size (4 x 3) " SOLID "room B at (4,6) size (4 x 3) " SOLID                                   \
	       "room Garage at (8,0) size (3 x 9) " SOLID " }\n connect Living.right to " rooms_use ".left door\n"

static void a_thick_wall_between_rooms_is_no_way_out(void **state)
{
	struct judged *j = judge(BEHIND_A_THICK_WALL("Hall"));
	const struct finding *f = found(j, RULE_NO_ENTRANCE);

	(void)state;
	assert_non_null(f);
	assert_non_null(f->candidates[0]);
	for (int i = 0; i < FIXES_A_FINDING && f->candidates[i]; i++)
		assert_false(text_is(json_text(json_get(json_get(f->candidates[i], "params"), "from")), "Hall"));
	judged_free(j);

	j = judge(BEHIND_A_THICK_WALL("Bedroom"));
	for (size_t i = 0; i < j->findings.n; i++)
		if (j->findings.items[i].rule == RULE_NO_WINDOW &&
		    text_is(j->findings.items[i].rooms.items[0], "Bedroom")) {
			assert_null(j->findings.items[i].candidates[0]);
			judged_free(j);
			return;
		}
	fail_msg("the bedroom without a window was not found");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plan_without_entrance_is_an_error),
		cmocka_unit_test(a_sketch_without_doors_is_told_once),
		cmocka_unit_test(rooms_without_a_way_in_are_found),
		cmocka_unit_test(rooms_behind_a_bedroom_or_bath_are_found),
		cmocka_unit_test(leaves_that_hit_each_other_are_found),
		cmocka_unit_test(a_leaf_that_hits_a_wall_is_found),
		cmocka_unit_test(a_door_over_steps_is_found),
		cmocka_unit_test(narrow_doors_and_corridors_are_found),
		cmocka_unit_test(habitable_rooms_want_windows),
		cmocka_unit_test(a_thick_wall_between_rooms_is_no_way_out),
		cmocka_unit_test(stairs_are_measured),
		cmocka_unit_test(far_ways_are_found),
		cmocka_unit_test(limits_can_be_changed),
		cmocka_unit_test(the_gravest_come_first_and_each_has_a_source),
		cmocka_unit_test(good_plans_have_no_flaws),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
