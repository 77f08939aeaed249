#include "support/check.h"

#include "base/buffer.h"
#include "base/pattern.h"

#include <stdlib.h>
#include <string.h>

static struct arena arena;
static struct call call;

static int fresh(void **state)
{
	(void)state;
	call = (struct call){.arena = &arena};
	return 0;
}

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static void patterns_find_where_they_match(void **state)
{
	static const struct {
		const char *pattern;
		bool fold;
		const char *in;
		size_t start;
		int found;
		size_t from, to;
	} rows[] = {
		{"b+", false, "abbc", 0, 1, 1, 3},
		{"b+", false, "abbc", 3, 0, 0, 0},
		{"B", true, "abc", 0, 1, 1, 2},
		{"B", false, "abc", 0, 0, 0, 0},
		{"", false, "abc", 1, 1, 1, 1},
		{"^b", false, "abc", 1, 0, 0, 0},
		{"\\bw\\w+", false, "hello world", 0, 1, 6, 11},
		{"\xD0\x9A\xD0\x9E\xD0\xA2", true, "\xD0\xBA\xD0\xBE\xD1\x82", 0, 1, 0, 6},
		{"\\w+", false, "\xC3\xA9t\xC3\xA9!", 0, 1, 0, 5},
		{".", false, "\xC3\xA9", 1, 0, 0, 0},
		{"a", false, "", 0, 0, 0, 0},
		{"$", false, "", 0, 1, 0, 0},
		{"c", false, "abc", 9, 0, 0, 0},
		{"(?<=b)c", false, "abc", 2, 1, 2, 3},
		{"a\\Kb", false, "ab", 0, 1, 1, 2},
	};
	(void)state;

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct pattern *p = pattern_new(&call, text_of(rows[i].pattern), rows[i].fold);
		size_t from = 0, to = 0;
		assert_non_null(p);
		if (pattern_find(&call, p, text_of(rows[i].in), rows[i].start, &from, &to) != rows[i].found)
			fail_msg("%s in %s", rows[i].pattern, rows[i].in);
		assert_int_equal(from, rows[i].from);
		assert_int_equal(to, rows[i].to);
	}
}

static void matches_are_found_one_after_another(void **state)
{
	struct text in = TEXT("\xC3\xA9t\xC3\xA9, \xC3\xA9t\xC3\xA9");
	struct pattern *p = pattern_new(&call, TEXT("\\w+"), false);
	size_t from = 0, to = 0, n = 0;
	(void)state;

	while (pattern_find(&call, p, in, to, &from, &to) == 1) {
		assert_int_equal(from, n ? 7 : 0);
		assert_int_equal(to, from + 5);
		n++;
	}
	assert_int_equal(n, 2);
	/* Another text is checked again: bytes that are not UTF-8 are reported, wherever the search starts. */
	assert_int_equal(pattern_find(&call, p, TEXT("ab\xFF"), 1, &from, &to), -1);
}

static void a_match_far_behind_is_found(void **state)
{
	struct buffer b = {.arena = &arena};
	size_t from, to;
	(void)state;

	for (int i = 0; i < 200000; i++)
		buffer_put(&b, "\xC3\xA9 ");
	size_t mark = b.len;
	buffer_put(&b, "needle and more");
	struct pattern *p = pattern_new(&call, TEXT("n..dle|absent"), false);
	assert_int_equal(pattern_find(&call, p, buffer_text(&b), 0, &from, &to), 1);
	assert_int_equal(from, mark);
	assert_int_equal(to, mark + 6);
	p = pattern_new(&call, TEXT("(?<=\xC3\xA9 )needle"), false);
	assert_int_equal(pattern_find(&call, p, buffer_text(&b), 1, &from, &to), 1);
	assert_int_equal(from, mark);
}

static void bad_patterns_are_refused_with_their_place(void **state)
{
	static const struct {
		const char *pattern, *says;
	} rows[] = {
		{"a(b", "at character 4"}, {"\xC3\xA9[a", "at character 4"},
		{"*a", "at character 1"},  {"\\C", "not valid"},
		{"\xFF", "UTF-8"},
	};
	(void)state;

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		assert_null(pattern_new(&call, text_of(rows[i].pattern), false));
		assert_int_equal(call.error.fault, FAULT_ARGUMENT);
		if (!strstr(error_sentence(call.arena, &call.error), rows[i].says))
			fail_msg("%s: %s", rows[i].pattern, call.error.message);
	}
	char *long_one = arena_alloc(&arena, 5000);
	memset(long_one, '(', 5000);
	assert_null(pattern_new(&call, (struct text){long_one, 5000}, false));
	assert_null(pattern_new(&call, (struct text){long_one, 500}, false));
}

/* Without a limit of steps, most of these searches would practically never end. */
static void no_pattern_stalls(void **state)
{
	static const char *const rows[] = {"(a+)+$",           "(a|aa)+$",           "(.*)*x", "(a*)*b", "a*a*a*a*a*b",
					   "(?:a?){30}a{30}b", "^(([a-z])+.)+[A-Z]$"};
	struct buffer b = {.arena = &arena};
	size_t from, to;
	(void)state;

	buffer_fill(&b, 'a', 30000);
	buffer_put(&b, "!");
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct pattern *p = pattern_new(&call, text_of(rows[i]), false);
		int found = pattern_find(&call, p, buffer_text(&b), 0, &from, &to);
		assert_true(found <= 0);
		if (found < 0)
			assert_non_null(strstr(error_sentence(call.arena, &call.error), "too many steps"));
	}
}

static void a_search_ends_with_its_call(void **state)
{
	struct buffer b = {.arena = &arena};
	atomic_bool cancelled = true;
	size_t from, to;
	(void)state;

	buffer_fill(&b, 'a', 1 << 20);
	call.cancelled = &cancelled;
	struct pattern *p = pattern_new(&call, TEXT("x"), false);
	assert_int_equal(pattern_find(&call, p, buffer_text(&b), 0, &from, &to), -1);
	assert_int_equal(call.error.fault, FAULT_CANCELLED);
}

static void text_that_is_not_utf8_is_not_searched(void **state)
{
	size_t from, to;
	(void)state;

	struct pattern *p = pattern_new(&call, TEXT("a"), false);
	assert_int_equal(pattern_find(&call, p, TEXT("\xFF\xFE"), 0, &from, &to), -1);
	assert_int_equal(pattern_find(&call, p, TEXT("ba"), 0, &from, &to), 1);
	assert_int_equal(pattern_find(&call, p, TEXT("\xC3"), 1, &from, &to), -1);
}

static void globs_match_paths(void **state)
{
	static const struct {
		const char *glob, *path;
		bool matches;
	} rows[] = {
		{"", "", true},
		{"", "a", false},
		{"a", "a", true},
		{"a", "b", false},
		{"a", "ab", false},
		{"ab", "a", false},
		{"*", "", true},
		{"*", "abc", true},
		{"*", "a/b", false},
		{"*.md", "a.md", true},
		{"*.md", "a/b.md", false},
		{"*.md", ".md", true},
		{"a*c", "abbbc", true},
		{"a*c", "abbb", false},
		{"a*b*c", "axbxbxc", true},
		{"?", "a", true},
		{"?", "", false},
		{"?", "/", false},
		{"?", "\xC3\xA9", true},
		{"a?c", "abc", true},
		{"a?c", "a/c", false},
		{"**", "", true},
		{"**", "a/b/c", true},
		{"a/**", "a/b/c", true},
		{"a/**", "a/", true},
		{"a/**", "b/a/c", false},
		{"**/b", "b", true},
		{"**/b", "a/b", true},
		{"**/b", "a/a/b", true},
		{"**/b", "ab", false},
		{"**/b", "a/ab", false},
		{"a/**/b", "a/b", true},
		{"a/**/b", "a/x/b", true},
		{"a/**/b", "a/x/y/b", true},
		{"a/**/b", "axb", false},
		{"**/*.md", "a.md", true},
		{"**/*.md", "x/y/a.md", true},
		{"**/*.md", "x/y/a.txt", false},
		{"a**b", "a/x/b", true},
		{"**/a/**/b/*", "x/a/y/b/z", true},
		{"**/a/**/b/*", "a/b/z", true},
		{"**/a/**/b/*", "a/b/z/q", false},
		{"*/*", "a/b", true},
		{"*/*", "a/b/c", false},
		{"[a]", "a", false},
		{"\\*", "\\x", true},
		{"*a*", "bab", true},
		{"*x/y", "ax/bx/y", false},
		{"**x/y", "ax/bx/y", true},
		{"?*", "a", true},
		{"*?", "", false},
		{"A", "a", false},
	};
	(void)state;

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		if (glob_matches(text_of(rows[i].glob), text_of(rows[i].path)) != rows[i].matches)
			fail_msg("%s on %s", rows[i].glob, rows[i].path);
}

/* The rule in its simplest form, in exponential time. */
static bool matches_plainly(const char *start, const char *g, const char *p)
{
	if (!*g)
		return !*p;
	if (g[0] == '*' && g[1] == '*') {
		bool whole = (g == start || g[-1] == '/') && g[2] == '/';
		const char *rest = g + (whole ? 3 : 2);
		if (matches_plainly(start, rest, p))
			return true;
		for (; *p; p++)
			if ((!whole || *p == '/') && matches_plainly(start, rest, p + 1))
				return true;
		return false;
	}
	if (*g == '*') {
		for (;; p++) {
			if (matches_plainly(start, g + 1, p))
				return true;
			if (!*p || *p == '/')
				return false;
		}
	}
	return *p && (*g == '?' ? *p != '/' : *g == *p) && matches_plainly(start, g + 1, p + 1);
}

static void globs_match_as_the_plain_rule_does(void **state)
{
	(void)state;
	srand(5);
	for (int i = 0; i < 100000; i++) {
		char glob[9] = "", path[9] = "";
		for (int k = rand() % 9; k--;)
			glob[k] = "ab/**?*/"[rand() % 8];
		for (int k = rand() % 9; k--;)
			path[k] = "ab/a"[rand() % 4];
		if (glob_matches(text_of(glob), text_of(path)) != matches_plainly(glob, glob, path))
			fail_msg("%s on %s", glob, path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(patterns_find_where_they_match, fresh, forget),
		cmocka_unit_test_setup_teardown(matches_are_found_one_after_another, fresh, forget),
		cmocka_unit_test_setup_teardown(a_match_far_behind_is_found, fresh, forget),
		cmocka_unit_test_setup_teardown(bad_patterns_are_refused_with_their_place, fresh, forget),
		cmocka_unit_test_setup_teardown(no_pattern_stalls, fresh, forget),
		cmocka_unit_test_setup_teardown(a_search_ends_with_its_call, fresh, forget),
		cmocka_unit_test_setup_teardown(text_that_is_not_utf8_is_not_searched, fresh, forget),
		cmocka_unit_test_setup_teardown(globs_match_paths, fresh, forget),
		cmocka_unit_test_setup_teardown(globs_match_as_the_plain_rule_does, fresh, forget),
	};
	return RUN_TESTS(tests);
}
