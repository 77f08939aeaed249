/* The tools that change the look and layout of text, not its words. */
#include "kinds/docx/edit/tables.h"
#include "kinds/docx/edit/tools.h"
#include "kinds/docx/surgeon/layout.h"

static const char *const line_rules[] = {"auto", "exact", "at_least", NULL};

struct spacing_args {
	struct texts paragraph_ids;
	struct maybe_int before_twips, after_twips, line_twips;
	int line_rule;
};
static const struct field spacing_fields[] = {
	FIELD(struct spacing_args, paragraph_ids, TEXTS, FIELD_REQUIRED | FIELD_TERSE, "Ids, bookmarks or labels",
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

struct height_args {
	struct table_choice which;
	int64_t value_twips;
	int rule;
};
static const struct field height_fields[] = {
	FIELD_AS("table_indexes", struct height_args, which.tables, NUMBERS, FIELD_TERSE,
		 "Tables from 0, as in _tbl_0; default: all"),
	FIELD_AS("row_indexes", struct height_args, which.rows, NUMBERS, FIELD_TERSE, "Rows from 0; default: all"),
	FIELD(struct height_args, value_twips, INT, FIELD_REQUIRED | FIELD_TERSE, "Height",
	      .limits = BETWEEN(0, 31680)),
	FIELD(struct height_args, rule, CHOICE, FIELD_TERSE, "What the height means; default: at_least",
	      .choices = line_rules),
	FIELDS_END,
};
static const struct shape height_shape = SHAPE(struct height_args, "row_height", height_fields);

struct padding_args {
	struct table_choice which;
	struct maybe_int top_dxa, left_dxa, bottom_dxa, right_dxa;
};
static const struct field padding_fields[] = {
	FIELD_AS("table_indexes", struct padding_args, which.tables, NUMBERS, FIELD_HIDDEN,
		 "Tables from 0, as in _tbl_0; default: all"),
	FIELD_AS("row_indexes", struct padding_args, which.rows, NUMBERS, FIELD_HIDDEN, "Rows from 0; default: all"),
	FIELD_AS("cell_indexes", struct padding_args, which.cells, NUMBERS, FIELD_HIDDEN,
		 "Cells of a row from 0; default: all"),
	FIELD(struct padding_args, top_dxa, MAYBE_INT, FIELD_TERSE, "Margin above, in twips",
	      .limits = BETWEEN(0, 31680)),
	FIELD(struct padding_args, left_dxa, MAYBE_INT, FIELD_TERSE, "Left", .limits = BETWEEN(0, 31680)),
	FIELD(struct padding_args, bottom_dxa, MAYBE_INT, FIELD_TERSE, "Below", .limits = BETWEEN(0, 31680)),
	FIELD(struct padding_args, right_dxa, MAYBE_INT, FIELD_TERSE, "Right", .limits = BETWEEN(0, 31680)),
	FIELDS_END,
};
static const struct shape padding_shape = SHAPE(struct padding_args, "cell_padding", padding_fields);

struct layout_args {
	struct target target;
	const struct spacing_args *paragraph_spacing;
	const struct height_args *row_height;
	const struct padding_args *cell_padding;
};
static const struct field layout_in[] = {
	TARGET_FIELDS(struct layout_args),
	FIELD(struct layout_args, paragraph_spacing, OBJECT, FIELD_TERSE, "Space around and between lines",
	      .shape = &spacing_shape),
	FIELD(struct layout_args, row_height, OBJECT, FIELD_TERSE, "Height of table rows", .shape = &height_shape),
	FIELD(struct layout_args, cell_padding, OBJECT, 0, "Also table_indexes, row_indexes, cell_indexes",
	      .shape = &padding_shape),
	FIELDS_END,
};

struct layout_answer {
	struct session_facts session;
	int64_t affected_paragraphs, affected_rows, affected_cells;
	struct edit_facts edit;
};
static const struct field layout_out[] = {
	SESSION_FIELDS(struct layout_answer),
	FIELD(struct layout_answer, affected_paragraphs, INT, FIELD_REQUIRED | FIELD_TERSE, "Paragraphs that changed"),
	FIELD(struct layout_answer, affected_rows, INT, FIELD_REQUIRED | FIELD_TERSE, "Rows that changed"),
	FIELD(struct layout_answer, affected_cells, INT, FIELD_REQUIRED | FIELD_TERSE, "Cells that changed"),
	EDIT_FIELDS(struct layout_answer),
	FIELDS_END,
};

/* The file format's name of a rule. */
static const char *rule_word(int rule) { return rule == 2 ? "atLeast" : line_rules[rule]; }

static int32_t twips_of(struct maybe_int m) { return m.there ? (int32_t)m.value : -1; }

static bool set_spacing(struct call *c, struct session *s, const struct spacing_args *args, int64_t *count)
{
	struct spacing to = {twips_of(args->before_twips), twips_of(args->after_twips), twips_of(args->line_twips),
			     args->line_rule < 0 ? (struct text){0} : text_of(rule_word(args->line_rule))};

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
		++*count;
	}
	return true;
}

static bool set_padding(struct call *c, struct session *s, const struct padding_args *args, int64_t *count)
{
	const int64_t twips[SIDES] = {twips_of(args->top_dxa), twips_of(args->left_dxa), twips_of(args->bottom_dxa),
				      twips_of(args->right_dxa)};

	if (twips[0] < 0 && twips[1] < 0 && twips[2] < 0 && twips[3] < 0)
		return fail(c, FAULT_ARGUMENT,
			    "cell_padding changes nothing; give top_dxa, left_dxa, bottom_dxa or right_dxa");
	return tables_cell_padding(c, s->body, &args->which, twips, count);
}

static bool apply_layout(struct call *c, struct session *s, const void *in, void *out)
{
	const struct layout_args *args = in;
	struct layout_answer *answer = out;
	const struct height_args *height = args->row_height;

	if (!args->paragraph_spacing && !height && !args->cell_padding)
		return fail(c, FAULT_ARGUMENT,
			    "there is nothing to set; give paragraph_spacing, row_height or cell_padding");
	if (args->paragraph_spacing && !set_spacing(c, s, args->paragraph_spacing, &answer->affected_paragraphs))
		return false;
	if (height && !tables_row_height(c, s->body, &height->which, height->value_twips,
					 rule_word(height->rule < 0 ? 2 : height->rule), &answer->affected_rows))
		return false;
	return !args->cell_padding || set_padding(c, s, args->cell_padding, &answer->affected_cells);
}

const struct edit docx_format_layout =
	EDIT("format_layout", struct layout_args, layout_in, struct layout_answer, apply_layout);

static bool format_layout(struct call *c, const void *in, void *out)
{
	struct layout_answer *answer = out;

	return session_edit(c, &docx_format_layout, in, out, &answer->session, &answer->edit);
}

static const char *const clear_names[] = {"bold", "italic", "underline", "highlight", "color", "font", "size", NULL};

struct clear_format_args {
	struct target target;
	struct texts paragraph_ids;
	struct choices properties;
};
static const struct field clear_in[] = {
	TARGET_FIELDS(struct clear_format_args),
	FIELD(struct clear_format_args, paragraph_ids, TEXTS, FIELD_REQUIRED | FIELD_TERSE, "Ids, bookmarks or labels",
	      .limits = BETWEEN(1, 10000)),
	FIELD(struct clear_format_args, properties, CHOICES, FIELD_TERSE, "What to clear; default: all",
	      .choices = clear_names),
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
