/* guard.h: who may do what, and how much.
 *
 * Keys come from a JSON file and are re-read on SIGHUP. Without a file, every client that reaches the server may do
 * everything (stdio, loopback). A key's grants list kinds, documents by glob, and tools. Everything else is refused,
 * and a missing or malformed grant grants nothing. Limits are exact: the times of the last N requests are kept, so no
 * minute ever has more than N. The core's limits apply per key and kind. */
#ifndef QUIRE_GUARD_GUARD_H
#define QUIRE_GUARD_GUARD_H
#include "tool/kind.h"

struct guard;
struct key; /* reference-counted; valid until key_release() */

struct guard_options {
	const char *keys_file;                  /* NULL: no keys needed, or only fresh_key */
	const char *fresh_key;                  /* a secret of this run that grants everything; NULL: none */
	int requests_a_minute, writes_a_minute; /* for all kinds served; -1: each kind's own limit; 0: no limit */
	bool local;                             /* stdio: only the limits set above apply */
	/* stdio: globs of the documents that may be read, be read and written, and that are not there. All NULL:
	 * everything is granted. */
	const char *const *reads, *const *writes, *const *hides;
	const char *access_log; /* NULL: none */
	/* postgresql://...: limits apply to all servers on this database together; NULL: to this server only */
	const char *store;
};

bool guard_open(struct call *c, const struct guard_options *options, struct guard **out);
void guard_close(struct guard *g);
bool guard_needs_key(const struct guard *g);
/* What the client of a pipe is granted; NULL: everything. Valid as long as the guard. */
const struct key *guard_local_key(const struct guard *g);
/* Re-reads the keys. If that fails, the old ones stay and c->error says why. */
bool guard_reload(struct call *c, struct guard *g);

/* The key in an Authorization header's value. NULL: absent, malformed or unknown; *why says which, in words for
 * WWW-Authenticate. */
const struct key *guard_key(struct guard *g, struct text authorization, const char **why);
/* The key as it is in the file now, with a reference: the key itself, or after a reload the one with the same name and
 * secret. NULL: it has expired, or was removed from the file. */
const struct key *guard_key_now(struct guard *g, const struct key *k);
/* The key of this name and digest (32 bytes), as it is in the file now, with a reference. NULL as above. */
const struct key *guard_key_known(struct guard *g, struct text name, const unsigned char *digest);
/* The key that this process made for itself, with a reference. NULL: the keys come from a file, or none is needed. */
const struct key *guard_key_of_run(struct guard *g);
bool guard_has_own_key(struct guard *g);
const struct key *key_hold(const struct key *k);
void key_release(const struct key *k);

/* A NULL key means "no keys needed" and grants everything. */
bool key_may_kind(const struct key *k, const struct kind *kind);
bool key_may_tool(const struct key *k, const struct kind *kind, const struct tool *t);
/* The caller, whose grants work and the kinds check for each document. Lives in the arena; valid only while the key is
 * held. */
const struct caller *key_caller(struct arena *a, const struct key *k, struct text otherwise_named);
struct text key_name(const struct key *k); /* absent without a key, and for the key of this run */
bool key_writes(const struct key *k);      /* may it change any document? */
bool key_sees_all(const struct key *k);    /* no key is needed, or this is the key of this run */

/* The client: a key, or without keys the client's address (absent on stdio). */
struct client {
	const struct key *key;
	struct text peer;
};

/* Counts one request in the client's window for that kind (NULL: the server itself). False: *retry_after seconds must
 * pass. A refused request does not count. */
enum guard_what { GUARD_REQUEST, GUARD_WRITE };
bool guard_take(struct guard *g, struct client who, const struct kind *kind, enum guard_what what, int *retry_after);
/* Uncounts a request, because another limit refused it. */
void guard_return(struct guard *g, struct client who, const struct kind *kind);

/* For making keys: the hash to write into the file. */
struct text guard_hash(struct arena *a, struct text secret);

/* The Host values that a request may have: localhost, 127.0.0.1, [::1] and those in `allowed` (NULL-terminated, may be
 * NULL). The port is ignored. */
bool guard_host(struct text host, const char *const *allowed);
/* The Origin values that a request may have: the server's own, which is the request's Host with its port, or one of
 * `allowed`, each with host and port ("https://app.example" means port 443; an entry without a scheme allows both
 * schemes). Another port of this machine is another server. An absent Origin passes, "null" does not. */
bool guard_origin(struct text origin, struct text host, const char *const *allowed);
/* True: other machines cannot reach this address. */
bool guard_is_loopback(const char *host);

/* One line per request in a file, for audits. It names documents and never contains their text. */
struct access {
	struct text key, peer;   /* absent: none */
	struct text method;      /* tools/call; or POST /mcp, if it was refused before its body was read */
	const char *kind, *tool; /* NULL: the request is not for a kind or tool */
	struct texts documents;  /* documents requested, relative to their roots; may repeat */
	const char *outcome;     /* done, asked, cancelled, refused, or the kind's code of the error */
	int code;                /* of an error: the JSON-RPC code, or the HTTP status; 0: none */
	int64_t ms;
};
struct access_log;
struct access_log *access_log_open(struct call *c, const char *path); /* NULL: error set */
/* Opens the file again by its name, which may now be another file. False: the old one stays open. */
bool access_log_reopen(struct call *c, struct access_log *l);
void access_log_line(struct access_log *l, const struct access *a);
void access_log_close(struct access_log *l);
/* The log that guard_open() opened. */
bool guard_logs(const struct guard *g); /* is there one? */
bool guard_reopen_log(struct call *c, struct guard *g);
void guard_log(struct guard *g, const struct access *a);

#endif
