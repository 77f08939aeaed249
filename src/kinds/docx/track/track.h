/* track.h: a session's changes as tracked changes, for the redline that is saved beside the clean document.
 *
 *	struct track t;
 *	track_begin(&t, call, session, author);
 *	splices = session_archive(call, session, &n, &t.writer);
 *
 * Accepting all of it gives the clean document, rejecting all the original. Changes of others that the session accepted
 * are no changes of ours: they are in the redline as accepted. */
#ifndef QUIRE_KINDS_DOCX_TRACK_TRACK_H
#define QUIRE_KINDS_DOCX_TRACK_TRACK_H
#include "kinds/docx/session/session.h"
#include "kinds/docx/track/redline.h"

struct track {
	struct arena *arena;
	struct stamp stamp;
	struct map marks; /* of deleted paragraphs, as bytes: the clean document has them in a neighbour */
	struct map tails; /* of "story:paragraph": its place in `written` */
	ARRAY(struct text) written;
	struct story_writer writer;
};

/* An absent author is "quire". */
void track_begin(struct track *t, struct call *c, const struct session *s, struct text author);

#endif
