/* rate.h: the only code that counts requests against the limits.
 *
 * A request is counted at one or two of three points, in this order:
 * 1. rate_head(): over HTTP, before the body is read, so that a flood costs little. At /mcp/KIND it counts for the
 *    kind. At /mcp, where the kind is not known yet, it counts for the server itself.
 * 2. rate_message(): a message without a head of its own (from a pipe or in a batch) that reads documents and is not a
 *    tool call. It counts as in 1.
 * 3. rate_call(): a tool call, whose kind is now known. It counts as a request of the kind, unless 1 has counted it
 *    there, and then as a write if it would write.
 * A refused request does not count: if a later point refuses it, the earlier points are uncounted. */
#ifndef QUIRE_MCP_RATE_H
#define QUIRE_MCP_RATE_H
#include "mcp/exchange.h"

/* All three return false if refused; then *wait seconds must pass. */
bool rate_head(struct guard *g, struct client who, const struct endpoint *at, int *wait);
bool rate_message(struct exchange *x, int *wait);
/* *what: which limit refused it. */
bool rate_call(struct exchange *x, const struct kind *k, bool writes, enum guard_what *what, int *wait);
/* Uncounts it: the body shows that it is not a request, but a notification or an answer to a question. */
void rate_forget(struct exchange *x);

#endif
