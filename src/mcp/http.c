/* http.c: Streamable HTTP on libmicrohttpd.
 *
 * Three sorts of threads. The library's epoll thread reads requests, climbs the ladder, lets the server answer what needs
 * no document, and sends everything. Eight workers run the rest, while the connection is suspended. The thread that called
 * http_serve() waits for signals and for clients that leave (a suspended connection does not notice), and once a
 * second looks after those that dawdle and those that must hear that we are still here.
 *
 * A request is counted: its connection, the server, the answer under way and whoever is looking at it hold it. Only the
 * epoll thread touches the connection; the others set the request's state under its lock and resume the connection, which
 * makes the library ask again. Locks are taken in the order http, request, library. */
#include "base/call.h"
#include "base/clock.h"
#include "base/lazy.h"
#include "base/log.h"
#include "mcp/http_ladder.h"
#include "mcp/http_pool.h"
#include "mcp/session.h"
#include "mcp/sse.h"

#include <microhttpd.h>

#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
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
	CONNECTIONS_SPARE = 128,    /* beyond the limit: those that are told so */
	CONNECTION_BYTES = 24 << 10, /* headers of 16 KB fit, and a thousand streams stay below 40 MB */
	DRAIN_MAX = 16 << 20,       /* of a refused body: so much is read, so that the client reads its refusal */
	PATIENCE_S = 30,            /* for a head; for a body twice as long */
	KEEPALIVE_S = 15,
	STOP_S = 35,                /* a running call ends by itself after 30 */
	FLUSH_S = 3,                /* for the last bytes of answers when stopping */
	STACK_BYTES = 1 << 20,
	FILES_WANTED = 65536,
	EVENTS_AT_ONCE = 64
};

struct http {
	struct server *server;
	struct ladder ladder;
	struct MHD_Daemon *daemon;
	struct pool *pool;
	int watch, signals; /* epoll and signalfd of the calling thread */
	unsigned connections_max;
	int patience;
	bool shows_lines;     /* see lines_are_sound() */
	atomic_int now;       /* seconds, moved once a second */
	atomic_int requests;  /* begun and not completed */
	atomic_bool stopping; /* nothing new is begun */
	pthread_mutex_t lock; /* of what follows, and of peer->request and peer->has_left */
	struct peer *peers, *graves;
	unsigned peers_n;
};

enum phase { PHASE_HEAD, PHASE_BODY, PHASE_ANSWER };

/* One connection. */
struct peer {
	struct peer *next, *before;
	struct http *http;
	struct request *request; /* the one that left the epoll thread, or streams */
	int fd;
	atomic_int phase, since; /* for the thread that looks for dawdlers */
	bool has_left, is_over;
};

struct request {
	struct exchange x;
	struct pool_job job;
	struct http *http;
	struct peer *peer;
	struct head head;
	struct climb climb;
	struct buffer body;
	size_t read; /* bytes of the body, kept or not */
	bool is_begun, is_watched, is_drowned;
	atomic_int holders;
	atomic_bool is_abandoned;

	pthread_mutex_t lock; /* of the rest */
	struct MHD_Connection *connection; /* NULL: gone */
	bool is_suspended, is_finished, is_streaming, is_open, has_ended, is_given_up;
	int status, told; /* told: when the stream last said something */
	struct text message;
	struct sse events;
	struct session *session; /* GET: whose stream this is */
	char refusal[300];       /* its body; the arena may be a worker's by now */
};

/* Requests: holding, waking, ending. */

static void request_hold(struct request *r)
{
	atomic_fetch_add_explicit(&r->holders, 1, memory_order_relaxed);
}

static void request_release(void *of)
{
	struct request *r = of;

	if (atomic_fetch_sub(&r->holders, 1) > 1)
		return;
	exchange_free(&r->x);
	if (r->x.key)
		key_release(r->x.key);
	sse_free(&r->events);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

/* Lock held. The library asks again what there is to send. */
static void wake(struct request *r)
{
	if (!r->is_suspended || !r->connection)
		return;
	r->is_suspended = false;
	mhd.MHD_resume_connection(r->connection);
}

/* Lock held, epoll thread. */
static void rest(struct request *r)
{
	mhd.MHD_suspend_connection(r->connection);
	r->is_suspended = true;
}

/* The client is not there any more. */
static void abandon(struct request *r)
{
	if (atomic_exchange(&r->is_abandoned, true))
		return;
	pthread_mutex_lock(&r->lock);
	bool is_running = r->is_begun && !r->is_finished && !r->session;
	if (r->session) {
		r->has_ended = true;
		wake(r);
	}
	pthread_mutex_unlock(&r->lock);
	if (is_running)
		server_left(&r->x);
}

/* From here on somebody must notice when the client leaves. */
static void watch_peer(struct request *r)
{
	struct http *h = r->http;

	pthread_mutex_lock(&h->lock);
	r->is_watched = true;
	r->peer->request = r;
	bool has_left = r->peer->has_left;
	pthread_mutex_unlock(&h->lock);
	if (has_left)
		abandon(r);
}

/* The wire, as the server sees it. */

static struct text wire_header(struct exchange *x, const char *name)
{
	struct request *r = x->transport;

	return head_find(&r->head, name);
}

/* Lock held. What a client that does not read loses: a call's progress, or, where each notice counts, the stream. */
static void tell(struct request *r, struct text message)
{
	if (r->has_ended || !r->connection)
		return;
	if (sse_waiting(&r->events) > SSE_WAITING_MAX) {
		r->has_ended = r->is_open;
	} else {
		sse_event(&r->events, message);
		r->is_streaming = true;
		r->told = atomic_load(&r->http->now);
	}
	wake(r);
}

static void wire_send(struct exchange *x, struct text message)
{
	struct request *r = x->transport;

	if (!r->climb.takes_events)
		return;
	pthread_mutex_lock(&r->lock);
	tell(r, message);
	pthread_mutex_unlock(&r->lock);
}

static void wire_finish(struct exchange *x, int status, struct text message)
{
	struct request *r = x->transport;
	bool as_event = r->climb.takes_events && message.at;

	pthread_mutex_lock(&r->lock);
	r->status = status;
	r->message = message;
	if (as_event && (r->is_streaming || x->is_stream || (!r->climb.takes_json && status == MHD_HTTP_OK))) {
		sse_event(&r->events, message);
		r->is_streaming = true;
	}
	r->has_ended = true;
	r->is_finished = true;
	wake(r);
	pthread_mutex_unlock(&r->lock);
	request_release(r);
}

static void wire_again(struct exchange *x)
{
	struct request *r = x->transport;

	request_hold(r);
	pool_push(r->http->pool, &r->job);
}

static const struct wire wire = {.send = wire_send, .finish = wire_finish, .again = wire_again, .is_http = true};

static void run_job(struct pool_job *job)
{
	struct request *r = (struct request *)((char *)job - offsetof(struct request, job));

	server_work(&r->x);
	request_release(r);
}

/* A session's event stream. */

static void session_says(void *stream, struct text message)
{
	struct request *r = stream;

	pthread_mutex_lock(&r->lock);
	tell(r, message);
	pthread_mutex_unlock(&r->lock);
}

static void session_closes(void *stream)
{
	struct request *r = stream;

	pthread_mutex_lock(&r->lock);
	r->has_ended = true;
	wake(r);
	pthread_mutex_unlock(&r->lock);
}

/* Answers. All on the epoll thread. */

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

static enum MHD_Result queue(struct request *r, int status, struct MHD_Response *response)
{
	enum MHD_Result queued = mhd.MHD_queue_response(r->connection, (unsigned)status, response);

	mhd.MHD_destroy_response(response);
	return queued;
}

/* The body is not copied: the answer holds the request, whose arena it lives in. */
static struct MHD_Response *new_answer(struct request *r, struct text body, const char *type)
{
	request_hold(r);
	struct MHD_Response *response = mhd.MHD_create_response_from_buffer_with_free_callback_cls(
		body.len, (void *)(uintptr_t)(body.len ? body.at : ""), request_release, r);
	if (!response)
		arena_die("out of memory");
	if (body.len)
		mhd.MHD_add_response_header(response, "Content-Type", type);
	add_origin(response, r);
	return response;
}

static struct text refusal_body(struct request *r)
{
	snprintf(r->refusal, sizeof r->refusal, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":%d,\"message\":\"%s\"}}",
	         r->climb.refusal.status, r->climb.refusal.message);
	return text_of(r->refusal);
}

static enum MHD_Result answer_refusal(struct request *r)
{
	const struct refusal *f = &r->climb.refusal;
	struct MHD_Response *response = new_answer(r, refusal_body(r), "application/json");

	if (f->allow)
		mhd.MHD_add_response_header(response, "Allow", f->allow);
	if (f->retry_after)
		add_number(response, "Retry-After", f->retry_after);
	if (f->ends)
		mhd.MHD_add_response_header(response, "Connection", "close");
	add_header(response, "WWW-Authenticate", f->challenge);
	return queue(r, f->status, response);
}

static enum MHD_Result answer_message(struct request *r)
{
	int status = r->status;

	/* Nothing to say: a notification was taken. */
	if (!r->message.at && (!status || status == MHD_HTTP_OK))
		status = MHD_HTTP_ACCEPTED;
	struct MHD_Response *response =
		new_answer(r, r->message, r->x.content_type ? r->x.content_type : "application/json");
	add_header(response, "Mcp-Session-Id", r->x.new_session);
	if (r->x.retry_after)
		add_number(response, "Retry-After", r->x.retry_after);
	return queue(r, status, response);
}

static ssize_t read_events(void *of, uint64_t position, char *to, size_t most)
{
	struct request *r = of;

	(void)position;
	pthread_mutex_lock(&r->lock);
	size_t n = sse_take(&r->events, to, most);
	bool has_ended = r->has_ended;
	if (!n && !has_ended)
		rest(r);
	pthread_mutex_unlock(&r->lock);
	return n ? (ssize_t)n : has_ended ? MHD_CONTENT_READER_END_OF_STREAM : 0;
}

static enum MHD_Result answer_events(struct request *r)
{
	request_hold(r);
	struct MHD_Response *response =
		mhd.MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1024, read_events, r, request_release);
	if (!response)
		arena_die("out of memory");
	mhd.MHD_add_response_header(response, "Content-Type", "text/event-stream");
	mhd.MHD_add_response_header(response, "Cache-Control", "no-cache, no-transform");
	mhd.MHD_add_response_header(response, "X-Accel-Buffering", "no");
	if (r->is_finished)
		add_header(response, "Mcp-Session-Id", r->x.new_session);
	add_origin(response, r);
	/* A session's stream may stay for hours and needs nothing of its head. */
	if (r->session) {
		arena_free(&r->x.arena);
		r->head = (struct head){0};
		r->climb.origin = r->climb.session = (struct text){0};
	}
	return queue(r, MHD_HTTP_OK, response);
}

/* The library takes no answer in the middle of a body, and closing with bytes unread would make the client's kernel throw
 * the answer away. So: the answer straight to the socket, nothing after it, and what still comes is dropped. */
static void shout(struct request *r)
{
	char bytes[400];
	struct text body = refusal_body(r);
	int n = snprintf(bytes, sizeof bytes,
	                 "HTTP/1.1 %d Content Too Large\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n"
	                 "Connection: close\r\n\r\n%.*s",
	                 r->climb.refusal.status, body.len, TEXT_ARGS(body));

	if (n > 0 && (size_t)n < sizeof bytes && send(r->peer->fd, bytes, (size_t)n, MSG_NOSIGNAL | MSG_DONTWAIT) == n)
		shutdown(r->peer->fd, SHUT_WR);
	r->is_drowned = true;
}

static struct refusal unavailable(const char *message)
{
	return (struct refusal){.status = MHD_HTTP_SERVICE_UNAVAILABLE, .message = message, .retry_after = 1, .ends = true};
}

/* What each request asks for, once it is whole. */

static void settle(struct request *r, int status, struct text message)
{
	pthread_mutex_lock(&r->lock);
	r->status = status;
	r->message = message;
	r->is_finished = true;
	pthread_mutex_unlock(&r->lock);
}

static void begin_post(struct request *r)
{
	request_hold(r); /* the server's, until it finishes */
	r->x.bytes = buffer_text(&r->body);
	switch (server_receive(&r->x)) {
	case SERVER_DONE:
		break;
	case SERVER_WORK:
		watch_peer(r);
		wire_again(&r->x);
		break;
	case SERVER_OPEN:
		pthread_mutex_lock(&r->lock);
		r->is_open = true;
		pthread_mutex_unlock(&r->lock);
		watch_peer(r);
		if (r->climb.takes_events)
			break;
		abandon(r);
		r->climb.refusal = (struct refusal){.status = MHD_HTTP_NOT_ACCEPTABLE,
		                                    .message = "a subscription is answered as text/event-stream: accept it"};
		break;
	}
}

static void begin_get(struct request *r)
{
	struct session *session = session_find(r->http->server, r->climb.session, r->climb.key);

	if (!session) {
		r->climb.refusal = (struct refusal){.status = MHD_HTTP_NOT_FOUND, .message = "there is no such session"};
		return;
	}
	pthread_mutex_lock(&r->lock);
	r->session = session;
	r->is_streaming = r->is_open = true;
	r->told = atomic_load(&r->http->now);
	pthread_mutex_unlock(&r->lock);
	session_attach(session, (struct session_stream){session_says, session_closes, r});
	watch_peer(r);
}

static void begin_delete(struct request *r)
{
	if (session_end(r->http->server, r->climb.session, r->climb.key))
		settle(r, MHD_HTTP_NO_CONTENT, (struct text){0});
	else
		r->climb.refusal = (struct refusal){.status = MHD_HTTP_NOT_FOUND, .message = "there is no such session"};
}

static void begin_preflight(struct request *r)
{
	settle(r, MHD_HTTP_NO_CONTENT, (struct text){0});
}

static void begin_health(struct request *r)
{
	settle(r, MHD_HTTP_OK, TEXT("{\"status\":\"ok\",\"version\":\"" QUIRE_VERSION "\"}"));
}

static void (*const begin[])(struct request *) = {
	[VERB_POST] = begin_post,           [VERB_GET] = begin_get,       [VERB_DELETE] = begin_delete,
	[VERB_PREFLIGHT] = begin_preflight, [VERB_HEALTH] = begin_health,
};

/* The request is whole, or its connection was resumed: answer, or go on waiting. */
static enum MHD_Result turn(struct request *r)
{
	if (r->is_drowned)
		return MHD_NO;
	if (!r->climb.refusal.status && !r->is_begun) {
		r->is_begun = true;
		atomic_store(&r->peer->phase, PHASE_ANSWER);
		begin[r->climb.verb](r);
	}
	if (r->climb.refusal.status)
		return answer_refusal(r);
	pthread_mutex_lock(&r->lock);
	bool is_streaming = r->is_streaming, is_finished = r->is_finished, is_given_up = r->is_given_up;
	if (!is_streaming && !is_finished && !is_given_up)
		rest(r);
	pthread_mutex_unlock(&r->lock);
	if (is_streaming)
		return answer_events(r);
	if (is_finished)
		return answer_message(r);
	if (!is_given_up)
		return MHD_YES;
	r->climb.refusal = unavailable("the server is stopping");
	return answer_refusal(r);
}

/* Reading requests. */

struct walk {
	struct request *r;
	size_t cap;
	const char *end;  /* where the next line begins, if the last one ended in CRLF */
	bool is_sound;
};

/* libmicrohttpd 0.9.75 takes lines that end in a bare LF, lines folded into one, and NUL bytes, and does not tell. But it cuts
 * lines in place, putting a zero over CR and LF each, so sound lines stand behind one another two zeros apart. Later
 * versions keep their lines otherwise and refuse such requests themselves. */
static bool lines_are_sound(struct walk *w, const char *name, const char *value, size_t value_len)
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
	else if (w->r->http->shows_lines && !lines_are_sound(w, name, value, value_len))
		w->is_sound = false;
	head->headers = array_more(a, head->headers, &head->n, &w->cap, sizeof *head->headers);
	/* Copied: a worker may ask for a header after the connection is gone. */
	head->headers[head->n - 1] = (struct header){text_copy(a, (struct text){name, name_len}),
	                                             text_copy(a, text_trim((struct text){value, value_len}))};
	return MHD_YES;
}

static const char *read_head(struct request *r, const char *url, const char *method, const char *version)
{
	struct arena *a = &r->x.arena;
	struct walk w = {.r = r, .is_sound = true, .end = version + strlen(version) + 2};

	r->head.method = text_copy(a, text_of(method));
	r->head.path = text_copy(a, text_of(url));
	r->head.version = text_copy(a, text_of(version));
	mhd.MHD_get_connection_values_n(r->connection, MHD_HEADER_KIND, add_head, &w);
	/* The blank line after the last one is two zeros too. */
	if (!w.is_sound || (r->http->shows_lines && (w.end[0] || w.end[1])))
		return "lines of a head end in CRLF and are neither folded nor cut by a NUL";
	return head_fault(&r->head);
}

static struct request *request_new(struct http *h, struct MHD_Connection *connection)
{
	struct request *r = calloc(1, sizeof *r);
	const union MHD_ConnectionInfo *peer =
		mhd.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	if (!r || !peer)
		arena_die("out of memory");
	r->x = (struct exchange){.server = h->server, .wire = &wire, .transport = r, .header = wire_header};
	r->http = h;
	r->peer = peer->socket_context;
	r->connection = connection;
	r->body.arena = &r->x.arena;
	atomic_init(&r->holders, 1);
	pthread_mutex_init(&r->lock, NULL);
	atomic_fetch_add(&h->requests, 1);
	return r;
}

/* The head is there. Refusals wait until the body is over, so that the connection can go on, unless the client waits for
 * our word or nobody can tell where the body ends. */
static enum MHD_Result arrive(struct request *r, const char *url, const char *method, const char *version)
{
	struct http *h = r->http;
	struct refusal *f = &r->climb.refusal;
	const char *fault = read_head(r, url, method, version);

	atomic_store(&r->peer->since, atomic_load(&h->now));
	atomic_store(&r->peer->phase, PHASE_BODY);
	if (fault) {
		*f = (struct refusal){.status = MHD_HTTP_BAD_REQUEST, .message = fault, .ends = true};
		return answer_refusal(r);
	}
	if (r->peer->is_over)
		*f = unavailable("too many connections: try again soon");
	else if (atomic_load(&h->stopping))
		*f = unavailable("the server is stopping");
	else
		ladder_climb(&h->ladder, &r->x.arena, &r->head, &r->climb);
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

static enum MHD_Result take_body(struct request *r, struct text part)
{
	r->read += part.len;
	if (!r->climb.refusal.status && r->read > r->http->ladder.body_max) {
		r->climb.refusal = (struct refusal){.status = MHD_HTTP_CONTENT_TOO_LARGE,
		                                    .message = "the body is larger than this server takes"};
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
	struct request *r = *slot;

	if (!r) {
		r = *slot = request_new(of, connection);
		return arrive(r, url, method, version);
	}
	if (!*upload_size)
		return turn(r);
	struct text part = {upload, *upload_size};
	*upload_size = 0;
	return take_body(r, part);
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
	if (r->is_watched) {
		pthread_mutex_lock(&h->lock);
		r->peer->request = NULL;
		pthread_mutex_unlock(&h->lock);
	}
	atomic_store(&r->peer->since, atomic_load(&h->now));
	atomic_store(&r->peer->phase, PHASE_HEAD);
	pthread_mutex_lock(&r->lock);
	r->connection = NULL;
	bool is_running = r->is_begun && !r->is_finished && !r->session;
	pthread_mutex_unlock(&r->lock);
	if (r->session) {
		session_detach(r->session, r);
		session_release(r->session);
	}
	if (is_running)
		abandon(r);
	atomic_fetch_sub(&h->requests, 1);
	request_release(r);
}

/* Connections. */

static void peer_opened(struct http *h, struct MHD_Connection *connection, void **slot)
{
	struct peer *p = calloc(1, sizeof *p);
	const union MHD_ConnectionInfo *fd = mhd.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	struct epoll_event event = {.events = EPOLLRDHUP | EPOLLET, .data.ptr = p};

	if (!p || !fd)
		arena_die("out of memory");
	p->http = h;
	p->fd = fd->connect_fd;
	atomic_init(&p->since, atomic_load(&h->now));
	pthread_mutex_lock(&h->lock);
	p->is_over = ++h->peers_n > h->connections_max;
	p->next = h->peers;
	if (p->next)
		p->next->before = p;
	h->peers = p;
	pthread_mutex_unlock(&h->lock);
	epoll_ctl(h->watch, EPOLL_CTL_ADD, p->fd, &event);
	*slot = p;
}

/* The watching thread may have an event of this peer in its hand: it frees the peer, before it waits again. */
static void peer_closed(struct http *h, struct peer *p)
{
	epoll_ctl(h->watch, EPOLL_CTL_DEL, p->fd, NULL);
	pthread_mutex_lock(&h->lock);
	if (p->next)
		p->next->before = p->before;
	if (p->before)
		p->before->next = p->next;
	else
		h->peers = p->next;
	h->peers_n--;
	p->next = h->graves;
	h->graves = p;
	pthread_mutex_unlock(&h->lock);
}

static void on_connection(void *of, struct MHD_Connection *connection, void **slot,
                          enum MHD_ConnectionNotificationCode what)
{
	if (what == MHD_CONNECTION_NOTIFY_STARTED)
		peer_opened(of, connection, slot);
	else
		peer_closed(of, *slot);
}

static void bury(struct http *h)
{
	pthread_mutex_lock(&h->lock);
	struct peer *dead = h->graves;
	h->graves = NULL;
	pthread_mutex_unlock(&h->lock);
	while (dead) {
		struct peer *next = dead->next;

		free(dead);
		dead = next;
	}
}

static void peer_left(struct http *h, struct peer *p)
{
	pthread_mutex_lock(&h->lock);
	struct request *r = p->request;
	p->has_left = true;
	if (r)
		request_hold(r);
	pthread_mutex_unlock(&h->lock);
	if (!r)
		return;
	abandon(r);
	request_release(r);
}

/* Once a second: those that dawdle over a head or a body are cut off, streams that were silent say a word (a failed write is
 * how a client that vanished is noticed). */
static void look_after(struct http *h)
{
	int now = atomic_load(&h->now);

	pthread_mutex_lock(&h->lock);
	for (struct peer *p = h->peers; p; p = p->next) {
		int phase = atomic_load(&p->phase), waited = now - atomic_load(&p->since);
		struct request *r = p->request;

		if ((phase == PHASE_HEAD && waited > h->patience) || (phase == PHASE_BODY && waited > 2 * h->patience))
			shutdown(p->fd, SHUT_RDWR);
		if (!r)
			continue;
		pthread_mutex_lock(&r->lock);
		if (r->is_streaming && !r->has_ended && now - r->told >= KEEPALIVE_S) {
			r->told = now;
			if (!sse_waiting(&r->events))
				sse_keepalive(&r->events);
			wake(r);
		}
		pthread_mutex_unlock(&r->lock);
	}
	pthread_mutex_unlock(&h->lock);
}

/* Starting, waiting, stopping. */

static void reload_keys(struct http *h)
{
	struct arena arena = {0};
	struct call c = {.arena = &arena};

	if (!guard_reload(&c, server_guard(h->server)))
		log_line(LOG_ERROR, "the keys were not re-read, the old ones stay: %s", c.error.message);
	arena_free(&arena);
}

/* False: time to stop. */
static bool heed_signal(struct http *h)
{
	struct signalfd_siginfo signal;

	if (read(h->signals, &signal, sizeof signal) != sizeof signal)
		return true;
	if (signal.ssi_signo != SIGHUP)
		return false;
	reload_keys(h);
	return true;
}

/* One round of the watching thread, at most `ms` long. False: told to stop. */
static bool watch_round(struct http *h, int ms)
{
	struct epoll_event events[EVENTS_AT_ONCE];
	bool goes_on_ = true;

	bury(h);
	int n = epoll_wait(h->watch, events, EVENTS_AT_ONCE, ms);
	for (int i = 0; i < n; i++) {
		if (events[i].data.ptr)
			peer_left(h, events[i].data.ptr);
		else
			goes_on_ = heed_signal(h);
	}
	int now = (int)(clock_ticks() / 1000);
	if (now != atomic_load(&h->now)) {
		atomic_store(&h->now, now);
		look_after(h);
	}
	return goes_on_;
}

static void end_streams(struct http *h, bool all)
{
	pthread_mutex_lock(&h->lock);
	for (struct peer *p = h->peers; p; p = p->next) {
		struct request *r = p->request;

		if (!r)
			continue;
		pthread_mutex_lock(&r->lock);
		if (all || r->session) {
			r->has_ended = true;
			r->is_given_up = all;
			wake(r);
		}
		pthread_mutex_unlock(&r->lock);
	}
	pthread_mutex_unlock(&h->lock);
}

static void wait_for_requests(struct http *h, int seconds)
{
	int64_t until = clock_ticks() + seconds * 1000;

	while (atomic_load(&h->requests) && clock_ticks() < until)
		watch_round(h, 20);
}

static void stop(struct http *h)
{
	int listener = mhd.MHD_quiesce_daemon(h->daemon);

	if (listener >= 0)
		close(listener);
	atomic_store(&h->stopping, true);
	server_stop(h->server);
	end_streams(h, false);
	wait_for_requests(h, STOP_S);
	/* Whatever is still suspended must be resumed: the library ends the process otherwise. */
	end_streams(h, true);
	wait_for_requests(h, FLUSH_S);
	mhd.MHD_stop_daemon(h->daemon);
	pool_close(h->pool);
	bury(h);
}

static int listen_at(const char *host, int port)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *found = NULL;
	char bare[256], service[16];
	size_t len = strlen(host);
	int fd = -1, on = 1;

	if (len > 1 && len < sizeof bare && host[0] == '[' && host[len - 1] == ']')
		snprintf(bare, sizeof bare, "%.*s", (int)len - 2, host + 1);
	else
		snprintf(bare, sizeof bare, "%s", host);
	snprintf(service, sizeof service, "%d", port);
	int error = getaddrinfo(bare, service, &hints, &found);
	if (error) {
		log_line(LOG_ERROR, "%s is not an address to listen at: %s", bare, gai_strerror(error));
		return -1;
	}
	for (struct addrinfo *a = found; a && fd < 0; a = a->ai_next) {
		fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol);
		if (fd < 0)
			continue;
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
		if (!bind(fd, a->ai_addr, a->ai_addrlen) && !listen(fd, SOMAXCONN))
			break;
		error = errno;
		close(fd);
		fd = -1;
	}
	freeaddrinfo(found);
	if (fd < 0)
		log_line(LOG_ERROR, "cannot listen at %s port %d: %s; is another server there?", bare, port, strerror(error));
	return fd;
}

static int port_of(int fd)
{
	struct sockaddr_storage address;
	socklen_t len = sizeof address;
	char service[16] = "0";

	if (!getsockname(fd, (struct sockaddr *)&address, &len))
		getnameinfo((struct sockaddr *)&address, len, NULL, 0, service, sizeof service, NI_NUMERICSERV);
	return atoi(service);
}

/* A path is compared as it was sent: none of ours needs escapes, and %00 must not cut it. */
static size_t leave_escapes(void *of, struct MHD_Connection *connection, char *s)
{
	(void)of;
	(void)connection;
	return strlen(s);
}

static bool start_daemon(struct http *h, int listener)
{
	unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC;

	h->daemon = mhd.MHD_start_daemon(
		flags, 0, NULL, NULL, on_request, h, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_NOTIFY_COMPLETED,
		on_completed, h, MHD_OPTION_NOTIFY_CONNECTION, on_connection, h, MHD_OPTION_UNESCAPE_CALLBACK,
		leave_escapes, h, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_CONNECTION_LIMIT,
		h->connections_max + CONNECTIONS_SPARE, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)h->patience,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES, MHD_OPTION_THREAD_STACK_SIZE,
		(size_t)STACK_BYTES, MHD_OPTION_END);
	if (!h->daemon)
		log_line(LOG_ERROR, "the HTTP server could not be started: %s", strerror(errno));
	return h->daemon;
}

static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= FILES_WANTED)
		return;
	limit.rlim_cur = limit.rlim_max < FILES_WANTED ? limit.rlim_max : FILES_WANTED;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Signals come as events of the watching thread; threads made later inherit that they are blocked. */
static bool open_watch(struct http *h, sigset_t *before)
{
	struct epoll_event event = {.events = EPOLLIN};
	sigset_t mine;

	sigemptyset(&mine);
	sigaddset(&mine, SIGTERM);
	sigaddset(&mine, SIGINT);
	sigaddset(&mine, SIGHUP);
	sigaddset(&mine, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &mine, before);
	sigdelset(&mine, SIGPIPE);
	h->signals = signalfd(-1, &mine, SFD_CLOEXEC | SFD_NONBLOCK);
	h->watch = epoll_create1(EPOLL_CLOEXEC);
	return h->signals >= 0 && h->watch >= 0 && !epoll_ctl(h->watch, EPOLL_CTL_ADD, h->signals, &event);
}

static int serve(struct http *h, const struct http_options *options, const char *host)
{
	sigset_t before;
	int listener = listen_at(host, options->port), status = 1;

	if (listener < 0)
		return status;
	int port = port_of(listener);
	raise_file_limit();
	if (!open_watch(h, &before) || !(h->pool = pool_open(WORKERS, run_job)))
		log_line(LOG_ERROR, "the HTTP server could not be started: %s", strerror(errno));
	else if (start_daemon(h, listener)) {
		if (options->ready)
			options->ready(options->to, host, port);
		while (watch_round(h, 1000))
			;
		/* A second signal ends the program without ado. */
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		stop(h);
		status = 0;
	} else {
		close(listener);
		pool_close(h->pool);
	}
	close(h->watch);
	close(h->signals);
	return status;
}

int http_serve(struct server *s, const struct http_options *options)
{
	const char *host = options->host ? options->host : "127.0.0.1";
	struct arena arena = {0};
	struct http h = {.server = s, .lock = PTHREAD_MUTEX_INITIALIZER};
	ARRAY(const char *) hosts = {0};

	if (!guard_is_loopback(host) && !guard_needs_key(server_guard(s))) {
		log_line(LOG_ERROR, "%s can be reached from other machines: give keys (--keys FILE) to serve there", host);
		return 2;
	}
	if (!lazy_load(&mhd_library)) {
		log_line(LOG_ERROR, "%s", mhd_library.error);
		return 1;
	}
	/* Who names the address we listen at was not led here by a foreign name. */
	*ARRAY_PUSH(&arena, &hosts) = host;
	for (const char *const *name = options->allowed_hosts; name && *name; name++)
		*ARRAY_PUSH(&arena, &hosts) = *name;
	*ARRAY_PUSH(&arena, &hosts) = NULL;
	h.ladder = (struct ladder){.server = s, .hosts = hosts.items,
	                           .origins = options->allowed_origins && *options->allowed_origins
	                                              ? options->allowed_origins : NULL,
	                           .body_max = options->body_max ? options->body_max : BODY_MAX};
	h.connections_max = options->connections_max ? options->connections_max : CONNECTIONS_MAX;
	h.patience = options->patience ? options->patience : PATIENCE_S;
	h.shows_lines = !strcmp(mhd.MHD_get_version(), "0.9.75");
	atomic_init(&h.now, (int)(clock_ticks() / 1000));
	int status = serve(&h, options, host);
	arena_free(&arena);
	return status;
}
