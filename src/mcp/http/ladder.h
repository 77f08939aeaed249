/* ladder.h: the checks of a request before its body is read.
 *
 * The order is path, Host and Origin, key, rate, method, type, size, Accept. The first failing check sets the status.
 * The order matters: a client without a key learns only that the address exists, and a refused caller learns nothing
 * about the content type. The server checks the body.
 *
 * The files of the page need no key. A request of the page shows a visit instead of a key: its cookie and its token,
 * from its own origin. */
#ifndef QUIRE_MCP_HTTP_LADDER_H
#define QUIRE_MCP_HTTP_LADDER_H
#include "guard/visits.h"
#include "mcp/http/head.h"
#include "mcp/http/page.h"
#include "mcp/server.h"

struct ladder {
	struct server *server;
	struct visits *visits;                     /* NULL: there is no page */
	const char *const *hosts, *const *origins; /* NULL-terminated, or NULL */
	size_t body_max;
	bool no_chunks; /* a body must have a Content-Length */
};

struct refusal {
	int status; /* 0: not refused */
	/* Not FAULT_NONE: at the address of one kind the response is that kind's error object. The form of the request
	 * is not known before its body is read, so scripts and protocol clients get the same object. */
	enum fault fault;
	const char *message;
	const char *allow;     /* 405 */
	int retry_after;       /* 429, 503 */
	struct text challenge; /* 401, 403: WWW-Authenticate */
	bool ends;             /* also closes the connection */
};

enum verb { VERB_POST, VERB_GET, VERB_DELETE, VERB_PREFLIGHT, VERB_HEALTH, VERB_PAGE, VERB_LOGIN, VERB_LOGOUT };

struct climb {
	const struct ladder *ladder;
	enum verb verb;
	const struct endpoint *endpoint;
	struct text peer;      /* filled in by the caller: the client's address */
	const struct key *key; /* the caller must release it, even if a later check refuses */
	/* Called for a wrong key. Returns 0 for a 401, or the seconds to wait for a 429. NULL: always 401. */
	int (*failed)(void *of);
	void *of;
	struct text origin;  /* a page of this origin may read the response; absent: no page may */
	struct text session; /* Mcp-Session-Id */
	bool takes_json, takes_events;
	struct page_file page;     /* VERB_PAGE */
	bool page_is_missing;      /* the page that says so, with 404 */
	struct text cookie, token; /* of a visit, or absent */
	struct refusal refusal;
};

/* False: climb->refusal says why. The head must have passed head_fault(). Texts are in the arena or in the head. */
bool ladder_climb(const struct ladder *l, struct arena *a, const struct head *head, struct climb *climb);

#endif
