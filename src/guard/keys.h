/* keys.h: the keys file, read into a set.
 *
 * A set is read whole or not at all: one malformed entry refuses the file, so a typing error never widens a grant. A
 * set is counted, and a key keeps its set alive, so a reload does not free keys that running calls use. Secrets are
 * kept as SHA-256 digests only.
 *
 * 	{"keys": [{
 * 		"name": "anna",                     the name in the history and the access log; unique
 * 		"hash": "sha256:<64 hex digits>",   or "key": the secret itself, at least 8 characters
 * 		"grants": {
 * 			"kinds": ["hnpx"],          globs; "*" is all
 * 			"tools": ["get_*"],         globs over tool names; also called "commands"
 * 			"documents": ["books/a*"],  may be read; globs over paths relative to their root
 * 			"write": ["books/mine*"],   may be read and written
 * 			"hide": ["books/old*"]      not there, whatever the others say
 * 		},
 * 		"rate_limit": {"requests_per_minute": 100, "writes_per_minute": 10},
 * 		"expires": "2027-01-01"             refused from this time on, UTC
 * 	}]}
 *
 * Everything that is not granted is refused: a missing list grants nothing. The flat form {"api_key",
 * "allowed_documents", "allowed_commands"} grants all kinds, reading and writing alike, and all tools when
 * allowed_commands is missing; allowed_documents is required. A bare list of keys is accepted too, and "api_keys" for
 * "keys". */
#ifndef QUIRE_GUARD_KEYS_H
#define QUIRE_GUARD_KEYS_H
#include "guard/guard.h"

#include <stdatomic.h>

enum { KEYS_FILE_MAX = 4 << 20, KEYS_MAX = 10000, KEY_SECRET_MIN = 8, KEY_SECRET_MAX = 1024 };

struct key_set;

struct key {
	struct key_set *set;
	struct text name;
	unsigned char digest[32];
	struct texts kinds, tools, documents, write, hide; /* globs */
	int64_t expires;                                   /* ms since 1970; INT64_MAX: never */
	int requests, writes;                              /* per minute; -1: the server's limit */
	bool is_fresh;                                     /* valid for this run only; not a named user */
	bool is_local;                                     /* the grants of a pipe; not a named user */
};

struct key_set {
	atomic_int held;
	struct arena arena;
	struct key *keys;
	size_t n;
};

/* Adds warnings to the call: a file that others may read, a key that can do nothing. NULL: error set. The caller holds
 * one reference to the result. */
struct key_set *key_set_read(struct call *c, const char *path);
/* The same from bytes; `name` is for messages. */
struct key_set *key_set_parse(struct call *c, struct text bytes, const char *name);
void key_set_release(struct key_set *s);

/* Compares with every key in constant time, even after a match, so the time taken reveals nothing. */
const struct key *key_set_find(const struct key_set *s, struct text secret);

/* Converts "2027-01-01" or "2027-01-01T12:00:00Z" to ms since 1970; false: not a valid time. */
bool moment_parse(struct text t, int64_t *ms);

#endif
