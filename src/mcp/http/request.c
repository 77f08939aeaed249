#include "mcp/http/request.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "mcp/http/peers.h"
#include "mcp/output.h"

#include <stdlib.h>
#include <string.h>

/* Enough for a message without a document. A thousand open streams keep nothing else in their arenas. */
enum { ARENA_BYTES = 2560 };

void request_hold(struct request *r) { atomic_fetch_add_explicit(&r->holders, 1, memory_order_relaxed); }

void request_release(struct request *r)
{
	if (atomic_fetch_sub(&r->holders, 1) > 1)
		return;
	exchange_free(&r->x);
	if (r->x.key)
		key_release(r->x.key);
	sse_free(&r->events);
	free(r->refusal);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

void request_wake(struct request *r)
{
	struct MHD_Connection *resting = r->is_suspended ? r->connection : NULL;

	/* The thread that clears the flag resumes the connection, which exists while it is suspended. It resumes
	 * outside the lock, because the library's thread continues at once. */
	if (resting)
		r->is_suspended = false;
	mutex_unlock(&r->lock);
	if (resting)
		connection_resume(resting);
}

void request_rest(struct request *r)
{
	connection_suspend(r->connection);
	r->is_suspended = true;
}

void request_abandon(struct request *r)
{
	if (atomic_exchange(&r->is_abandoned, true))
		return;
	mutex_lock(&r->lock);
	bool is_running = r->is_begun && !r->is_finished && !r->session;
	r->has_ended |= r->session != NULL;
	if (r->has_ended)
		request_wake(r);
	else
		mutex_unlock(&r->lock);
	if (is_running)
		server_left(&r->x);
}

/* Call it with the lock held. If a client does not read, a call's progress is dropped. A stream that must not lose
 * messages is ended instead. */
static void tell(struct request *r, struct text message)
{
	if (r->has_ended || !r->connection)
		return;
	if (sse_waiting(&r->events) > SSE_WAITING_MAX) {
		r->has_ended = r->is_open;
	} else {
		sse_event(&r->events, message);
		r->is_streaming = true;
		r->told = peer_now(r->peer);
	}
}

void request_hear(void *stream, struct text message)
{
	struct request *r = stream;

	mutex_lock(&r->lock);
	tell(r, message);
	request_wake(r);
}

void request_close(void *stream)
{
	struct request *r = stream;

	mutex_lock(&r->lock);
	r->has_ended = true;
	request_wake(r);
	request_release(r);
}

/* The functions of the wire, called by the server. */

static struct text wire_header(struct exchange *x, const char *name)
{
	struct request *r = x->transport;

	return head_find(&r->head, name);
}

static void wire_send(struct exchange *x, struct text message)
{
	struct request *r = x->transport;

	if (r->climb.takes_events)
		request_hear(r, message);
}

static void wire_finish(struct exchange *x, int status, struct text message)
{
	struct request *r = x->transport;
	bool as_event = r->climb.takes_events && message.at;

	mutex_lock(&r->lock);
	r->status = status;
	r->message = message;
	if (as_event && (r->is_streaming || x->is_stream || (!r->climb.takes_json && status == 200))) {
		if (x->large)
			sse_event_around(&r->events, message, x->large_at, x->large->bytes);
		else
			sse_event(&r->events, message);
		r->is_streaming = true;
	}
	r->has_ended = true;
	r->is_finished = true;
	request_wake(r);
	request_release(r);
}

static void wire_again(struct exchange *x)
{
	struct request *r = x->transport;

	request_hold(r);
	r->job.owner = text_hash(r->x.key ? key_name(r->x.key) : r->x.peer);
	pool_push(r->pool, &r->job);
}

static const struct wire wire = {
	.send = wire_send, .finish = wire_finish, .again = wire_again, .is_http = true, .takes_large = true};

void request_run(struct pool_job *job)
{
	struct request *r = (struct request *)((char *)job - offsetof(struct request, job));

	server_work(&r->x);
	request_release(r);
}

struct request *request_new(struct server *server, struct pool *pool, struct peer *peer,
			    struct MHD_Connection *connection)
{
	struct request *r = budget_zero(1, sizeof *r);

	r->x = (struct exchange){.server = server, .wire = &wire, .transport = r, .header = wire_header};
	r->pool = pool;
	r->peer = peer;
	r->connection = connection;
	r->body.arena = &r->x.arena;
	r->events.waiting.lasts = true;
	arena_start(&r->x.arena, ARENA_BYTES);
	r->came = clock_ticks();
	memcpy(r->address, peer->address, sizeof r->address);
	r->x.peer = r->climb.peer = text_of(r->address);
	atomic_init(&r->holders, 1);
	pthread_mutex_init(&r->lock, NULL);
	return r;
}
