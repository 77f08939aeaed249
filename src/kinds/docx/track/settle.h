/* settle.h: accepts or rejects tracked changes, all at once or those that are chosen.
 *
 * Works on a whole part or on one paragraph. Bytes outside revisions are copied unchanged. Accepting drops deletions,
 * unwraps insertions and drops earlier properties; rejecting does the reverse. As in Word, a paragraph whose mark is
 * removed joins the next one, whose properties apply to both. If there is no next one, the paragraph is removed if it
 * is empty. Rows and cells that were inserted or deleted as a whole are handled too. */
#ifndef QUIRE_KINDS_DOCX_TRACK_SETTLE_H
#define QUIRE_KINDS_DOCX_TRACK_SETTLE_H
#include "base/array.h"
#include "kinds/docx/text/fragment.h"

struct revision_counts {
	uint32_t insertions, deletions, moves, formats, paragraphs, rows;
	uint32_t departures; /* text moved away; a move is counted at its destination */
	uint32_t
		elsewhere; /* in text boxes, whose paragraphs have counts of their own, and in copies for old readers */
};

enum settlement { SETTLE_ACCEPT, SETTLE_REJECT };

/* How changes are settled, and which. Those that are not taken stay tracked, and do not count. */
struct settling {
	enum settlement how;
	bool (*takes)(void *of, const struct fragment *f, uint32_t node); /* is this element one? NULL: all are */
	void *of;
};

/* `names` is the scope around the bytes; NULL for a whole part. Without revisions *out is `bytes` itself. Returns false
 * if not well-formed. */
bool settle(struct arena *a, struct text bytes, const struct names *names, enum settlement how, struct text *out,
	    struct revision_counts *counts);

/* The same with a choice. */
bool settle_chosen(struct arena *a, struct text bytes, const struct names *names, const struct settling *which,
		   struct text *out, struct revision_counts *counts);

/* Accepts a whole part. Needs memory for the result and one stretch. Without revisions *out is `part` itself. */
bool settle_part(struct arena *a, struct text part, struct text *out);

/* Settles paragraphs that become one, because the marks of all but the last are removed. *out is empty if nothing is
 * left, because the last mark is removed too. */
bool settle_joined(struct arena *a, const struct text *paragraphs, size_t n, const struct names *names,
		   const struct settling *which, struct text *out);
/* Does settling remove the mark of this paragraph? */
bool settle_takes_mark(struct text paragraph, const struct names *names, const struct settling *which);

/* What settling changes in a part outside its paragraphs: ranges of bytes that do not overlap. A block is removed with
 * its content: a row, a cell, a table. */
struct structure_change {
	uint32_t from, to;
	struct text with; /* instead of them: the former properties */
	bool is_block;
	bool is_twin; /* in a copy for old readers (mc:Fallback) */
};
struct structure_changes {
	ARRAY(struct structure_change) list;
};
bool settle_structure(struct arena *a, struct text part, const struct settling *which, struct structure_changes *out);

/* `which` NULL: all are counted. */
bool revisions_count(struct text bytes, const struct names *names, const struct settling *which,
		     struct revision_counts *counts);
/* A quick check of element names in any namespace. False: there are no revisions. */
bool revisions_may_be(struct text bytes);
uint32_t revisions_total(const struct revision_counts *counts); /* all but those elsewhere */

#endif
