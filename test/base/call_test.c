#include "support/check.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void failing_is_one_line(void **state)
{
	struct arena a = {0};
	struct call c = {.arena = &a};
	(void)state;

	assert_false((fail)(&c, FAULT_NOT_FOUND, "there is no %s", "thing"));
	assert_int_equal(c.error.fault, FAULT_NOT_FOUND);
	assert_string_equal(c.error.message, "there is no thing");
	assert_null(c.error.code);
	c.error.where = "/path";
	assert_false(fail_as(&c, "EMPTY", "nothing in %d", 7));
	assert_int_equal(c.error.fault, FAULT_OWN);
	assert_string_equal(c.error.code, "EMPTY");
	assert_null(c.error.where);
	warn(&c, "careful: %d", 1);
	warn(&c, "%s", "again");
	assert_int_equal(c.warnings.n, 2);
	assert_text(c.warnings.items[0], "careful: 1");
	arena_free(&a);
}

static void only_the_format_divides_message_and_hint(void **state)
{
	struct arena a = {0};
	struct call c = {.arena = &a};
	(void)state;

	assert_false(
		(fail)(&c, FAULT_ARGUMENT, "no \"%s\" in %d; give other words than %s", "days; or weeks", 3, "a; b"));
	assert_string_equal(c.error.message, "no \"days; or weeks\" in 3");
	assert_string_equal(c.error.hint, "give other words than a; b");
	assert_string_equal(error_sentence(&a, &c.error), "no \"days; or weeks\" in 3; give other words than a; b");
	assert_false(fail_as(&c, "EMPTY", "nothing in %s", "days; or weeks"));
	assert_string_equal(c.error.message, "nothing in days; or weeks");
	assert_null(c.error.hint);
	assert_string_equal(error_sentence(&a, &c.error), "nothing in days; or weeks");
	assert_string_equal(error_sentence(&a, &(struct error){0}), "refused");
	arena_free(&a);
}

static void a_callers_words_are_shown_short_and_plain(void **state)
{
	static const struct {
		struct text t;
		const char *want;
	} rows[] = {
		{TEXT("plain"), "plain"},
		{TEXT(""), ""},
		{TEXT("a\nb\tc\r"), "a\\nb\\tc\\r"},
		{TEXT("\0\x1b[31m\x7f"), "\\u0000\\u001b[31m\\u007f"},
		{TEXT("\xC3\xA9\xF0\x9F\x98\x80"), "\xC3\xA9\xF0\x9F\x98\x80"},
		{TEXT("\xFFz\xC3"), "\\xffz\\xc3"},
		{TEXT("\xE2\x80\xAE"
		      "evil\xE2\x80\xA8"),
		 "\\u202eevil\\u2028"},
		{TEXT("\xC2\x85"), "\\u0085"},
		{TEXT("0123456789012345678901234567890123456789012345678901234567890123456789012345678"),
		 "0123456789012345678901234567890123456789012345678901234567890123456789012345678"},
		{TEXT("01234567890123456789012345678901234567890123456789012345678901234567890123456789x"),
		 "01234567890123456789012345678901234567890123456789012345678901234567890123456..."},
	};
	struct arena a = {0};
	struct call c = {.arena = &a};
	(void)state;

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		assert_string_equal(shown(&c, rows[i].t), rows[i].want);
	assert_string_equal(shown(&c, (struct text){0}), "");
	/* Cut between characters, at every offset. */
	char wide[300];
	for (size_t lead = 0; lead < 4; lead++) {
		memset(wide, 'x', lead);
		for (size_t i = 0; i < 60; i++)
			memcpy(wide + lead + i * 4, "\xF0\x9F\x98\x80", 4);
		const char *cut = shown(&c, (struct text){wide, lead + 240});
		assert_true(strlen(cut) <= 80);
		assert_int_equal(utf8_bad(text_of(cut)), strlen(cut));
	}
	arena_free(&a);
}

static void a_call_ends_when_cancelled_or_late(void **state)
{
	struct arena a = {0};
	atomic_bool cancelled = false;
	struct call c = {.arena = &a, .cancelled = &cancelled};
	(void)state;

	assert_true(goes_on(&c));
	c.deadline = clock_ticks() + 60000;
	assert_true(goes_on(&c));
	cancelled = true;
	assert_false(goes_on(&c));
	assert_int_equal(c.error.fault, FAULT_CANCELLED);
	cancelled = false;
	c.deadline = clock_ticks();
	assert_false(goes_on(&c));
	assert_int_equal(c.error.fault, FAULT_TIMEOUT);
	arena_free(&a);
}

static void the_clock_can_be_fixed(void **state)
{
	static const struct {
		const char *now;
		int64_t ms;
	} rows[] = {
		{"0", 0},
		{"1763239669", 1763239669000},
		{"-1", -1000},
		{"1970-01-02", 86400000},
		{"2024-02-29T12:30:15Z", 1709209815000},
		{"2024-02-29T12:30:15", 1709209815000},
		{"2024-02-29 12:30", 1709209800000},
		{"2024-02-29T12:30:15+01:00", 1709206215000},
	};
	(void)state;

	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		setenv("QUIRE_NOW", rows[i].now, 1);
		assert_int_equal(clock_now(), rows[i].ms);
	}
	/* Text that is not a time is ignored: the clock runs. */
	static const char *const odd[] = {
		"", "soon", "12x", "2024-02-30 12:30", "2024-02-29Tnoon", "2024-02-29T12:30:15+1"};
	for (size_t i = 0; i < ARRAY_COUNT(odd); i++) {
		setenv("QUIRE_NOW", odd[i], 1);
		assert_true(clock_now() > 1763000000000);
	}
	unsetenv("QUIRE_NOW");
	int64_t ticks = clock_ticks();
	usleep(3000);
	assert_true(clock_ticks() > ticks);
	/* Sleeping costs nothing, working does. */
	int64_t spent = clock_spent();
	usleep(50000);
	assert_true(clock_spent() - spent < 40);
	for (volatile unsigned i = 0; clock_spent() - spent < 5; i++)
		;
}

static void times_are_written_as_iso(void **state)
{
	struct arena a = {0};
	(void)state;

	assert_text(clock_iso(&a, 0), "1970-01-01T00:00:00Z");
	assert_text(clock_iso(&a, 1709209815999), "2024-02-29T12:30:15Z");
	assert_text(clock_iso(&a, -1), "1969-12-31T23:59:59Z");
	arena_free(&a);
}

static struct text logged(struct arena *a, enum log_level most)
{
	int ends[2], usual = dup(STDERR_FILENO);
	char *bytes = arena_zero(a, 5000), long_words[3000];

	memset(long_words, 'x', sizeof long_words);
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], STDERR_FILENO);
	log_set(most);
	log_line(LOG_ERROR, "e%d", 1);
	log_line(LOG_WARNING, "w");
	log_line(LOG_INFO, "i");
	log_line(LOG_DEBUG, "%.*s", (int)sizeof long_words, long_words);
	log_set(LOG_WARNING);
	dup2(usual, STDERR_FILENO);
	close(ends[1]);
	close(usual);
	size_t n = 0;
	for (ssize_t more; (more = read(ends[0], bytes + n, 4999 - n)) > 0;)
		n += (size_t)more;
	close(ends[0]);
	return (struct text){bytes, n};
}

static void lines_up_to_the_level_go_to_stderr(void **state)
{
	struct arena a = {0};
	(void)state;

	assert_text(logged(&a, LOG_ERROR), "quire: error: e1\n");
	assert_text(logged(&a, LOG_WARNING), "quire: error: e1\nquire: warning: w\n");
	assert_text(logged(&a, LOG_INFO), "quire: error: e1\nquire: warning: w\nquire: i\n");
	struct text all = logged(&a, LOG_DEBUG);
	assert_true(all.len > 900 && all.len < 1200 && all.at[all.len - 1] == '\n');
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(failing_is_one_line),
		cmocka_unit_test(only_the_format_divides_message_and_hint),
		cmocka_unit_test(a_callers_words_are_shown_short_and_plain),
		cmocka_unit_test(a_call_ends_when_cancelled_or_late),
		cmocka_unit_test(the_clock_can_be_fixed),
		cmocka_unit_test(times_are_written_as_iso),
		cmocka_unit_test(lines_up_to_the_level_go_to_stderr),
	};
	return RUN_TESTS(tests);
}
