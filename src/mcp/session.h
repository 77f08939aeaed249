/* session.h: the server's state of a legacy client: the pipe of a stdio process, or an HTTP session.
 *
 * A modern client has none. HTTP sessions are found by an unguessable id, belong to the key that opened them, expire
 * when idle and are bounded in number. A session may have one open event stream (HTTP: GET) for notices that belong to
 * no call. On stdio every message goes to the pipe. */
#ifndef QUIRE_MCP_SESSION_H
#define QUIRE_MCP_SESSION_H
#include "mcp/exchange.h"

enum { SESSIONS_MAX = 1024, SESSIONS_A_KEY = 32, SESSION_IDLE_MS = 60 * 60 * 1000 };

/* With a reference, until session_release(). */
struct session *session_find(struct server *s, struct text id, const struct key *key);
void session_release(struct session *s);
/* DELETE: ends it. False: this key has no session with that id. */
bool session_end(struct server *s, struct text id, const struct key *key);

/* Where notices are sent. Replaces the previous stream, whose `closed` is then called. `send` may be called from any
 * thread. */
struct session_stream {
	void (*send)(void *stream, struct text message);
	void (*closed)(void *stream); /* the session ended, or another stream replaced this one: close it */
	void *stream;
};
void session_attach(struct session *s, struct session_stream stream);
/* The client left. True: it was attached, and closed() was not and will not be called. */
bool session_detach(struct session *s, const void *stream);

#endif
