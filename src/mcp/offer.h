/* offer.h: what one client is offered: the kinds and tools in its list, and the instructions.
 *
 * If no kind was named at the start, the kinds whose documents this client may read are offered. The look at the roots
 * is made at the first request that needs it, once for each key. It stays the same until the keys are re-read, because
 * a list that changes is paid for again by the model. If one kind is offered, all its tools are listed; if several are,
 * the core of each. Every other tool can still be called, by its name or through other_tools. */
#ifndef QUIRE_MCP_OFFER_H
#define QUIRE_MCP_OFFER_H
#include "mcp/served.h"

struct offer {
	const struct served *served;
	const struct key *key;
	unsigned kinds;  /* bits: which of the endpoint's kinds are offered */
	bool lists_core; /* several: only the core of each is listed */
	bool in_part;    /* the look ended before it saw everything */
};

struct offer offer_for(struct exchange *x);
/* The same for a client without a key, for which nothing is looked at. */
struct offer offer_of_all(const struct served *p, bool is_core);
bool offer_lists(const struct offer *o, const struct served_tool *t);
/* May be called, but is not listed. */
bool offer_hides(const struct offer *o, const struct served_tool *t);
bool offer_has_kind(const struct offer *o, const struct kind *k);
/* The text for initialize and server/discover; absent: none. */
struct text offer_instructions(struct arena *a, const struct offer *o);
/* Forgets what was seen: the next list looks again. */
struct server;
void offers_renew(struct server *s);

#endif
