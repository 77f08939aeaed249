/* request.h: one HTTP request between the threads that deal with it.
 *
 * Only the library's thread touches the connection: it reads the request, and sends whatever is there when it asks. The
 * others change the request under its lock and resume the connection, which makes the library ask again. A request is
 * counted: its connection, the server until it finishes, an answer under way and whoever is looking at it hold it. The
 * connection may close at any time; then `connection` is NULL and further output is dropped.
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
enum { PEER_ADDRESS = 64 }; /* with a zone behind an IPv6 address */

struct request {
	struct exchange x;
	struct pool_job job;
	struct pool *pool;
	struct peer *peer;
	/* The library's thread's: */
	struct head head;
	struct climb climb;
	struct buffer body;
	size_t read;                /* bytes of the body, kept or not */
	bool is_watched;            /* the peer knows it */
	bool is_last;               /* of its connection */
	bool is_drowned;            /* refused in the middle of its body; what still comes is dropped */
	char *refusal;              /* its body; not in the arena, which may be a worker's by now */
	char address[PEER_ADDRESS]; /* the peer's, which may be gone before the request is */
	int64_t came;               /* clock_ticks() */

	atomic_int holders;
	atomic_bool is_abandoned;
	pthread_mutex_t lock;              /* of the rest */
	struct MHD_Connection *connection; /* NULL: gone */
	bool is_suspended;
	bool is_begun;     /* complete, and passed to the code that handles it */
	bool is_finished;  /* status and message are the answer */
	bool is_streaming; /* the answer is events */
	bool is_open;      /* a subscription or a session's stream: each notice counts */
	bool has_ended;    /* no event will follow */
	bool is_given_up;  /* the server stops and cannot wait any longer */
	int status;
	struct text message;
	struct sse events;
	int told;                /* when the stream last said something: peers' seconds */
	struct session *session; /* GET: whose stream this is */
};

/* Set up, with one hold. */
struct request *request_new(struct server *server, struct pool *pool, struct peer *peer,
			    struct MHD_Connection *connection);
void request_hold(struct request *r);
void request_release(struct request *r);
void request_run(struct pool_job *job); /* on a worker */

/* With its lock held, which is given back: the library asks again what there is. */
void request_wake(struct request *r);
/* With its lock held, on the library's thread: it asks no more until then. */
void request_rest(struct request *r);

/* The client is gone: a call is notified, a stream ends. */
void request_abandon(struct request *r);

/* Messages for a session's stream. `stream` is the request, which the session holds until it closes or detaches it. */
void request_hear(void *stream, struct text message);
void request_close(void *stream);

/* The two calls to the library, which only http.c knows. */
void connection_suspend(struct MHD_Connection *connection);
void connection_resume(struct MHD_Connection *connection);

#endif
