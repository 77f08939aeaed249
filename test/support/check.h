/* check.h: what every test program begins with: cmocka, its output as TAP, and the comparisons of texts. */
#ifndef QUIRE_TEST_CHECK_H
#define QUIRE_TEST_CHECK_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* cmocka has a macro fail() without arguments: ours is declared before it comes; a test calls it as (fail)(c, ...). */
#include "base/call.h"

#include <cmocka.h>
#include <stdio.h>

/* How many kills, faults or the like were tried, for make torture; at once, because it may end us in the middle. */
#define TRIED(...) (print_message("# trials " __VA_ARGS__), fflush(stdout))

#define RUN_TESTS(tests) (cmocka_set_message_output(CM_OUTPUT_TAP), cmocka_run_group_tests(tests, NULL, NULL))

/* Texts are short in tests; the message shows both. */
#define assert_text(have, want)                                                                                        \
	do {                                                                                                           \
		struct text have_ = (have);                                                                            \
		struct text want_ = text_of(want);                                                                     \
		if (!text_same(have_, want_))                                                                          \
			fail_msg("have \"%.*s\"%s, want \"%s\"", TEXT_ARGS(have_), have_.at ? "" : " (absent)",        \
				 want_.at ? want_.at : "(absent)");                                                    \
	} while (0)

#endif
