/* order_test.c: keys are sorted by group, number and index, for every order of the input. */
#include "support/check.h"

#include "kinds/floorplan/plan/order.h"

#include <stdlib.h>

static struct arena arena;

static int end(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static void check_order(struct place_in_order *items, size_t n)
{
	bool *seen = arena_array(&arena, n + 1, sizeof *seen);

	order(&arena, items, n);
	for (size_t i = 0; i < n; i++) {
		const struct place_in_order *a = i ? &items[i - 1] : NULL, *b = &items[i];

		assert_in_range(b->index, 0, n - 1);
		assert_false(seen[b->index]);
		seen[b->index] = true;
		if (a && a->group == b->group)
			assert_true(a->key < b->key || (a->key == b->key && a->index < b->index));
		else if (a)
			assert_true(a->group < b->group);
	}
}

static void any_list_comes_out_in_order(void **state)
{
	static const size_t sizes[] = {0, 1, 2, 3, 7, 64, 65, 1000};
	uint32_t dice = 1;
	(void)state;

	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
		for (int shape = 0; shape < 4; shape++) {
			struct place_in_order *items = arena_array(&arena, sizes[s] + 1, sizeof *items);

			for (size_t i = 0; i < sizes[s]; i++) {
				dice = dice * 1664525 + 1013904223;
				double key = shape == 0   ? (double)i        /* in order */
					     : shape == 1 ? -(double)i       /* backwards */
					     : shape == 2 ? (double)(i % 25) /* row after row */
							  : (double)(dice >> 28) / 2;

				items[i] = (struct place_in_order){key, shape == 3 ? (int)(dice >> 20) % 3 : 0,
								   (uint32_t)i};
			}
			check_order(items, sizes[s]);
		}
}

static void equal_keys_stand_by_their_index(void **state)
{
	struct place_in_order items[] = {{1, 0, 2}, {1, 0, 0}, {0, 1, 3}, {1, 0, 1}};
	(void)state;

	check_order(items, 4);
	assert_int_equal(items[3].index, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(any_list_comes_out_in_order, end),
		cmocka_unit_test_teardown(equal_keys_stand_by_their_index, end),
	};

	return RUN_TESTS(tests);
}
