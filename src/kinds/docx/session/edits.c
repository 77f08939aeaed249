/* edits.c: the one list of edits, by which a draft's requests are replayed. Adding an edit is a line here. */
#include "kinds/docx/session/session.h"

const struct edit *const docx_edits[] = {
	NULL,
};
