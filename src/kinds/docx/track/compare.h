/* compare.h: compares two versions of a document as one redline.
 *
 * Blocks (paragraphs and tables) are matched in order: equal ones stay, similar ones are compared word by word, the
 * rest is deleted or inserted whole. A paragraph of at least three words that goes here and comes there, with four of
 * five words the same, was moved. Tables are compared row by row and cell by cell. The result is the original part
 * with revisions: rejecting them gives the original, accepting them the text of the revised document. Pictures, links,
 * charts (carry.h), notes and comments (notes.h) of new text come along; what cannot is counted. */
#ifndef QUIRE_KINDS_DOCX_TRACK_COMPARE_H
#define QUIRE_KINDS_DOCX_TRACK_COMPARE_H
#include "base/call.h"
#include "kinds/docx/track/carry.h"
#include "kinds/docx/track/redline.h"

struct notes;

struct comparison {
	uint32_t inserted, deleted, modified, moved; /* paragraphs */
	uint32_t left_out;                           /* things of new text that cannot come along */
};

/* Bytes of two main parts of carry's packages; the result lends from them. False: the error is set. */
bool compare_parts(struct call *c, struct text original, struct text revised, struct carry *carry, struct notes *notes,
		   struct stamp *stamp, struct comparison *counts, struct pieces *out);

#endif
