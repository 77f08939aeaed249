/* redline.h: a paragraph with tracked changes, made from its old and its new form.
 *
 * The edits are known, so the whole document need not be compared: the old paragraph is compared with the new one,
 * piece by piece (pieces.h). Accepting everything gives the new paragraph, rejecting everything the old one.
 * Neighbouring changed words with only blanks between them are one deletion and one insertion. Other authors' changes
 * are unchanged. A deleted paragraph keeps its marks, so that rejecting restores them at their place. */
#ifndef QUIRE_KINDS_DOCX_TRACK_REDLINE_H
#define QUIRE_KINDS_DOCX_TRACK_REDLINE_H
#include "base/map.h"
#include "kinds/docx/text/names.h"

/* The author, the ids of the revisions, and counters. */
struct stamp {
	struct text author, date; /* date as 2026-01-31T12:00:00Z */
	int32_t next_id;
	bool keeps_marks;            /* keep marks between runs that only the old paragraph has: bookmarks, comments */
	bool is_coarse;              /* delete all old content and insert all new content */
	bool is_move;                /* write deletions and insertions as moves */
	const struct map *elsewhere; /* marks that stay at their place in a deleted paragraph; NULL: none */
	uint32_t insertions, deletions, formats, moves;
};

enum redline_mark { MARK_PLAIN, MARK_INSERTED, MARK_DELETED };

/* The paragraph's bytes with revisions. An absent `before` is a new paragraph, an absent `after` a deleted one. `mark`
 * is the change of the paragraph mark. `old_ppr`, if present, is the old properties, for a new paragraph that takes
 * over the mark of the one before it. Returns false if not well-formed. */
bool redline_paragraph(struct arena *a, struct text before, struct text after, const struct names *names,
		       enum redline_mark mark, struct text old_ppr, struct stamp *stamp, struct text *out);

/* The same bytes with only the paragraph mark tracked. */
struct text redline_mark(struct arena *a, struct text fragment, const struct names *names, enum redline_mark mark,
			 struct stamp *stamp);
/* Writes the bytes of an existing revision with a new id. `id` is the slice of `bytes` with the old id. */
void redline_copy(struct buffer *to, struct text bytes, struct text id, struct stamp *stamp);
/* The w:pPr element of a paragraph; empty: it has none. */
struct text redline_properties(struct arena *a, struct text fragment, const struct names *names);

#endif
