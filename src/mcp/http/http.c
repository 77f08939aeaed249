/* http.c: Streamable HTTP on libmicrohttpd.
 *
 * There are three sorts of threads. The library's epoll thread reads requests, runs the checks of ladder.h, lets the
 * server handle messages that need no document, and sends everything. Eight workers run the other messages, while the
 * connection is suspended. The thread that called http_serve() watches the connections. request.h explains how they
 * share a request. This file contains the library's thread, and starting and stopping. */
#include "base/clock.h"
#include "base/lazy.h"
#include "base/log.h"
#include "base/mutex.h"
#include "mcp/http/listen.h"
#include "mcp/http/login.h"
#include "mcp/http/peers.h"
#include "mcp/output.h"

#include <microhttpd.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define FUNCTIONS(X)                                                                                                   \
	X(MHD_start_daemon)                                                                                            \
	X(MHD_stop_daemon)                                                                                             \
	X(MHD_quiesce_daemon)                                                                                          \
	X(MHD_get_version)                                                                                             \
	X(MHD_get_connection_info)                                                                                     \
	X(MHD_get_connection_values_n)                                                                                 \
	X(MHD_suspend_connection)                                                                                      \
	X(MHD_resume_connection)                                                                                       \
	X(MHD_queue_response)                                                                                          \
	X(MHD_create_response_from_buffer_with_free_callback_cls)                                                      \
	X(MHD_create_response_from_callback)                                                                           \
	X(MHD_add_response_header)                                                                                     \
	X(MHD_destroy_response)
static struct {
	FUNCTIONS(LAZY_SLOT)
} mhd;
static const char *const mhd_names[] = {FUNCTIONS(LAZY_NAME) NULL};
static struct lazy mhd_library = LAZY("libmicrohttpd.so.12", "libmicrohttpd12", mhd_names, &mhd);

enum {
	WORKERS = 8,
	BODY_MAX = 1 << 20,
	CONNECTIONS_MAX = 1100,
	CONNECTIONS_SPARE = 128,    /* connections beyond the limit that are refused with 503 */
	CONNECTION_BYTES = 33 << 9, /* enough for headers of 16 KB; the library uses half of it for any request */
	DRAIN_MAX = 16 << 20,       /* bytes of a refused body that are read, so that the client can read the error */
	PATIENCE_S = 10,            /* seconds to send a head; six times as long for a body */
	SILENCE_S = 60,             /* a client that reads nothing for this long is dropped */
	ADDRESS_MAX = 64,           /* connections of one address without a key */
	ADDRESS_KEYED_MAX = 1024,   /* and with a key */
	FAILURES_MAX = 10,          /* wrong keys per minute from one address */
	STOP_S = 35,                /* a running call ends by itself after 30 */
	FLUSH_S = 3,                /* to send the last bytes of responses when stopping */
	STACK_BYTES = 1 << 20
};

struct http {
	struct server *server;
	struct ladder ladder;
	struct peers peers;
	struct pool *pool;
	struct MHD_Daemon *daemon;
	int silence;          /* seconds */
	bool shows_lines;     /* see line_is_sound() */
	atomic_int requests;  /* complete requests whose response is not complete */
	atomic_bool stopping; /* no new requests are started */
};

void connection_suspend(struct MHD_Connection *connection) { mhd.MHD_suspend_connection(connection); }

void connection_resume(struct MHD_Connection *connection) { mhd.MHD_resume_connection(connection); }

/* Responses. All of this runs on the epoll thread. */

static void add_header(struct MHD_Response *response, const char *name, struct text value)
{
	char string[1024];

	if (value.at && value.len < sizeof string) {
		snprintf(string, sizeof string, "%.*s", TEXT_ARGS(value));
		mhd.MHD_add_response_header(response, name, string);
	}
}

static void add_number(struct MHD_Response *response, const char *name, int value)
{
	char digits[16];

	snprintf(digits, sizeof digits, "%d", value);
	mhd.MHD_add_response_header(response, name, digits);
}

static void add_origin(struct MHD_Response *response, struct request *r)
{
	if (!r->climb.origin.at)
		return;
	add_header(response, "Access-Control-Allow-Origin", r->climb.origin);
	mhd.MHD_add_response_header(response, "Access-Control-Expose-Headers",
				    "Mcp-Session-Id, WWW-Authenticate, Retry-After");
	mhd.MHD_add_response_header(response, "Vary", "Origin");
	if (r->climb.verb != VERB_PREFLIGHT)
		return;
	mhd.MHD_add_response_header(response, "Access-Control-Allow-Methods", "POST, GET, DELETE, OPTIONS");
	mhd.MHD_add_response_header(response, "Access-Control-Allow-Headers",
				    "Authorization, Content-Type, Accept, Mcp-Session-Id, MCP-Protocol-Version, "
				    "Mcp-Method, Mcp-Name, Last-Event-ID");
	mhd.MHD_add_response_header(response, "Access-Control-Max-Age", "600");
}

/* libmicrohttpd 0.9.75 accepts a bare LF as the end of a chunk's line, but a proxy in front may not. Then the bytes
 * after a chunked body could be a request that the proxy never saw. So nothing after it is read. */
static void add_end(struct MHD_Response *response, const struct request *r)
{
	if (r->is_last)
		mhd.MHD_add_response_header(response, "Connection", "close");
}

static enum MHD_Result queue(struct request *r, int status, struct MHD_Response *response)
{
	enum MHD_Result queued = mhd.MHD_queue_response(r->connection, (unsigned)status, response);

	mhd.MHD_destroy_response(response);
	return queued;
}

static void answer_sent(void *of) { request_release(of); }

/* There is no memory for a response, so libmicrohttpd closes the connection. */
static struct MHD_Response *unanswered(struct request *r)
{
	request_release(r);
	return NULL;
}

/* The body is not copied: the response holds a reference to the request, whose arena has the body. */
static struct MHD_Response *new_answer(struct request *r, struct text body, const char *type)
{
	request_hold(r);
	struct MHD_Response *response = mhd.MHD_create_response_from_buffer_with_free_callback_cls(
		body.len, (void *)(uintptr_t)(body.len ? body.at : ""), answer_sent, r);
	if (!response)
		return unanswered(r);
	if (body.len)
		mhd.MHD_add_response_header(response, "Content-Type", type);
	add_origin(response, r);
	add_end(response, r);
	return response;
}

/* A caller may put a key anywhere into an address. So the log contains only addresses that the server has. */
static const char *logged_address(struct request *r)
{
	static const char *const own[] = {"/mcp", "/health", "/login", "/logout", "/"};
	const struct endpoint *at = r->climb.endpoint;
	struct text path = r->head.path;
	bool is_whole = text_starts(path, "http");

	for (size_t i = 0; i < ARRAY_COUNT(own); i++)
		if (is_whole ? at && text_ends(path, own[i]) : text_is(path, own[i]))
			return own[i];
	if (at && at->alone)
		return text_format(&r->x.arena, "/mcp/%s", at->kinds[0]->name).at;
	return r->climb.verb == VERB_PAGE && !r->climb.page_is_missing ? "(the page)" : "(another address)";
}

/* Writes the access log for requests that never become a message of the protocol. */
static void log_access(const struct http *h, struct request *r, const char *outcome)
{
	struct guard *g = server_guard(h->server);
	const struct endpoint *at = r->climb.endpoint;
	char method[200]; /* enough for the access log */

	if (!guard_logs(g))
		return;
	snprintf(method, sizeof method, "%.*s %s", TEXT_ARGS(r->head.method), logged_address(r));
	guard_log(g, &(struct access){
			     .key = key_name(r->climb.key),
			     .peer = text_of(r->address),
			     .method = text_of(method),
			     .kind = at && at->alone ? at->kinds[0]->name : NULL,
			     .outcome = outcome,
			     .code = r->climb.refusal.status,
			     .ms = clock_ticks() - r->came,
		     });
}

/* Called before anything runs, so the arena still belongs to this thread. */
static struct text kind_refusal(struct request *r, const struct kind *k)
{
	const struct refusal *f = &r->climb.refusal;
	struct buffer b = {.arena = &r->x.arena};

	kind_error(&(struct json_out){.to = &b}, k,
		   &(struct error){.fault = f->fault, .message = f->message, .retry_after = f->retry_after});
	return buffer_text(&b);
}

static struct text refusal_body(struct request *r)
{
	const struct endpoint *at = r->climb.endpoint;

	if (r->climb.refusal.fault && at && at->alone)
		return kind_refusal(r, at->kinds[0]);
	struct buffer b = {.lasts = true};
	buffer_format(&b, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":%d,\"message\":\"%s\"}}", r->climb.refusal.status,
		      r->climb.refusal.message);
	free(r->refusal);
	r->refusal = b.at;
	return buffer_text(&b);
}

static enum MHD_Result answer_refusal(struct request *r)
{
	const struct refusal *f = &r->climb.refusal;
	struct MHD_Response *response = new_answer(r, refusal_body(r), "application/json");

	if (f->allow)
		mhd.MHD_add_response_header(response, "Allow", f->allow);
	if (f->retry_after)
		add_number(response, "Retry-After", f->retry_after);
	if (f->ends && !r->is_last)
		mhd.MHD_add_response_header(response, "Connection", "close");
	add_header(response, "WWW-Authenticate", f->challenge);
	return queue(r, f->status, response);
}

/* Reads the message with the large bytes inserted, without copying them before. */
static ssize_t read_around(void *of, uint64_t position, char *to, size_t most)
{
	struct request *r = of;
	const struct text large = r->x.large->bytes;
	size_t at = r->x.large_at;
	struct text from = position < at ? text_slice(r->message, (size_t)position, at)
			   : position < at + large.len
				   ? text_slice(large, (size_t)position - at, large.len)
				   : text_slice(r->message, (size_t)position - large.len, r->message.len);

	if (from.len > most)
		from.len = most;
	memcpy(to, from.at, from.len);
	return (ssize_t)from.len;
}

static struct MHD_Response *new_answer_around(struct request *r, const char *type)
{
	enum { PART = 64 << 10 };

	request_hold(r);
	struct MHD_Response *response = mhd.MHD_create_response_from_callback(r->message.len + r->x.large->bytes.len,
									      PART, read_around, r, answer_sent);
	if (!response)
		return unanswered(r);
	mhd.MHD_add_response_header(response, "Content-Type", type);
	add_origin(response, r);
	add_end(response, r);
	return response;
}

static enum MHD_Result answer_message(struct request *r)
{
	int status = r->status;

	/* A notification was accepted: there is no response. */
	if (!r->message.at && (!status || status == MHD_HTTP_OK))
		status = MHD_HTTP_ACCEPTED;
	const char *type = r->x.content_type ? r->x.content_type : "application/json";
	struct MHD_Response *response = r->x.large ? new_answer_around(r, type) : new_answer(r, r->message, type);
	add_header(response, "Mcp-Session-Id", r->x.new_session);
	if (r->x.retry_after)
		add_number(response, "Retry-After", r->x.retry_after);
	return queue(r, status, response);
}

static enum MHD_Result answer_page(struct request *r)
{
	const struct page_file *file = &r->climb.page;
	struct MHD_Response *response = new_answer(r, r->message, text_string(&r->x.arena, file->type));

	for (size_t i = 0; response && page_headers[i][0]; i++)
		mhd.MHD_add_response_header(response, page_headers[i][0], page_headers[i][1]);
	if (response && r->is_packed)
		mhd.MHD_add_response_header(response, "Content-Encoding", "gzip");
	add_header(response, "ETag", file->tag);
	add_header(response, "Cache-Control",
		   file->lasts && !r->climb.page_is_missing ? TEXT("public, max-age=31536000, immutable")
							    : TEXT("no-cache"));
	return queue(r, r->status, response);
}

static enum MHD_Result answer_entry(struct request *r)
{
	struct MHD_Response *response = new_answer(r, r->message, "application/json");

	add_header(response, "Set-Cookie", r->cookie);
	add_header(response, "Cache-Control", TEXT("no-store"));
	if (r->x.retry_after)
		add_number(response, "Retry-After", r->x.retry_after);
	return queue(r, r->status, response);
}

static ssize_t read_events(void *of, uint64_t position, char *to, size_t most)
{
	struct request *r = of;

	(void)position;
	mutex_lock(&r->lock);
	size_t n = sse_take(&r->events, to, most);
	bool has_ended = r->has_ended;
	if (!n && !has_ended)
		request_rest(r);
	mutex_unlock(&r->lock);
	return n ? (ssize_t)n : has_ended ? MHD_CONTENT_READER_END_OF_STREAM : 0;
}

static enum MHD_Result answer_events(struct request *r, bool is_finished)
{
	enum { PART = 256 }; /* only for HTTP/1.0; chunks are read into the connection's own memory */

	request_hold(r);
	struct MHD_Response *response =
		mhd.MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, PART, read_events, r, answer_sent);
	if (!response) {
		unanswered(r);
		return MHD_NO;
	}
	mhd.MHD_add_response_header(response, "Content-Type", "text/event-stream");
	mhd.MHD_add_response_header(response, "Cache-Control", "no-cache, no-transform");
	mhd.MHD_add_response_header(response, "X-Accel-Buffering", "no");
	if (is_finished)
		add_header(response, "Mcp-Session-Id", r->x.new_session);
	add_origin(response, r);
	add_end(response, r);
	/* A session's stream may stay open for hours and no longer needs its head. */
	if (r->session) {
		arena_free(&r->x.arena);
		r->head = (struct head){0};
		r->climb.origin = r->climb.session = (struct text){0};
	}
	return queue(r, MHD_HTTP_OK, response);
}

/* The library accepts no response in the middle of a body. Closing with unread bytes would make the client's kernel
 * discard the response. So the response is written directly to the socket, then the sending half is closed, and further
 * input is dropped. */
static void shout(struct request *r)
{
	struct text body = refusal_body(r);
	struct text bytes =
		text_format(&r->x.arena,
			    "HTTP/1.1 %d Content Too Large\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n"
			    "Connection: close\r\n\r\n%.*s",
			    r->climb.refusal.status, body.len, TEXT_ARGS(body));

	if (send(r->peer->fd, bytes.at, bytes.len, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)bytes.len)
		shutdown(r->peer->fd, SHUT_WR);
	r->is_drowned = true;
}

static struct refusal unavailable(const char *message)
{
	return (struct refusal){
		.status = MHD_HTTP_SERVICE_UNAVAILABLE, .message = message, .retry_after = 1, .ends = true};
}

/* Runs each request once its body is complete. */

static void settle(struct request *r, int status, struct text message)
{
	mutex_lock(&r->lock);
	r->status = status;
	r->message = message;
	r->is_finished = true;
	mutex_unlock(&r->lock);
}

static void begin_post(struct request *r)
{
	request_hold(r); /* the server's reference, until it finishes */
	r->x.bytes = buffer_text(&r->body);
	switch (server_receive(&r->x)) {
	case SERVER_DONE: break;
	case SERVER_WORK:
		peer_watch(r->peer, r);
		r->x.wire->again(&r->x);
		break;
	case SERVER_OPEN:
		mutex_lock(&r->lock);
		r->is_open = true;
		mutex_unlock(&r->lock);
		peer_watch(r->peer, r);
		if (!r->climb.takes_events) {
			request_abandon(r);
			r->climb.refusal = (struct refusal){
				.status = MHD_HTTP_NOT_ACCEPTABLE,
				.message = "a subscription returns text/event-stream: send Accept: text/event-stream"};
		}
		r->x.wire->again(&r->x);
		break;
	}
}

static void begin_get(struct request *r)
{
	struct session *session = session_find(r->x.server, r->climb.session, r->climb.key);

	if (!session) {
		r->climb.refusal =
			(struct refusal){.status = MHD_HTTP_NOT_FOUND, .message = "there is no such session"};
		return;
	}
	mutex_lock(&r->lock);
	r->session = session;
	r->is_streaming = r->is_open = true;
	r->told = peer_now(r->peer);
	mutex_unlock(&r->lock);
	request_hold(r); /* the session's reference, until the stream is closed or detached */
	session_attach(session, (struct session_stream){request_hear, request_close, r});
	peer_watch(r->peer, r);
}

static void begin_delete(struct request *r)
{
	if (session_end(r->x.server, r->climb.session, r->climb.key))
		settle(r, MHD_HTTP_NO_CONTENT, (struct text){0});
	else
		r->climb.refusal =
			(struct refusal){.status = MHD_HTTP_NOT_FOUND, .message = "there is no such session"};
}

static void begin_preflight(struct request *r) { settle(r, MHD_HTTP_NO_CONTENT, (struct text){0}); }

static void begin_health(struct request *r)
{
	settle(r, MHD_HTTP_OK, TEXT("{\"status\":\"ok\",\"version\":\"" QUIRE_VERSION "\"}"));
}

/* A file is sent as it is in the program, unless the client cannot unpack it. */
static void begin_page(struct request *r)
{
	const struct page_file *file = &r->climb.page;

	if (text_same(head_find(&r->head, "if-none-match"), file->tag) && !r->climb.page_is_missing) {
		settle(r, MHD_HTTP_NOT_MODIFIED, TEXT(""));
		return;
	}
	r->is_packed = text_find(head_find(&r->head, "accept-encoding"), TEXT("gzip"), 0) != SIZE_MAX;
	settle(r, r->climb.page_is_missing ? MHD_HTTP_NOT_FOUND : MHD_HTTP_OK,
	       r->is_packed ? file->bytes : page_unpack(&r->x.arena, file));
}

static void begin_entry(struct request *r)
{
	struct entry e = r->climb.verb == VERB_LOGIN ? login(r) : logout(r);

	r->cookie = e.cookie;
	r->x.retry_after = e.retry_after;
	settle(r, e.status, e.body);
}

static void (*const begin[])(struct request *) = {
	[VERB_POST] = begin_post,           [VERB_GET] = begin_get,       [VERB_DELETE] = begin_delete,
	[VERB_PREFLIGHT] = begin_preflight, [VERB_HEALTH] = begin_health, [VERB_PAGE] = begin_page,
	[VERB_LOGIN] = begin_entry,         [VERB_LOGOUT] = begin_entry,
};

static enum MHD_Result (*const answer[])(struct request *) = {
	[VERB_POST] = answer_message,      [VERB_GET] = answer_message,    [VERB_DELETE] = answer_message,
	[VERB_PREFLIGHT] = answer_message, [VERB_HEALTH] = answer_message, [VERB_PAGE] = answer_page,
	[VERB_LOGIN] = answer_entry,       [VERB_LOGOUT] = answer_entry,
};

/* The request is complete, or its connection was resumed: respond, or keep waiting. */
static enum MHD_Result turn(struct http *h, struct request *r)
{
	if (r->is_drowned)
		return MHD_NO;
	if (!r->climb.refusal.status && !r->is_begun) {
		r->is_begun = true;
		atomic_fetch_add(&h->requests, 1);
		peer_enters(r->peer, PHASE_ANSWER);
		begin[r->climb.verb](r);
		if (r->climb.refusal.status)
			log_access(h, r, "refused");
		else if (r->climb.verb == VERB_GET || r->climb.verb == VERB_DELETE)
			log_access(h, r, "done");
		else if (r->climb.verb == VERB_LOGIN || r->climb.verb == VERB_LOGOUT)
			log_access(h, r, r->status < MHD_HTTP_BAD_REQUEST ? "done" : "refused");
	}
	if (r->climb.refusal.status)
		return answer_refusal(r);
	mutex_lock(&r->lock);
	bool is_streaming = r->is_streaming, is_finished = r->is_finished, is_given_up = r->is_given_up;
	if (!is_streaming && !is_finished && !is_given_up)
		request_rest(r);
	mutex_unlock(&r->lock);
	if (is_streaming)
		return answer_events(r, is_finished);
	if (is_finished)
		return answer[r->climb.verb](r);
	if (!is_given_up)
		return MHD_YES;
	r->climb.refusal = unavailable("the server is stopping");
	return answer_refusal(r);
}

/* Reading requests. */

struct walk {
	struct request *r;
	bool shows_lines;
	size_t cap;
	const char *end; /* where the next line must begin, if the last one ended in CRLF */
	bool is_sound;
};

/* libmicrohttpd 0.9.75 silently accepts lines that end in a bare LF, folded lines, and NUL bytes. But it cuts lines in
 * place and puts zeros over CR and LF, so correct lines are exactly two zeros apart. Later versions store lines in
 * another way and refuse such requests themselves. */
static bool line_is_sound(struct walk *w, const char *name, const char *value, size_t value_len)
{
	bool follows = name == w->end;

	w->end = value + value_len + 2;
	return follows && !value[value_len] && !value[value_len + 1];
}

static enum MHD_Result add_head(void *of, enum MHD_ValueKind kind, const char *name, size_t name_len, const char *value,
				size_t value_len)
{
	struct walk *w = of;
	struct head *head = &w->r->head;
	struct arena *a = &w->r->x.arena;

	(void)kind;
	if (!value)
		value = "", value_len = 0, w->is_sound = false;
	else if (w->shows_lines && !line_is_sound(w, name, value, value_len))
		w->is_sound = false;
	head->headers = array_more(a, head->headers, &head->n, &w->cap, sizeof *head->headers);
	/* Copied: a worker may read a header after the connection is gone. */
	head->headers[head->n - 1] = (struct header){text_copy(a, (struct text){name, name_len}),
						     text_copy(a, text_trim((struct text){value, value_len}))};
	return MHD_YES;
}

static const char *read_head(const struct http *h, struct request *r, const char *url, const char *method,
			     const char *version)
{
	struct arena *a = &r->x.arena;
	struct walk w = {.r = r, .shows_lines = h->shows_lines, .is_sound = true, .end = version + strlen(version) + 2};

	r->head.method = text_copy(a, text_of(method));
	r->head.path = text_copy(a, text_of(url));
	r->head.version = text_copy(a, text_of(version));
	mhd.MHD_get_connection_values_n(r->connection, MHD_HEADER_KIND, add_head, &w);
	/* The blank line after the last header is two zeros too. */
	if (!w.is_sound || (w.shows_lines && (w.end[0] || w.end[1])))
		return "header lines must end in CRLF, without folding or NUL bytes";
	return head_fault(&r->head);
}

static int key_failed(void *of) { return peer_failed(of); }

static void climb(struct http *h, struct request *r)
{
	ladder_climb(&h->ladder, &r->x.arena, &r->head, &r->climb);
	if (!peer_is_welcome(r->peer, r->climb.key != NULL))
		r->climb.refusal = unavailable("too many connections from this address: try again soon");
}

/* The head has arrived. A refusal is sent after the body, so that the connection stays usable. It is sent at once if
 * the client waits for our response, or if the end of the body is unclear. */
static enum MHD_Result arrive(struct http *h, struct request *r, const char *url, const char *method,
			      const char *version)
{
	struct refusal *f = &r->climb.refusal;
	const char *fault = read_head(h, r, url, method, version);

	peer_enters(r->peer, PHASE_BODY);
	if (fault) {
		*f = (struct refusal){.status = MHD_HTTP_BAD_REQUEST, .message = fault, .ends = true};
		log_access(h, r, "refused");
		return answer_refusal(r);
	}
	r->climb.failed = key_failed;
	r->climb.of = r->peer;
	r->is_last = head_length(&r->head) == HEAD_CHUNKED;
	if (r->peer->is_over)
		*f = unavailable("too many connections: try again soon");
	else if (atomic_load(&h->stopping))
		*f = unavailable("the server is stopping");
	else
		climb(h, r);
	if (f->status)
		log_access(h, r, "refused");
	if (f->fault == FAULT_KEY || f->fault == FAULT_RATE)
		server_turned_away(h->server, r->climb.endpoint, f->fault, f->message,
				   (struct client){r->climb.key, text_of(r->address)});
	r->x.key = r->climb.key;
	r->x.endpoint = r->climb.endpoint;
	int64_t length = head_length(&r->head);
	if (!f->status && length > 0)
		buffer_room(&r->body, (size_t)length);
	if (!f->status || !length)
		return MHD_YES;
	if (head_expects(&r->head))
		return answer_refusal(r);
	if (length > (int64_t)h->ladder.body_max)
		shout(r);
	return MHD_YES;
}

static enum MHD_Result take_body(const struct http *h, struct request *r, struct text part)
{
	r->read += part.len;
	if (!r->climb.refusal.status && r->read > h->ladder.body_max) {
		r->climb.refusal = (struct refusal){.status = MHD_HTTP_CONTENT_TOO_LARGE,
						    .fault = FAULT_TOO_LARGE,
						    .message = "the body is larger than this server allows"};
		log_access(h, r, "refused");
		shout(r);
	}
	if (r->climb.refusal.status)
		return r->read <= DRAIN_MAX ? MHD_YES : MHD_NO;
	buffer_add(&r->body, part);
	return MHD_YES;
}

static enum MHD_Result on_request(void *of, struct MHD_Connection *connection, const char *url, const char *method,
				  const char *version, const char *upload, size_t *upload_size, void **slot)
{
	struct http *h = of;
	struct request *r = *slot;

	if (!r) {
		const union MHD_ConnectionInfo *peer =
			mhd.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

		r = *slot = request_new(h->server, h->pool, peer->socket_context, connection);
		return arrive(h, r, url, method, version);
	}
	if (!*upload_size)
		return turn(h, r);
	struct text part = {upload, *upload_size};
	*upload_size = 0;
	return take_body(h, r, part);
}

static void on_completed(void *of, struct MHD_Connection *connection, void **slot, enum MHD_RequestTerminationCode why)
{
	struct http *h = of;
	struct request *r = *slot;

	(void)connection;
	(void)why;
	if (!r)
		return;
	*slot = NULL;
	peer_unwatch(r->peer, r);
	peer_enters(r->peer, PHASE_HEAD);
	mutex_lock(&r->lock);
	r->connection = NULL;
	bool is_running = r->is_begun && !r->is_finished && !r->session;
	mutex_unlock(&r->lock);
	if (r->session) {
		if (session_detach(r->session, r))
			request_release(r);
		session_release(r->session);
	}
	if (is_running)
		request_abandon(r);
	if (r->is_begun)
		atomic_fetch_sub(&h->requests, 1);
	request_release(r);
}

static void on_connection(void *of, struct MHD_Connection *connection, void **slot,
			  enum MHD_ConnectionNotificationCode what)
{
	struct http *h = of;

	if (what == MHD_CONNECTION_NOTIFY_STARTED)
		*slot = peer_new(
			&h->peers,
			mhd.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
	else
		peer_closed(*slot);
}

/* Starting and stopping. */

/* SIGHUP. */
static void reload(struct http *h)
{
	struct arena arena = {0};
	struct call c = {.arena = &arena};

	if (!guard_reopen_log(&c, server_guard(h->server)))
		log_line(LOG_ERROR, "the log file stays the same: %s", c.error.message);
	if (!guard_reload(&c, server_guard(h->server)))
		log_line(LOG_ERROR, "the keys were not re-read; the old ones stay valid: %s", c.error.message);
	else
		server_keys_changed(h->server);
	server_looks_again(h->server);
	for (size_t i = 0; i < c.warnings.n; i++)
		log_line(LOG_WARNING, "%.*s", TEXT_ARGS(c.warnings.items[i]));
	arena_free(&arena);
}

static void wait_for_requests(struct http *h, int seconds)
{
	int64_t until = clock_ticks() + (int64_t)seconds * 1000;

	while (atomic_load(&h->requests) && clock_ticks() < until)
		peers_round(&h->peers, 20);
}

static void stop(struct http *h)
{
	int listener = mhd.MHD_quiesce_daemon(h->daemon);

	/* New connections are refused at once; the library may still use the socket, so it is closed later. */
	shutdown(listener, SHUT_RDWR);
	atomic_store(&h->stopping, true);
	server_stop(h->server);
	peers_end(&h->peers, false);
	wait_for_requests(h, STOP_S);
	/* Everything that is still suspended must be resumed, or the library ends the process. */
	peers_end(&h->peers, true);
	wait_for_requests(h, FLUSH_S);
	mhd.MHD_stop_daemon(h->daemon);
	close(listener);
}

/* Paths are compared without decoding: ours need no escapes, and %00 must not cut a path. */
static size_t leave_escapes(void *of, struct MHD_Connection *connection, char *s)
{
	(void)of;
	(void)connection;
	return strlen(s);
}

static enum MHD_Result on_accept(void *of, const struct sockaddr *address, socklen_t len)
{
	struct http *h = of;

	return peers_take(&h->peers, address, len) ? MHD_YES : MHD_NO;
}

/* Strictness 0: head_fault() refuses a missing Host, not the library. When libmicrohttpd 0.9.75 refuses a head, it
 * sends the head of its response twice. It still does so for a length that is not a number, before our code is called.
 * The connection ends there in any case. */
static bool start_daemon(struct http *h, int listener)
{
	unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC;

	h->daemon = mhd.MHD_start_daemon(
		flags, 0, on_accept, h, on_request, h, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_NOTIFY_COMPLETED,
		on_completed, h, MHD_OPTION_NOTIFY_CONNECTION, on_connection, h, MHD_OPTION_UNESCAPE_CALLBACK,
		leave_escapes, h, MHD_OPTION_STRICT_FOR_CLIENT, 0, MHD_OPTION_CONNECTION_LIMIT,
		h->peers.most + CONNECTIONS_SPARE, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)h->silence,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES, MHD_OPTION_THREAD_STACK_SIZE,
		(size_t)STACK_BYTES, MHD_OPTION_END);
	return h->daemon;
}

static void serve(struct http *h)
{
	enum round round;

	while ((round = peers_round(&h->peers, 1000)) != ROUND_STOP)
		if (round == ROUND_RELOAD)
			reload(h);
	/* A second signal ends the program at once. */
	peers_unmask();
	stop(h);
}

static int start(struct http *h, const struct http_options *options, const char *host)
{
	int listener = listen_at(host, options->port), status = 1;
	struct arena arena = {0};
	const char *once = NULL;
	unsigned most = options->connections_max ? options->connections_max : CONNECTIONS_MAX;

	if (listener < 0)
		return status;
	int port = listen_port(listener);
	listen_raise_limit();
	int patience = options->patience ? options->patience : PATIENCE_S;
	h->silence = options->silence ? options->silence : SILENCE_S;
	const struct peers_limits limits = {
		.most = most,
		/* If keys are required, connections without a valid key get at most half of the slots. */
		.unknown_most = guard_needs_key(server_guard(h->server)) ? (most + 1) / 2 : most,
		.most_of_one = options->address_max ? options->address_max : ADDRESS_MAX,
		.keyed_of_one = options->address_keyed_max ? options->address_keyed_max : ADDRESS_KEYED_MAX,
		.failures_most = options->failures_max ? options->failures_max : FAILURES_MAX,
		.patience = patience,
	};
	bool is_ready = peers_open(&h->peers, &limits);
	if (!options->no_page && page_is_here()) {
		h->ladder.visits = visits_new(server_guard(h->server), server_workspace(h->server), port);
		if (guard_has_own_key(server_guard(h->server)))
			once = visits_offer(h->ladder.visits, &arena).at;
	}
	h->pool = is_ready ? pool_open(WORKERS, request_run) : NULL;
	if (h->pool && start_daemon(h, listener)) {
		if (options->ready)
			options->ready(options->to, host, port, once);
		serve(h);
		status = 0;
	} else {
		log_line(LOG_ERROR, "the HTTP server could not be started: %s", strerror(errno));
		close(listener);
	}
	if (h->pool)
		pool_close(h->pool);
	peers_close(&h->peers);
	visits_free(h->ladder.visits);
	arena_free(&arena);
	return status;
}

int http_serve(struct server *s, const struct http_options *options)
{
	const char *host = options->host ? options->host : "127.0.0.1";
	const char *const *origins = options->allowed_origins;
	struct arena arena = {0};
	struct http h = {.server = s};
	ARRAY(const char *) hosts = {0};

	if (!guard_is_loopback(host) && !guard_needs_key(server_guard(s))) {
		log_line(LOG_ERROR, "other machines can reach %s: it needs a keys file", host);
		return 2;
	}
	if (!lazy_load(&mhd_library)) {
		log_line(LOG_ERROR, "%s", mhd_library.error);
		return 1;
	}
	/* A Host header equal to our own address is not DNS rebinding. */
	*ARRAY_PUSH(&arena, &hosts) = host;
	for (const char *const *name = options->allowed_hosts; name && *name; name++)
		*ARRAY_PUSH(&arena, &hosts) = *name;
	*ARRAY_PUSH(&arena, &hosts) = NULL;
	h.ladder = (struct ladder){.server = s,
				   .hosts = hosts.items,
				   .origins = origins && *origins ? origins : NULL,
				   .no_chunks = options->no_chunks,
				   .body_max = options->body_max ? options->body_max : BODY_MAX};
	h.shows_lines = !strcmp(mhd.MHD_get_version(), "0.9.75");
	int status = start(&h, options, host);
	arena_free(&arena);
	return status;
}
