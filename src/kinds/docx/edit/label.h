/* label.h: labels that a caller types although the list prints them. */
#ifndef QUIRE_KINDS_DOCX_EDIT_LABEL_H
#define QUIRE_KINDS_DOCX_EDIT_LABEL_H
#include "kinds/docx/style/numbering.h"

/* Takes "(c) " or "4.3. " off the start of each paragraph of a text that goes into an automatic list whose numbers are
 * of the same sort, with a warning: else the number would stand there twice. */
struct text label_strip(struct call *c, struct text t, const struct list_item *item);

#endif
