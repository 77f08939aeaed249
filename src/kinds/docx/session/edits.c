/* edits.c: the one list of edits, by which a draft's requests are replayed. Adding an edit is a line here. */
#include "kinds/docx/edit/tools.h"
#include "kinds/docx/session/session.h"
#include "kinds/docx/track/tools.h"

const struct edit *const docx_edits[] = {
	&docx_smart_edit,       &docx_smart_insert, &docx_delete_paragraph, &docx_format_layout,
	&docx_clear_formatting, &docx_apply_plan,   &docx_accept_edit,      NULL,
};
