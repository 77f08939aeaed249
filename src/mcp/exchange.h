/* exchange.h: one message on its way through the server; the interface between protocol and transport.
 *
 * A transport (stdio, HTTP) makes an exchange for each message it reads, fills in the upper part and calls
 * server_receive(). A message that needs no document is finished at once, by wire->finish(). For all others
 * server_receive() returns SERVER_WORK, and the transport lets a worker thread call server_work(). wire->finish() is
 * called exactly once for each exchange, from any thread. After that the server never uses the exchange again, and the
 * transport frees it with exchange_free().
 *
 * Before finishing, the server may call wire->send() for messages that precede the result: progress, log lines,
 * questions to a legacy client, notices of a subscription. A parked exchange (it waits for a user's answer) is resumed
 * by wire->again(), which puts it on the worker queue. A subscription stays open until server_left() or the stop. */
#ifndef QUIRE_MCP_EXCHANGE_H
#define QUIRE_MCP_EXCHANGE_H
#include "guard/guard.h"

struct output;
struct server;
struct session;
struct exchange;

struct wire {
	void (*send)(struct exchange *, struct text message);
	/* `message` absent: there is no response (to a notification, or a cancelled call): 202 over HTTP, nothing on
	 * stdio. send() copies its message. finish() does not: its message must stay valid until exchange_free(), so it
	 * is in the exchange's arena or lives longer. */
	void (*finish)(struct exchange *, int status, struct text message);
	void (*again)(struct exchange *);
	bool is_http;
	bool takes_large; /* can send exchange.large without a copy; for other wires it is part of the message */
};

/* What one address serves: all kinds together, or one kind only. */
struct endpoint {
	const struct kind *const *kinds; /* NULL-terminated */
	bool alone;                      /* one kind: its tools keep their own names */
};

struct exchange {
	/* Filled by the transport. */
	struct server *server;
	const struct endpoint *endpoint;
	const struct wire *wire;
	void *transport;         /* private to the transport */
	struct session *session; /* stdio: the pipe's session. HTTP: NULL; the server finds it by its header */
	const struct key *key;   /* held by the transport */
	struct text peer;        /* HTTP: the client's address; absent on stdio */
	struct text bytes;       /* the message */
	struct text (*header)(struct exchange *, const char *name); /* HTTP: trimmed value, absent when not sent */
	struct arena arena;
	atomic_bool cancelled; /* set by the transport when the client left (modern HTTP), else by the server */

	/* Filled by the server, read by the transport in finish(). */
	struct text new_session;  /* HTTP: send it as Mcp-Session-Id */
	int retry_after;          /* HTTP: with a 429 */
	bool is_stream;           /* HTTP: respond with text/event-stream even if nothing was sent before */
	const char *content_type; /* NULL: application/json */
	/* Large bytes to insert in the message at this position, shared with other exchanges; NULL: none. Only for
	 * wires with takes_large; released by exchange_free(). */
	struct output *large;
	size_t large_at;

	struct exchange_inner *inner; /* private to the server */
};

enum server_step { SERVER_DONE, SERVER_WORK, SERVER_OPEN };

/* SERVER_DONE: finish() has been called. SERVER_WORK: call server_work() on a worker. SERVER_OPEN: the same for a
 * subscription: finish() is called when it ends. */
enum server_step server_receive(struct exchange *x);
void server_work(struct exchange *x);
/* The client left. A running call is cancelled (modern) or continues (legacy). An open subscription is ended, and
 * finish() is called. Another thread may finish the exchange at the same time or just before; the exchange must not be
 * freed meanwhile. */
void server_left(struct exchange *x);

/* Frees the arena and the server's part; the transport owns the struct itself. Also for an exchange that was never
 * received. */
void exchange_free(struct exchange *x);

#endif
