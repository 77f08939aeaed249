/* rewrite.h: a paragraph's bytes with text taken out, put in and restyled.
 *
 * The plan names characters of the atom stream; only the runs that hold one of them are written anew, and inside such
 * a run every child that is not concerned keeps its bytes. A run that loses all its content goes, and a link or an
 * insertion that loses all its runs goes with them. */
#ifndef QUIRE_KINDS_DOCX_SURGEON_REWRITE_H
#define QUIRE_KINDS_DOCX_SURGEON_REWRITE_H
#include "kinds/docx/surgeon/markup.h"
#include "kinds/docx/surgeon/match.h"

/* Text put in. In a run: directly before the character `at`, or directly behind the one before it. */
struct piece {
	uint32_t run; /* ATOMS_NONE: a run of its own, at `byte` of the fragment */
	uint32_t at;
	bool behind;
	uint32_t byte;
	uint32_t like; /* own run: the run whose properties it takes; ATOMS_NONE: those of the paragraph mark */
	struct text text;
	struct look look;
};

struct restyle {
	uint32_t from, to;
	struct look look;
};

struct rewrite {
	ARRAY(struct match) gone;     /* in order, apart */
	ARRAY(struct piece) pieces;   /* in the order of their text */
	ARRAY(struct restyle) styles; /* in order, apart; never over `gone` */
};

struct text rewrite_apply(struct arena *a, const struct atoms *p, const struct rewrite *plan);
/* Text as children of a run: w:t, w:tab, w:br. */
void rewrite_text(struct buffer *to, const struct names *names, struct text t);

#endif
