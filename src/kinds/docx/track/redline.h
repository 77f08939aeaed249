/* redline.h: a paragraph with its changes tracked, from what it was and what it is.
 *
 * The edits are known, so no guess over the whole document is needed: the paragraph as it was is compared with the
 * paragraph as it is, piece by piece (pieces.h). Accepting everything gives the paragraph as it is, rejecting
 * everything the paragraph as it was. Neighbouring changed words with only blanks between them are one deletion and one
 * insertion. Other authors' changes stay as they are. A deleted paragraph keeps its marks, so that rejecting puts them
 * back where they were. */
#ifndef QUIRE_KINDS_DOCX_TRACK_REDLINE_H
#define QUIRE_KINDS_DOCX_TRACK_REDLINE_H
#include "base/map.h"
#include "kinds/docx/text/names.h"

/* Who changed it, and the ids of the revisions. Counts are kept. */
struct stamp {
	struct text author, date; /* date as 2026-01-31T12:00:00Z */
	int32_t next_id;
	bool keeps_marks;            /* marks between runs that only the old paragraph has stay: bookmarks, comments */
	bool is_move;                /* what goes and comes is written as moved away and moved here */
	const struct map *elsewhere; /* marks that stand where they did, in a deleted paragraph; NULL: none */
	uint32_t insertions, deletions, formats, moves;
};

enum redline_mark { MARK_PLAIN, MARK_INSERTED, MARK_DELETED };

/* The paragraph's bytes with revisions. An absent `before` is a new paragraph, an absent `after` a deleted one. `mark`
 * says what becomes of the paragraph mark; `old_ppr`, where present, is what the properties were, for a new paragraph
 * that takes over the mark of the one before it. False: not well-formed. */
bool redline_paragraph(struct arena *a, struct text before, struct text after, const struct names *names,
		       enum redline_mark mark, struct text old_ppr, struct stamp *stamp, struct text *out);

/* The same bytes with the paragraph mark tracked and nothing else. */
struct text redline_mark(struct arena *a, struct text fragment, const struct names *names, enum redline_mark mark,
			 struct stamp *stamp);
/* Bytes of a revision that stands in the document already, under an id of its own; `id` is where they have theirs. */
void redline_copy(struct buffer *to, struct text bytes, struct text id, struct stamp *stamp);
/* The w:pPr element of a paragraph; empty: it has none. */
struct text redline_properties(struct arena *a, struct text fragment, const struct names *names);

#endif
