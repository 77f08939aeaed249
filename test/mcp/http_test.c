#include "mcp/http_fake.h"
#include "support/check.h"

#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>

static struct {
	pthread_t thread;
	struct http_options options;
	atomic_int port;
	int status;
} web;

static void is_ready(void *to, const char *host, int port, const char *once)
{
	(void)to;
	(void)host;
	(void)once;
	atomic_store(&web.port, port);
}

static void *serve(void *of)
{
	(void)of;
	web.status = http_serve(NULL, &web.options);
	return NULL;
}

static int start_with(struct http_options options)
{
	fake.needs_key = fake.has_session = false;
	fake.open = fake.parked = NULL;
	fake.session = (struct session){0};
	atomic_store(&fake.limit, -1);
	atomic_store(&fake.left, 0);
	atomic_store(&fake.cancelled, 0);
	atomic_store(&fake.running, 0);
	options.ready = is_ready;
	web.options = options;
	web.status = -1;
	atomic_store(&web.port, 0);
	assert_int_equal(pthread_create(&web.thread, NULL, serve, NULL), 0);
	for (int i = 0; i < 6000 && !atomic_load(&web.port); i++)
		usleep(10000);
	assert_true(web.port > 0);
	return 0;
}

static int start(void **state)
{
	(void)state;
	return start_with((struct http_options){.connections_max = 8});
}

static int start_impatient(void **state)
{
	(void)state;
	return start_with((struct http_options){.patience = 1});
}

static int start_with_origins(void **state)
{
	static const char *const origins[] = {"https://app.example", NULL};

	(void)state;
	return start_with((struct http_options){.allowed_origins = origins});
}

static int stop(void **state)
{
	(void)state;
	kill(getpid(), SIGTERM);
	pthread_join(web.thread, NULL);
	assert_int_equal(web.status, 0);
	return 0;
}

/* The client. Received bytes stay in `heard` until the next request. */

static char heard[4 << 20];
static size_t heard_n;

static int dial(void)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)web.port)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
	return fd;
}

static void say(int fd, const char *bytes)
{
	for (size_t n = strlen(bytes); n;) {
		ssize_t sent = send(fd, bytes, n, MSG_NOSIGNAL);

		if (sent < 0)
			return;
		bytes += sent;
		n -= (size_t)sent;
	}
}

static void forget(void)
{
	heard_n = 0;
	heard[0] = 0;
}

/* Reads until the words arrive (true), or the connection ends or `ms` have passed. */
static bool hear_for(int fd, const char *words, int ms)
{
	while (!strstr(heard, words)) {
		struct pollfd p = {.fd = fd, .events = POLLIN};

		if (poll(&p, 1, ms) <= 0)
			return false;
		ssize_t n = recv(fd, heard + heard_n, sizeof heard - heard_n - 1, 0);
		if (n <= 0)
			return false;
		heard_n += (size_t)n;
		heard[heard_n] = 0;
	}
	return true;
}

static bool hear(int fd, const char *words) { return hear_for(fd, words, 60000); }

/* True: the other side closed. */
static bool is_closed_within(int fd, int ms)
{
	char byte[4096];
	struct pollfd p = {.fd = fd, .events = POLLIN};

	while (poll(&p, 1, ms) > 0)
		if (recv(fd, byte, sizeof byte, 0) <= 0)
			return true;
	return false;
}

static bool is_closed(int fd) { return is_closed_within(fd, 60000); }

#define ACCEPTS "Accept: application/json, text/event-stream\r\n"

static void post_with(int fd, const char *path, const char *headers, const char *body)
{
	char bytes[4096];

	snprintf(bytes, sizeof bytes,
		 "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
		 "%zu\r\n%s\r\n%s",
		 path, strlen(body), headers, body);
	forget();
	say(fd, bytes);
}

static void post(int fd, const char *body) { post_with(fd, "/mcp", ACCEPTS, body); }

/* Sends one request on a connection of its own; returns the status. */
static int knock(const char *bytes)
{
	int fd = dial(), status = 0;

	forget();
	say(fd, bytes);
	if (hear(fd, "\r\n\r\n"))
		sscanf(heard, "HTTP/1.1 %d", &status);
	hear_for(fd, "\n\n\n", 50);
	close(fd);
	return status;
}

static void what_needs_no_worker_is_answered_on_the_same_connection_again_and_again(void **state)
{
	int fd = dial();

	(void)state;
	for (int i = 0; i < 3; i++) {
		post(fd, "inline");
		assert_true(hear(fd, "{\"bytes\":6}"));
		assert_non_null(strstr(heard, "HTTP/1.1 200"));
		assert_non_null(strstr(heard, "Content-Type: application/json"));
	}
	close(fd);
}

static void work_is_done_by_a_worker_and_answered_as_json(void **state)
{
	int fd = dial();

	(void)state;
	for (int i = 0; i < 20; i++) {
		post(fd, "work");
		assert_true(hear(fd, "{\"done\":1}"));
		assert_non_null(strstr(heard, "application/json"));
	}
	close(fd);
}

static void a_notification_is_202_and_empty(void **state)
{
	int fd = dial();

	(void)state;
	post(fd, "note");
	assert_true(hear(fd, "\r\n\r\n"));
	assert_non_null(strstr(heard, "HTTP/1.1 202"));
	assert_non_null(strstr(heard, "Content-Length: 0"));
	close(fd);
}

static void what_precedes_the_answer_makes_it_a_stream(void **state)
{
	int fd = dial();

	(void)state;
	post(fd, "progress");
	assert_true(hear(fd, "\r\n0\r\n\r\n"));
	assert_non_null(strstr(heard, "Content-Type: text/event-stream"));
	assert_non_null(strstr(heard, "Cache-Control: no-cache, no-transform"));
	assert_non_null(strstr(heard, "X-Accel-Buffering: no"));
	const char *first = strstr(heard, "event: message\ndata: {\"step\":0}\n\n");
	const char *last = strstr(heard, "event: message\ndata: {\"done\":1}\n\n");
	assert_non_null(first);
	assert_non_null(last);
	assert_true(first < last);
	post(fd, "inline");
	assert_true(hear(fd, "{\"bytes\":6}"));
	close(fd);
}

static void a_client_that_takes_json_only_gets_the_answer_only(void **state)
{
	int fd = dial();

	(void)state;
	post_with(fd, "/mcp", "Accept: application/json\r\n", "progress");
	assert_true(hear(fd, "{\"done\":1}"));
	assert_null(strstr(heard, "step"));
	assert_non_null(strstr(heard, "application/json"));
	post_with(fd, "/mcp", "Accept: application/json\r\n", "listen");
	assert_true(hear(fd, "HTTP/1.1 406"));
	close(fd);
}

static void a_client_that_takes_events_only_gets_events(void **state)
{
	int fd = dial();

	(void)state;
	post_with(fd, "/mcp", "Accept: text/event-stream\r\n", "work");
	assert_true(hear(fd, "data: {\"done\":1}\n\n"));
	post(fd, "stream");
	assert_true(hear(fd, "data: {\"last\":1}\n\n"));
	close(fd);
}

static void status_session_type_and_retry_are_those_the_server_said(void **state)
{
	int fd = dial();

	(void)state;
	post(fd, "init");
	assert_true(hear(fd, "hello"));
	assert_non_null(strstr(heard, "Mcp-Session-Id: session-1\r\n"));
	post(fd, "rate");
	assert_true(hear(fd, "slow"));
	assert_non_null(strstr(heard, "HTTP/1.1 429"));
	assert_non_null(strstr(heard, "Retry-After: 7\r\n"));
	post(fd, "plain");
	assert_true(hear(fd, "plainly"));
	assert_non_null(strstr(heard, "HTTP/1.1 422"));
	assert_non_null(strstr(heard, "Content-Type: text/plain"));
	post_with(fd, "/mcp", ACCEPTS "x-TEST:  two words \t\r\n", "header");
	assert_true(hear(fd, "[two words]"));
	assert_null(strstr(heard, "none?"));
	close(fd);
}

static void a_large_answer_arrives_whole(void **state)
{
	int fd = dial();

	(void)state;
	post(fd, "huge");
	while (heard_n < 3 << 20 && hear_for(fd, "never", 1000))
		;
	assert_non_null(strstr(heard, "Content-Length: 3145728"));
	assert_true(heard_n > 3145728);
	close(fd);
}

static void a_client_that_leaves_is_noticed_while_its_call_runs(void **state)
{
	int fd = dial();

	(void)state;
	post(fd, "slow");
	for (int i = 0; i < 6000 && !atomic_load(&fake.running); i++)
		usleep(10000);
	assert_int_equal(atomic_load(&fake.running), 1);
	close(fd);
	for (int i = 0; i < 6000 && !atomic_load(&fake.cancelled); i++)
		usleep(10000);
	assert_int_equal(atomic_load(&fake.cancelled), 1);
}

static void a_subscription_ends_when_its_client_leaves(void **state)
{
	int fd = dial();

	(void)state;
	post(fd, "listen");
	assert_true(hear(fd, "data: {\"ack\":1}\n\n"));
	close(fd);
	for (int i = 0; i < 6000 && !atomic_load(&fake.left); i++)
		usleep(10000);
	assert_int_equal(atomic_load(&fake.left), 1);
	pthread_mutex_lock(&fake.lock);
	assert_null(fake.open);
	pthread_mutex_unlock(&fake.lock);
}

static void a_parked_call_is_run_again(void **state)
{
	int fd = dial(), other = dial();

	(void)state;
	post(fd, "park");
	assert_true(hear(fd, "data: {\"question\":1}\n\n"));
	post(other, "resume");
	assert_true(hear(other, "HTTP/1.1 202"));
	forget();
	assert_true(hear(fd, "data: {\"done\":1}\n\n"));
	close(fd);
	close(other);
}

static void a_flood_for_a_client_that_does_not_read_is_bounded_and_ends_well(void **state)
{
	int fd = dial(), other = dial();

	(void)state;
	post(fd, "flood");
	usleep(300000);
	post(other, "work");
	assert_true(hear(other, "{\"done\":1}"));
	forget();
	/* The last event arrives, although many before it were dropped. */
	bool is_done = false;
	for (int i = 0; i < 400 && !is_done; i++) {
		hear_for(fd, "{\"done\":1}", 1000);
		is_done = strstr(heard, "{\"done\":1}");
		if (heard_n > sizeof heard - 4096)
			forget();
	}
	assert_true(is_done);
	close(fd);
	close(other);
}

static const char open_stream[] =
	"GET /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: session-1\r\nAccept: text/event-stream\r\n\r\n";

static void a_session_has_one_stream_and_the_newer_one_wins(void **state)
{
	int first = dial(), second = dial(), other = dial();

	(void)state;
	post(other, "init");
	assert_true(hear(other, "hello"));
	forget();
	say(first, open_stream);
	assert_true(hear(first, "text/event-stream"));
	post(other, "tell");
	assert_true(hear(other, "202"));
	forget();
	assert_true(hear(first, "event: message\ndata: {\"news\":\ndata: 1}\n\n"));
	forget();
	say(second, open_stream);
	assert_true(hear(second, "text/event-stream"));
	forget();
	assert_true(hear(first, "0\r\n\r\n"));
	post(other, "tell");
	assert_true(hear(other, "202"));
	forget();
	assert_true(hear(second, "news"));
	assert_int_equal(knock("DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: session-1\r\n\r\n"), 204);
	assert_int_equal(knock("DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: session-1\r\n\r\n"), 404);
	assert_int_equal(knock(open_stream), 404);
	forget();
	assert_true(hear(second, "0\r\n\r\n"));
	close(first);
	close(second);
	close(other);
}

static void a_stream_whose_client_left_is_given_back(void **state)
{
	int fd = dial(), other = dial();

	(void)state;
	post(other, "init");
	assert_true(hear(other, "hello"));
	forget();
	say(fd, open_stream);
	assert_true(hear(fd, "text/event-stream"));
	close(fd);
	for (int i = 0; i < 6000; i++) {
		pthread_mutex_lock(&fake.lock);
		bool is_gone = !fake.session.stream.stream;
		pthread_mutex_unlock(&fake.lock);
		if (is_gone)
			break;
		usleep(10000);
	}
	assert_null(fake.session.stream.stream);
	close(other);
}

static void the_ladder_refuses_in_its_order(void **state)
{
	static const struct {
		const char *head;
		int status;
		const char *words;
	} rungs[] = {
		{"POST /nowhere HTTP/1.1\r\nHost: evil\r\n", 404, ""},
		{"GET /.well-known/oauth-protected-resource HTTP/1.1\r\nHost: localhost\r\n", 404, ""},
		{"POST /mcp%00x HTTP/1.1\r\nHost: localhost\r\n", 404, ""},
		{"POST /mcp HTTP/1.1\r\nHost: evil.example\r\n", 403, ""},
		{"GET /health HTTP/1.1\r\nHost: evil.example\r\n", 403, ""},
		{"POST /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\n", 403, ""},
		{"POST /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n", 403, ""},
		{"POST /mcp HTTP/1.1\r\nHost: localhost\r\n", 401, "WWW-Authenticate: Bearer realm=\"quire\", error="},
		{"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer wrong\r\n", 401, ""},
		{"POST /mcp/thing HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n", 403,
		 "insufficient_scope"},
		{"PUT /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n", 405,
		 "Allow: POST, GET, DELETE"},
		{"OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n", 405, "Allow: "},
		{"HEAD /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n", 405, "Allow: "},
		{"GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n", 405, "Allow: POST\r\n"},
		{"GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\nMcp-Session-Id: x\r\n", 405,
		 ""},
		{"DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n", 400, ""},
		{"DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\nMcp-Session-Id: x\r\n"
		 "MCP-Protocol-Version: 1999-01-01\r\n",
		 400, "MCP-Protocol-Version"},
		{"GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\nMcp-Session-Id: x\r\n"
		 "Accept: text/event-stream\r\nMCP-Protocol-Version: 1999-01-01\r\n",
		 400, "MCP-Protocol-Version"},
		{"POST /health HTTP/1.1\r\nHost: localhost\r\n", 405, "Allow: GET\r\n"},
		{"GET /health HTTP/1.1\r\nHost: localhost\r\n", 200,
		 "{\"status\":\"ok\",\"version\":\"" QUIRE_VERSION "\"}"},
		{"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\nContent-Type: "
		 "text/plain\r\n",
		 415, ""},
		{"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\nContent-Type: "
		 "application/json\r\n"
		 "Accept: text/html\r\n",
		 406, ""},
	};

	(void)state;
	fake.needs_key = true;
	for (size_t i = 0; i < sizeof rungs / sizeof *rungs; i++) {
		char bytes[1000];

		snprintf(bytes, sizeof bytes, "%s\r\n", rungs[i].head);
		int status = knock(bytes);
		if (status != rungs[i].status || !strstr(heard, rungs[i].words))
			fail_msg("%s: status %d, want %d and \"%s\": %s", rungs[i].head, status, rungs[i].status,
				 rungs[i].words, heard);
	}
}

static void the_rate_is_asked_before_the_method(void **state)
{
	(void)state;
	atomic_store(&fake.limit, 0);
	assert_int_equal(knock("PUT /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n"), 429);
	assert_non_null(strstr(heard, "Retry-After: 9\r\n"));
}

static void a_refused_body_is_read_over_so_that_the_connection_goes_on(void **state)
{
	int fd = dial();

	(void)state;
	post_with(fd, "/nowhere", "", "a body");
	assert_true(hear(fd, "\"code\":404"));
	post(fd, "inline");
	assert_true(hear(fd, "{\"bytes\":6}"));
	close(fd);
}

static void a_body_too_large_is_refused_before_it_is_sent(void **state)
{
	int fd = dial();

	(void)state;
	forget();
	say(fd, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
		"1048577\r\n\r\n");
	assert_true(hear(fd, "\"code\":413"));
	assert_true(is_closed(fd));
	close(fd);
	fd = dial();
	forget();
	say(fd, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
		"Content-Length: 1048577\r\n\r\n");
	assert_true(hear(fd, "\"code\":413"));
	assert_null(strstr(heard, "100 Continue"));
	close(fd);
}

static void a_body_too_large_is_refused_while_it_is_read(void **state)
{
	static char part[64 << 10];
	int fd = dial(), before = atomic_load(&fake.received);

	(void)state;
	memset(part, 'x', sizeof part - 1);
	forget();
	say(fd, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
		"Transfer-Encoding: chunked\r\n\r\n");
	for (int i = 0; i < 40; i++) {
		say(fd, "ffff\r\n");
		say(fd, part);
		say(fd, "\r\n");
	}
	assert_true(hear(fd, "\"code\":413"));
	say(fd, "0\r\n\r\n");
	assert_true(is_closed(fd));
	assert_int_equal(atomic_load(&fake.received), before);
	close(fd);
}

static void a_client_that_expects_is_told_to_continue(void **state)
{
	int fd = dial();

	(void)state;
	forget();
	say(fd, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
		"Content-Length: 6\r\n\r\n");
	assert_true(hear(fd, "HTTP/1.1 100"));
	say(fd, "inline");
	assert_true(hear(fd, "{\"bytes\":6}"));
	close(fd);
}

static void who_dawdles_over_a_head_or_a_body_is_cut_off(void **state)
{
	int head = dial(), body = dial(), silent = dial(), stream = dial();

	(void)state;
	post(stream, "init");
	assert_true(hear(stream, "hello"));
	say(stream, open_stream);
	say(body,
	    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 600\r\n\r\n");
	say(head, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: ");
	/* Each keeps sending until it is disconnected: the time limit is for the whole head or body, not for the next
	 * byte. */
	bool head_is_over = false, body_is_over = false;
	for (int i = 0; i < 590 && !(head_is_over && body_is_over); i++) {
		say(head, "x");
		say(body, "x");
		head_is_over |= is_closed_within(head, 50);
		body_is_over |= is_closed_within(body, 50);
	}
	assert_true(head_is_over);
	assert_true(body_is_over);
	assert_true(is_closed(silent));
	forget();
	int other = dial();
	post(other, "tell");
	assert_true(hear(other, "202"));
	forget();
	assert_true(hear(stream, "news"));
	close(other);
	close(head);
	close(body);
	close(silent);
	close(stream);
}

static void one_connection_too_many_is_503_and_the_next_after_one_left_is_served(void **state)
{
	int fds[8];

	(void)state;
	for (int i = 0; i < 8; i++) {
		fds[i] = dial();
		post(fds[i], "inline");
		assert_true(hear(fds[i], "{\"bytes\":6}"));
	}
	assert_int_equal(knock("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"), 503);
	assert_non_null(strstr(heard, "Retry-After: 1\r\n"));
	close(fds[0]);
	int status = 503;
	for (int i = 0; i < 6000 && status == 503; i++, usleep(10000))
		status = knock("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
	assert_int_equal(status, 200);
	for (int i = 1; i < 8; i++)
		close(fds[i]);
}

static void heads_that_two_programs_could_read_in_two_ways_are_400(void **state)
{
	static const char *const heads[] = {
		"Host: localhost\r\nHost: localhost\r\nContent-Length: 6\r\n",
		"Content-Length: 6\r\n",
		"Host: localhost\r\nContent-Length: 6\r\nContent-Length: 7\r\n",
		"Host: localhost\r\nContent-Length: 6\r\nContent-Length: 6\r\n",
		"Host: localhost\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n",
		"Host: localhost\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
		"Host: localhost\r\nTransfer-Encoding: gzip\r\n",
		"Host: localhost\r\nContent-Length: +6\r\n",
		"Host: localhost\r\nContent-Length : 6\r\n",
		"Host: localhost\r\nX: a\r\n b\r\nContent-Length: 6\r\n",
		"Host: localhost\nContent-Length: 6\r\n",
		"Host: localhost\r\nContent-Length: 6\n",
		"Host: localhost\r\nX(y): 1\r\nContent-Length: 6\r\n",
		"Host: localhost\r\nMcp-Session-Id: a\r\nmcp-session-id: b\r\nContent-Length: 6\r\n",
		"Host: localhost\r\nX: \001\r\nContent-Length: 6\r\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
		char bytes[1000];

		snprintf(bytes, sizeof bytes, "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\n%s\r\ninline",
			 heads[i]);
		int status = knock(bytes);
		if (status != 400 || !strstr(heard, "Connection: close"))
			fail_msg("%s: status %d", heads[i], status);
	}
	assert_int_equal(knock("POST /mcp HTTP/1.1\nHost: localhost\r\nContent-Length: 6\r\n\r\ninline"), 400);
}

static void pages_of_an_allowed_origin_may_ask_and_read(void **state)
{
	(void)state;
	fake.needs_key = true;
	assert_int_equal(knock("OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: https://app.example\r\n"
			       "Access-Control-Request-Method: POST\r\n\r\n"),
			 204);
	assert_non_null(strstr(heard, "Access-Control-Allow-Origin: https://app.example\r\n"));
	assert_non_null(strstr(heard, "Access-Control-Allow-Methods: POST"));
	assert_int_equal(knock("OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n\r\n"),
			 403);
	assert_null(strstr(heard, "Access-Control"));
	fake.needs_key = false;
	int fd = dial();
	post_with(fd, "/mcp", ACCEPTS "Origin: https://app.example\r\n", "init");
	assert_true(hear(fd, "hello"));
	assert_non_null(strstr(heard, "Access-Control-Expose-Headers: Mcp-Session-Id"));
	close(fd);
}

static void stopping_ends_every_stream_with_its_last_word(void **state)
{
	(void)state;
	start(NULL);
	int listening = dial(), stream = dial(), slow = dial();
	post(stream, "init");
	assert_true(hear(stream, "hello"));
	say(stream, open_stream);
	post(listening, "listen");
	assert_true(hear(listening, "ack"));
	post(slow, "progress");
	assert_true(hear(slow, "step"));
	stop(NULL);
	forget();
	assert_true(hear(listening, "data: {\"over\":1}\n\n\r\n0\r\n\r\n"));
	assert_true(is_closed(listening));
	forget();
	assert_true(hear(slow, "data: {\"done\":1}\n\n\r\n0\r\n\r\n"));
	forget();
	assert_true(hear(stream, "\r\n0\r\n\r\n"));
	close(listening);
	close(stream);
	close(slow);
}

static void beyond_loopback_without_keys_is_refused(void **state)
{
	(void)state;
	fake.needs_key = false;
	assert_int_equal(http_serve(NULL, &(struct http_options){.host = "0.0.0.0"}), 2);
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, start, stop)

/* "http_test serve PORT [CONNECTIONS]": runs the fake for other programs. */
static int serve_for_others(int argc, char **argv)
{
	return http_serve(NULL, &(struct http_options){.port = argc > 2 ? atoi(argv[2]) : 0,
						       .connections_max = argc > 3 ? (unsigned)atoi(argv[3]) : 0});
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		SERVED(what_needs_no_worker_is_answered_on_the_same_connection_again_and_again),
		SERVED(work_is_done_by_a_worker_and_answered_as_json),
		SERVED(a_notification_is_202_and_empty),
		SERVED(what_precedes_the_answer_makes_it_a_stream),
		SERVED(a_client_that_takes_json_only_gets_the_answer_only),
		SERVED(a_client_that_takes_events_only_gets_events),
		SERVED(status_session_type_and_retry_are_those_the_server_said),
		SERVED(a_large_answer_arrives_whole),
		SERVED(a_client_that_leaves_is_noticed_while_its_call_runs),
		SERVED(a_subscription_ends_when_its_client_leaves),
		SERVED(a_parked_call_is_run_again),
		SERVED(a_flood_for_a_client_that_does_not_read_is_bounded_and_ends_well),
		SERVED(a_session_has_one_stream_and_the_newer_one_wins),
		SERVED(a_stream_whose_client_left_is_given_back),
		SERVED(the_ladder_refuses_in_its_order),
		SERVED(the_rate_is_asked_before_the_method),
		SERVED(a_refused_body_is_read_over_so_that_the_connection_goes_on),
		SERVED(a_body_too_large_is_refused_before_it_is_sent),
		SERVED(a_body_too_large_is_refused_while_it_is_read),
		SERVED(a_client_that_expects_is_told_to_continue),
		cmocka_unit_test_setup_teardown(who_dawdles_over_a_head_or_a_body_is_cut_off, start_impatient, stop),
		SERVED(one_connection_too_many_is_503_and_the_next_after_one_left_is_served),
		SERVED(heads_that_two_programs_could_read_in_two_ways_are_400),
		cmocka_unit_test_setup_teardown(pages_of_an_allowed_origin_may_ask_and_read, start_with_origins, stop),
		cmocka_unit_test(stopping_ends_every_stream_with_its_last_word),
		cmocka_unit_test(beyond_loopback_without_keys_is_refused),
	};
	sigset_t blocked;

	if (argc > 1 && !strcmp(argv[1], "serve"))
		return serve_for_others(argc, argv);
	/* The stop signal is for the whole process, but only the server's own thread must get it. */
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &blocked, NULL);
	return RUN_TESTS(tests);
}
