/* data_test.c: plans and snippets of data_folder() are judged and placed as written beside them, and edits succeed. */
#include "support/check.h"

#include "format/json.h"
#include "kinds/floorplan/tools/answer.h"
#include "kinds/floorplan/edit/edit.h"
#include "kinds/floorplan/kind.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct arena arena;

static int end(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static const char *folder(void)
{
	return text_format(&arena, "%s/floorplan", data_folder()).at;
}

static struct text contents(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct buffer b = {.arena = &arena};

	if (!f)
		return (struct text){0};
	for (size_t n; (n = fread(buffer_room(&b, 65536), 1, 65536, f)) > 0;)
		b.len += n;
	fclose(f);
	return buffer_text(&b);
}

static const struct json *tree(struct text source)
{
	struct json_error e;

	return json_parse(&arena, source, JSON_DEPTH_MAX, &e);
}

static bool near(const struct json *object, const char *key, double have)
{
	const struct json *v = json_get(object, key);

	return v && fabs(json_real(v) - have) < 1e-6;
}

static void compare_rooms(const char *name, const struct plan *p, const struct json *want, int first)
{
	int room = first;

	for (uint32_t i = 0; want && i < want->len; i++) {
		const struct json *w = &want->items[i], *walls = json_get(w, "walls");

		if (room < 0)
			fail_msg("%s: room %s is missing", name, json_text(json_get(w, "name")).at);
		const struct plan_room *r = &p->rooms.items[room];

		if (!text_same(r->name, json_text(json_get(w, "name"))))
			fail_msg("%s: room %.*s, want %s", name, TEXT_ARGS(r->name), json_text(json_get(w, "name")).at);
		if (json_get(w, "position") &&
		    (!near(json_get(w, "position"), "x", r->own.x) || !near(json_get(w, "position"), "y", r->own.y)))
			fail_msg("%s: %.*s is at (%g,%g)", name, TEXT_ARGS(r->name), r->own.x, r->own.y);
		if (!near(json_get(w, "size"), "width", r->box.width) ||
		    !near(json_get(w, "size"), "height", r->box.height))
			fail_msg("%s: %.*s has the size (%g,%g)", name, TEXT_ARGS(r->name), r->box.width,
				 r->box.height);
		if (json_get(w, "label") && !text_same(r->label, json_text(json_get(w, "label"))))
			fail_msg("%s: %.*s has another label", name, TEXT_ARGS(r->name));
		for (int s = 0; s < 4; s++)
			if (!text_is(json_text(json_get(walls, word_of(SET_SIDE, s))),
				     word_of(SET_WALL_TYPE, (int)r->walls[s].type)))
				fail_msg("%s: %.*s.%s is %s", name, TEXT_ARGS(r->name), word_of(SET_SIDE, s),
					 word_of(SET_WALL_TYPE, (int)r->walls[s].type));
		if (json_get(w, "subRooms"))
			compare_rooms(name, p, json_get(w, "subRooms"), r->first_child);
		room = r->next_sibling;
		/* The list runs over all floors. */
		for (size_t f = (size_t)r->floor + 1; room < 0 && r->depth == 0 && f < p->floors.n; f++)
			room = p->floors.items[f].first_room;
	}
}

/* The public server refuses two doors at 50% of one side although they lead to different rooms, metres apart. Ours
 * compares their true places. */
static bool is_judged_otherwise(const char *name) { return !strcmp(name, "three-br-house-rough"); }

static void compare(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct text stem = text_slice(text_of(slash + 1), 0, strlen(slash + 1) - strlen(".floorplan"));
	const char *name = text_string(&arena, stem);
	const struct json *want = tree(contents(text_format(&arena, "%s/expected/%s.json", folder(), name).at));
	const struct plan *p = plan_read(&arena, contents(path));
	const struct json *valid = json_get(want, "valid");

	assert_non_null(want);
	if (json_is(valid, JSON_BOOL) && (valid->boolean != is_judged_otherwise(name)) != plan_is_valid(p))
		fail_msg("%s: %s, want the other: %s", name, plan_is_valid(p) ? "valid" : "invalid",
			 p->problems.n ? p->problems.items[0].message : "");
	for (size_t i = 0; i < p->problems.n; i++)
		if (!p->problems.items[i].line || !p->problems.items[i].column)
			fail_msg("%s: a problem without a place: %s", name, p->problems.items[i].message);
	if (!plan_is_valid(p) || json_get(want, "caution"))
		return;
	int first = -1;

	for (size_t f = 0; first < 0 && f < p->floors.n; f++)
		first = p->floors.items[f].first_room;
	compare_rooms(name, p, json_get(want, "rooms"), first);
	if (json_get(want, "stairs") && json_is(json_get(want, "stairs"), JSON_ARRAY))
		assert_int_equal(p->stairs.n, json_get(want, "stairs")->len);
	if (json_is(json_get(want, "lifts"), JSON_ARRAY))
		assert_int_equal(p->lifts.n, json_get(want, "lifts")->len);
	if (json_is(json_get(want, "connections"), JSON_INT))
		assert_int_equal(p->connections.n, json_get(want, "connections")->integer);
}

static void each(const char *pattern)
{
	glob_t found = {0};

	glob(text_format(&arena, "%s/%s", folder(), pattern).at, 0, NULL, &found);
	size_t n = found.gl_pathc;

	for (size_t i = 0; i < n; i++)
		compare(found.gl_pathv[i]);
	globfree(&found);
	assert_true(n > 3);
}

static void plans_are_judged_and_placed_as_expected(void **state)
{
	(void)state;
	each("plans/*.floorplan");
}

static void snippets_are_judged_and_placed_as_expected(void **state)
{
	(void)state;
	each("snippets/*.floorplan");
}

static struct text replay(const char *name, struct text plan, const struct json *turns)
{
	for (uint32_t i = 0; i < turns->len; i++) {
		struct reply reply = {.log_level = -1};
		struct call c = {.arena = &arena, .reply = &reply};
		struct json *args = json_new_object(&arena);
		struct text answer;

		json_set_text(&arena, args, "dsl", plan);
		json_set(&arena, args, "operations", &turns->items[i]);
		tool_run(&c, &modify_tools[0], args, &answer);
		if (c.error.fault)
			fail_msg("%s: %s", name, c.error.message);
		plan = json_text(json_get(tree(answer), "dsl"));
		if (!plan_is_valid(plan_read(&arena, plan)))
			fail_msg("%s: the result is not valid: %s", name, plan.at);
	}
	return plan;
}

static void edits_of_agents_succeed_and_stay_valid(void **state)
{
	(void)state;
	static const char *const names[] = {"rename_resize", "add_closet"};

	for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
		struct text source = contents(text_format(&arena, "%s/ops/%s.json", folder(), names[i]).at);

		assert_non_null(source.at);
		const struct json *ops = tree(source);
		struct text plan =
			contents(text_format(&arena, "%s/plans/%s", folder(), json_text(json_get(ops, "plan")).at).at);
		const struct plan *after = plan_read(&arena, replay(names[i], plan, json_get(ops, "turns")));
		const struct json *rooms = json_get(ops, "rooms_after");

		if (!rooms)
			rooms = json_get(ops, "public_server_rooms_after");

		if (rooms && rooms->len)
			compare_rooms(names[i], after, rooms, after->floors.items[0].first_room);
	}
}

static void edits_of_an_example_plan_succeed_and_stay_valid(void **state)
{
	struct text plan = contents("examples/flat.floorplan");
	const struct json *turns =
		tree(TEXT("[[{\"action\":\"rename_room\",\"target\":\"Bath\",\"params\":{\"newName\":\"Washroom\"}}],"
			  "[{\"action\":\"resize_room\",\"target\":\"Store\",\"params\":{\"width\":1.2,"
			  "\"height\":2.8}}]]"));

	(void)state;
	assert_true(plan_is_valid(plan_read(&arena, plan)));
	const struct plan *after = plan_read(&arena, replay("flat", plan, turns));
	assert_int_equal(text_find(after->source, TEXT("Bath "), 0), SIZE_MAX);
	assert_int_not_equal(text_find(after->source, TEXT("left-of Washroom"), 0), SIZE_MAX);
	assert_int_not_equal(text_find(after->source, TEXT("room Store size (1.2 x 2.8)"), 0), SIZE_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(plans_are_judged_and_placed_as_expected, end),
		cmocka_unit_test_teardown(snippets_are_judged_and_placed_as_expected, end),
		cmocka_unit_test_teardown(edits_of_agents_succeed_and_stay_valid, end),
		cmocka_unit_test_teardown(edits_of_an_example_plan_succeed_and_stay_valid, end),
	};

	return RUN_TESTS(tests);
}
