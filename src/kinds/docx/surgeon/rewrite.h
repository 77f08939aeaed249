/* rewrite.h: writes a paragraph's bytes with removed, inserted and restyled text.
 *
 * The plan names characters of the atom stream. Only runs with such characters are rewritten, and in these runs all
 * other children keep their bytes. A run that loses all its content is removed. So is a link or an insertion that loses
 * all its runs. */
#ifndef QUIRE_KINDS_DOCX_SURGEON_REWRITE_H
#define QUIRE_KINDS_DOCX_SURGEON_REWRITE_H
#include "kinds/docx/surgeon/markup.h"
#include "kinds/docx/surgeon/match.h"

/* Inserted text. In a run: directly before the character `at`, or directly after the one before it. */
struct piece {
	uint32_t run; /* ATOMS_NONE: a run of its own, at `byte` of the fragment */
	uint32_t at;
	bool behind;
	uint32_t byte;
	uint32_t like; /* for a new run: the run whose properties it gets; ATOMS_NONE: those of the paragraph mark */
	struct text text;
	struct look look;
};

struct restyle {
	uint32_t from, to;
	struct look look;
};

struct rewrite {
	ARRAY(struct match) gone;     /* in order, not overlapping */
	ARRAY(struct piece) pieces;   /* in the order of their text */
	ARRAY(struct restyle) styles; /* in order, not overlapping; never in `gone` */
};

struct text rewrite_apply(struct arena *a, const struct atoms *p, const struct rewrite *plan);
/* Text as children of a run: w:t, w:tab, w:br. */
void rewrite_text(struct buffer *to, const struct names *names, struct text t);

#endif
