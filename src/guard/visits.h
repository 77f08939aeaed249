/* visits.h: people who logged in on the page.
 *
 * A visit needs two secrets, each useless alone: a cookie, which the browser keeps from scripts but sends to every
 * server on the same host, and a token, which the page keeps in the storage of its own origin and sends as a header.
 * Only digests of both are kept, in one small file for each visit below the state folder, so that a visit survives a
 * restart. A server without a state folder keeps them in memory. A visit ends with its key, at its logout, or after a
 * day.
 *
 * The one-time link opens the first visit of a server that made its own key: it can be used once. */
#ifndef QUIRE_GUARD_VISITS_H
#define QUIRE_GUARD_VISITS_H
#include "guard/guard.h"

enum { VISIT_SECRET = 43, VISIT_SECONDS = 24 * 60 * 60 }; /* 256 bits as base64url */

struct visits;
struct visit {
	char cookie[VISIT_SECRET + 1], token[VISIT_SECRET + 1];
};

/* `guard` and `work` must live longer; `work` may be NULL. Touches no file before the first request of a page. */
struct visits *visits_new(struct guard *guard, struct work *work, int port);
void visits_free(struct visits *v);

/* A name for the cookie that no other server on this host uses, since a cookie is sent to every port. */
const char *visits_cookie(struct visits *v);

/* The key is held for the caller by its own reference. */
void visits_begin(struct visits *v, const struct key *key, struct visit *out);
/* The key of the visit, with a reference, as in guard_key(). NULL: no such visit, or its key is no longer valid. */
const struct key *visits_key(struct visits *v, struct text cookie, struct text token);
void visits_end(struct visits *v, struct text cookie, struct text token);

/* A secret for the one-time link; the older one, if any, can no longer be used. In the arena. */
struct text visits_offer(struct visits *v, struct arena *a);
/* The key of this run, with a reference, if the secret is the offered one. NULL: it is not, or it was used before. */
const struct key *visits_accept(struct visits *v, struct text once);

#endif
