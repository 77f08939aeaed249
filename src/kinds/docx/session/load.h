/* load.h: a session's document in memory. Used only by the session room. */
#ifndef QUIRE_KINDS_DOCX_SESSION_LOAD_H
#define QUIRE_KINDS_DOCX_SESSION_LOAD_H
#include "kinds/docx/session/session.h"

bool session_load(struct call *c, struct session *s, struct text bytes);
void session_unload(struct session *s);

/* Runs one edit on the loaded session. If it fails, its changes are undone. */
bool session_apply(struct call *c, struct session *s, const struct edit *e, const void *in, void *out, int64_t now);
/* Applies requests[s->mark, mark). */
bool session_replay(struct call *c, struct session *s, const struct texts *requests, size_t mark);
void session_back(struct session *s, size_t mark);

/* A request as the draft keeps it; `places` says what it was done to, absent: it cannot be repeated elsewhere. */
struct text request_write(struct call *c, const struct edit *e, const void *in, int64_t now, struct text places);
/* A digest of the paragraphs that the edit whose notes begin at `from` changed or stands between, and of their words
 * before. Absent: it changed more than paragraphs, or very many. */
struct text request_places(struct call *c, struct session *s, size_t from);
struct text request_tool(struct call *c, struct text request);

/* Moves the session to the bytes that another program gave its file, if all its edits fit there. *moved is false where
 * they do not: s->clash says why. False: an error, and the session is as it was. */
bool session_move_base(struct call *c, struct session *s, struct document *d, bool *moved);
/* The edits in force as a caller can make them again, for a message. */
struct text session_told(struct call *c, const struct session *s);

#endif
