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

/* Prints how many kills, faults and so on were tried, for make torture. Flushed at once, because make torture may kill
 * the test. */
#define TRIED(...) (print_message("# trials " __VA_ARGS__), fflush(stdout))

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
