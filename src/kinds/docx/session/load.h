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

/* A request in the form that the draft stores. `places` identifies what it changed; absent: it cannot be repeated on
 * other bytes. */
struct text request_write(struct call *c, const struct edit *e, const void *in, int64_t now, struct text places);
/* For the edit whose notes begin at `from`: a digest of the paragraphs that it changed or was inserted between, with
 * their old words. Absent: it changed more than paragraphs, or too many. */
struct text request_places(struct call *c, struct session *s, size_t from);
struct text request_tool(struct call *c, struct text request);

/* Moves the session to the file as another program changed it, if all edits fit there. If they do not, *moved is false
 * and s->clash says why. Returns false on an error. */
bool session_move_base(struct call *c, struct session *s, struct document *d, bool *moved);
/* The edits in force, for a message, in a form that a caller can repeat. */
struct text session_told(struct call *c, const struct session *s);

#endif
