#include "support/check.h"
#include "support/growth.h"

#include "base/budget.h"
#include "base/digest.h"
#include "format/lines.h"
#include "format/splice.h"

#include <stdlib.h>
#include <string.h>

static struct arena arena;

static int forget(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static void edits_refer_to_the_original_in_any_order(void **state)
{
	(void)state;
	const struct splice edits[] = {{10, 11, TEXT("!")}, {0, 5, TEXT("HELLO")}, {5, 6, TEXT(", ")}};

	assert_text(splice_apply(&arena, TEXT("hello world"), edits, 3), "HELLO, worl!");
	assert_text(splice_apply(&arena, TEXT("same"), NULL, 0), "same");
	assert_text(splice_apply(&arena, TEXT(""), (struct splice[]){{0, 0, TEXT("new")}}, 1), "new");
}

static void insertions_at_one_place_keep_their_order(void **state)
{
	(void)state;
	const struct splice edits[] = {
		{2, 4, TEXT("-")}, {2, 2, TEXT("1")}, {2, 2, TEXT("2")}, {4, 4, TEXT("3")}, {2, 2, TEXT("4")}};

	assert_text(splice_apply(&arena, TEXT("abcdef"), edits, 5), "ab124-3ef");
}

static struct text random_text(size_t most)
{
	static const char *const pieces[] = {"a", "b", "\n", "word ", "é", "line\n", "\r\n", "€", ""};
	struct buffer b = {.arena = &arena};

	for (size_t n = (size_t)rand() % most; n--;)
		buffer_put(&b, pieces[(size_t)rand() % ARRAY_COUNT(pieces)]);
	return buffer_text(&b);
}

/* Edits that do not overlap, in random order. */
static size_t random_edits(struct text original, struct splice *edits, size_t most)
{
	size_t n = 0;

	for (uint32_t at = 0; at <= original.len && n < most; n++) {
		uint32_t from = at + (uint32_t)rand() % 4, to = from + (uint32_t)rand() % 3;
		if (to > original.len)
			break;
		edits[n] = (struct splice){from, to, random_text(4)};
		at = to;
	}
	for (size_t i = n; i > 1; i--) {
		size_t k = (size_t)rand() % i;
		/* Edits at the same position keep the order given, so do not swap such neighbours. */
		if (edits[k].to < edits[i - 1].from || edits[i - 1].to < edits[k].from) {
			struct splice t = edits[k];
			edits[k] = edits[i - 1];
			edits[i - 1] = t;
		}
	}
	return n;
}

static void bytes_in_no_range_are_kept(void **state)
{
	(void)state;
	srand(2);
	for (int round = 0; round < 1000; round++) {
		struct text original = random_text(60);
		struct splice edits[16], *sorted;
		size_t n = random_edits(original, edits, 16);
		struct text result = splice_apply(&arena, original, edits, n);
		sorted = splice_sorted(&arena, edits, n, original.len);
		size_t at = 0, w = 0;
		for (size_t i = 0; i < n; i++) {
			assert_memory_equal(result.at + w, original.at + at, sorted[i].from - at);
			w += sorted[i].from - at;
			assert_memory_equal(result.at + w, sorted[i].with.at, sorted[i].with.len);
			w += sorted[i].with.len;
			at = sorted[i].to;
		}
		assert_true(text_same(text_slice(result, w, SIZE_MAX), text_slice(original, at, SIZE_MAX)));
	}
}

static void every_way_to_the_result_is_the_same(void **state)
{
	(void)state;
	srand(3);
	for (int round = 0; round < 5000; round++) {
		struct text original = random_text(60);
		struct splice edits[16];
		size_t n = random_edits(original, edits, 16);
		struct text result = splice_apply(&arena, original, edits, n);
		struct pieces p = splice_pieces(&arena, original, edits, n);
		assert_int_equal(p.len, result.len);
		assert_true(p.n >= 1 && p.n <= 2 * n + 1);
		assert_string_equal(revision_of_pieces(p.items, p.n).chars, revision_of(result).chars);
		/* Exactly the needed size, so that the sanitizer checks the ends. */
		size_t room = (original.len > result.len ? original.len : result.len) + 1;
		char *bytes = malloc(room);
		if (original.len)
			memcpy(bytes, original.at, original.len);
		splice_within(bytes, original.len, splice_sorted(&arena, edits, n, original.len), n);
		assert_memory_equal(bytes, result.at, result.len + 1);
		free(bytes);
		if (round % 100 == 0)
			arena_free(&arena);
	}
}

static void edits_between_two_texts_turn_one_into_the_other(void **state)
{
	(void)state;
	srand(3);
	for (int round = 0; round < 2000; round++) {
		struct text before = random_text(60), after = random_text(60);
		if (round % 2) {
			struct splice edits[4];
			after = splice_apply(&arena, before, edits, random_edits(before, edits, 4));
		}
		size_t n;
		struct splice *edits = splice_between(&arena, before, after, &n);
		assert_true(text_same(splice_apply(&arena, before, edits, n), after));
		assert_int_equal(n == 0, text_same(before, after));
		if (round % 100 == 0)
			arena_free(&arena);
	}
}

static void edits_are_few_and_small(void **state)
{
	(void)state;
	size_t n;
	struct text before = TEXT("one\ntwo\nthree\nfour\nfive\n"), after = TEXT("one\ntwo!\nthree\nfive\nsix\n");
	struct splice *edits = splice_between(&arena, before, after, &n);

	assert_int_equal(n, 3);
	assert_int_equal(edits[0].from, 7);
	assert_int_equal(edits[0].to, 7);
	assert_text(edits[0].with, "!");
	assert_text(text_slice(before, edits[1].from, edits[1].to), "four\n");
	assert_text(edits[1].with, "");
	assert_text(edits[2].with, "six\n");
	/* é is C3 A9, è is C3 A8: the edit contains the whole character. */
	edits = splice_between(&arena, TEXT("caf\xC3\xA9 x"), TEXT("caf\xC3\xA8 x"), &n);
	assert_text(edits[0].with, "\xC3\xA8");
	edits = splice_between(&arena, TEXT("\xC3\xA9"), TEXT("\xC4\xA9"), &n);
	assert_text(edits[0].with, "\xC4\xA9");
}

static int64_t cost_of_strangers(const void *of, int size)
{
	struct buffer a = {.arena = &arena}, b = {.arena = &arena};
	size_t n;
	(void)of;

	for (int i = 0; i < size; i++) {
		buffer_format(&a, "%d\n", i);
		buffer_format(&b, "%d\n", -1 - i);
	}
	int64_t from = cost_now();
	struct splice *edits = splice_between(&arena, buffer_text(&a), buffer_text(&b), &n);
	int64_t cost = cost_now() - from;
	assert_int_equal(n, 1);
	assert_true(text_same(splice_apply(&arena, buffer_text(&a), edits, n), buffer_text(&b)));
	return cost;
}

static int64_t cost_of_two_rhythms(const void *of, int size)
{
	struct buffer a = {.arena = &arena}, b = {.arena = &arena};
	size_t n;
	(void)of;

	for (int i = 0; i < size; i++) {
		buffer_put(&a, i % 3 ? "x\n" : "y\n");
		buffer_put(&b, i % 2 ? "x\n" : "y\n");
	}
	int64_t from = cost_now();
	struct splice *edits = splice_between(&arena, buffer_text(&a), buffer_text(&b), &n);
	int64_t cost = cost_now() - from;
	assert_true(text_same(splice_apply(&arena, buffer_text(&a), edits, n), buffer_text(&b)));
	return cost;
}

static void texts_without_a_common_line_take_bounded_time(void **state)
{
	(void)state;
	assert_not_quadratic(cost_of_strangers, NULL, 12500);
	assert_not_quadratic(cost_of_two_rhythms, NULL, 25000);
}

static void diffs_are_unified(void **state)
{
	static const struct {
		const char *before, *after;
		unsigned context;
		const char *want;
	} rows[] = {
		{"a\nb\n", "a\nb\n", 3, ""},
		{"a\nb\nc\nd\ne\n", "a\nb\nX\nd\ne\n", 1, "--- f\n+++ f\n@@ -2,3 +2,3 @@\n b\n-c\n+X\n d\n"},
		{"", "a\n", 3, "--- f\n+++ f\n@@ -0,0 +1 @@\n+a\n"},
		{"a\n", "", 3, "--- f\n+++ f\n@@ -1 +0,0 @@\n-a\n"},
		{"a", "a\n", 3, "--- f\n+++ f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"1\n2\n3\n4\n5\n6\n7\n", "x\n2\n3\n4\n5\n6\ny\n", 1,
		 "--- f\n+++ f\n@@ -1,2 +1,2 @@\n-1\n+x\n 2\n@@ -6,2 +6,2 @@\n 6\n-7\n+y\n"},
		{"1\n2\n3\n", "x\n2\ny\n", 1, "--- f\n+++ f\n@@ -1,3 +1,3 @@\n-1\n+x\n 2\n-3\n+y\n"},
		{"1\n2\n", "1\nnew\n2\n", 0, "--- f\n+++ f\n@@ -1,0 +2 @@\n+new\n"},
	};
	(void)state;

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		assert_text(splice_diff(&arena, text_of(rows[i].before), text_of(rows[i].after), "f", rows[i].context),
			    rows[i].want);
}

static size_t count_of(struct text t, const char *what)
{
	size_t n = 0;

	for (size_t at = 0; (at = text_find(t, text_of(what), at)) != SIZE_MAX; at++)
		n++;
	return n;
}

/* A client may see only the first page of a diff: it must show removed and added lines. */
static void a_large_rewrite_shows_both_sides_early(void **state)
{
	struct buffer before = {.arena = &arena}, after = {.arena = &arena};
	(void)state;

	for (int i = 0; i < 4000; i++) {
		buffer_format(&before, "word %d\n", i);
		buffer_format(&after, "wort %d\n", i);
	}
	struct text diff = splice_diff(&arena, buffer_text(&before), buffer_text(&after), "f", 3);
	struct text page = text_slice(diff, 0, 2000);
	assert_true(count_of(page, "\n-word") > 40 && count_of(page, "\n+wort") > 40);
	assert_int_equal(count_of(diff, "\n-word"), 4000);
	assert_int_equal(count_of(diff, "\n+wort"), 4000);
	/* More differences than one search finds, with unchanged lines between. */
	before.len = after.len = 0;
	for (int i = 0; i < 4000; i++) {
		buffer_format(&before, "<p id=%d>\nthe word\n</p>\n", i);
		buffer_format(&after, "<p id=%d>\nthe wort\n</p>\n", i);
	}
	diff = splice_diff(&arena, buffer_text(&before), buffer_text(&after), "f", 3);
	assert_int_equal(count_of(diff, "\n-the word"), 4000);
	assert_int_equal(count_of(diff, "\n-<p"), 0);
	assert_true(count_of(diff, "\n@@ ") > 50);
}

static void packed_edits_come_back(void **state)
{
	(void)state;
	srand(4);
	for (int round = 0; round < 500; round++) {
		struct splice edits[16];
		struct text original = random_text(60);
		size_t n = random_edits(original, edits, 16), m;
		struct buffer b = {.arena = &arena};
		splice_pack(&b, edits, n);
		struct splice *back = splice_unpack(&arena, buffer_text(&b), &m);
		assert_non_null(back);
		assert_int_equal(n, m);
		for (size_t i = 0; i < n; i++) {
			assert_int_equal(back[i].from, edits[i].from);
			assert_int_equal(back[i].to, edits[i].to);
			assert_true(text_same(back[i].with, edits[i].with));
		}
	}
	struct buffer b = {0};
	const struct splice far = {UINT32_MAX - 1, UINT32_MAX, TEXT("x")};
	size_t m;
	splice_pack(&b, &far, 1);
	assert_int_equal(splice_unpack(&arena, buffer_text(&b), &m)[0].from, UINT32_MAX - 1);
	buffer_free(&b);
}

static void a_damaged_record_is_refused(void **state)
{
	const struct splice edits[] = {{1, 3, TEXT("abc")}, {300, 70000, TEXT("")}};
	struct buffer b = {.arena = &arena};
	size_t n;
	(void)state;

	splice_pack(&b, edits, 2);
	for (size_t i = 0; i < b.len; i++) {
		assert_null(splice_unpack(&arena, text_slice(buffer_text(&b), 0, i), &n));
		for (int bit = 0; bit < 8; bit++) {
			b.at[i] ^= (char)(1 << bit);
			assert_null(splice_unpack(&arena, buffer_text(&b), &n));
			b.at[i] ^= (char)(1 << bit);
		}
	}
	/* The digest is valid, but the contents are not: endless numbers, more edits than bytes, missing bytes, an end
	 * beyond 32 bits, bytes after the last edit. */
	static const struct text forged[] = {
		TEXT("\x80\x80\x80\x80\x80\x80"),
		TEXT("\xFF\xFF\xFF\xFF\x7F"),
		TEXT("\x02\x01\x01\x00"),
		TEXT("\x01\x00\x00\x05"
		     "abc"),
		TEXT("\x01\xFF\xFF\xFF\xFF\x0F\x01\x00"),
		TEXT("\x01\x00\x00\x00\x00"),
		TEXT("\x01\x80\x80\x80"),
	};
	char version = b.at[0];
	for (size_t i = 0; i < ARRAY_COUNT(forged); i++) {
		b.len = 0;
		buffer_byte(&b, version);
		buffer_add(&b, forged[i]);
		buffer_add(&b, text_of(revision_of(buffer_text(&b)).chars));
		if (splice_unpack(&arena, buffer_text(&b), &n))
			fail_msg("forged record %zu was taken", i);
	}
	b.len = 0;
	buffer_byte(&b, version);
	buffer_add(&b, TEXT("\x01\x00\x00\x01x"));
	buffer_add(&b, text_of(revision_of(buffer_text(&b)).chars));
	assert_non_null(splice_unpack(&arena, buffer_text(&b), &n));
	b.len = 0;
	const struct splice overlap[] = {{0, 5, TEXT("")}, {4, 6, TEXT("")}};
	splice_pack(&b, overlap, 2);
	assert_null(splice_unpack(&arena, buffer_text(&b), &n));
}

static void compare(void *of)
{
	const struct text *texts = of;

	lines_compare(&arena, texts[0], texts[1]);
}

/* The arena has room, so no memory is allocated, and only the loops can notice the end. */
static void a_comparison_ends_with_its_call(void **state)
{
	enum { LINES = 100000 };
	static char same[2 * LINES];
	struct text texts[2] = {{same, sizeof same}, {same, sizeof same - 2}};
	atomic_bool cancelled = true;
	struct budget b = {.cancelled = &cancelled};

	(void)state;
	for (size_t i = 0; i < LINES; i++)
		memcpy(same + 2 * i, "x\n", 2);
	arena_start(&arena, 4 << 20);
	assert_int_equal(budget_run(&b, &arena, compare, texts), BUDGET_CANCELLED);
	budget_clear(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_comparison_ends_with_its_call, forget),
		cmocka_unit_test_teardown(edits_refer_to_the_original_in_any_order, forget),
		cmocka_unit_test_teardown(insertions_at_one_place_keep_their_order, forget),
		cmocka_unit_test_teardown(bytes_in_no_range_are_kept, forget),
		cmocka_unit_test_teardown(every_way_to_the_result_is_the_same, forget),
		cmocka_unit_test_teardown(edits_between_two_texts_turn_one_into_the_other, forget),
		cmocka_unit_test_teardown(edits_are_few_and_small, forget),
		cmocka_unit_test_teardown(texts_without_a_common_line_take_bounded_time, forget),
		cmocka_unit_test_teardown(diffs_are_unified, forget),
		cmocka_unit_test_teardown(a_large_rewrite_shows_both_sides_early, forget),
		cmocka_unit_test_teardown(packed_edits_come_back, forget),
		cmocka_unit_test_teardown(a_damaged_record_is_refused, forget),
	};
	return RUN_TESTS(tests);
}
