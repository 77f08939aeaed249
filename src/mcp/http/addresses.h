/* addresses.h: counts the connections and wrong keys of each client address.
 *
 * So one machine can neither take all connections nor guess keys quickly. A connection counts as unknown until a
 * request with a valid key came over it. There is no lock here: the owner's lock protects it. An address is removed
 * when it has no connection and no wrong key in the last minute. */
#ifndef QUIRE_MCP_HTTP_ADDRESSES_H
#define QUIRE_MCP_HTTP_ADDRESSES_H
#include <stdbool.h>

enum { ADDRESS_BUCKETS = 1024 };

struct address {
	struct address *next;
	unsigned unknown, keyed; /* number of connections */
	unsigned failures;       /* wrong keys in the minute that began at `since` */
	int since;
	char name[];
};

struct addresses {
	struct address *buckets[ADDRESS_BUCKETS];
};

/* NULL: nothing is known about it. */
struct address *address_find(struct addresses *a, const char *name);
struct address *address_at(struct addresses *a, const char *name); /* created if needed */
/* Removes it if nothing is left to remember; `now` in seconds. */
void address_settle(struct addresses *a, struct address *of, int now);
void addresses_tidy(struct addresses *a, int now); /* the same for all */
void addresses_free(struct addresses *a);

/* Counts a wrong key. 0: respond 401. Otherwise: the seconds until the address may try again. */
int address_failed(struct address *of, unsigned most, int now);

#endif
