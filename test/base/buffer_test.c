#include "support/check.h"

#include "base/buffer.h"

#include <string.h>

static void same_bytes_on_heap_and_in_arena(void **state)
{
	struct arena a = {0};
	struct buffer kinds[] = {{.arena = &a}, {0}};
	(void)state;

	for (size_t i = 0; i < 2; i++) {
		struct buffer *b = &kinds[i];
		for (int k = 0; k < 1000; k++) {
			buffer_put(b, "ab");
			buffer_add(b, TEXT("c\0d"));
			buffer_byte(b, 'e');
			buffer_fill(b, '.', 2);
			arena_alloc(&a, 32); /* so that the block is not the newest and must move */
		}
		assert_int_equal(b->len, 8000);
		assert_memory_equal(b->at + 7992, "abc\0de..", 8);
		assert_int_equal(buffer_text(b).at[8000], 0);
		buffer_free(b);
		assert_int_equal(b->len, 0);
	}
	arena_free(&a);
}

static void an_empty_buffer_is_an_empty_text(void **state)
{
	struct buffer b = {0};
	(void)state;

	assert_text(buffer_text(&b), "");
	buffer_add(&b, (struct text){0});
	assert_text(buffer_text(&b), "");
	buffer_free(&b);
}

static void formats_of_any_length_fit(void **state)
{
	struct buffer b = {0};
	(void)state;

	for (int n = 1; n < 400; n++) {
		size_t before = b.len;
		buffer_format(&b, "%0*d", n, 7);
		assert_int_equal(b.len, before + (size_t)n);
		assert_int_equal(b.at[b.len - 1], '7');
	}
	buffer_free(&b);
}

static void room_is_there_to_write_into(void **state)
{
	struct buffer b = {0};
	(void)state;

	memset(buffer_room(&b, 100000), 'x', 100000);
	b.len += 100000;
	assert_int_equal(buffer_text(&b).len, 100000);
	buffer_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_bytes_on_heap_and_in_arena),
		cmocka_unit_test(an_empty_buffer_is_an_empty_text),
		cmocka_unit_test(formats_of_any_length_fit),
		cmocka_unit_test(room_is_there_to_write_into),
	};
	return RUN_TESTS(tests);
}
