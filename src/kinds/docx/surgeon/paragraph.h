/* paragraph.h: makes a new paragraph in the style of an existing one. */
#ifndef QUIRE_KINDS_DOCX_SURGEON_PARAGRAPH_H
#define QUIRE_KINDS_DOCX_SURGEON_PARAGRAPH_H
#include "kinds/docx/surgeon/markup.h"

/* It has the attributes and properties of `like`, without those that belong only to it (ids, section, tracked changes,
 * bookmarks), and runs that look like its body: the run with most text after the first `header` code points. `id`:
 * eight hexadecimal digits for w14:paraId, or absent. */
struct text paragraph_new(struct arena *a, const struct atoms *like, uint32_t header, const struct markup *text,
			  struct text id);
/* The same with the runs' look from another paragraph, and a mark that is not hidden: for a clause whose model is two
 * paragraphs in one line (edit/separator.h). */
struct text paragraph_new_alone(struct arena *a, const struct atoms *like, const struct atoms *body,
				const struct markup *text, struct text id);

/* The run with the look of this paragraph's body text; ATOMS_NONE: none. */
uint32_t paragraph_body_run(const struct atoms *p, uint32_t header);

/* Splits new text into paragraphs at blank lines. CRLF becomes LF, and blank paragraphs are left out. */
size_t paragraphs_of(struct arena *a, const struct markup *m, struct markup **out);
/* Converts CRLF, CR and Unicode line and paragraph separators to LF. Tabs stay. */
struct text paragraph_lines(struct arena *a, struct text t);

#endif
