/* Other programs can read an archive made here; the same entries give the same bytes. */
#include "support/check.h"

#include "format/zip_write.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

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
	/* EPUB readers expect these bytes at 30 and 38. */
	assert_memory_equal(z.at, "PK\3\4", 4);
	assert_memory_equal(z.at + 30, "mimetypeapplication/epub+zip", 28);
}

static void the_same_entries_give_the_same_bytes(void **state)
{
	(void)state;
	/* At another time, in another zone, from other memory. */
	setenv("QUIRE_NOW", "1000000000", 1);
	struct text one = text_copy(&arena, archive());
	setenv("QUIRE_NOW", "2000000000", 1);
	setenv("TZ", "Asia/Tokyo", 1);
	tzset();
	struct arena other = {0};
	struct text two = text_copy(&other, archive());
	assert_true(text_same(one, two));
	arena_free(&other);
	unsetenv("QUIRE_NOW");
	unsetenv("TZ");
	tzset();
	/* The archive contains no current time: every entry has the first day of the format. */
	for (size_t at = 0; (at = text_find(one, TEXT("PK\3\4"), at)) != SIZE_MAX; at++)
		assert_memory_equal(one.at + at + 10, "\0\0\x21\0", 4);
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
