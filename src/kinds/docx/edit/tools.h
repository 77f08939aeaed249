/* tools.h: the tools that change a document's text, and their replay from a draft. */
#ifndef QUIRE_KINDS_DOCX_EDIT_TOOLS_H
#define QUIRE_KINDS_DOCX_EDIT_TOOLS_H
#include "kinds/docx/docx.h"
#include "kinds/docx/session/session.h"

/* An edit changes the session, not the file. `save` writes the file and returns the revision. */
enum { EDIT_EFFECT = TOOL_WRITES | TOOL_NO_REVISION | TOOL_NO_CONDITION | TOOL_NO_CHANGES };

extern const struct edit docx_smart_edit, docx_smart_insert, docx_delete_paragraph, docx_format_layout,
	docx_clear_formatting, docx_format_numbering, docx_apply_plan;

struct text_args {
	struct target target;
	struct text target_paragraph_id, old_string, new_string, instruction;
	struct maybe_int occurrence;
	bool replace_all, allow_field_result;
	struct maybe_flag normalize_first;
};
struct text_answer {
	struct session_facts session;
	int64_t replacements_made;
	struct text match_mode, before_text, after_text;
	bool paragraph_deleted;
	struct edit_facts edit;
};

struct insert_args {
	struct target target;
	struct text positional_anchor_node_id, new_string, position, instruction, style_source_id;
};
struct insert_answer {
	struct session_facts session;
	struct text new_paragraph_id;
	struct texts new_paragraph_ids;
	struct text position, inserted_text, style_source_warning;
	struct edit_facts edit;
};

struct delete_args {
	struct target target;
	struct text target_paragraph_id, instruction;
};
struct delete_answer {
	struct session_facts session;
	struct text deleted_text;
	struct edit_facts edit;
};

/* The work of the tools inside a session; apply_plan calls them one after another. They add terms that lose their
 * definition to `lost`. */
struct lost_terms;
bool text_step(struct call *c, struct session *s, const struct text_args *args, struct text_answer *answer,
	       struct lost_terms *lost);
bool delete_step(struct call *c, struct session *s, const struct delete_args *args, struct delete_answer *answer,
		 struct lost_terms *lost);
bool apply_insert(struct call *c, struct session *s, const void *in, void *out);

#endif
