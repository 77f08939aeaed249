#include "support/check.h"

#include "mcp/http/listen.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* Errors about unusable addresses are expected here, so they are not printed between the results. */
static int listen_quietly(const char *host, int port)
{
	int usual = dup(STDERR_FILENO), none[2];

	assert_int_equal(pipe(none), 0);
	dup2(none[1], STDERR_FILENO);
	int fd = listen_at(host, port);
	dup2(usual, STDERR_FILENO);
	close(usual);
	close(none[0]);
	close(none[1]);
	return fd;
}

static void localhost_is_the_address_that_every_client_tries(void **state)
{
	struct sockaddr_in at;
	socklen_t len = sizeof at;
	(void)state;

	int fd = listen_at("LocalHost", 0);
	assert_true(fd >= 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &len), 0);
	assert_int_equal(at.sin_family, AF_INET);
	assert_int_equal(ntohl(at.sin_addr.s_addr), INADDR_LOOPBACK);
	assert_int_equal(ntohs(at.sin_port), listen_port(fd));
	assert_true(listen_port(fd) > 0);
	close(fd);
}

static void brackets_around_an_address_are_taken_off(void **state)
{
	(void)state;
	int fd = listen_quietly("[::1]", 0), bare = listen_quietly("::1", 0);
	/* Without IPv6 on the machine both are refused. */
	assert_int_equal(fd >= 0, bare >= 0);
	close(fd);
	close(bare);
	fd = listen_quietly("[127.0.0.1]", 0);
	assert_true(fd >= 0);
	close(fd);
}

static void what_cannot_be_listened_at_is_refused(void **state)
{
	(void)state;
	int fd = listen_at("127.0.0.1", 0);
	assert_true(fd >= 0);
	assert_int_equal(listen_quietly("127.0.0.1", listen_port(fd)), -1);
	close(fd);
	assert_int_equal(listen_quietly("no such host", 0), -1);
	assert_int_equal(listen_quietly("[", 0), -1);
	/* An address reserved for documentation: no machine has it. */
	assert_int_equal(listen_quietly("192.0.2.1", 0), -1);
}

static void the_limit_of_open_files_is_raised_as_far_as_it_may_be(void **state)
{
	struct rlimit before, after;
	(void)state;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	struct rlimit low = {before.rlim_max < 256 ? before.rlim_max : 256, before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	listen_raise_limit();
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &after), 0);
	assert_true(after.rlim_cur == before.rlim_max || after.rlim_cur >= 65536);
	assert_int_equal(after.rlim_max, before.rlim_max);
	listen_raise_limit();
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &low), 0);
	assert_int_equal(low.rlim_cur, after.rlim_cur);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(localhost_is_the_address_that_every_client_tries),
		cmocka_unit_test(brackets_around_an_address_are_taken_off),
		cmocka_unit_test(what_cannot_be_listened_at_is_refused),
		cmocka_unit_test(the_limit_of_open_files_is_raised_as_far_as_it_may_be),
	};
	return RUN_TESTS(tests);
}
