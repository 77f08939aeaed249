/* check.h: included by every test program: cmocka, its output as TAP, and comparisons of texts. */
#ifndef QUIRE_TEST_CHECK_H
#define QUIRE_TEST_CHECK_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* cmocka has a macro fail() without arguments, so ours is declared before it. A test calls ours as (fail)(c, ...). */
#include "base/call.h"

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints how many kills, faults and so on were tried, for make torture. Flushed at once, because make torture may kill
 * the test. */
#define TRIED(...) (print_message("# trials " __VA_ARGS__), fflush(stdout))

/* Ends a test that cannot run here. cmocka's own skip() is printed as "not ok". */
#define SKIP(...)                                                                                                      \
	do {                                                                                                           \
		print_message("# skipped: " __VA_ARGS__);                                                              \
		print_message("\n");                                                                                   \
		return;                                                                                                \
	} while (0)
#undef skip

/* Documents that tests try every rule on: our own, or those of others, which are no part of the repository (make
 * foreign). */
static inline const char *data_folder(void)
{
	const char *at = getenv("QUIRE_DATA");

	return at ? at : "test/data";
}

/* make torture gives each round a seed: time for a long campaign. Otherwise a shorter one must do. */
static inline bool is_campaign(void) { return getenv("QUIRE_SEED") != NULL; }

#define RUN_TESTS(tests) (cmocka_set_message_output(CM_OUTPUT_TAP), cmocka_run_group_tests(tests, NULL, NULL))

/* Texts in tests are short, so the message shows both. */
#define assert_text(have, want)                                                                                        \
	do {                                                                                                           \
		struct text have_ = (have);                                                                            \
		struct text want_ = text_of(want);                                                                     \
		if (!text_same(have_, want_))                                                                          \
			fail_msg("have \"%.*s\"%s, want \"%s\"", TEXT_ARGS(have_), have_.at ? "" : " (absent)",        \
				 want_.at ? want_.at : "(absent)");                                                    \
	} while (0)

#endif
