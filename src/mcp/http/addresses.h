/* addresses.h: how many connections each address has, and how many wrong keys it tried.
 *
 * One machine cannot take all connections, nor guess keys as fast as it likes. A connection counts as unknown until a
 * request with a valid key came over it. Not locked: the owner's lock holds it. An address is forgotten when it has no
 * connection and no wrong key of the last minute. */
#ifndef QUIRE_MCP_HTTP_ADDRESSES_H
#define QUIRE_MCP_HTTP_ADDRESSES_H
#include <stdbool.h>

enum { ADDRESS_BUCKETS = 1024 };

struct address {
	struct address *next;
	unsigned unknown, keyed; /* connections */
	unsigned failures;       /* wrong keys in the minute that began at `since` */
	int since;
	char name[];
};

struct addresses {
	struct address *buckets[ADDRESS_BUCKETS];
};

/* NULL: there is nothing to say of it. */
struct address *address_find(struct addresses *a, const char *name);
struct address *address_at(struct addresses *a, const char *name); /* made if need be */
/* Forgets it if nothing is left to know; `now` in seconds. */
void address_settle(struct addresses *a, struct address *of, int now);
void addresses_tidy(struct addresses *a, int now); /* the same for all */
void addresses_free(struct addresses *a);

/* Counts a wrong key. 0: respond 401. Otherwise: the seconds until the address may try again. */
int address_failed(struct address *of, unsigned most, int now);

#endif
