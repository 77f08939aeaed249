#include "support/check.h"

#include "format/merge.h"

#include <stdlib.h>
#include <string.h>

/* Applies both edits to one original, in either order; NULL if they touch. */
static const char *merged(struct arena *a, const char *original, struct splice mine, struct splice theirs)
{
	struct text base = text_of(original), now = splice_apply(a, base, &theirs, 1);
	size_t clash;
	struct splice *moved = splice_move(a, &mine, 1, &theirs, 1, &clash);

	return moved ? text_string(a, splice_apply(a, now, moved, 1)) : NULL;
}

static void edits_of_different_places_are_both_had(void **state)
{
	struct arena a = {0};

	(void)state;
	assert_string_equal(merged(&a, "abcdef", (struct splice){0, 1, TEXT("A")}, (struct splice){5, 6, TEXT("F!")}),
			    "AbcdeF!");
	assert_string_equal(merged(&a, "abcdef", (struct splice){5, 6, TEXT("F!")}, (struct splice){0, 1, TEXT("")}),
			    "bcdeF!");
	/* Ranges that only share a boundary. */
	assert_string_equal(merged(&a, "abcdef", (struct splice){0, 3, TEXT("x")}, (struct splice){3, 6, TEXT("y")}),
			    "xy");
	assert_string_equal(merged(&a, "abcdef", (struct splice){3, 6, TEXT("y")}, (struct splice){0, 3, TEXT("x")}),
			    "xy");
	/* An insertion after a removed range stays. */
	assert_string_equal(merged(&a, "abcdef", (struct splice){0, 3, TEXT("")}, (struct splice){3, 3, TEXT("new")}),
			    "newdef");
	assert_string_equal(merged(&a, "abcdef", (struct splice){3, 6, TEXT("")}, (struct splice){3, 3, TEXT("new")}),
			    "abcnew");
	arena_free(&a);
}

static void edits_that_touch_are_not(void **state)
{
	struct arena a = {0};

	(void)state;
	assert_null(merged(&a, "abcdef", (struct splice){0, 3, TEXT("x")}, (struct splice){2, 4, TEXT("y")}));
	assert_null(merged(&a, "abcdef", (struct splice){2, 4, TEXT("x")}, (struct splice){3, 3, TEXT("y")}));
	assert_null(merged(&a, "abcdef", (struct splice){3, 3, TEXT("x")}, (struct splice){2, 4, TEXT("y")}));
	/* Two insertions at one position have no order. */
	assert_null(merged(&a, "abcdef", (struct splice){3, 3, TEXT("x")}, (struct splice){3, 3, TEXT("y")}));
	arena_free(&a);
}

/* An archive: entries that do not deflate. */
static char *noise(size_t len, unsigned seed)
{
	char *bytes = malloc(len + 1);

	for (size_t i = 0; i < len; i++) {
		seed = seed * 1103515245 + 12345;
		bytes[i] = (char)(seed >> 16);
	}
	bytes[len] = 0;
	return bytes;
}

static void an_entry_that_grew_in_an_archive_costs_itself(void **state)
{
	struct arena a = {0};
	size_t len = 400000, n, cost = 0;
	char *bytes = noise(len, 1), *entry = noise(5000, 2);
	struct text before = {bytes, len};
	/* One edit in the middle changes the length, so everything after it moves; one edit changes a number at the
	 * end. */
	struct splice edits[] = {{200000, 204000, {entry, 5000}}, {399990, 399994, TEXT("diff")}};
	struct text after = splice_apply(&a, before, edits, 2);

	(void)state;
	const struct splice *found = splice_blocks(&a, before, after, &n);
	for (size_t i = 0; i < n; i++)
		cost += found[i].with.len;
	assert_true(cost < 6000);
	assert_true(text_same(splice_apply(&a, before, found, n), after));
	free(bytes);
	free(entry);
	arena_free(&a);
}

static void blocks_lead_from_any_bytes_to_any_others(void **state)
{
	unsigned seed = 7;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct arena a = {0};
		size_t n, len = (seed = seed * 1103515245 + 12345) >> 16 & 1023, cut = len ? seed % len : 0;
		char *x = noise(len, seed), *y = noise(len, round % 3 ? seed : seed + 1);
		if (len > 64 && round % 2)
			memmove(y, y + cut / 2, len - cut / 2);
		struct text before = {x, len}, after = {y, len - cut / 3};
		const struct splice *found = splice_blocks(&a, before, after, &n);
		assert_true(text_same(splice_apply(&a, before, found, n), after));
		free(x);
		free(y);
		arena_free(&a);
	}
}

/* Up to four random edits of a text of that length, sorted; includes deletions and empty edits. */
static size_t random_edits(struct arena *a, size_t len, struct splice *to)
{
	size_t n = (size_t)rand() % 5, at = 0, i = 0;

	for (; i < n && at <= len; i++) {
		size_t from = at + (size_t)rand() % (len - at + 1), end = from + (size_t)rand() % 4;

		end = end > len ? len : end;
		to[i] = (struct splice){(uint32_t)from, (uint32_t)end,
					text_format(a, "%.*s", rand() % 4, rand() % 2 ? "XYZW" : "1234")};
		at = end + (size_t)rand() % 2;
	}
	return i;
}

static void edits_made_one_after_the_other_are_one_list(void **state)
{
	(void)state;
	srand(7);
	for (int round = 0; round < 20000; round++) {
		struct arena a = {0};
		struct splice first[4], then[4];
		struct text base = text_slice(TEXT("abcdefghijklmnop"), 0, (size_t)rand() % 17);
		size_t n = random_edits(&a, base.len, first), count;
		struct text middle = splice_apply(&a, base, first, n);
		size_t m = random_edits(&a, middle.len, then);
		struct text end = splice_apply(&a, middle, then, m);
		struct splice *both = splice_then(&a, first, n, then, m, &count);

		assert_true(count <= n + m);
		assert_text(splice_apply(&a, base, both, count), text_string(&a, end));
		arena_free(&a);
	}
}

/* Bytes that were written and then overwritten are not in the list. */
static void what_is_overwritten_leaves_no_trace(void **state)
{
	struct arena a = {0};
	const struct splice first[] = {{2, 3, TEXT("long words")}, {5, 5, TEXT("kept")}};
	const struct splice then[] = {{1, 13, TEXT("!")}};
	size_t n;

	(void)state;
	struct splice *both = splice_then(&a, first, 2, then, 1, &n);
	assert_int_equal(n, 2);
	assert_text(both[0].with, "!");
	assert_int_equal(both[0].from, 1);
	assert_int_equal(both[0].to, 4);
	assert_text(both[1].with, "kept");
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edits_of_different_places_are_both_had),
		cmocka_unit_test(edits_that_touch_are_not),
		cmocka_unit_test(edits_made_one_after_the_other_are_one_list),
		cmocka_unit_test(what_is_overwritten_leaves_no_trace),
		cmocka_unit_test(an_entry_that_grew_in_an_archive_costs_itself),
		cmocka_unit_test(blocks_lead_from_any_bytes_to_any_others),
	};

	return RUN_TESTS(tests);
}
