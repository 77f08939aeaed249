/* inner.h: shared by the files of this room and private to them.
 *
 * A message is checked in receive.c (JSON-RPC, era). The table in methods.c then leads to the file of its subject
 * (tools.c, resources.c, prompts.c, subscribe.c, legacy.c, modern.c). A method writes the members of its result;
 * answer.c adds the envelope of the era. */
#ifndef QUIRE_MCP_INNER_H
#define QUIRE_MCP_INNER_H
#include "base/clock.h"
#include "base/digest.h"
#include "base/log.h"
#include "mcp/names.h"
#include "mcp/output.h"
#include "mcp/server.h"
#include "mcp/session.h"
#include "work/work.h"

#include <pthread.h>
#include <string.h>

enum { RPC_PARSE = -32700, RPC_REQUEST = -32600, RPC_METHOD = -32601, RPC_PARAMS = -32602, RPC_INTERNAL = -32603 };
enum { RPC_HEADER = -32020, RPC_CAPABILITY = -32021, RPC_VERSION = -32022, RPC_NO_RESOURCE = -32002, RPC_RATE = 429 };

enum era { ERA_LEGACY, ERA_MODERN, ERA_PLAIN };

/* Oldest first. The last one is the modern one. The one before it is offered to clients that request an unknown
 * version. */
enum version { V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28, VERSIONS };
extern const char *const version_names[VERSIONS];
enum { VERSION_LATEST_LEGACY = V2025_11_25, VERSION_MODERN = V2026_07_28 };
int version_find(struct text name); /* -1: unknown */

#define META_PREFIX "io.modelcontextprotocol/"

#define CLIENT(x) ((struct client){(x)->key, (x)->peer})

/* A list for many clients (tools.c). */
struct kept_list {
	const struct served *served;
	unsigned kinds;
	struct text text;
	struct kept_list *older;
};

struct kind_state {
	const struct kind *kind;
	const void *config;
	pthread_mutex_t opening; /* a kind's first call may be slow; it delays calls of this kind only */
	void *state;             /* written once, under the lock, before is_open */
	atomic_bool is_open;
};

struct listen {
	struct listen *next;
	struct exchange *exchange;
	const struct key *key; /* a reference; renewed when the keys are re-read */
	struct text id;        /* as the client wrote it */
	uint64_t serial;
	bool tools, prompts, resources;
	struct watch *watches;
	size_t n_watches;
};

/* A resource with a subscriber. */
struct watch {
	char *uri;
	struct revision stamp;
	bool is_known;
	unsigned round; /* the last round in which it was polled */
};

/* A request that the guard refused before its body was read: see refusals.c. */
enum { TURNED_AWAY_MAX = 16 };
struct turned_away {
	const struct endpoint *at;
	const char *message; /* NULL: never used */
	enum fault fault;
	bool waits; /* not yet passed to the kind */
	char name[64], peer[64];
	int64_t ticks;
};

struct server {
	struct server_options options;
	struct arena arena;    /* lives as long as the server */
	struct served *served; /* [0]: all kinds; then one for each kind */
	size_t n_served;
	struct sighting *sightings;                       /* what was seen for each key: offer.c */
	_Atomic(struct kept_list *) tool_lists[VERSIONS]; /* whole results for clients without a key */
	struct kind_state *kinds;
	size_t n_kinds;
	unsigned char state_key[32];

	struct outputs outputs;
	pthread_mutex_t writing; /* one list for many clients is written at a time */
	pthread_mutex_t lock;    /* protects, sessions, listens */
	struct session *sessions;
	size_t n_sessions;
	struct listen *listens;
	size_t n_listens;
	uint64_t serials; /* number of listens so far */
	atomic_bool stopping;

	struct turned_away turned_away[TURNED_AWAY_MAX];
	pthread_t ticker;
	struct notices *notices; /* of the ticker; NULL: nobody watches all changes */
	bool ticks;
	bool poked;     /* one of our own commits: poll subscriptions now */
	unsigned round; /* of polls; used by the ticker only. Begins at 1, so that a new watch is due */
	pthread_cond_t wake;
};

struct pending { /* a question sent to a legacy client */
	struct pending *next;
	char id[32];
	const char *key;
	struct exchange *exchange;
};

struct session {
	struct server *server;
	struct session *next;
	char id[48]; /* "" on stdio */
	/* A reference; renewed when the keys are re-read, under the server's lock, like `refs` and `next`. */
	const struct key *key;
	unsigned refs;

	pthread_mutex_t lock; /* protects everything below */
	struct arena arena;   /* of the newest handshake */
	int version;          /* -1 before initialize */
	const struct json *capabilities;
	struct text client;
	bool initialized, ended;
	int log_level; /* -1: not set */
	int64_t used;
	struct watch *watches;
	size_t n_watches;
	struct pending *pending;
	struct exchange_inner *running;
	unsigned questions; /* number of questions asked so far, for their ids */
	struct session_stream stream;
};

struct method;

struct exchange_inner {
	struct exchange *exchange;
	enum era era;
	int version;
	const struct json *message, *params, *meta;
	struct text id; /* its JSON source; absent: a notification */
	const struct method *method;
	struct news *news;               /* of the worker that runs it; NULL: none does */
	const struct json *capabilities; /* the client's */
	struct text client;              /* its name; legacy */
	int log_level;                   /* legacy: the level that the client requested, or -1 */
	bool wants_structured;           /* a call: the result has structuredContent beside the text */
	struct session *session;         /* a reference; NULL: none */
	bool holds_session;

	/* For the access log. */
	const struct kind *kind; /* the kind of the tool or resource */
	const char *tool;
	const char *outcome; /* NULL: derived from the result */

	/* A protocol error. */
	int code;
	int status;
	const char *message_text;
	const struct json *error_data;

	/* The arena's state before the call, restored after the response. */
	struct arena before;
	bool has_before;
	bool too_much; /* too many bytes wait to be sent already, so this result cannot be sent */

	/* A running call. */
	struct call call;
	struct reply reply;
	int64_t started;
	struct exchange_inner *next_running;
	const struct json *answers;  /* collected over all rounds */
	const struct json *bindings; /* of the questions asked */
	struct text kept_state;
	size_t waiting; /* questions not answered yet (legacy) */
	int rounds;
	int64_t parked_until;
	atomic_bool is_listen;
};

/* methods.c */
enum method_era { IN_LEGACY = 1, IN_MODERN = 2 };
struct method {
	const char *name;
	unsigned eras;
	bool at_work;         /* needs a worker: documents, databases */
	bool open;            /* does not finish by itself (subscriptions/listen): run() sends and finishes */
	const char *mirrored; /* modern HTTP: the parameter that Mcp-Name repeats */
	bool (*exists)(const struct served *); /* NULL: always */
	/* Writes the result's members; false: refused, see refuse(). */
	bool (*run)(struct exchange *, struct json_out *);
};
const struct method *method_find(struct text name);

/* answer.c */
bool refuse(struct exchange *x, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* For a parameter that is missing or is not `wanted` ("a string, the tool's name"). `path` is its position in
 * params. */
bool refuse_missing(struct exchange *x, const char *path, const struct json *have, const char *wanted);
bool param_text(struct exchange *x, const char *name, const char *wanted, struct text *out); /* false: refused */
void answer_error(struct exchange *x);                      /* sends the error of refuse() and finishes */
void answer_result(struct exchange *x, struct text result); /* sends a whole result object and finishes */
/* The same for a result that is written in place, between the two. */
void answer_open(struct exchange *x, struct buffer *to);
void answer_close(struct exchange *x, struct buffer *to);
void answer_nothing(struct exchange *x);
/* Every response is sent through this function. */
void exchange_finish(struct exchange *x, int status, struct text message);
/* Writes {, runs the method, adds the members that the era requires, }. False: refused. */
bool answer_write(struct exchange *x, struct buffer *to, bool (*run)(struct exchange *, struct json_out *));
void answer_meta(struct exchange *x, struct json_out *o, struct text revision);
void cache_hints(struct exchange *x, struct json_out *o, int64_t ttl_ms, bool is_public);
struct text notice(struct arena *a, const char *method, const struct json *params);

/* Era rules. */
bool modern_claim(const struct json *meta);
bool modern_check(struct exchange *x); /* claim, version and headers; false: refused */
bool modern_parameters(struct exchange *x, const struct tool *t, const struct json *arguments);
bool modern_discover(struct exchange *x, struct json_out *o);
bool legacy_check(struct exchange *x); /* the session and its state; false: refused */
bool legacy_initialize(struct exchange *x, struct json_out *o);
bool legacy_ping(struct exchange *x, struct json_out *o);
bool legacy_set_level(struct exchange *x, struct json_out *o);
void legacy_notification(struct exchange *x); /* initialized, cancelled */
void legacy_response(struct exchange *x);     /* an answer to one of our questions */
void put_instructions(struct exchange *x, struct json_out *o);
void write_capabilities(struct exchange *x, struct json_out *o);
void write_server(struct json_out *o, int version);
int log_level_find(struct text name); /* -1: unknown */

/* Subjects. */
bool tools_list(struct exchange *x, struct json_out *o);
struct text tools_list_cached(struct exchange *x); /* absent: must be made */
bool tools_call(struct exchange *x, struct json_out *o);
bool tools_ended(struct exchange *x, struct json_out *o); /* the result of a call that was ended by its limits */
/* Runs a tool under the guard; false: the error is in the call. */
bool tool_at_work(struct exchange *x, const struct served_tool *t, const struct json *arguments,
		  struct text *structured);
bool resources_list(struct exchange *x, struct json_out *o);
bool resources_templates(struct exchange *x, struct json_out *o);
bool resources_read(struct exchange *x, struct json_out *o);
bool resource_stamp(struct server *s, const struct served *p, const struct key *key, const char *uri,
		    struct revision *out);
bool resource_exists(struct exchange *x, struct text uri);
bool resource_missing(struct exchange *x, struct text uri, const char *why); /* refuses; why NULL: no details */
bool prompts_list(struct exchange *x, struct json_out *o);
bool prompts_get(struct exchange *x, struct json_out *o);
bool completion(struct exchange *x, struct json_out *o);
bool resources_subscribe(struct exchange *x, struct json_out *o);
bool resources_unsubscribe(struct exchange *x, struct json_out *o);
bool subscriptions_listen(struct exchange *x, struct json_out *o);
void listens_end(struct server *s, struct exchange *one, bool say_so); /* NULL: all */
void listens_renew(struct server *s);                                  /* as sessions_renew() */
bool subscriptions_want(struct server *s, const char *uri);            /* does a listen watch it? */
void subscriptions_look(struct server *s, bool at_all);                /* else only those that are due */
struct announcer server_announcer(struct server *s);
/* What a call changed that concerns other clients. It is kept until the call's own client has its response, then sent.
 */
struct news {
	unsigned lists;
	bool has_commit; /* documents may have changed: subscriptions are checked */
};
struct announcer news_announcer(struct news *n); /* NULL: empty */
void news_tell(struct server *s, const struct news *n);
void watches_free(struct watch *w, size_t n);
void plain_work(struct exchange *x);

/* Writes content blocks in the form of the client's version. */
void write_block(struct json_out *o, struct exchange *x, const struct block *b, int version);
void write_contents(struct json_out *o, struct exchange *x, const struct block *b);

/* Pages. */
enum { PAGE_MAX = 100 };
bool page_start(struct exchange *x, struct text *after); /* absent: from the start; false: refused */
void page_next(struct json_out *o, struct arena *a, struct text last);

/* A call: call.c. */
/* Runs it with the memory and time limits of a call. False: it was ended, and the error is in the call. */
bool call_within(struct exchange *x, void (*run)(void *of), void *of);
void call_begin(struct exchange *x, const struct kind *k); /* fills inner->call and reply; once per run */
/* Puts the kind's state into the call. This is the only step that runs code of the kind, so it comes after the guard. A
 * method that uses several kinds calls it for each. False: the error is in the call. */
bool call_open(struct exchange *x, const struct kind *k);
void call_end(struct exchange *x);
bool call_answers(struct exchange *x, const struct json *params); /* inputResponses, requestState; false: refused */

/* ask.c */
bool ask_park(struct exchange *x);                      /* legacy: sends the questions; false: refused */
void ask_write(struct exchange *x, struct json_out *o); /* modern: inputRequests, requestState, resultType */
void asks_expire(struct session *s, bool all);

/* session.c */
struct session *session_new(struct server *s, const struct key *key, bool is_pipe);
void sessions_tick(struct server *s);
void sessions_close(struct server *s);
/* Ends sessions whose key has expired or was revoked. The others get their key's current grants. */
void sessions_renew(struct server *s);
void session_running(struct exchange *x, bool on);
void session_cancel(struct session *s, struct text id);
struct session **sessions_held(struct server *server, struct arena *a, size_t *n); /* the caller releases each */

/* server.c */
void server_tick_needed(struct server *s);
void server_poke(struct server *s);
void refusals_tell(struct server *s); /* passes notes of refused requests to the kinds; called by the ticker */
/* The extensions of its documents, with those from the configuration. */
const char *kind_documents(struct arena *a, const struct server *s, const struct kind *k);
bool kind_state(struct call *c, struct server *s, const struct kind *k, void **out); /* opens it at its first call */

extern const struct kind kind_core; /* file_tools: served with every kind */

#endif
