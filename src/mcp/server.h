/* server.h: the process as a whole: which kinds it serves, on which workspace, under which guard. */
#ifndef QUIRE_MCP_SERVER_H
#define QUIRE_MCP_SERVER_H
#include "mcp/exchange.h"

struct server_options {
	const struct kind *const *kinds; /* NULL-terminated: those to serve */
	const struct json *config; /* the whole configuration tree, or NULL; each kind's part is decoded at start */
	struct work *work;
	struct guard *guard;
	const char *tools; /* "core", "all", or names with commas; NULL: all */
	bool read_only;
	bool one_place;        /* over a pipe: there are no addresses, so kinds need not be served alone besides */
	bool only_lists;       /* there is no work, and no call will come: for server_tools() */
	struct text state_key; /* signs what travels through clients; absent: random */
	int call_ms;           /* a call's longest time; 0: 30 s */
	size_t call_memory;    /* bytes that a call may take; 0: 256 MB */
	unsigned sessions_max, watches_max; /* of one key; 0: 32 and 1024 */
	const char *user;                   /* name in the history where no key gives one; NULL: the client's name */
};

bool server_open(struct call *c, const struct server_options *options, struct server **out);
/* Ends subscriptions and parked calls, lets running ones end, closes the kinds. Transports have stopped reading. */
void server_close(struct server *s);
void server_stop(struct server *s); /* no new work; every open exchange is finished soon: before the transports stop */

/* "" and "/mcp": all kinds (or the only one); "/mcp/KIND": that one alone. NULL: nothing is served there. */
const struct endpoint *server_endpoint(struct server *s, struct text path);
/* {"tools": [...]}: tools/list of the newest version at /mcp, all pages, without keys. */
void server_tools(struct server *s, struct buffer *to);
bool server_knows_version(struct text version); /* of the protocol: a name like 2025-11-25 */
struct guard *server_guard(struct server *s);
/* The guard refused a request before its body was read: another thread tells kinds that have a trail.
 * The message is a constant. */
void server_turned_away(struct server *s, const struct endpoint *at, enum fault fault, const char *message,
			struct client who);
/* The keys were re-read: sessions and streams of those that are gone end now, not at their next request. */
void server_keys_changed(struct server *s);

/* Transports. Each returns the exit status when its input ends or the process gets a signal to stop. */
int stdio_serve(struct server *s);
struct http_options {
	const char *host;
	int port; /* 0: any */
	const char *const *allowed_hosts, *const *allowed_origins;
	size_t body_max;          /* 0: 1 MiB */
	unsigned connections_max; /* 0: 1100 */
	int patience;             /* seconds for the head of a request, six times as many for its body; 0: 10 */
	int silence;              /* seconds after which a client that takes nothing is dropped; 0: 60 */
	unsigned address_max,
		address_keyed_max; /* connections of one address without a key and with one; 0: 64, 1024 */
	unsigned failures_max;     /* wrong keys a minute of one address; 0: 10 */
	bool no_chunks;            /* refuse chunked bodies with 411 */
	void (*ready)(void *to, const char *host, int port); /* once it listens */
	void *to;
};
int http_serve(struct server *s, const struct http_options *options);

#endif
