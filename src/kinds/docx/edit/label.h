/* label.h: labels that a caller types although the automatic list already prints them. */
#ifndef QUIRE_KINDS_DOCX_EDIT_LABEL_H
#define QUIRE_KINDS_DOCX_EDIT_LABEL_H
#include "kinds/docx/style/numbering.h"

/* Removes "(c) " or "4.3. " from the start of each paragraph of a text for an automatic list with the same kind of
 * numbers, with a warning. Without this the number would appear twice. */
struct text label_strip(struct call *c, struct text t, const struct list_item *item);

#endif
