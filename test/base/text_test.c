#include "support/check.h"

#include "base/arena.h"

static void absent_is_not_empty(void **state)
{
	(void)state;
	assert_false(text_same(TEXT(""), (struct text){0}));
	assert_true(text_same((struct text){0}, text_of(NULL)));
	assert_false(text_is((struct text){0}, ""));
	assert_true(text_is(TEXT(""), ""));
	assert_null(text_slice((struct text){0}, 0, 5).at);
}

static void order_is_by_bytes_then_length(void **state)
{
	(void)state;
	assert_true(text_order(TEXT("a"), TEXT("b")) < 0);
	assert_true(text_order(TEXT("ab"), TEXT("a")) > 0);
	assert_true(text_order(TEXT("\x80"), TEXT("a")) > 0);
	assert_int_equal(text_order(TEXT(""), (struct text){0}), 0);
}

static void slices_are_clamped(void **state)
{
	(void)state;
	assert_text(text_slice(TEXT("hello"), 1, 3), "el");
	assert_text(text_slice(TEXT("hello"), 3, 99), "lo");
	assert_text(text_slice(TEXT("hello"), 9, 12), "");
	assert_text(text_slice(TEXT("hello"), 4, 2), "");
}

static void ends_and_blanks(void **state)
{
	(void)state;
	assert_text(text_trim(TEXT(" \t\r\n a b \n")), "a b");
	assert_text(text_trim(TEXT(" \n")), "");
	assert_true(text_is_blank(TEXT(" \t\r\n")));
	assert_false(text_is_blank(TEXT("\f")));
	assert_true(text_starts(TEXT("abc"), "ab"));
	assert_true(text_starts(TEXT(""), ""));
	assert_false(text_starts(TEXT("a"), "ab"));
	assert_true(text_ends(TEXT("abc"), "bc"));
	assert_false(text_ends(TEXT("c"), "bc"));
	assert_true(text_ends_in(TEXT("a.md"), ".md .markdown"));
	assert_true(text_ends_in(TEXT("a.Markdown"), ".md .markdown"));
	assert_false(text_ends_in(TEXT("a.mdx"), ".md .markdown"));
	assert_false(text_ends_in(TEXT("md"), ".md"));
	assert_true(text_ends_in(TEXT("anything"), ""));
	assert_false(text_ends_in(TEXT("anything"), " "));
	assert_true(text_has_nul(TEXT("a\0b")));
	assert_false(text_has_nul(TEXT("ab")));
}

static void finding_starts_where_told(void **state)
{
	(void)state;
	assert_int_equal(text_find(TEXT("abcabc"), TEXT("bc"), 0), 1);
	assert_int_equal(text_find(TEXT("abcabc"), TEXT("bc"), 2), 4);
	assert_int_equal(text_find(TEXT("abcabc"), TEXT("bc"), 5), SIZE_MAX);
	assert_int_equal(text_find(TEXT("abc"), TEXT(""), 3), 3);
	assert_int_equal(text_find(TEXT("abc"), TEXT(""), 4), SIZE_MAX);
}

static void long_formats_are_whole(void **state)
{
	struct arena a = {0};
	(void)state;

	assert_int_equal(text_format(&a, "%0255d", 7).len, 255);
	assert_int_equal(text_format(&a, "%0256d", 7).len, 256);
	struct text t = text_format(&a, "%01000d|", 7);
	assert_int_equal(t.len, 1001);
	assert_int_equal(t.at[999], '7');
	assert_int_equal(t.at[1001], 0);
	assert_string_equal(text_string(&a, text_slice(TEXT("abc"), 0, 2)), "ab");
	arena_free(&a);
}

static void distance_counts_mistakes(void **state)
{
	static const struct {
		const char *a, *b;
		unsigned cap, want;
	} rows[] = {
		{"", "", 3, 0},         {"a", "", 3, 1},       {"kitten", "sitting", 9, 3},
		{"paht", "path", 3, 1}, {"abcdef", "x", 2, 3}, {"saturday", "sunday", 9, 3},
		{"flaw", "lawn", 9, 2},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_int_equal(text_distance(text_of(rows[i].a), text_of(rows[i].b), rows[i].cap), rows[i].want);
		assert_int_equal(text_distance(text_of(rows[i].b), text_of(rows[i].a), rows[i].cap), rows[i].want);
	}
}

static void the_nearest_word_is_offered_and_a_far_one_not(void **state)
{
	static const char *const words[] = {"path", "parent_id", "position", "id", NULL};
	(void)state;

	assert_string_equal(text_nearest(TEXT("pat"), words), "path");
	assert_string_equal(text_nearest(TEXT("parentid"), words), "parent_id");
	assert_string_equal(text_nearest(TEXT("postion"), words), "position");
	assert_string_equal(text_nearest(TEXT("id"), words), "id");
	assert_null(text_nearest(TEXT("colour"), words));
	assert_null(text_nearest(TEXT("x"), words));
	assert_null(text_nearest(TEXT(""), words));
}

static void equal_texts_have_equal_hashes(void **state)
{
	char one[] = "same", two[] = "same";
	(void)state;

	assert_true(text_hash(text_of(one)) == text_hash(text_of(two)));
	assert_true(text_hash(text_of("same")) != text_hash(text_of("some")));
	assert_true(text_hash(TEXT("")) == text_hash((struct text){0}));
}

static void a_word_for_the_shell_is_one_word(void **state)
{
	struct arena a = {0};

	(void)state;
	assert_string_equal(text_shell(&a, TEXT("")).at, "''");
	assert_string_equal(text_shell(&a, TEXT("a b\\$(c)")).at, "'a b\\$(c)'");
	assert_string_equal(text_shell(&a, TEXT("it's")).at, "'it'\\''s'");
	assert_string_equal(text_shell(&a, TEXT("a\nb\\'\x1b")).at, "\"$(printf '%b' 'a\\0012b\\\\'\\''\\0033')\"");
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(absent_is_not_empty),
		cmocka_unit_test(order_is_by_bytes_then_length),
		cmocka_unit_test(slices_are_clamped),
		cmocka_unit_test(ends_and_blanks),
		cmocka_unit_test(finding_starts_where_told),
		cmocka_unit_test(long_formats_are_whole),
		cmocka_unit_test(distance_counts_mistakes),
		cmocka_unit_test(the_nearest_word_is_offered_and_a_far_one_not),
		cmocka_unit_test(equal_texts_have_equal_hashes),
		cmocka_unit_test(a_word_for_the_shell_is_one_word),
	};
	return RUN_TESTS(tests);
}
