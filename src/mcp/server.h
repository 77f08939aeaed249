/* server.h: the whole process: the kinds it serves, its workspace and its guard. */
#ifndef QUIRE_MCP_SERVER_H
#define QUIRE_MCP_SERVER_H
#include "mcp/exchange.h"

struct server_options {
	const struct kind *const *kinds; /* NULL-terminated: the kinds to serve */
	const struct json *config; /* the whole configuration tree, or NULL; each kind's part is decoded at start */
	struct work *work;
	struct guard *guard;
	const char *tools; /* "core", "all", or names with commas; NULL: all */
	bool read_only;
	bool structured;                    /* every result has structuredContent; lists have outputSchemas */
	bool one_place;                     /* over a pipe: there is only one address, so /mcp/KIND is not needed */
	bool looks;                         /* no kind was named: list those that have documents */
	bool only_lists;                    /* there is no workspace, and there will be no calls: for server_tools() */
	struct text state_key;              /* signs data that travels through clients; absent: random */
	int call_ms;                        /* time limit of a call; 0: 30 s */
	size_t call_memory;                 /* memory limit of a call in bytes; 0: 256 MB */
	unsigned sessions_max, watches_max; /* per key; 0: 32 and 1024 */
	const char *user;                   /* name in the history if there is no key; NULL: the client's name */
};

bool server_open(struct call *c, const struct server_options *options, struct server **out);
/* Ends subscriptions and parked calls, waits for running calls, closes the kinds. Transports must have stopped
 * reading. */
void server_close(struct server *s);
/* No new work; every open exchange is finished soon; call it before the transports stop. */
void server_stop(struct server *s);

/* "" and "/mcp": all kinds (or the only one); "/mcp/KIND": only that kind. NULL: nothing is served there. */
const struct endpoint *server_endpoint(struct server *s, struct text path);
/* {"tools": [...]}: tools/list of the newest version at /mcp, all pages, without keys. */
void server_tools(struct server *s, struct buffer *to);
bool server_knows_version(struct text version); /* a version of the protocol, like 2025-11-25 */
struct guard *server_guard(struct server *s);
struct work *server_workspace(struct server *s); /* NULL: it has none */
bool server_is_read_only(const struct server *s);
/* The guard refused a request before its body was read. Another thread notifies kinds that have an audit trail. The
 * message must be a constant. */
void server_turned_away(struct server *s, const struct endpoint *at, enum fault fault, const char *message,
			struct client who);
/* The keys were re-read: sessions and streams of removed keys end now, not at their next request. */
void server_keys_changed(struct server *s);
/* The next list of each client looks again which documents there are. */
void server_looks_again(struct server *s);

/* Transports. Each returns the exit status when its input ends or the process gets a stop signal. */
int stdio_serve(struct server *s);
struct http_options {
	const char *host;
	int port; /* 0: any */
	const char *const *allowed_hosts, *const *allowed_origins;
	size_t body_max;          /* 0: 1 MiB */
	unsigned connections_max; /* 0: 1100 */
	int patience;             /* seconds to send the head of a request, six times as many for its body; 0: 10 */
	int silence;              /* seconds after which a client that reads nothing is disconnected; 0: 60 */
	/* Connections of one address without a key and with one; 0: 64, 1024. */
	unsigned address_max, address_keyed_max;
	unsigned failures_max; /* wrong keys per minute from one address; 0: 10 */
	bool no_chunks;        /* refuse chunked bodies with 411 */
	bool no_page;          /* serve no page */
	/* Called once it listens. `once`: the secret of the page's one-time link, or NULL. */
	void (*ready)(void *to, const char *host, int port, const char *once);
	void *to;
};
int http_serve(struct server *s, const struct http_options *options);

#endif
