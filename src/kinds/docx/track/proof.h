/* proof.h: proves a redline before it is written.
 *
 * Rejecting everything must give the original, accepting everything the revised document: the same words, looks,
 * structure and properties (outcome.h). The caller replaces what does not hold by a coarser change and proves again.
 *
 * The redline is the original with edits, and is built in stretches of blocks. Where no edit is, rejecting gives the
 * original anyway. */
#ifndef QUIRE_KINDS_DOCX_TRACK_PROOF_H
#define QUIRE_KINDS_DOCX_TRACK_PROOF_H
#include "format/splice.h"
#include "kinds/docx/track/outcome.h"

struct proof_edits {
	const struct splice *items; /* sorted */
	size_t n;
};

/* One element around blocks (a body, a header, a note), or a document element with a body, in its forms. Edits are on
 * `bytes`, outside of its tags. */
struct proof {
	struct text bytes;
	const struct names *names;            /* around it */
	struct proof_edits redline, original; /* what leads to the redline and to the original */
	/* The revised document: edits too, or another element; none: only rejecting is proved, as of a note that goes.
	 */
	struct proof_edits clean;
	struct text revised;
	const struct names *revised_names;
	const struct names *redline_names; /* in the element, if the redline declares more; NULL: those of `bytes` */
	bool has_revised, is_loose, without_objects; /* of accepting: see outcome.h */
	/* The result. */
	ARRAY(size_t) misses;  /* edits of the redline that do not hold, or are next to what does not; a few hundred */
	bool is_quiet_changed; /* something that cannot be tracked differs */
};

/* Returns false if it does not hold, or something is not well-formed. */
bool proof_holds(struct arena *a, struct proof *p);

#endif
