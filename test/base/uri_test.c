#include "support/check.h"

#include "base/uri.h"

static struct arena arena;

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static void a_path_becomes_an_address_and_comes_back(void **state)
{
	static const char *const rows[][2] = {
		{"a/b-c_d.e~f", "x:///a/b-c_d.e~f"},
		{"a b", "x:///a%20b"},
		{"100%", "x:///100%25"},
		{"a%20b", "x:///a%2520b"},
		{"\xC3\xA9", "x:///%C3%A9"},
		{"#?&+;{}", "x:///%23%3F%26%2B%3B%7B%7D"},
		{"", "x:///"},
	};
	(void)state;

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct text uri = uri_of(&arena, "x:///", text_of(rows[i][0]));
		assert_text(uri, rows[i][1]);
		assert_text(uri_decode(&arena, text_slice(uri, 5, uri.len)), rows[i][0]);
	}
}

static void every_byte_comes_back(void **state)
{
	char all[256];
	(void)state;

	for (int i = 0; i < 256; i++)
		all[i] = (char)i;
	struct text bytes = {all, sizeof all};
	assert_true(text_same(uri_decode(&arena, uri_of(&arena, "", bytes)), bytes));
}

static void a_broken_escape_is_refused(void **state)
{
	static const char *const rows[] = {"%", "a%", "%4", "%4g", "%g4", "%%41", "%-1"};
	(void)state;

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		assert_null(uri_decode(&arena, text_of(rows[i])).at);
	assert_text(uri_decode(&arena, TEXT("%4A%4a")), "JJ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_path_becomes_an_address_and_comes_back, forget),
		cmocka_unit_test_teardown(every_byte_comes_back, forget),
		cmocka_unit_test_teardown(a_broken_escape_is_refused, forget),
	};
	return RUN_TESTS(tests);
}
