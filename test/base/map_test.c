#include "support/check.h"

#include "base/map.h"

#include <stdlib.h>

static void keys_keep_their_values(void **state)
{
	struct arena a = {0};
	struct map m = {.arena = &a};
	bool was;
	(void)state;

	assert_null(map_find(&m, TEXT("x")));
	for (uint32_t i = 0; i < 5000; i++) {
		assert_int_equal(*map_at(&m, text_format(&a, "key %u", i), i, &was), i);
		assert_false(was);
		assert_int_equal(*map_at(&m, text_format(&a, "key %u", i / 2), 9999999, &was), i / 2);
		assert_true(was);
	}
	assert_int_equal(m.n, 5000);
	for (uint32_t i = 0; i < 5000; i++)
		assert_int_equal(*map_find(&m, text_format(&a, "key %u", i)), i);
	assert_null(map_find(&m, TEXT("key 5000")));
	arena_free(&a);
}

static void a_map_with_room_does_not_move(void **state)
{
	(void)state;
	for (uint32_t keys = 0; keys < 100; keys++) {
		struct arena a = {0};
		struct map m = {.arena = &a};

		map_reserve(&m, keys);
		const struct map_slot *slots = m.slots;
		for (uint32_t i = 0; i < keys; i++)
			map_at(&m, text_format(&a, "key %u", i), i, NULL);
		assert_ptr_equal(m.slots, slots);
		for (uint32_t i = 0; i < keys; i++)
			assert_int_equal(*map_find(&m, text_format(&a, "key %u", i)), i);
		assert_null(map_find(&m, TEXT("key")));
		arena_free(&a);
	}
}

static void values_can_be_changed_in_place(void **state)
{
	struct arena a = {0};
	struct map m = {.arena = &a};
	(void)state;

	++*map_at(&m, TEXT("n"), 0, NULL);
	++*map_at(&m, TEXT("n"), 0, NULL);
	assert_int_equal(*map_find(&m, TEXT("n")), 2);
	arena_free(&a);
}

static void empty_and_nul_are_keys_like_others(void **state)
{
	struct arena a = {0};
	struct map m = {.arena = &a};
	bool was;
	(void)state;

	map_at(&m, TEXT(""), 1, NULL);
	map_at(&m, TEXT("a"), 2, NULL);
	map_at(&m, TEXT("a\0"), 3, NULL);
	assert_int_equal(*map_find(&m, TEXT("")), 1);
	assert_int_equal(*map_find(&m, TEXT("a")), 2);
	assert_int_equal(*map_find(&m, TEXT("a\0")), 3);
	assert_int_equal(*map_at(&m, (struct text){0}, 9, &was), 1);
	assert_true(was);
	arena_free(&a);
}

/* Compares with a plain list: after removals in any order, all other keys are found. */
static void removed_keys_are_gone_and_no_other(void **state)
{
	enum { KEYS = 300 };
	struct arena a = {0};
	struct map m = {.arena = &a};
	struct text keys[KEYS];
	bool there[KEYS] = {false};
	size_t n = 0;
	unsigned seed = 3;
	(void)state;

	assert_false(map_remove(&m, TEXT("x")));
	for (int i = 0; i < KEYS; i++)
		keys[i] = text_format(&a, "%d", i);
	for (int round = 0; round < 20000; round++) {
		int i = rand_r(&seed) % KEYS;
		if (rand_r(&seed) % 2) {
			assert_int_equal(*map_at(&m, keys[i], (uint32_t)i, NULL), i);
			n += !there[i];
			there[i] = true;
		} else {
			assert_int_equal(map_remove(&m, keys[i]), there[i]);
			n -= there[i];
			there[i] = false;
		}
		assert_int_equal(m.n, n);
		for (int k = 0; k < KEYS && round % 50 == 0; k++) {
			const uint32_t *found = map_find(&m, keys[k]);
			assert_int_equal(found != NULL, there[k]);
			assert_true(!found || *found == (uint32_t)k);
		}
	}
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_keep_their_values),
		cmocka_unit_test(a_map_with_room_does_not_move),
		cmocka_unit_test(values_can_be_changed_in_place),
		cmocka_unit_test(empty_and_nul_are_keys_like_others),
		cmocka_unit_test(removed_keys_are_gone_and_no_other),
	};
	return RUN_TESTS(tests);
}
