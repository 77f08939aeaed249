#include "support/check.h"

#include "base/array.h"

#include <stdint.h>
#include <string.h>

static void blocks_are_aligned_and_apart(void **state)
{
	struct arena a = {0};
	char *blocks[500];
	(void)state;

	for (size_t i = 0; i < 500; i++) {
		blocks[i] = arena_alloc(&a, i * 37);
		assert_int_equal((uintptr_t)blocks[i] % 16, 0);
		memset(blocks[i], (int)i, i * 37);
	}
	for (size_t i = 0; i < 500; i++)
		for (size_t k = 0; k < i * 37; k++)
			assert_int_equal((unsigned char)blocks[i][k], i & 255);
	assert_true(a.used >= 500 * 499 / 2 * 37);
	arena_free(&a);
	assert_null(a.head);
}

static void growing_keeps_the_bytes(void **state)
{
	struct arena a = {0};
	size_t size = 1;
	char *p = arena_copy(&a, "x", 1);
	(void)state;

	for (int i = 0; i < 15; i++) {
		if (i % 3 == 0)
			arena_alloc(&a, 1);
		p = arena_grow(&a, p, size, size * 2);
		memset(p + size, 'x', size);
		size *= 2;
	}
	for (size_t i = 0; i < size; i++)
		assert_int_equal(p[i], 'x');
	arena_free(&a);
}

static void the_newest_block_grows_in_place(void **state)
{
	struct arena a = {0};
	char *p = arena_alloc(&a, 100);
	(void)state;

	assert_ptr_equal(arena_grow(&a, p, 100, 1000), p);
	assert_ptr_not_equal(arena_alloc(&a, 1), p);
	assert_ptr_not_equal(arena_grow(&a, p, 1000, 2000), p);
	arena_free(&a);
}

static void lists_grow_and_begin_cleared(void **state)
{
	struct arena a = {0};
	ARRAY(int) list = {0};
	(void)state;

	for (int i = 0; i < 1000; i++) {
		int *item = ARRAY_PUSH(&a, &list);
		assert_int_equal(*item, 0);
		*item = i;
	}
	for (int i = 0; i < 1000; i++)
		assert_int_equal(list.items[i], i);
	arena_free(&a);
}

static void a_list_with_room_does_not_move(void **state)
{
	struct arena a = {0};
	ARRAY(int) list = {0};
	(void)state;

	memset(arena_alloc(&a, 100), 0xFF, 100);
	ARRAY_RESERVE(&a, &list, 1000);
	const int *first = list.items;
	arena_alloc(&a, 1); /* so that it could not grow in place */
	for (int i = 0; i < 1000; i++)
		assert_int_equal(*ARRAY_PUSH(&a, &list), 0);
	assert_ptr_equal(list.items, first);
	*ARRAY_PUSH(&a, &list) = 1;
	assert_int_equal(list.n, 1001);
	arena_free(&a);
}

static void a_reset_keeps_one_chunk_and_no_contents(void **state)
{
	struct arena a = {0};

	(void)state;
	arena_reset(&a);
	assert_null(a.head);
	for (int i = 0; i < 100; i++)
		arena_zero(&a, 4000);
	size_t before = a.used;
	arena_reset(&a);
	assert_true(a.used < before);
	size_t kept = a.used;
	for (int round = 0; round < 100; round++) {
		memset(arena_alloc(&a, 4000), 1, 4000);
		arena_reset(&a);
	}
	assert_int_equal(a.used, kept);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_aligned_and_apart),
		cmocka_unit_test(growing_keeps_the_bytes),
		cmocka_unit_test(the_newest_block_grows_in_place),
		cmocka_unit_test(lists_grow_and_begin_cleared),
		cmocka_unit_test(a_list_with_room_does_not_move),
		cmocka_unit_test(a_reset_keeps_one_chunk_and_no_contents),
	};
	return RUN_TESTS(tests);
}
