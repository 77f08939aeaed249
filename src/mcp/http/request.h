/* request.h: one HTTP request, shared by the threads that handle it.
 *
 * Only the library's thread uses the connection: it reads the request, and its callbacks send the output that is ready.
 * The other threads change the request under its lock and resume the connection, so that the library calls back again.
 * A request is reference-counted: its connection has a reference, the server until it finishes, a response that is
 * being sent, and every thread that uses it. The connection may close at any time; then `connection` is NULL and
 * further output is dropped.
 *
 * Locks are taken in this order: the server's own, the peers', the request's, the library's. */
#ifndef QUIRE_MCP_HTTP_REQUEST_H
#define QUIRE_MCP_HTTP_REQUEST_H
#include "mcp/http/ladder.h"
#include "mcp/http/pool.h"
#include "mcp/session.h"
#include "mcp/http/sse.h"

#include <pthread.h>

struct MHD_Connection;
struct peer;
enum { PEER_ADDRESS = 64 }; /* an IPv6 address may have a zone */

struct request {
	struct exchange x;
	struct pool_job job;
	struct pool *pool;
	struct peer *peer;
	/* Used by the library's thread only: */
	struct head head;
	struct climb climb;
	struct buffer body;
	size_t read;                /* bytes of the body read, stored or not */
	bool is_watched;            /* peer_watch() was called for it */
	bool is_last;               /* the last one on its connection */
	bool is_drowned;            /* refused in the middle of its body; further input is dropped */
	char *refusal;              /* its body; not in the arena, which a worker may use meanwhile */
	char address[PEER_ADDRESS]; /* a copy of the peer's, which may be freed before the request */
	int64_t came;               /* clock_ticks() */

	atomic_int holders;
	atomic_bool is_abandoned;
	pthread_mutex_t lock;              /* protects the rest */
	struct MHD_Connection *connection; /* NULL: closed */
	bool is_suspended;
	bool is_begun;     /* the body is complete, and the request was passed to the server */
	bool is_finished;  /* status and message are the response */
	bool is_streaming; /* the response is an event stream */
	bool is_open;      /* a subscription or a session's stream: no message may be lost */
	bool has_ended;    /* no more events will follow */
	bool is_given_up;  /* the server is stopping and cannot wait any longer */
	int status;
	struct text message;
	struct text cookie; /* of a login, for Set-Cookie */
	bool is_packed;     /* the message is a gzip file */
	struct sse events;
	int told;                /* when the stream last sent something, in peers' seconds */
	struct session *session; /* GET: the session of this stream */
};

/* Creates a request with one reference. */
struct request *request_new(struct server *server, struct pool *pool, struct peer *peer,
			    struct MHD_Connection *connection);
void request_hold(struct request *r);
void request_release(struct request *r);
void request_run(struct pool_job *job); /* runs on a worker */

/* Call it with the lock held; it unlocks. The library calls back again for output. */
void request_wake(struct request *r);
/* Call it with the lock held, on the library's thread. The library does not call back until request_wake(). */
void request_rest(struct request *r);

/* The client left: cancels a call, ends a stream. */
void request_abandon(struct request *r);

/* Messages for a session's stream. `stream` is the request; the session has a reference until it closes or detaches
 * it. */
void request_hear(void *stream, struct text message);
void request_close(void *stream);

/* Two calls to the library, which only http.c includes. */
void connection_suspend(struct MHD_Connection *connection);
void connection_resume(struct MHD_Connection *connection);

#endif
