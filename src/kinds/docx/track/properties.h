/* properties.h: properties of tables, rows, cells and sections that changed, with a record of what they were.
 *
 * Word tracks such a change as an element inside the new properties: w:tblPrChange, w:trPrChange, w:tcPrChange,
 * w:tblPrExChange, w:tblGridChange, w:sectPrChange. */
#ifndef QUIRE_KINDS_DOCX_TRACK_PROPERTIES_H
#define QUIRE_KINDS_DOCX_TRACK_PROPERTIES_H
#include "kinds/docx/track/redline.h"

/* The element `local` with the content `now`, and the record that its content was `was`. */
struct text properties_tracked(struct arena *a, const struct names *names, const char *local, struct text was,
			       struct text now, struct stamp *stamp);

/* The old section with the new page setup. Its headers, footers and printer stay those of the old one, because a record
 * of a change cannot contain them. Returns `was` itself if the setup is the same. */
struct text section_tracked(struct arena *a, struct text was, struct text now, const struct names *names,
			    struct stamp *stamp);

#endif
