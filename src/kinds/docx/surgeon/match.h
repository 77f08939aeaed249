/* match.h: finds old_string in a paragraph's visible text.
 *
 * Agents copy text from results: with our tags, with escapes, with straight quotes and single spaces. There are five
 * stages, each looser than the one before. The first stage with a hit wins. From the third stage on, an accent may be
 * part of its letter's character or a mark after it. A match is a range of the text as it is, so a loose match does not
 * affect the bytes around it. The range never separates a letter from its marks. */
#ifndef QUIRE_KINDS_DOCX_SURGEON_MATCH_H
#define QUIRE_KINDS_DOCX_SURGEON_MATCH_H
#include "kinds/docx/surgeon/runes.h"

enum match_mode { MATCH_EXACT, MATCH_UNESCAPED, MATCH_QUOTES, MATCH_SPACES, MATCH_NO_QUOTES, MATCH_MODES };
extern const char *const match_names[]; /* "exact", "toon_unescaped" ..., NULL-terminated */

struct match {
	uint32_t from, to; /* code points */
};

struct matches {
	struct match *items; /* in order; may overlap */
	size_t n;
	enum match_mode mode; /* of the stage that hit */
};

/* The needle without inline tags and [^N] marks; <definition>x</definition> becomes quoted x. */
struct text match_prepare(struct arena *a, struct text needle);
/* The text without [^N], the marks for notes that reading shows. Notes stay in the document in any case. */
struct text match_without_notes(struct arena *a, struct text t);
/* n = 0: no stage has a hit. The needle is as the caller gave it. */
struct matches match_find(struct arena *a, const struct runes *text, struct text needle);
/* TOON escapes resolved: \n \t \r \| \\. */
struct text match_unescape(struct arena *a, struct text t);
/* `text` with its straight quotes changed to the style of the quotes in `like`. */
struct text match_quotes_like(struct arena *a, struct text text, struct text like);
/* The part of the text that shares most words with the needle, cut to about `most` code points; absent: none. */
struct text match_nearest(struct arena *a, const struct runes *text, struct text needle, uint32_t most);

#endif
