/* exchange.h: one message on its way through the server, and the line between protocol and transport.
 *
 * A transport (stdio, HTTP) makes an exchange for each message it reads, fills in the upper part and calls
 * server_receive(). What needs no document is answered there and then, by wire->finish(). For the rest
 * server_receive() returns SERVER_WORK and the transport has a worker thread call server_work(). wire->finish() is
 * called exactly once for each exchange, from whatever thread; after it the server never touches the exchange again and
 * the transport frees it with exchange_free().
 *
 * Between receiving and finishing the server may call wire->send() for what precedes the answer: progress, log lines,
 * questions to a legacy client, notices of a subscription. A parked exchange (it waits for a person's answer) is handed
 * back by wire->again(), which puts it on the worker queue; a subscription stays open until server_left() or the stop.
 */
#ifndef QUIRE_MCP_EXCHANGE_H
#define QUIRE_MCP_EXCHANGE_H
#include "guard/guard.h"

struct output;
struct server;
struct session;
struct exchange;

struct wire {
	void (*send)(struct exchange *, struct text message);
	/* `message` absent: nothing to say (a notification, a cancelled call): 202 over HTTP, silence on stdio. A
	 * message given to send() is copied; one given to finish() is not, and stays as it is until exchange_free(): it
	 * lives in the exchange's arena, or longer. */
	void (*finish)(struct exchange *, int status, struct text message);
	void (*again)(struct exchange *);
	bool is_http;
	bool takes_large; /* sends exchange.large from where it is; for others it is put into the message */
};

/* What is served at one address: all kinds together, or one alone. */
struct endpoint {
	const struct kind *const *kinds; /* NULL-terminated */
	bool alone;                      /* one kind: its tools have exactly their own names */
};

struct exchange {
	/* Filled by the transport. */
	struct server *server;
	const struct endpoint *endpoint;
	const struct wire *wire;
	void *transport;         /* the transport's own */
	struct session *session; /* stdio: the pipe's session. HTTP: NULL; the server finds it by its header */
	const struct key *key;   /* held by the transport */
	struct text peer;        /* HTTP: the address that calls; absent on stdio */
	struct text bytes;       /* the message */
	struct text (*header)(struct exchange *, const char *name); /* HTTP: trimmed value, absent when not sent */
	struct arena arena;
	atomic_bool cancelled; /* set by the transport when the client left (modern HTTP), by the server else */

	/* Filled by the server, read by the transport in finish(). */
	struct text new_session;  /* HTTP: send it as Mcp-Session-Id */
	int retry_after;          /* HTTP: with a 429 */
	bool is_stream;           /* HTTP: answer as text/event-stream even if nothing was sent before */
	const char *content_type; /* NULL: application/json */
	/* Large bytes to insert in the message at this position, shared with other exchanges; NULL: none. For wires
	 * with takes_large; released by exchange_free(). */
	struct output *large;
	size_t large_at;

	struct exchange_inner *inner; /* the server's own */
};

enum server_step { SERVER_DONE, SERVER_WORK, SERVER_OPEN };

/* SERVER_DONE: finish() has been called. SERVER_WORK: call server_work() on a worker. SERVER_OPEN: the same, and it is
 * a subscription: finish() comes when it ends. */
enum server_step server_receive(struct exchange *x);
void server_work(struct exchange *x);
/* The client left. A running call is cancelled (modern) or continues (legacy); an open subscription is ended, and
 * finish() comes. May come while another thread finishes the exchange, or just after; the exchange is not freed
 * meanwhile. */
void server_left(struct exchange *x);

/* Arena and server's part; the struct itself is the transport's. Also for one that was never received. */
void exchange_free(struct exchange *x);

#endif
