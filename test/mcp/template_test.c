#include "support/check.h"

#include "mcp/template.h"

#include <string.h>

static struct arena arena;

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static void a_place_takes_what_stands_between_the_literals(void **state)
{
	static const struct {
		const char *template, *uri;
		const char *first, *second; /* NULL: does not fit */
	} rows[] = {
		{"a:///{+path}", "a:///x/y.txt", "x/y.txt", ""},
		{"a:///{path}", "a:///x.txt", "x.txt", ""},
		{"a:///{path}", "a:///x/y.txt", NULL, NULL},
		{"a:///{path}", "a:///", NULL, NULL},
		{"a:///{path}", "b:///x", NULL, NULL},
		{"a:///{path}", "a:/", NULL, NULL},
		{"a:///{id}/data", "a:///42/data", "42", ""},
		{"a:///{id}/data", "a:///42/date", NULL, NULL},
		{"a:///{id}/data", "a:///42/data/", NULL, NULL},
		{"a:///{id}/data", "a:////data", NULL, NULL},
		{"a:///{book}/{+rest}", "a:///one/two/three", "one", "two/three"},
		{"a:///{+folder}#{id}", "a:///x/y#7", "x/y", "7"},
		{"a:///{+folder}#{id}", "a:///x/y", NULL, NULL},
		{"a:///fixed", "a:///fixed", "", ""},
		{"a:///fixed", "a:///fixed?", NULL, NULL},
		{"a:///{open", "a:///x", NULL, NULL},
		/* escapes */
		{"a:///{path}", "a:///caf%C3%a9%20x", "caf\xC3\xA9 x", ""},
		{"a:///{path}", "a:///x%2Fy", "x/y", ""},
		{"a:///{path}", "a:///100%", NULL, NULL},
		{"a:///{path}", "a:///100%4", NULL, NULL},
		{"a:///{path}", "a:///%G0", NULL, NULL},
		{"a:///{path}", "a:///%0g", NULL, NULL},
	};
	(void)state;

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct text values[TEMPLATE_VALUES_MAX] = {{"", 0}, {"", 0}};
		bool fits = template_matches(&arena, rows[i].template, text_of(rows[i].uri), values);
		if (fits != (rows[i].first != NULL))
			fail_msg("%s and %s", rows[i].template, rows[i].uri);
		if (!fits)
			continue;
		assert_text(values[0], rows[i].first);
		assert_text(values[1], rows[i].second);
	}
}

static void a_zero_byte_is_a_byte_of_the_value(void **state)
{
	struct text values[TEMPLATE_VALUES_MAX];
	(void)state;

	assert_true(template_matches(&arena, "a:///{path}", TEXT("a:///x%00.txt"), values));
	assert_int_equal(values[0].len, 6);
	assert_true(text_has_nul(values[0]));
}

static void more_places_than_there_is_room_for_do_not_fit(void **state)
{
	struct text values[TEMPLATE_VALUES_MAX];
	(void)state;

	assert_true(template_matches(&arena, "{a}-{b}-{c}-{d}-{e}-{f}-{g}-{h}", TEXT("1-2-3-4-5-6-7-8"), values));
	assert_text(values[7], "8");
	assert_false(
		template_matches(&arena, "{a}-{b}-{c}-{d}-{e}-{f}-{g}-{h}-{i}", TEXT("1-2-3-4-5-6-7-8-9"), values));
}

static void places_are_known_by_name(void **state)
{
	(void)state;
	assert_true(template_has_places("a:///{x}"));
	assert_false(template_has_places("a:///x"));
	assert_int_equal(template_place("a:///{book}/{+rest}", TEXT("book")), 0);
	assert_int_equal(template_place("a:///{book}/{+rest}", TEXT("rest")), 1);
	assert_int_equal(template_place("a:///{book}/{+rest}", TEXT("+rest")), -1);
	assert_int_equal(template_place("a:///{book}", TEXT("boo")), -1);
	assert_int_equal(template_place("a:///", TEXT("book")), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_place_takes_what_stands_between_the_literals, forget),
		cmocka_unit_test_teardown(a_zero_byte_is_a_byte_of_the_value, forget),
		cmocka_unit_test_teardown(more_places_than_there_is_room_for_do_not_fit, forget),
		cmocka_unit_test_teardown(places_are_known_by_name, forget),
	};
	return RUN_TESTS(tests);
}
