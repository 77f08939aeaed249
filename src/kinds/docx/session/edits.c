/* edits.c: the list of edits for replaying a draft's requests. To add an edit, add a line here. */
#include "kinds/docx/annotate/tools.h"
#include "kinds/docx/edit/tools.h"
#include "kinds/docx/session/session.h"
#include "kinds/docx/track/tools.h"

const struct edit *const docx_edits[] = {
	/* clang-format off */
	&docx_smart_edit,
	&docx_smart_insert,
	&docx_delete_paragraph,
	&docx_format_layout,
	&docx_clear_formatting,
	&docx_format_numbering,
	&docx_apply_plan,
	&docx_accept_edit,
	&docx_reject_edit,
	&docx_add_comment,
	&docx_delete_comment,
	&docx_add_footnote,
	&docx_update_footnote,
	&docx_delete_footnote,
	NULL,
	/* clang-format on */
};
