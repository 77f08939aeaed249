/* definition.h: explicit definitions in a text ("Term" means ...), and the look of such terms in a document.
 *
 * A model is a paragraph with a definition whose term looks different from the text after it. Only that difference is
 * copied. */
#ifndef QUIRE_KINDS_DOCX_SURGEON_DEFINITION_H
#define QUIRE_KINDS_DOCX_SURGEON_DEFINITION_H
#include "kinds/docx/surgeon/markup.h"
#include "kinds/docx/surgeon/runes.h"

struct definition {
	uint32_t open, from, to, close; /* opening quote, term [from, to), closing quote */
	uint32_t verb;                  /* where the verb begins */
};

size_t definitions_find(struct arena *a, const struct runes *text, struct definition **out);
/* Finds quoted words with a capital inside brackets, as in (the “Term”) or (each, a “Term” and together the “Terms”).
 * `verb` is the place after the closing quote. */
size_t definitions_bracketed(struct arena *a, const struct runes *text, struct definition **out);
bool definitions_possible(struct text t); /* a quick look: false means that there is none */

struct definition_model {
	struct look term, quotes;
	uint32_t open, close; /* its quote characters */
};

/* Returns false if the paragraph has no definition whose term looks different. `bracketed`: only definitions in
 * brackets count. */
bool definition_model_of(struct arena *a, const struct atoms *p, bool bracketed, struct definition_model *out);

/* Adds missing quotes around the text that <definition> marks, in the model's style. With NULL (no model found), curly
 * quotes if the document's text `like` has them. */
void definition_quote(struct arena *a, struct markup *m, const struct definition_model *model, struct text like);
/* Gives the terms marked as definitions, and their quotes, the model's look. */
void definition_style(struct arena *a, struct markup *m, const struct definition_model *model);

#endif
