/* rate.h: the one place that counts requests against the limits.
 *
 * A request is counted at one or two of three points, in this order:
 * 1. rate_head(): over HTTP, before the body is read, so that a flood costs little. At /mcp/KIND it counts for the
 * kind; at /mcp, where the kind is not known yet, for the server itself.
 * 2. rate_message(): what came without a head of its own, through a pipe or in a batch, reads documents and is no tool
 *    call. It counts as in 1.
 * 3. rate_call(): a tool call, whose kind is known by now. It counts as a request of the kind, unless 1 has counted it
 *    there, and then as a write if it would write.
 * What is refused counts nowhere: a door that refuses gives back what the doors before it took. */
#ifndef QUIRE_MCP_RATE_H
#define QUIRE_MCP_RATE_H
#include "mcp/exchange.h"

/* All: false: refused, and *wait seconds must pass. */
bool rate_head(struct guard *g, struct client who, const struct endpoint *at, int *wait);
bool rate_message(struct exchange *x, int *wait);
/* *what: which limit refused it. */
bool rate_call(struct exchange *x, const struct kind *k, bool writes, enum guard_what *what, int *wait);
/* The body shows that it is no request (a notification, an answer to a question): it does not count. */
void rate_forget(struct exchange *x);

#endif
