/* peers.h: the list of connections and the thread that watches them.
 *
 * A suspended connection does not notice that its client left, and the library's timeout starts anew with every byte.
 * So all connections are listed here, and one thread, the one that called http_serve(), waits in peers_round() for
 * clients that leave and for signals, and once a second cuts off those that send a head or a body too slowly and makes
 * silent streams send a comment: a failed write reveals a client that vanished. */
#ifndef QUIRE_MCP_HTTP_PEERS_H
#define QUIRE_MCP_HTTP_PEERS_H
#include "mcp/http/addresses.h"
#include "mcp/http/request.h"

struct peers {
	int watch, signals;                 /* epoll, signalfd */
	unsigned most;                      /* connections beyond it get 503 */
	unsigned unknown_most;              /* connections without a valid key so far, of all addresses */
	unsigned most_of_one, keyed_of_one; /* the same of one address; and those with a valid key */
	unsigned failures_most;             /* wrong keys a minute of one address */
	int patience;                       /* seconds for a head; for a body six times as many */
	atomic_int now;                     /* seconds, moved once a second */
	pthread_mutex_t lock;               /* of the rest, and of each peer's request, has_left and is_closed */
	struct peer *first, *graves;
	unsigned n, unknown;
	struct addresses addresses;
};

enum phase { PHASE_HEAD, PHASE_BODY, PHASE_ANSWER };

struct peer {
	struct peer *next, *before;
	struct peers *peers;
	struct request *request; /* the one that left the library's thread, or streams */
	int fd;
	char address[PEER_ADDRESS]; /* of the client, or of the proxy in front */
	atomic_int phase, since;    /* see peer_enters() */
	bool has_left;
	bool is_closed; /* its descriptor may be another's by now */
	bool is_over;   /* one connection too many */
	bool is_crowd;  /* its address has too many that showed no key; with one it is welcome */
	bool is_keyed;  /* a valid key was shown on it */
};

/* Blocks SIGTERM, SIGINT, SIGHUP and SIGPIPE for the calling thread and those it makes. */
struct peers_limits {
	unsigned most, unknown_most, most_of_one, keyed_of_one, failures_most;
	int patience;
};
bool peers_open(struct peers *p, const struct peers_limits *limits);
void peers_unmask(void); /* from here SIGTERM and SIGINT end the program at once */
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

/* Ends the streams of sessions; `all`: every request that is still waiting. */
void peers_end(struct peers *p, bool all);

#endif
