/* paragraph.h: a new paragraph in the style of one that is there. */
#ifndef QUIRE_KINDS_DOCX_SURGEON_PARAGRAPH_H
#define QUIRE_KINDS_DOCX_SURGEON_PARAGRAPH_H
#include "kinds/docx/surgeon/markup.h"

/* Attributes and properties of `like`, without what belongs to it alone (ids, section, tracked changes, bookmarks), and
 * runs that look like its body: the run with most text behind the first `header` code points. `id`: eight hexadecimal
 * digits for w14:paraId, or absent. */
struct text paragraph_new(struct arena *a, const struct atoms *like, uint32_t header, const struct markup *text,
			  struct text id);
/* The same with the runs' look from another paragraph, and a mark that is not hidden: for a clause whose model is two
 * paragraphs in one line (edit/separator.h). */
struct text paragraph_new_alone(struct arena *a, const struct atoms *like, const struct atoms *body,
				const struct markup *text, struct text id);

/* The run whose look a body text of this paragraph has; ATOMS_NONE: none. */
uint32_t paragraph_body_run(const struct atoms *p, uint32_t header);

/* New text as paragraphs: cut at blank lines, CRLF as LF, blank ones left out. */
size_t paragraphs_of(struct arena *a, const struct markup *m, struct markup **out);
/* CRLF and CR as LF, Unicode line and paragraph separators too; a tab stays. */
struct text paragraph_lines(struct arena *a, struct text t);

#endif
