#include "support/check.h"
#include "support/growth.h"

#include "format/json_write.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct arena arena;

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static struct json *parsed(const char *source)
{
	struct json_error err;
	struct json *v = json_parse(&arena, text_of(source), JSON_DEPTH_MAX, &err);

	if (!v)
		fail_msg("%s: %s at %u:%u", source, err.message, err.line, err.column);
	return v;
}

static void values_know_their_bytes(void **state)
{
	(void)state;
	const char *source = " {\"a\": [10, \"x\\n\", -1.50], \"b\":null } ";
	const struct json *v = parsed(source);
	const struct json *item = json_pointer(v, TEXT("/a/2"));

	assert_int_equal(v->pos, 1);
	assert_int_equal(v->end, strlen(source) - 1);
	assert_text(text_slice(text_of(source), item->pos, item->end), "-1.50");
	item = json_pointer(v, TEXT("/a/1"));
	assert_text(text_slice(text_of(source), item->pos, item->end), "\"x\\n\"");
	item = json_get(v, "a");
	assert_text(text_slice(text_of(source), item->pos, item->end), "[10, \"x\\n\", -1.50]");
}

static void errors_say_where(void **state)
{
	struct json_error err;
	(void)state;

	assert_null(json_parse(&arena, TEXT("{\n  \"a\": 1,\n  \"b\" 2}"), 8, &err));
	assert_int_equal(err.line, 3);
	assert_int_equal(err.column, 7);
	assert_int_equal(err.pos, 18);
	assert_non_null(strstr(err.message, "':'"));
	assert_null(json_parse(&arena, TEXT("[1,"), 8, NULL));
}

static void depth_is_limited_to_what_the_caller_says(void **state)
{
	(void)state;
	assert_non_null(json_parse(&arena, TEXT("[[[]]]"), 3, NULL));
	assert_null(json_parse(&arena, TEXT("[[[]]]"), 2, NULL));
	assert_non_null(json_parse(&arena, TEXT("[[1],[2],{\"a\":3}]"), 2, NULL));

	struct buffer deep = {.arena = &arena};
	buffer_fill(&deep, '[', 1000000);
	struct json_error err;
	assert_null(json_parse(&arena, buffer_text(&deep), JSON_DEPTH_MAX, &err));
	assert_int_equal(err.column, JSON_DEPTH_MAX + 1);
}

static void strings_keep_nul_and_length(void **state)
{
	(void)state;
	struct text t = json_text(parsed("\"a\\u0000b\\ud83d\\ude00\""));

	assert_int_equal(t.len, 7);
	assert_memory_equal(t.at, "a\0b\xF0\x9F\x98\x80", 8);
}

static void numbers_are_written_back_as_they_came(void **state)
{
	static const char *const rows[] = {"0",
					   "-0",
					   "1.0",
					   "1e2",
					   "1E+2",
					   "0.10",
					   "-9223372036854775808",
					   "9223372036854775807",
					   "9223372036854775808",
					   "123456789012345678901234567890.5e-7"};
	(void)state;

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		assert_text(json_source(&arena, parsed(rows[i])), rows[i]);
	assert_int_equal(parsed("-9223372036854775808")->type, JSON_INT);
	assert_int_equal(parsed("9223372036854775808")->type, JSON_REAL);
}

static void whole_numbers_are_integers_however_written(void **state)
{
	static const struct {
		const char *source;
		bool whole;
		int64_t n;
	} rows[] = {
		{"10", true, 10},
		{"10.0", true, 10},
		{"1e2", true, 100},
		{"1.5e1", true, 15},
		{"1200e-2", true, 12},
		{"0.0", true, 0},
		{"-0", true, 0},
		{"0e999999999999", true, 0},
		{"0.001e3", true, 1},
		{"-25e-1", false, 0},
		{"1.5", false, 0},
		{"1e-1", false, 0},
		{"1e19", false, 0},
		{"1e400", false, 0},
		{"1e-99999999999999", false, 0},
		{"9223372036854775807.0", true, INT64_MAX},
		{"9223372036854775808", false, 0},
		{"-9223372036854775808.0", true, INT64_MIN},
		{"-9223372036854775809", false, 0},
		{"922337203685477580.7e1", true, INT64_MAX},
		{"9.223372036854775808e18", false, 0},
		{"10000000000000000000e-1", true, 1000000000000000000},
		{"99999999999999999999", false, 0},
		{"92e17", true, 9200000000000000000},
		{"93e17", false, 0},
		{"-93e17", false, 0},
	};
	int64_t n;
	(void)state;

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		if (json_integer(parsed(rows[i].source), &n) != rows[i].whole)
			fail_msg("%s", rows[i].source);
		if (rows[i].whole)
			assert_int_equal(n, rows[i].n);
	}
	assert_false(json_integer(parsed("\"1\""), &n));
	assert_false(json_integer(NULL, &n));
}

static void numbers_have_their_shortest_form(void **state)
{
	static const struct {
		double n;
		const char *want;
	} rows[] = {
		{0.1, "0.1"},
		{1.0 / 3, "0.3333333333333333"},
		{100, "100"},
		{-2.5, "-2.5"},
		{1e20, "100000000000000000000"},
		{1e21, "1e+21"},
		{123456789012345680000.0, "123456789012345680000"},
		{1e-6, "0.000001"},
		{1.5e-7, "1.5e-7"},
		{5e-324, "5e-324"},
		{1.7976931348623157e308, "1.7976931348623157e+308"},
		{0.1 + 0.2, "0.30000000000000004"},
		{-0.0, "0"},
		{9007199254740993.0, "9007199254740992"},
		{INFINITY, "null"},
		{NAN, "null"},
		{4.35, "4.35"},
		{2.2250738585072014e-308, "2.2250738585072014e-308"},
		{3.0000000000000004, "3.0000000000000004"},
	};
	char to[NUMBER_MAX];
	(void)state;

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		assert_text(((struct text){to, number_write(to, rows[i].n)}), rows[i].want);
	srand(7);
	for (int i = 0; i < 20000; i++) {
		union {
			uint64_t bits;
			double n;
		} u = {.bits = 0};
		for (int k = 0; k < 5; k++)
			u.bits = u.bits << 15 ^ (uint64_t)rand();
		if (!isfinite(u.n))
			continue;
		size_t len = number_write(to, u.n);
		assert_true(len < NUMBER_MAX);
		to[len] = 0;
		assert_true(strtod(to, NULL) == u.n);
		assert_non_null(json_parse(&arena, text_of(to), 1, NULL));
	}
}

static void the_locale_does_not_matter(void **state)
{
	char to[NUMBER_MAX];
	(void)state;

	if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
		print_message("# no locale with a decimal comma is installed\n");
	assert_text(((struct text){to, number_write(to, 0.5)}), "0.5");
	assert_true(json_real(parsed("0.5")) == 0.5);
	setlocale(LC_ALL, "C");
}

static void pointers_follow_rfc_6901(void **state)
{
	(void)state;
	const struct json *v =
		parsed("{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"m~n\":8,\" \":7,\"~1\":9}");
	static const struct {
		const char *pointer, *want;
	} rows[] = {
		{"/foo", "[\"bar\",\"baz\"]"},
		{"/foo/0", "\"bar\""},
		{"/", "0"},
		{"/a~1b", "1"},
		{"/c%d", "2"},
		{"/m~0n", "8"},
		{"/ ", "7"},
		{"/~01", "9"},
	};
	static const char *const nowhere[] = {"foo",     "/foo/2", "/foo/00",         "/foo/-",
					      "/foo/01", "/foo/",  "/foo/0/0",        "/no",
					      "/m~2n",   "/m~",    "/foo/4294967296", "/foo/18446744073709551616"};

	assert_ptr_equal(json_pointer(v, TEXT("")), v);
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		assert_text(json_source(&arena, json_pointer(v, text_of(rows[i].pointer))), rows[i].want);
	for (size_t i = 0; i < ARRAY_COUNT(nowhere); i++)
		assert_null(json_pointer(v, text_of(nowhere[i])));
}

static void built_trees_grow_and_answer(void **state)
{
	struct json *o = json_new_object(&arena);
	(void)state;

	for (int i = 0; i < 1000; i++) {
		struct text key = text_format(&arena, "key%d", i);
		assert_null(json_get_text(o, key));
		json_set(&arena, o, key.at, json_new_int(&arena, i));
		assert_int_equal(o->len, i + 1);
		for (int k = 0; k <= i; k += 1 + i / 7)
			assert_int_equal(json_get_text(o, text_format(&arena, "key%d", k))->integer, k);
	}
	json_set_int(&arena, o, "key500", -1);
	assert_int_equal(o->len, 1000);
	assert_int_equal(json_get(o, "key500")->integer, -1);
	assert_true(json_same(o, parsed(json_source(&arena, o).at)));

	struct json *list = json_new_array(&arena);
	for (int i = 0; i < 100; i++)
		json_push(&arena, list, json_new_int(&arena, i));
	assert_int_equal(list->len, 100);
	assert_int_equal(list->items[99].integer, 99);
	assert_text(json_source(&arena, json_new_text(&arena, (struct text){0})), "null");
	assert_text(json_source(&arena, json_new_number(&arena, NAN)), "null");
	assert_text(json_source(&arena, json_new_number(&arena, -INFINITY)), "null");
}

static void a_parsed_tree_is_copied_before_it_grows(void **state)
{
	(void)state;
	struct json *v = parsed("{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9}"),
		    before = *v;

	json_set_int(&arena, v, "j", 10);
	assert_int_equal(v->len, 10);
	assert_int_equal(json_get(v, "j")->integer, 10);
	assert_int_equal(json_get(v, "a")->integer, 1);
	assert_null(json_get(&before, "j"));
	struct json *list = parsed("[1,2]");
	json_push(&arena, list, json_new_bool(&arena, true));
	assert_text(json_source(&arena, list), "[1,2,true]");
}

static void sameness_is_by_value(void **state)
{
	static const struct {
		const char *a, *b;
		bool same;
	} rows[] = {
		{"1", "1.0", true},
		{"100", "1e2", true},
		{"1", "2", false},
		{"0", "-0", true},
		{"0.10", "0.1", true},
		{"12.50", "125e-1", true},
		{"12.5", "12.51", false},
		{"1e400", "1e401", false},
		{"1e400", "10e399", true},
		{"9223372036854775808", "9223372036854775809", false},
		{"1", "\"1\"", false},
		{"null", "false", false},
		{"{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", true},
		{"{\"a\":1}", "{\"b\":1}", false},
		{"[1,2]", "[2,1]", false},
		{"[1]", "[1,1]", false},
		{"\"\\u0041\"", "\"A\"", true},
		{"[[]]", "[{}]", false},
		{"-1", "1", false},
	};
	(void)state;

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		const struct json *a = parsed(rows[i].a), *b = parsed(rows[i].b);
		if (json_same(a, b) != rows[i].same || json_same(b, a) != rows[i].same)
			fail_msg("%s and %s", rows[i].a, rows[i].b);
	}
	assert_true(json_same(NULL, NULL));
	assert_false(json_same(NULL, parsed("null")));
}

static void writing_escapes_what_it_must(void **state)
{
	(void)state;
	struct text hard = {"\"\\/\b\f\n\r\t\x01\x1f\x7f\0é\xff.", 16};
	struct buffer b = {.arena = &arena};
	struct json_out o = {.to = &b};

	json_put_text(&o, hard);
	assert_text(buffer_text(&b), "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\\u0000é\xEF\xBF\xBD.\"");
	/* Every length and position of a special byte around the eight-byte steps and the pieces. */
	for (size_t len = 1; len < 40; len++) {
		for (size_t at = 0; at < len; at++) {
			char s[40];
			memset(s, 'a', len);
			s[at] = at % 3 ? '"' : '\n';
			struct json *v = json_new_text(&arena, (struct text){s, len});
			assert_true(json_same(v, parsed(json_source(&arena, v).at)));
		}
	}
	struct buffer wide = {.arena = &arena};
	buffer_byte(&wide, 'a');
	for (int i = 0; i < 5000; i++)
		buffer_put(&wide, "\xE2\x82\xAC\n");
	struct json *v = json_new_text(&arena, buffer_text(&wide));
	assert_true(json_same(v, parsed(json_source(&arena, v).at)));
}

static void the_stream_puts_the_commas(void **state)
{
	(void)state;
	struct buffer b = {0};
	struct json_out o = {.to = &b};

	json_open(&o, '{');
	json_key(&o, "a");
	json_open(&o, '[');
	json_put_int(&o, INT64_MIN);
	json_put_number(&o, 0.25);
	json_put_bool(&o, false);
	json_put_null(&o);
	json_open(&o, '{');
	json_close(&o, '}');
	json_put_string(&o, NULL);
	json_close(&o, ']');
	json_key_text(&o, TEXT("b\""));
	json_put_raw(&o, TEXT("[1, 2]"));
	json_key(&o, "c");
	json_put(&o, parsed("{\"x\":[]}"));
	json_close(&o, '}');
	assert_text(buffer_text(&b),
		    "{\"a\":[-9223372036854775808,0.25,false,null,{},null],\"b\\\"\":[1, 2],\"c\":{\"x\":[]}}");
	buffer_free(&b);
}

static void pretty_is_two_blanks_a_level(void **state)
{
	(void)state;
	struct buffer b = {.arena = &arena};

	json_write_pretty(&b, parsed("{\"a\":[1,{}],\"b\":[],\"c\":{\"d\":null}}"));
	assert_text(buffer_text(&b),
		    "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": [],\n  \"c\": {\n    \"d\": null\n  }\n}");
}

static int64_t cost_of_finding(const void *of, int size)
{
	struct buffer b = {.arena = &arena};
	struct json_error err;
	(void)of;

	buffer_byte(&b, '{');
	for (int i = 0; i < size; i++)
		buffer_format(&b, "%s\"k%d\":%d", i ? "," : "", i, i);
	size_t mark = b.len;
	buffer_byte(&b, '}');
	struct json *v = json_parse(&arena, buffer_text(&b), 4, NULL);
	assert_int_equal(v->len, size);
	int64_t from = cost_now();
	for (int i = 0; i < size; i++)
		assert_int_equal(json_get_text(v, text_format(&arena, "k%d", i))->integer, i);
	int64_t cost = cost_now() - from;
	assert_null(json_get(v, "k"));
	b.len = mark;
	buffer_put(&b, ",\"k777\":0}");
	assert_null(json_parse(&arena, buffer_text(&b), 4, &err));
	assert_int_equal(err.pos, b.len - 2);
	return cost;
}

static void large_objects_are_found_by_hash(void **state)
{
	(void)state;
	assert_not_quadratic(cost_of_finding, NULL, 6000);
}

/* Keys that collide in the hash that most parsers use (FNV-1a, 32 bits), if only its low bits choose the slot. */
static int64_t cost_of_colliding(const void *of, int size)
{
	struct buffer b = {.arena = &arena};
	(void)of;

	buffer_byte(&b, '{');
	for (uint32_t i = 0, found = 0; found < (uint32_t)size; i++) {
		char key[16];
		int n = 0;
		uint32_t h = 2166136261u;
		for (uint32_t left = i; left || !n; left >>= 4) {
			key[n] = "0123456789abcdef"[left & 15];
			h = (h ^ (unsigned char)key[n++]) * 16777619u;
		}
		if (h & 0x1FF)
			continue;
		buffer_format(&b, "%s\"%.*s\":0", found++ ? "," : "", n, key);
	}
	buffer_byte(&b, '}');
	int64_t from = cost_now();
	assert_non_null(json_parse(&arena, buffer_text(&b), 4, NULL));
	return cost_now() - from;
}

static void colliding_keys_do_not_stall(void **state)
{
	(void)state;
	assert_not_quadratic(cost_of_colliding, NULL, 2500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(values_know_their_bytes, forget),
		cmocka_unit_test_teardown(errors_say_where, forget),
		cmocka_unit_test_teardown(depth_is_limited_to_what_the_caller_says, forget),
		cmocka_unit_test_teardown(strings_keep_nul_and_length, forget),
		cmocka_unit_test_teardown(numbers_are_written_back_as_they_came, forget),
		cmocka_unit_test_teardown(whole_numbers_are_integers_however_written, forget),
		cmocka_unit_test_teardown(numbers_have_their_shortest_form, forget),
		cmocka_unit_test_teardown(the_locale_does_not_matter, forget),
		cmocka_unit_test_teardown(pointers_follow_rfc_6901, forget),
		cmocka_unit_test_teardown(built_trees_grow_and_answer, forget),
		cmocka_unit_test_teardown(a_parsed_tree_is_copied_before_it_grows, forget),
		cmocka_unit_test_teardown(sameness_is_by_value, forget),
		cmocka_unit_test_teardown(writing_escapes_what_it_must, forget),
		cmocka_unit_test_teardown(the_stream_puts_the_commas, forget),
		cmocka_unit_test_teardown(pretty_is_two_blanks_a_level, forget),
		cmocka_unit_test_teardown(large_objects_are_found_by_hash, forget),
		cmocka_unit_test_teardown(colliding_keys_do_not_stall, forget),
	};
	return RUN_TESTS(tests);
}
