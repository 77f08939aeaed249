/* An archive made here is one that other programs read; the same entries give the same bytes. */
#include "support/check.h"

#include "format/zip_write.h"

#include <string.h>

static struct arena arena;

static struct text archive(void)
{
	struct zip_writer z;
	struct buffer repeated = {.arena = &arena};

	buffer_fill(&repeated, 'a', 10000);
	zip_begin(&z, &arena);
	zip_add(&z, TEXT("mimetype"), TEXT("application/epub+zip"), false);
	zip_add(&z, TEXT("empty"), TEXT(""), true);
	zip_add(&z, TEXT("tiny.txt"), TEXT("x"), true);
	zip_add(&z, TEXT("föhn/long.txt"), buffer_text(&repeated), true);
	return zip_end(&z);
}

static void the_first_entry_is_stored_at_its_known_place(void **state)
{
	struct text z = archive();

	(void)state;
	/* Readers of EPUB look for these bytes at 30 and 38. */
	assert_memory_equal(z.at, "PK\3\4", 4);
	assert_memory_equal(z.at + 30, "mimetypeapplication/epub+zip", 28);
}

static void the_same_entries_give_the_same_bytes(void **state)
{
	(void)state;
	assert_true(text_same(archive(), archive()));
}

static void what_repeats_is_deflated_and_what_does_not_is_stored(void **state)
{
	struct text z = archive();

	(void)state;
	assert_true(z.len < 1000);
	assert_int_not_equal(text_find(z, TEXT("tiny.txtx"), 0), SIZE_MAX);
}

static void the_directory_lists_every_entry(void **state)
{
	struct text z = archive();
	size_t n = 0;

	(void)state;
	for (size_t at = 0; (at = text_find(z, TEXT("PK\1\2"), at)) != SIZE_MAX; at++)
		n++;
	assert_int_equal(n, 4);
	assert_memory_equal(z.at + z.len - 22, "PK\5\6\0\0\0\0\4\0\4\0", 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_entry_is_stored_at_its_known_place),
		cmocka_unit_test(the_same_entries_give_the_same_bytes),
		cmocka_unit_test(what_repeats_is_deflated_and_what_does_not_is_stored),
		cmocka_unit_test(the_directory_lists_every_entry),
	};
	int failed = RUN_TESTS(tests);

	arena_free(&arena);
	return failed;
}
