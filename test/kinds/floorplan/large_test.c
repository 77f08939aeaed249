/* large_test.c: the cost of edits and analyses of large plans, in memory and in growth. */
#include "support/check.h"
#include "support/growth.h"

#include "kinds/floorplan/edit/edit.h"
#include "kinds/floorplan/kind.h"
#include "tool/tool.h"

static struct text row_of(struct arena *a, int rooms)
{
	struct buffer b = {.arena = a};

	buffer_put(&b, "floorplan floor f {\n");
	for (int i = 0; i < rooms; i++)
		buffer_format(&b, "room R%d at (%d,0) size (10 x 10) walls [top: solid]\n", i, i * 10);
	buffer_put(&b, "}\n");
	return buffer_text(&b);
}

static int64_t cost_of_converting(const void *of, int size)
{
	struct arena scratch = {0};
	struct call c = {.arena = &scratch};
	struct convert_to_relative_params params = {.anchorRoom = TEXT("R0")};
	struct operation op = {.params = &params};
	struct text source = row_of(&scratch, size);
	struct edited out;

	(void)of;
	int64_t from = cost_now();

	assert_true(edit_run(&c, source, &(struct variant_value){ACTION_CONVERT_TO_RELATIVE, &op}, 1, &out));
	int64_t cost = cost_now() - from;

	assert_int_equal(out.changes.items[0].result, RESULT_APPLIED);
	arena_free(&scratch);
	return cost;
}

/* Comparing all pairs is the most that is allowed: eight times the rooms cost sixty-four times as much. Walking up the
 * row for each pair would cost five hundred times as much. */
static void converting_a_row_does_not_walk_along_it_for_each_pair(void **state)
{
	(void)state;
	double times = growth(cost_of_converting, NULL, 300);

	if (times > 130)
		fail_msg("eight times the rooms cost %.1f times as much", times);
}

static void operations_do_not_keep_the_texts_between_them(void **state)
{
	(void)state;
	enum { OPERATIONS = 40 };
	struct arena arena = {0};
	struct text source = row_of(&arena, 1000);
	struct add_label_params params[OPERATIONS];
	struct operation operations[OPERATIONS];
	struct variant_value values[OPERATIONS];
	struct edited out;

	for (int i = 0; i < OPERATIONS; i++) {
		params[i] = (struct add_label_params){.label = text_format(&arena, "label %d", i)};
		operations[i] = (struct operation){text_format(&arena, "R%d", i), &params[i]};
		values[i] = (struct variant_value){ACTION_ADD_LABEL, &operations[i]};
	}
	struct call c = {.arena = &arena};
	size_t before = arena.used;

	assert_true(edit_run(&c, source, values, OPERATIONS, &out));
	assert_int_equal(out.errors.n, 0);
	assert_true(text_find(out.source, TEXT("label \"label 39\""), 0) != SIZE_MAX);
	if (arena.used - before > 8 * source.len)
		fail_msg("%zu bytes for a text of %zu", arena.used - before, source.len);
	arena_free(&arena);
}

static void the_figures_of_a_plan_take_memory_by_its_rooms(void **state)
{
	(void)state;
	struct arena arena = {0};
	struct text source = row_of(&arena, 2000);
	struct json *args = json_new_object(&arena);
	struct reply reply = {.log_level = -1};
	struct call c = {.arena = &arena, .reply = &reply};
	struct text answer;
	size_t before = arena.used;

	json_set_text(&arena, args, "dsl", source);
	tool_run(&c, &analyze_tools[0], args, &answer);
	assert_false(c.error.fault);
	if (arena.used - before > 100 * source.len)
		fail_msg("%zu bytes for a text of %zu", arena.used - before, source.len);
	arena_free(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(converting_a_row_does_not_walk_along_it_for_each_pair),
		cmocka_unit_test(operations_do_not_keep_the_texts_between_them),
		cmocka_unit_test(the_figures_of_a_plan_take_memory_by_its_rooms),
	};

	return RUN_TESTS(tests);
}
