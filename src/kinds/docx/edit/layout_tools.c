/* The tools that change how text looks and stands, not what it says. */
#include "kinds/docx/surgeon/layout.h"
#include "kinds/docx/edit/tools.h"

/* --- format_layout ----------------------------------------------------------------------------- */

static const char *const line_rules[] = {"auto", "exact", "at_least", NULL};

struct spacing_args {
	struct texts paragraph_ids;
	struct maybe_int before_twips, after_twips, line_twips;
	int line_rule;
};
static const struct field spacing_fields[] = {
	FIELD(struct spacing_args, paragraph_ids, TEXTS, FIELD_REQUIRED, "Ids, bookmarks or labels",
	      .limits = BETWEEN(1, 10000)),
	FIELD(struct spacing_args, before_twips, MAYBE_INT, FIELD_TERSE, "Space above, 20 twips a point",
	      .limits = BETWEEN(0, 31680)),
	FIELD(struct spacing_args, after_twips, MAYBE_INT, FIELD_TERSE, "Space below", .limits = BETWEEN(0, 31680)),
	FIELD(struct spacing_args, line_twips, MAYBE_INT, FIELD_TERSE,
	      "Line height; with rule auto 240 is single spacing", .limits = BETWEEN(1, 31680)),
	FIELD(struct spacing_args, line_rule, CHOICE, FIELD_TERSE, "What line_twips means", .choices = line_rules),
	FIELDS_END,
};
static const struct shape spacing_shape = SHAPE(struct spacing_args, "paragraph_spacing", spacing_fields);

struct layout_args {
	struct target target;
	const struct spacing_args *paragraph_spacing;
};
static const struct field layout_in[] = {
	TARGET_FIELDS(struct layout_args),
	FIELD(struct layout_args, paragraph_spacing, OBJECT, FIELD_REQUIRED, "In twips (1/20 point)",
	      .shape = &spacing_shape),
	FIELDS_END,
};

struct layout_answer {
	struct session_facts session;
	int64_t affected_paragraphs;
	struct edit_facts edit;
};
static const struct field layout_out[] = {
	SESSION_FIELDS(struct layout_answer),
	FIELD(struct layout_answer, affected_paragraphs, INT, FIELD_REQUIRED | FIELD_TERSE, "Paragraphs that changed"),
	EDIT_FIELDS(struct layout_answer),
	FIELDS_END,
};

static bool apply_layout(struct call *c, struct session *s, const void *in, void *out)
{
	const struct spacing_args *args = ((const struct layout_args *)in)->paragraph_spacing;
	struct layout_answer *answer = out;
	struct spacing to = {
		args->before_twips.there ? (int32_t)args->before_twips.value : -1,
		args->after_twips.there ? (int32_t)args->after_twips.value : -1,
		args->line_twips.there ? (int32_t)args->line_twips.value : -1,
		args->line_rule < 0    ? (struct text){0}
		: args->line_rule == 2 ? TEXT("atLeast")
				       : text_of(line_rules[args->line_rule]),
	};

	if (to.before < 0 && to.after < 0 && to.line < 0 && !to.line_rule.at)
		return fail(
			c, FAULT_ARGUMENT,
			"paragraph_spacing changes nothing; give before_twips, after_twips, line_twips or line_rule");
	for (size_t i = 0; i < args->paragraph_ids.n; i++) {
		struct story *story;
		uint32_t p;
		struct atoms atoms;
		if (!session_anchor(c, s, args->paragraph_ids.items[i], &story, &p) ||
		    !story_atoms(c, story, p, &atoms))
			return false;
		struct text now = layout_spacing(c->arena, &atoms, &to);
		if (text_same(now, atoms.fragment.xml.bytes))
			continue;
		story_replace(story, p, now);
		answer->affected_paragraphs++;
	}
	return true;
}

const struct edit docx_format_layout =
	EDIT("format_layout", struct layout_args, layout_in, struct layout_answer, apply_layout);

static bool format_layout(struct call *c, const void *in, void *out)
{
	struct layout_answer *answer = out;

	return session_edit(c, &docx_format_layout, in, out, &answer->session, &answer->edit);
}

/* --- clear_formatting -------------------------------------------------------------------------- */

static const char *const clear_names[] = {"bold", "italic", "underline", "highlight", "color", "font", "size", NULL};

struct clear_format_args {
	struct target target;
	struct texts paragraph_ids;
	struct choices properties;
};
static const struct field clear_in[] = {
	TARGET_FIELDS(struct clear_format_args),
	FIELD(struct clear_format_args, paragraph_ids, TEXTS, FIELD_REQUIRED, "Ids, bookmarks or labels",
	      .limits = BETWEEN(1, 10000)),
	FIELD(struct clear_format_args, properties, CHOICES, 0, "What to clear; default: all", .choices = clear_names),
	FIELDS_END,
};

struct clear_format_answer {
	struct session_facts session;
	int64_t affected_paragraphs, affected_runs;
	struct edit_facts edit;
};
static const struct field clear_out[] = {
	SESSION_FIELDS(struct clear_format_answer),
	FIELD(struct clear_format_answer, affected_paragraphs, INT, FIELD_REQUIRED | FIELD_TERSE,
	      "Paragraphs that changed"),
	FIELD(struct clear_format_answer, affected_runs, INT, FIELD_REQUIRED | FIELD_TERSE,
	      "Runs that lost formatting"),
	EDIT_FIELDS(struct clear_format_answer),
	FIELDS_END,
};

static bool apply_clear(struct call *c, struct session *s, const void *in, void *out)
{
	const struct clear_format_args *args = in;
	struct clear_format_answer *answer = out;
	unsigned what = args->properties.n ? 0 : CLEAR_ALL;

	for (size_t i = 0; i < args->properties.n; i++)
		what |= 1u << args->properties.items[i];
	for (size_t i = 0; i < args->paragraph_ids.n; i++) {
		struct story *story;
		uint32_t p, runs;
		struct atoms atoms;
		if (!session_anchor(c, s, args->paragraph_ids.items[i], &story, &p) ||
		    !story_atoms(c, story, p, &atoms))
			return false;
		struct text now = layout_clear(c->arena, &atoms, what, &runs);
		if (!runs)
			continue;
		story_replace(story, p, now);
		answer->affected_paragraphs++;
		answer->affected_runs += runs;
	}
	return true;
}

const struct edit docx_clear_formatting =
	EDIT("clear_formatting", struct clear_format_args, clear_in, struct clear_format_answer, apply_clear);

static bool clear_formatting(struct call *c, const void *in, void *out)
{
	struct clear_format_answer *answer = out;

	return session_edit(c, &docx_clear_formatting, in, out, &answer->session, &answer->edit);
}

const struct tool docx_layout_tools[] = {
	TOOL("format_layout", "Set paragraph spacing",
	     "Sets the space above, below and between the lines of paragraphs.", EDIT_EFFECT | TOOL_EXTRA,
	     struct layout_args, layout_in, struct layout_answer, layout_out, format_layout,
	     .example =
		     "{\"file_path\":\"nda.docx\",\"paragraph_spacing\":{\"paragraph_ids\":[\"jr_para_0123456789ab\"],"
		     "\"after_twips\":120}}"),
	TOOL("clear_formatting", "Clear direct formatting",
	     "Removes formatting that runs carry themselves, so the paragraph's style shows. Text and styles stay.",
	     EDIT_EFFECT | TOOL_EXTRA, struct clear_format_args, clear_in, struct clear_format_answer, clear_out,
	     clear_formatting,
	     .example =
		     "{\"file_path\":\"nda.docx\",\"paragraph_ids\":[\"jr_para_0123456789ab\"],\"properties\":[\"highlight\"]}"),
	TOOLS_END,
};
