/* load.h: a session's document in memory; the session room's own. */
#ifndef QUIRE_KINDS_DOCX_SESSION_LOAD_H
#define QUIRE_KINDS_DOCX_SESSION_LOAD_H
#include "kinds/docx/session/session.h"

bool session_load(struct call *c, struct session *s, struct text bytes);
void session_unload(struct session *s);

/* One edit on the loaded session; what a failed one did is taken back. */
bool session_apply(struct call *c, struct session *s, const struct edit *e, const void *in, void *out, int64_t now);
/* Applies requests[s->mark, mark). */
bool session_replay(struct call *c, struct session *s, const struct texts *requests, size_t mark);
void session_back(struct session *s, size_t mark);

/* A request as the draft keeps it. */
struct text request_write(struct call *c, const struct edit *e, const void *in, int64_t now);
struct text request_tool(struct call *c, struct text request);

#endif
