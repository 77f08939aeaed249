/* head.h: the head of an HTTP request, and its checks.
 *
 * libmicrohttpd accepts more than a server behind a proxy should: two lengths, a length with a transfer coding, blanks
 * in names. If two programs read such a head differently, request smuggling is possible, so it is refused here. A head
 * that passes head_fault() has one Host, at most one way to end its body, and none of our headers twice. */
#ifndef QUIRE_MCP_HTTP_HEAD_H
#define QUIRE_MCP_HTTP_HEAD_H
#include "base/text.h"

struct header {
	struct text name, value; /* the value is trimmed */
};

struct head {
	struct text method, path, version;
	struct header *headers;
	size_t n;
};

/* NULL: the head is valid. Else the sentence for the 400. */
const char *head_fault(const struct head *h);
struct text head_find(const struct head *h, const char *name); /* absent when not sent */

/* The announced length of the body; only for a head that passed head_fault(). */
enum { HEAD_CHUNKED = -1 };
int64_t head_length(const struct head *h);
bool head_expects(const struct head *h); /* the client waits for "100 Continue" before it sends the body */

/* Is this the essence of a Content-Type, ignoring its parameters? */
bool media_is(struct text content_type, const char *essence);
/* Does one Accept value allow the type? */
bool media_accepted(struct text accept, const char *type);
/* Do the Accept headers allow the type? Without any, everything is allowed. */
bool head_accepts(const struct head *h, const char *type);

#endif
