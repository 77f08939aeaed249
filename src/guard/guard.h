/* guard.h: who may do what, and how much.
 *
 * * Keys come from a JSON file and are re-read on SIGHUP; without a file, every client that reaches the server may do
 * everything (stdio, loopback). A key's grants name kinds, documents by glob and tools; what is not granted is refused,
 * and a grant that is missing or malformed grants nothing. Limits are exact: the times of the last N requests are kept,
 * so no window of a minute ever holds more than N. The core's limits apply per key and kind. */
#ifndef QUIRE_GUARD_GUARD_H
#define QUIRE_GUARD_GUARD_H
#include "tool/kind.h"

struct guard;
struct key; /* counted; stays valid until key_release() */

struct guard_options {
	const char *keys_file;                  /* NULL: no keys needed, or the one below */
	const char *fresh_key;                  /* a secret of this run that grants everything; NULL: none */
	int requests_a_minute, writes_a_minute; /* for all kinds served; -1: each kind's own; 0: none */
	bool local;                             /* stdio: no limits but those set above */
	const char *access_log;                 /* NULL: none */
	const char *store; /* postgresql://...: limits hold over all servers on it; NULL: this one alone */
};

bool guard_open(struct call *c, const struct guard_options *options, struct guard **out);
void guard_close(struct guard *g);
bool guard_needs_key(const struct guard *g);
/* Re-reads the keys; on a fault the old ones stay and c->error says why. */
bool guard_reload(struct call *c, struct guard *g);

/* The key behind an Authorization header's value. NULL: absent, malformed or unknown; *why says which, in words for
 * WWW-Authenticate. */
const struct key *guard_key(struct guard *g, struct text authorization, const char **why);
/* The key as the file has it by now, held: itself, or after a reload the one of the same name and secret. NULL: it has
 * expired, or was taken out of the file. */
const struct key *guard_key_now(struct guard *g, const struct key *k);
const struct key *key_hold(const struct key *k);
void key_release(const struct key *k);

/* NULL means "no keys needed" and grants everything. */
bool key_may_kind(const struct key *k, const struct kind *kind);
bool key_may_tool(const struct key *k, const struct kind *kind, const struct tool *t);
/* The caller that work and the kinds ask about documents. Lives in the arena, no longer than the key is held. */
const struct caller *key_caller(struct arena *a, const struct key *k, struct text otherwise_named);
struct text key_name(const struct key *k); /* absent without a key, and for the key of this run */
bool key_sees_all(const struct key *k);    /* no key is needed, or this is the key of this run */

/* The caller: a key, or without keys the client's address (absent on stdio). */
struct client {
	const struct key *key;
	struct text peer;
};

/* Takes one from the client's window for that kind (NULL: the server itself). False: *retry_after seconds must pass. A
 * refused request does not count. */
enum guard_what { GUARD_REQUEST, GUARD_WRITE };
bool guard_take(struct guard *g, struct client who, const struct kind *kind, enum guard_what what, int *retry_after);
/* Uncounts a request: another limit refused it, so it does not count. */
void guard_return(struct guard *g, struct client who, const struct kind *kind);

/* For making keys: the hash to put into the file. */
struct text guard_hash(struct arena *a, struct text secret);

/* The Host a request may carry: localhost, 127.0.0.1, [::1] and those in `allowed` (NULL-terminated, may be NULL); the
 * port is ignored. */
bool guard_host(struct text host, const char *const *allowed);
/* The Origin it may carry: the server's own, which is the Host of the request with its port, or one of `allowed`, each
 * with host and port ("https://app.example" is port 443; without a scheme both are meant). Another port of this machine
 * is another server. An absent Origin passes, "null" does not. */
bool guard_origin(struct text origin, struct text host, const char *const *allowed);
/* True: other machines cannot reach this address. */
bool guard_is_loopback(const char *host);

/* One line per request in a file, for audits. It names documents and never contains their text. */
struct access {
	struct text key, peer;   /* absent: none */
	struct text method;      /* tools/call; or POST /mcp, if it was refused before its body was read */
	const char *kind, *tool; /* NULL: not of one */
	struct texts documents;  /* it asked for, below their roots; may repeat */
	const char *outcome;     /* done, asked, cancelled, refused, or the kind's word for what went wrong */
	int code;                /* of an error: JSON-RPC's, or the HTTP status; 0: none */
	int64_t ms;
};
struct access_log;
struct access_log *access_log_open(struct call *c, const char *path); /* NULL: error set */
/* Reopens the file by its name, which may be another file by now. False: the old one stays open. */
bool access_log_reopen(struct call *c, struct access_log *l);
void access_log_line(struct access_log *l, const struct access *a);
void access_log_close(struct access_log *l);
/* The log that guard_open() opened. */
bool guard_logs(const struct guard *g); /* is there one? */
bool guard_reopen_log(struct call *c, struct guard *g);
void guard_log(struct guard *g, const struct access *a);

#endif
