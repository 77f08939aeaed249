/* peers.h: the list of connections and the thread that watches them.
 *
 * A suspended connection does not notice that its client left, and the library's timeout restarts with every byte. So
 * all connections are listed here. One thread, the one that called http_serve(), waits in peers_round() for clients
 * that leave and for signals. Once a second it disconnects clients that send a head or a body too slowly, and makes
 * silent streams send a comment: a failed write shows that the client is gone. */
#ifndef QUIRE_MCP_HTTP_PEERS_H
#define QUIRE_MCP_HTTP_PEERS_H
#include "mcp/http/addresses.h"
#include "mcp/http/request.h"

struct peers {
	int watch, signals;    /* epoll, signalfd */
	unsigned most;         /* more connections than this get 503 */
	unsigned unknown_most; /* limit of connections without a valid key so far, over all addresses */
	/* The same limit for one address; and the limit of those with a valid key. */
	unsigned most_of_one, keyed_of_one;
	unsigned failures_most; /* wrong keys per minute from one address */
	int patience;           /* seconds to send a head; six times as many for a body */
	atomic_int now;         /* in seconds, updated once a second */
	pthread_mutex_t lock;   /* protects the rest, and each peer's request, has_left and is_closed */
	struct peer *first, *graves;
	unsigned n, unknown;
	struct addresses addresses;
};

enum phase { PHASE_HEAD, PHASE_BODY, PHASE_ANSWER };

struct peer {
	struct peer *next, *before;
	struct peers *peers;
	struct request *request; /* the request that left the library's thread, or streams */
	int fd;
	char address[PEER_ADDRESS]; /* of the client, or of the proxy before it */
	atomic_int phase, since;    /* see peer_enters() */
	bool has_left;
	bool is_closed;  /* its descriptor may already belong to another connection */
	bool is_over;    /* over the limit of connections */
	bool is_crowd;   /* its address has too many connections without a key; a request with a key is accepted */
	bool is_keyed;   /* a valid key was shown on it */
	bool is_dropped; /* it is being closed for another, and counts no more */
};

/* Blocks SIGTERM, SIGINT, SIGHUP and SIGPIPE for the calling thread and the threads it starts. */
struct peers_limits {
	unsigned most, unknown_most, most_of_one, keyed_of_one, failures_most;
	int patience;
};
bool peers_open(struct peers *p, const struct peers_limits *limits);
void peers_unmask(void); /* afterwards SIGTERM and SIGINT end the program at once */
void peers_close(struct peers *p);

enum round { ROUND_OVER, ROUND_RELOAD, ROUND_STOP };
/* Waits at most `ms`. */
enum round peers_round(struct peers *p, int ms);

/* Called before a connection is accepted: false refuses it. */
struct sockaddr;
bool peers_take(struct peers *p, const struct sockaddr *address, unsigned len);
struct peer *peer_new(struct peers *p, int fd);
/* A request came over it, with a valid key or without. False: its address has too many connections. */
bool peer_is_welcome(struct peer *p, bool has_key);
/* A wrong key came over it. 0: respond 401. Otherwise: the seconds until its address may try again. */
int peer_failed(struct peer *p);
void peer_closed(struct peer *p);
void peer_enters(struct peer *p, enum phase phase);
int peer_now(const struct peer *p);

/* From here to peer_unwatch() the request is notified when the client disconnects, possibly at once. */
void peer_watch(struct peer *p, struct request *r);
void peer_unwatch(struct peer *p, struct request *r);

/* Ends the streams of sessions; `all`: every request that still waits. */
void peers_end(struct peers *p, bool all);

#endif
