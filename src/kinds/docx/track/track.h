/* track.h: a session's changes as tracked changes, for the redline that is saved next to the clean document.
 *
 *	struct track t;
 *	track_begin(&t, call, session, author);
 *	splices = session_archive(call, session, &n, &t.writer);
 *
 * Accepting everything gives the clean document, rejecting everything the original. Changes of others that the session
 * accepted are not our changes: the redline has them as accepted. */
#ifndef QUIRE_KINDS_DOCX_TRACK_TRACK_H
#define QUIRE_KINDS_DOCX_TRACK_TRACK_H
#include "kinds/docx/session/session.h"
#include "kinds/docx/track/redline.h"

struct track {
	struct arena *arena;
	struct stamp stamp;
	struct map marks; /* of deleted paragraphs, as bytes; in the clean document they are in a neighbour */
	struct map tails; /* maps "story:paragraph" to its index in `written` */
	ARRAY(struct text) written;
	struct story_writer writer;
};

/* An absent author is "quire". */
void track_begin(struct track *t, struct call *c, const struct session *s, struct text author);

#endif
