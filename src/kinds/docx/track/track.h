/* track.h: a session's changes as tracked changes, for the redline that is saved next to the clean document.
 *
 *	struct track t;
 *	track_begin(&t, call, session, author);
 *	if (!track_prove(&t, call, session)) ... t.failed is where
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
	struct map coarse; /* the paragraphs that did not hold word by word; the key is that of `tails` */
	struct track_story {
		const struct story *story;
		struct splice *edits;
		size_t n;
	} * stories; /* proved */
	size_t stories_n;
	/* Where the redline is coarser than word by word, and where it does not hold. */
	ARRAY(struct track_place {
		struct story *story;
		uint32_t paragraph;
	})
	coarser;
	struct track_place failed;
};

/* An absent author is "quire". */
void track_begin(struct track *t, struct call *c, const struct session *s, struct text author);
/* Proves the redline of every changed story (proof.h), with coarser changes where it does not hold. */
bool track_prove(struct track *t, struct call *c, struct session *s);
/* How a paragraph was before the session, with the changes of others that the session accepted; absent: not there. */
struct text track_before(const struct story *s, uint32_t paragraph);
/* Writes the paragraph as one deletion and one insertion from now on. Returns false if it is not a changed one. */
bool track_coarser(struct track *t, const struct story *s, uint32_t paragraph);

#endif
