#include "support/check.h"

#include "base/unseen.h"

static void finds(const char *words, enum unseen sort, size_t at)
{
	size_t from = 0, len;
	enum unseen found = unseen_next(text_of(words), &from, &len);

	if (found != sort || (sort && from != at))
		fail_msg("%s: sort %d at %zu, not %d at %zu", words, (int)found, from, (int)sort, at);
}

static void each_sort_is_found(void **state)
{
	(void)state;
	finds("a\xe2\x80\x8b"
	      "b",
	      UNSEEN_ZERO_WIDTH, 1);
	finds("x \xef\xbb\xbf", UNSEEN_ZERO_WIDTH, 2);
	finds("pay\xf3\xa0\x81\xa1", UNSEEN_TAG, 3);
	finds("a\xe2\x80\xae"
	      "b",
	      UNSEEN_DIRECTION, 1);
	finds("latin\xe2\x80\x8f", UNSEEN_DIRECTION, 5);
	finds("bell\a", UNSEEN_CONTROL, 4);
	finds("latin\xe2\x80\x8djoined", UNSEEN_ZERO_WIDTH, 5);
	finds("a\xef\xb8\x8f", UNSEEN_ZERO_WIDTH, 1);
}

static void what_a_script_or_an_emoji_wants_is_ordinary(void **state)
{
	(void)state;
	finds("P\xc3\xa1rtatlans\xc3\xa1g\tand\nmore", UNSEEN_NONE, 0);
	/* a family of three, joined */
	finds("\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7", UNSEEN_NONE, 0);
	/* the flag of Scotland */
	finds("\xf0\x9f\x8f\xb4\xf3\xa0\x81\xa7\xf3\xa0\x81\xa2\xf3\xa0\x81\xb3\xf3\xa0\x81\xa3\xf3\xa0\x81\xb4\xf3\xa0\x81\xbf",
	      UNSEEN_NONE, 0);
	finds("\xe2\x9d\xa4\xef\xb8\x8f", UNSEEN_NONE, 0);                                     /* a red heart */
	finds("\xd9\x85\xdb\x8c\xe2\x80\x8c\xd8\xae\xd9\x88\xd8\xa7\xd9\x87", UNSEEN_NONE, 0); /* Persian, with ZWNJ */
	finds("\xd7\xa9\xd7\x9c\xe2\x80\x8f!", UNSEEN_NONE, 0);                                /* Hebrew, with a mark */
	finds("\xef\xbb\xbftext", UNSEEN_NONE, 0);
}

static void a_text_can_be_read_without_them(void **state)
{
	(void)state;
	struct arena a = {0};

	assert_text(unseen_without(&a, TEXT("a\xe2\x80\x8b\xe2\x80\x8b"
					    "b\xf3\xa0\x81\xa1")),
		    "ab");
	assert_text(unseen_without(&a, TEXT("plain")), "plain");
	assert_text(unseen_without(&a, TEXT("\xe2\x80\xae")), "");
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_sort_is_found),
		cmocka_unit_test(what_a_script_or_an_emoji_wants_is_ordinary),
		cmocka_unit_test(a_text_can_be_read_without_them),
	};

	return RUN_TESTS(tests);
}
