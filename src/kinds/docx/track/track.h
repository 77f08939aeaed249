/* track.h: a session's changes as tracked changes, for the redline that is saved beside the clean document.
 *
 *	struct track t;
 *	track_begin(&t, call, session, author);
 *	splices = session_archive(call, session, &n, track_write, &t);
 *
 * Accepting all of it gives the clean document, rejecting all the original. */
#ifndef QUIRE_KINDS_DOCX_TRACK_TRACK_H
#define QUIRE_KINDS_DOCX_TRACK_TRACK_H
#include "kinds/docx/session/session.h"
#include "kinds/docx/track/redline.h"

struct track {
	struct arena *arena;
	struct stamp stamp;
};

/* An absent author is "quire". */
void track_begin(struct track *t, struct call *c, const struct session *s, struct text author);
struct text track_write(void *track, const struct story *s, uint32_t paragraph);

#endif
