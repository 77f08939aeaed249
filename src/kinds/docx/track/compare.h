/* compare.h: compares two versions of a document as one redline.
 *
 * Blocks (paragraphs and tables) are matched in order. Equal ones stay, similar ones are compared word by word, the
 * rest is deleted or inserted whole. A deleted and an inserted paragraph count as moved if they have at least three
 * words, four of five of them the same. Tables are compared row by row and cell by cell. The result is the original
 * part with revisions: rejecting them gives the original, accepting them the text of the revised document. Pictures,
 * links and charts (carry.h), notes and comments (notes.h) of new text are copied. Those that cannot be copied are
 * counted. */
#ifndef QUIRE_KINDS_DOCX_TRACK_COMPARE_H
#define QUIRE_KINDS_DOCX_TRACK_COMPARE_H
#include "base/call.h"
#include "kinds/docx/track/carry.h"
#include "kinds/docx/track/redline.h"

struct notes;

struct comparison {
	uint32_t inserted, deleted, modified, moved; /* paragraphs */
	uint32_t left_out;                           /* objects of new text that cannot be copied */
	uint32_t coarser;                            /* changes that did not hold word by word (proof.h) */
	uint32_t lone_headers;                       /* headers and footers that only one version has */
	bool is_quiet_changed;                       /* properties differ that cannot be tracked (outcome.h) */
};

/* Compares the main parts of carry's packages. The result points into their bytes. On failure it returns false and sets
 * the error. */
bool compare_parts(struct call *c, struct text original, struct text revised, struct carry *carry, struct notes *notes,
		   struct stamp *stamp, struct comparison *counts, struct pieces *out);

#endif
