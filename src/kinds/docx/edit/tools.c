#include "kinds/docx/edit/tools.h"

#include "kinds/docx/annotate/orphans.h"
#include "kinds/docx/edit/change.h"
#include "kinds/docx/edit/label.h"
#include "kinds/docx/edit/references.h"
#include "kinds/docx/story/separator.h"
#include "kinds/docx/text/excerpt.h"

enum { IDS_MAX = 1000 }; /* in one response */

static const struct field text_in[] = {
	TARGET_FIELDS(struct text_args),
	FIELD(struct text_args, target_paragraph_id, TEXT, FIELD_REQUIRED,
	      "Id (jr_para_...), bookmark or label (Section 1.2(c))"),
	FIELD(struct text_args, old_string, TEXT, FIELD_REQUIRED | FIELD_EMPTY,
	      "Text in it; empty only if the paragraph is"),
	FIELD(struct text_args, new_string, TEXT, FIELD_REQUIRED | FIELD_EMPTY,
	      "Tags: <b> <i> <u> <highlight> <font color size face> <header> <definition>"),
	FIELD(struct text_args, occurrence, MAYBE_INT, 0, "Which of several matches", .limits = AT_LEAST(1)),
	FIELD(struct text_args, replace_all, FLAG, FIELD_TERSE, "Replace every match in the paragraph"),
	FIELD(struct text_args, allow_field_result, FLAG, FIELD_TERSE,
	      "Change a field's result although Word will overwrite it"),
	FIELD(struct text_args, instruction, TEXT, FIELD_HIDDEN, "Why; kept with the edit"),
	FIELD(struct text_args, normalize_first, MAYBE_FLAG, FIELD_HIDDEN, "Accepted: runs need no merging here"),
	FIELDS_END,
};

static const struct field text_out[] = {
	SESSION_FIELDS(struct text_answer),
	FIELD(struct text_answer, replacements_made, INT, FIELD_REQUIRED | FIELD_TERSE, "Matches replaced"),
	FIELD(struct text_answer, match_mode, TEXT, FIELD_REQUIRED | FIELD_TERSE,
	      "How old_string was found: exact ... quote_optional"),
	FIELD(struct text_answer, before_text, TEXT, FIELD_REQUIRED | FIELD_TERSE | FIELD_EMPTY,
	      "The paragraph's text before"),
	FIELD(struct text_answer, after_text, TEXT, FIELD_TERSE, "Its text now; absent when the paragraph was deleted"),
	FIELD(struct text_answer, paragraph_deleted, FLAG, FIELD_TERSE, "The whole text was replaced by nothing"),
	EDIT_FIELDS(struct text_answer),
	FIELDS_END,
};

bool text_step(struct call *c, struct session *s, const struct text_args *args, struct text_answer *answer,
	       struct lost_terms *lost)
{
	struct story *story;
	uint32_t p;
	struct changed done;
	struct change_text how = {args->old_string, args->new_string,
				  args->occurrence.there ? args->occurrence.value : 0, args->replace_all,
				  args->allow_field_result};

	if (!session_anchor(c, s, args->target_paragraph_id, &story, &p) || !change_text(c, story, p, &how, &done))
		return false;
	answer->replacements_made = done.count;
	answer->match_mode = text_of(match_names[done.mode]);
	size_t at = excerpt_difference(done.before, done.after);
	answer->before_text = text_copy(c->arena, excerpt(c->arena, done.before, at));
	answer->after_text = done.after.at ? text_copy(c->arena, excerpt(c->arena, done.after, at)) : (struct text){0};
	answer->paragraph_deleted = !done.after.at;
	if (answer->paragraph_deleted)
		references_warn_deletion(c, s->numbering, story, p);
	if (story == s->body)
		references_lost(c, done.before, done.after, lost);
	return true;
}

static bool apply_text(struct call *c, struct session *s, const void *in, void *out)
{
	struct lost_terms lost = {0};

	if (!text_step(c, s, in, out, &lost))
		return false;
	references_warn_lost(c, s->body, &lost, "this paragraph");
	return true;
}

const struct edit docx_smart_edit = EDIT("smart_edit", struct text_args, text_in, struct text_answer, apply_text);

static bool smart_edit(struct call *c, const void *in, void *out)
{
	struct text_answer *answer = out;

	return session_edit(c, &docx_smart_edit, in, out, &answer->session, &answer->edit);
}

static const struct field insert_in[] = {
	TARGET_FIELDS(struct insert_args),
	FIELD(struct insert_args, positional_anchor_node_id, TEXT, FIELD_REQUIRED | FIELD_TERSE,
	      "Id, bookmark or label"),
	FIELD(struct insert_args, new_string, TEXT, FIELD_REQUIRED,
	      "A blank line starts another paragraph. Tags as in smart_edit"),
	FIELD(struct insert_args, position, TEXT, FIELD_TERSE, "Side of the anchor",
	      .more = RARE{.schema = "\"enum\":[\"BEFORE\",\"AFTER\"]"}, .otherwise = "\"AFTER\""),
	FIELD(struct insert_args, style_source_id, TEXT, FIELD_TERSE, "Whose style to copy; default: the anchor"),
	FIELD(struct insert_args, instruction, TEXT, FIELD_HIDDEN, "Why; kept with the edit"),
	FIELDS_END,
};

static const struct field insert_out[] = {
	SESSION_FIELDS(struct insert_answer),
	FIELD(struct insert_answer, new_paragraph_id, TEXT, FIELD_REQUIRED | FIELD_TERSE,
	      "Id of the first new paragraph"),
	FIELD(struct insert_answer, new_paragraph_ids, TEXTS, FIELD_REQUIRED | FIELD_TERSE, "All of them, in order"),
	FIELD(struct insert_answer, position, TEXT, FIELD_REQUIRED | FIELD_TERSE, "BEFORE or AFTER"),
	FIELD(struct insert_answer, inserted_text, TEXT, FIELD_REQUIRED | FIELD_TERSE, "Their text"),
	FIELD(struct insert_answer, style_source_warning, TEXT, FIELD_TERSE, "Why the style is the anchor's"),
	EDIT_FIELDS(struct insert_answer),
	FIELDS_END,
};

static struct text mint(struct call *c, void *of) { return session_mint(c, of); }

/* The paragraph whose style is copied. If it does not exist, the text is still inserted. */
static uint32_t style_source(struct call *c, struct session *s, const struct insert_args *args,
			     const struct story *story, uint32_t anchor, struct insert_answer *answer)
{
	struct story *other;
	uint32_t p;

	if (!args->style_source_id.len)
		return anchor;
	if (!session_anchor(c, s, args->style_source_id, &other, &p)) {
		c->error = (struct error){0};
		answer->style_source_warning =
			text_format(c->arena, "style_source_id %s was not found; the style is the anchor's",
				    shown(c, args->style_source_id));
		return anchor;
	}
	if (other != story) {
		answer->style_source_warning =
			TEXT("style_source_id is in another part of the file; the style is the anchor's");
		return anchor;
	}
	return p;
}

bool apply_insert(struct call *c, struct session *s, const void *in, void *out)
{
	const struct insert_args *args = in;
	struct insert_answer *answer = out;
	struct story *story;
	uint32_t anchor;
	struct inserted done;
	bool is_before = text_is(args->position, "BEFORE");

	if (args->position.len && !is_before && !text_is(args->position, "AFTER"))
		return fail_as(c, "INVALID_POSITION", "position %s is not known; use BEFORE or AFTER",
			       shown(c, args->position));
	if (!session_anchor(c, s, args->positional_anchor_node_id, &story, &anchor))
		return false;
	uint32_t like = style_source(c, s, args, story, anchor, answer);
	struct list_item item;
	struct text new = args->new_string;
	if (numbering_item(s->numbering, story, like, &item))
		new = label_strip(c, new, &item);
	if (!change_insert(c, story, anchor, !is_before, like, new, &(struct minting){mint, s}, &done))
		return false;
	references_warn_numbers(c, s->numbering, story, done.items[0]);
	size_t told = done.n < IDS_MAX ? done.n : IDS_MAX;
	if (told < done.n)
		warn(c, "%u paragraphs were inserted; new_paragraph_ids has the first %zu, read_file shows the others",
		     (unsigned)done.n, told);
	answer->new_paragraph_ids = (struct texts){arena_array(c->arena, told, sizeof(struct text)), told};
	for (size_t i = 0; i < told; i++)
		answer->new_paragraph_ids.items[i] = text_copy(c->arena, text_of(story_id(c, story, done.items[i])));
	answer->new_paragraph_id = answer->new_paragraph_ids.items[0];
	answer->position = is_before ? TEXT("BEFORE") : TEXT("AFTER");
	answer->inserted_text = excerpt(c->arena, done.text, 0);
	return true;
}

const struct edit docx_smart_insert =
	EDIT("smart_insert", struct insert_args, insert_in, struct insert_answer, apply_insert);

static bool smart_insert(struct call *c, const void *in, void *out)
{
	struct insert_answer *answer = out;

	return session_edit(c, &docx_smart_insert, in, out, &answer->session, &answer->edit);
}

static const struct field delete_in[] = {
	TARGET_FIELDS(struct delete_args),
	FIELD(struct delete_args, target_paragraph_id, TEXT, FIELD_REQUIRED | FIELD_TERSE,
	      "Id, bookmark or label of the paragraph"),
	FIELD(struct delete_args, instruction, TEXT, FIELD_HIDDEN, "Why; kept with the edit"),
	FIELDS_END,
};

static const struct field delete_out[] = {
	SESSION_FIELDS(struct delete_answer),
	FIELD(struct delete_answer, deleted_text, TEXT, FIELD_REQUIRED | FIELD_TERSE | FIELD_EMPTY,
	      "The text that went"),
	EDIT_FIELDS(struct delete_answer),
	FIELDS_END,
};

bool delete_step(struct call *c, struct session *s, const struct delete_args *args, struct delete_answer *answer,
		 struct lost_terms *lost)
{
	struct note_ids notes = {0};
	struct story *story;
	uint32_t p;

	if (!session_anchor(c, s, args->target_paragraph_id, &story, &p))
		return false;
	struct text words = text_copy(c->arena, story_text(c, story, p));
	answer->deleted_text = excerpt(c->arena, words, 0);
	if (story == s->body)
		note_ids_add(c, story, p, &notes);
	uint32_t first = separator_first(c, story, p), last = separator_last(c, story, p);
	if (!change_delete(c, story, p) || !orphans_remove(c, s, &notes, true))
		return false;
	if (!(story->paragraphs.items[p].flags & PARAGRAPH_DELETED))
		warn(c,
		     "this was the only paragraph of a content control, which needs one, so an empty paragraph stays in it");
	if (first != last)
		warn(c,
		     "this was one half of a clause whose heading and text share a line; the other half, %s, stays: delete it "
		     "too if the whole clause goes",
		     story_id(c, story, first == p ? last : first));
	references_warn_deletion(c, s->numbering, story, p);
	if (story == s->body)
		references_lost(c, words, TEXT(""), lost);
	return true;
}

static bool apply_delete(struct call *c, struct session *s, const void *in, void *out)
{
	struct lost_terms lost = {0};

	if (!delete_step(c, s, in, out, &lost))
		return false;
	references_warn_lost(c, s->body, &lost, "this paragraph");
	return true;
}

const struct edit docx_delete_paragraph =
	EDIT("delete_paragraph", struct delete_args, delete_in, struct delete_answer, apply_delete);

static bool delete_paragraph(struct call *c, const void *in, void *out)
{
	struct delete_answer *answer = out;

	return session_edit(c, &docx_delete_paragraph, in, out, &answer->session, &answer->edit);
}

static const char *const edit_aliases[] = {"replace_text", NULL};
static const char *const insert_aliases[] = {"insert_paragraph", NULL};

const struct tool docx_text_tools[] = {
	TOOL("smart_edit", "Change text in a paragraph",
	     "Replaces text in one paragraph. Only words that differ change; formatting, links, fields and bookmarks stay.",
	     EDIT_EFFECT | TOOL_DELETES, struct text_args, text_in, struct text_answer, text_out, smart_edit,
	     .aliases = edit_aliases,
	     .example =
		     "{\"file_path\":\"nda.docx\",\"target_paragraph_id\":\"jr_para_0123456789ab\",\"old_string\":\"30 days\","
		     "\"new_string\":\"45 days\"}"),
	TOOL("smart_insert", "Insert paragraphs",
	     "Adds paragraphs beside an anchor in its style and numbering. <header> and defined terms take the document's look.",
	     EDIT_EFFECT, struct insert_args, insert_in, struct insert_answer, insert_out, smart_insert,
	     .aliases = insert_aliases,
	     .example =
		     "{\"file_path\":\"nda.docx\",\"positional_anchor_node_id\":\"jr_para_0123456789ab\",\"new_string\":"
		     "\"<header>Notices</header> Notices are in writing.\"}"),
	TOOL("delete_paragraph", "Delete a paragraph",
	     "Removes one paragraph; its bookmarks and section break move to a neighbour.", EDIT_EFFECT | TOOL_DELETES,
	     struct delete_args, delete_in, struct delete_answer, delete_out, delete_paragraph,
	     .example = "{\"file_path\":\"nda.docx\",\"target_paragraph_id\":\"jr_para_0123456789ab\"}"),
	TOOLS_END,
};
