#include "guard/guard.h"

#include "support/check.h"

static const char *const allowed[] = {"docs.example", "https://app.example", "https://port.example:8443",
				      "other.example:80", NULL};

static void local_hosts_pass_with_any_port(void **state)
{
	static const char *const good[] = {"localhost", "LocalHost:8080", "127.0.0.1", "127.0.0.1:1",
					   "[::1]",     "[::1]:65535",    NULL};

	(void)state;
	for (const char *const *h = good; *h; h++)
		assert_true(guard_host(text_of(*h), NULL));
}

static void other_hosts_are_refused(void **state)
{
	static const char *const bad[] = {"",
					  "evil.example",
					  "localhost.evil.example",
					  "evil.example:80@localhost",
					  "localhost@evil.example",
					  "localhost:",
					  "localhost:80:80",
					  "localhost:8a",
					  "localhost:123456",
					  "localhost ",
					  " localhost",
					  "localhost.",
					  "localhost/",
					  "127.0.0.1.evil.example",
					  "127.0.0.2",
					  "2130706433",
					  "0.0.0.0",
					  "[::1",
					  "::1",
					  "[::1]x",
					  "[::2]",
					  "[]",
					  "[::1%25lo]",
					  ":80",
					  "localhost\n",
					  NULL};

	(void)state;
	for (const char *const *h = bad; *h; h++)
		assert_false(guard_host(text_of(*h), NULL));
	assert_false(guard_host((struct text){0}, NULL));
	assert_false(guard_host((struct text){"localhost\0.evil", 15}, NULL));
}

static void allowed_hosts_pass_whatever_their_case_and_port(void **state)
{
	(void)state;
	assert_true(guard_host(TEXT("docs.example"), allowed));
	assert_true(guard_host(TEXT("DOCS.example:8080"), allowed));
	assert_true(guard_host(TEXT("other.example:9"), allowed));
	assert_false(guard_host(TEXT("xdocs.example"), allowed));
	assert_false(guard_host(TEXT("docs.example.evil"), allowed));
	assert_false(guard_host(TEXT("docs"), allowed));
}

static void no_origin_passes_and_null_does_not(void **state)
{
	(void)state;
	assert_true(guard_origin((struct text){0}, TEXT("localhost:80"), NULL));
	assert_false(guard_origin(TEXT("null"), TEXT("localhost:8080"), NULL));
	assert_false(guard_origin(TEXT(""), TEXT("localhost:8080"), NULL));
	assert_false(guard_origin(TEXT("null"), TEXT("localhost:8080"), (const char *const[]){"null", NULL}));
}

static void local_origins_pass_and_others_do_not(void **state)
{
	static const char *const good[] = {"http://localhost:8080", "https://localhost:8080", "HTTP://127.0.0.1:8080",
					   "http://[::1]:8080", NULL};
	static const char *const bad[] = {"http://evil.example",
					  "http://localhost.evil.example",
					  "http://localhost@evil.example",
					  "http://localhost/",
					  "http://localhost#evil",
					  "http://",
					  "http:localhost",
					  "file://localhost",
					  "chrome-extension://localhost",
					  "localhost",
					  "http://localhost, http://evil.example",
					  "ws://localhost:8080",
					  "http://localhost",
					  "http://localhost:3000",
					  "http://127.0.0.1:80",
					  NULL};

	(void)state;
	for (const char *const *o = good; *o; o++)
		assert_true(guard_origin(text_of(*o), TEXT("127.0.0.1:8080"), NULL));
	for (const char *const *o = bad; *o; o++)
		assert_false(guard_origin(text_of(*o), TEXT("127.0.0.1:8080"), allowed));
}

static void an_allowed_origin_with_a_scheme_allows_that_scheme_only(void **state)
{
	(void)state;
	assert_true(guard_origin(TEXT("https://app.example"), TEXT("localhost:8080"), allowed));
	assert_false(guard_origin(TEXT("https://app.example:444"), TEXT("localhost:8080"), allowed));
	assert_true(guard_origin(TEXT("https://app.example:443"), TEXT("localhost:8080"), allowed));
	assert_false(guard_origin(TEXT("http://app.example"), TEXT("localhost:8080"), allowed));
	assert_true(guard_origin(TEXT("http://docs.example"), TEXT("localhost:8080"), allowed));
	assert_true(guard_origin(TEXT("https://docs.example"), TEXT("localhost:8080"), allowed));
	assert_true(guard_origin(TEXT("https://port.example:8443"), TEXT("localhost:8080"), allowed));
}

static void loopback_is_what_other_machines_cannot_reach(void **state)
{
	static const char *const yes[] = {"localhost", "LOCALHOST", "127.0.0.1",       "127.255.255.254",
					  "::1",       "[::1]",     "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1",
					  NULL};
	static const char *const no[] = {"0.0.0.0",
					 "::",
					 "[::]",
					 "",
					 "192.168.1.1",
					 "128.0.0.1",
					 "example.org",
					 "localhost.example",
					 "127.1",
					 "::ffff:10.0.0.1",
					 "fe80::1",
					 "[::1",
					 "1270.0.0.1",
					 "127.0.0.1.example",
					 "0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0001",
					 NULL};

	(void)state;
	for (const char *const *h = yes; *h; h++)
		assert_true(guard_is_loopback(*h));
	for (const char *const *h = no; *h; h++)
		assert_false(guard_is_loopback(*h));
	assert_false(guard_is_loopback(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(local_hosts_pass_with_any_port),
		cmocka_unit_test(other_hosts_are_refused),
		cmocka_unit_test(allowed_hosts_pass_whatever_their_case_and_port),
		cmocka_unit_test(no_origin_passes_and_null_does_not),
		cmocka_unit_test(local_origins_pass_and_others_do_not),
		cmocka_unit_test(an_allowed_origin_with_a_scheme_allows_that_scheme_only),
		cmocka_unit_test(loopback_is_what_other_machines_cannot_reach),
	};

	return RUN_TESTS(tests);
}
