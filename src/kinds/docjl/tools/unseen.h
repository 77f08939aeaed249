/* unseen.h: what a manual hides from people and shows to models (base/unseen.h), said beside the text.
 *
 * The text itself stays as it is, because a tool accepts it back; only the setting leave_unseen_out removes it. */
#ifndef QUIRE_KINDS_DOCJL_TOOLS_UNSEEN_H
#define QUIRE_KINDS_DOCJL_TOOLS_UNSEEN_H
#include "kinds/docjl/tools/common.h"

/* A tool's result as JSON: warns of what its blocks hide, by label, at most ten and a count. */
const struct json *parsed_seen(struct call *c, struct buffer *b);
/* The same for a text: says only how much there is. */
void unseen_in_page(struct call *c, struct text page);
/* "2 zero-width and 1 tag character that ..."; absent: there are none. Children do not count. */
struct text unseen_of_block(struct arena *a, const struct json *block);

#endif
