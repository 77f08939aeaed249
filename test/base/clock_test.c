#include "support/check.h"

#include "base/ascii.h"
#include "base/clock.h"

static void dates_are_read_in_every_form(void **state)
{
	static const struct {
		const char *date, *iso;
		enum clock_form form;
	} rows[] = {
		{"2026-11-15", "2026-11-15T00:00:00Z", CLOCK_DAY},
		{"2026-11-15T20:47", "2026-11-15T20:47:00Z", CLOCK_MINUTE},
		{"2026-11-15 20:47:49.25Z", "2026-11-15T20:47:49Z", CLOCK_SECOND},
		{"2026-11-15T20:47:49+01:30", "2026-11-15T19:17:49Z", CLOCK_SECOND},
		{"2026-12-31t23:30-01:00", "2027-01-01T00:30:00Z", CLOCK_MINUTE},
		{"2024-02-29", "2024-02-29T00:00:00Z", CLOCK_DAY},
		{"1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z", CLOCK_SECOND},
	};
	struct arena a = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		enum clock_form form;
		int64_t ms;
		assert_true(clock_read(text_of(rows[i].date), &ms, &form));
		assert_text(clock_iso(&a, ms), rows[i].iso);
		assert_int_equal(form, rows[i].form);
	}
	arena_free(&a);
}

static void what_is_no_date_is_refused(void **state)
{
	static const char *const rows[] = {
		"",
		"2026",
		"2026-11",
		"2026-13-01",
		"2026-02-29",
		"2026-11-15T",
		"2026-11-15T24:00",
		"2026-11-15T20:60",
		"2026-11-15T20:47:49.",
		"2026-11-15T20:47+01",
		"2026-11-15 20:47x",
		"26-11-15",
		"2026-11-15x",
		" 2026-11-15",
		"2026-11-15T20:47+24:00",
	};
	int64_t ms;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		assert_false(clock_read(text_of(rows[i]), &ms, NULL));
	assert_true(clock_is_time(TEXT("20:47:49.5")));
	assert_false(clock_is_time(TEXT("20:47")));
	assert_false(clock_is_time(TEXT("20:47:49Z")));
}

static void no_byte_of_a_longer_character_is_in_a_class(void **state)
{
	(void)state;
	for (int c = -128; c < 256; c++) {
		char byte = (char)c;
		bool is_ascii = c >= 0 && c < 128;
		if (!is_ascii)
			assert_false(is_digit((uint32_t)byte) || is_letter((uint32_t)byte) || is_space((uint32_t)byte));
	}
	assert_true(is_digit('0') && is_digit('9') && !is_digit('/') && !is_digit(':'));
	assert_true(is_letter('a') && is_letter('Z') && !is_letter('@') && !is_letter('[') && !is_letter('`') &&
		    !is_letter('{'));
	assert_true(is_blank('\t') && !is_blank('\n') && is_space('\r') && !is_space('\v'));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dates_are_read_in_every_form),
		cmocka_unit_test(what_is_no_date_is_refused),
		cmocka_unit_test(no_byte_of_a_longer_character_is_in_a_class),
	};
	return RUN_TESTS(tests);
}
