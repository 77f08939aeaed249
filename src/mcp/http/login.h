/* login.h: how a person enters and leaves the page.
 *
 * POST /login with {"key": "..."} or {"once": "..."} (of the one-time link) begins a visit (guard/visits.h): the
 * response sets the cookie and has the token. With {} it only says who the visitor is, or that a key is needed. POST
 * /logout ends the visit. */
#ifndef QUIRE_MCP_HTTP_LOGIN_H
#define QUIRE_MCP_HTTP_LOGIN_H
#include "mcp/http/request.h"

struct entry {
	int status;
	struct text body;   /* JSON */
	struct text cookie; /* for Set-Cookie; absent: none */
	int retry_after;
};
struct entry login(struct request *r);
struct entry logout(struct request *r);

#endif
