/* apply_plan: several edits as one. All are tried; one that is refused takes the others back. */
#include "kinds/docx/edit/references.h"
#include "kinds/docx/edit/tools.h"
#include "kinds/docx/text/excerpt.h"

#include "base/utf8.h"
#include "format/json.h"

enum {
	STEPS_MAX = 1000,
	EACH_MIN = 60,          /* bytes; a shorter excerpt is useless */
	PLAN_FILE_MAX = 1 << 20 /* bytes of a plan kept in a file */
};

enum operation { STEP_EDIT, STEP_INSERT, STEP_DELETE };

/* Later names of the tools are accepted too. */
static const struct {
	const char *name;
	enum operation operation;
} operations[] = {
	{"smart_edit", STEP_EDIT},   {"smart_insert", STEP_INSERT},     {"delete_paragraph", STEP_DELETE},
	{"replace_text", STEP_EDIT}, {"insert_paragraph", STEP_INSERT},
};

struct step {
	struct text step_id, operation;
	struct text target_paragraph_id, old_string, new_string, positional_anchor_node_id, position, style_source_id,
		instruction;
	struct maybe_int occurrence;
	bool replace_all, allow_field_result;
};
static const struct field step_fields[] = {
	FIELD(struct step, step_id, TEXT, FIELD_TERSE, "A name for the step; default: its number"),
	FIELD(struct step, operation, TEXT, FIELD_REQUIRED, "Arguments as in that tool",
	      .more = RARE{.schema = "\"enum\":[\"smart_edit\",\"smart_insert\",\"delete_paragraph\"]"}),
	FIELD(struct step, target_paragraph_id, TEXT, FIELD_TERSE, "smart_edit, delete_paragraph"),
	FIELD(struct step, old_string, TEXT, FIELD_TERSE | FIELD_EMPTY, "smart_edit"),
	FIELD(struct step, new_string, TEXT, FIELD_TERSE | FIELD_EMPTY, "smart_edit, smart_insert"),
	FIELD(struct step, positional_anchor_node_id, TEXT, FIELD_TERSE, "smart_insert"),
	FIELD(struct step, position, TEXT, FIELD_TERSE, "smart_insert: BEFORE or AFTER"),
	FIELD(struct step, style_source_id, TEXT, FIELD_HIDDEN, "smart_insert"),
	FIELD(struct step, occurrence, MAYBE_INT, FIELD_HIDDEN, "smart_edit", .limits = AT_LEAST(1)),
	FIELD(struct step, replace_all, FLAG, FIELD_HIDDEN, "smart_edit"),
	FIELD(struct step, allow_field_result, FLAG, FIELD_HIDDEN, "smart_edit"),
	FIELD(struct step, instruction, TEXT, FIELD_HIDDEN, "Why"),
	FIELDS_END,
};
static const struct shape step_shape = SHAPE(struct step, "step", step_fields);

struct plan_args {
	struct target target;
	struct objects steps;
	struct text plan_file_path;
};
static const struct field plan_in[] = {
	TARGET_FIELDS(struct plan_args),
	FIELD(struct plan_args, steps, OBJECTS, FIELD_TERSE, "Edits, in order", .shape = &step_shape,
	      .limits = BETWEEN(1, STEPS_MAX)),
	FIELD(struct plan_args, plan_file_path, TEXT, FIELD_PATH | FIELD_TERSE,
	      "A .json file with {\"steps\": [...]} in place of steps", .more = RARE{.extensions = ""}),
	FIELDS_END,
};

struct step_result {
	struct text step_id, after_text;
	struct texts new_paragraph_ids;
};
static const struct field result_fields[] = {
	FIELD(struct step_result, step_id, TEXT, FIELD_REQUIRED | FIELD_TERSE, "The step"),
	FIELD(struct step_result, after_text, TEXT, FIELD_TERSE, "The paragraph's text now"),
	FIELD(struct step_result, new_paragraph_ids, TEXTS, FIELD_TERSE, "Inserted paragraphs"),
	FIELDS_END,
};
static const struct shape result_shape = SHAPE(struct step_result, "step_result", result_fields);

struct plan_answer {
	struct session_facts session;
	struct texts completed_step_ids;
	struct objects results;
	struct edit_facts edit;
};
static const struct field plan_out[] = {
	SESSION_FIELDS(struct plan_answer),
	FIELD(struct plan_answer, completed_step_ids, TEXTS, FIELD_REQUIRED | FIELD_TERSE, "All steps, in order"),
	FIELD(struct plan_answer, results, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "What each did",
	      .shape = &result_shape),
	EDIT_FIELDS(struct plan_answer),
	FIELDS_END,
};

static bool needs(struct call *c, const struct step *step, struct text value, const char *name)
{
	return value.at || fail(c, FAULT_MISSING, "%s needs %s", shown(c, step->operation), name);
}

static bool run_step(struct call *c, struct session *s, const struct step *step, struct step_result *result,
		     struct lost_terms *lost)
{
	size_t i = 0;

	/* If other kinds are served too, the tools are called docx_smart_edit and so on. */
	struct text name = text_starts(step->operation, "docx_") ? text_slice(step->operation, 5, step->operation.len)
								 : step->operation;
	while (i < ARRAY_COUNT(operations) && !text_is(name, operations[i].name))
		i++;
	if (i == ARRAY_COUNT(operations))
		return fail(c, FAULT_ARGUMENT, "there is no operation %s; use %s", shown(c, step->operation),
			    "smart_edit, smart_insert or delete_paragraph");
	if (operations[i].operation == STEP_INSERT) {
		struct insert_args args = {.positional_anchor_node_id = step->positional_anchor_node_id,
					   .new_string = step->new_string,
					   .position = step->position,
					   .style_source_id = step->style_source_id};
		struct insert_answer answer = {0};
		if (!needs(c, step, args.positional_anchor_node_id, "positional_anchor_node_id") ||
		    !needs(c, step, args.new_string, "new_string") || !apply_insert(c, s, &args, &answer))
			return false;
		if (answer.style_source_warning.at)
			warn(c, "%s", text_string(c->arena, answer.style_source_warning));
		result->new_paragraph_ids = answer.new_paragraph_ids;
		return true;
	}
	if (!needs(c, step, step->target_paragraph_id, "target_paragraph_id"))
		return false;
	if (operations[i].operation == STEP_DELETE) {
		struct delete_answer answer = {0};
		return delete_step(c, s, &(struct delete_args){.target_paragraph_id = step->target_paragraph_id},
				   &answer, lost);
	}
	struct text_args args = {.target_paragraph_id = step->target_paragraph_id,
				 .old_string = step->old_string,
				 .new_string = step->new_string,
				 .occurrence = step->occurrence,
				 .replace_all = step->replace_all,
				 .allow_field_result = step->allow_field_result};
	struct text_answer answer = {0};
	if (!needs(c, step, args.old_string, "old_string") || !needs(c, step, args.new_string, "new_string") ||
	    !text_step(c, s, &args, &answer, lost))
		return false;
	result->after_text = answer.after_text;
	return true;
}

/* Shortens the results to fit into one response, and returns how many are shown. All texts get the same room. A text is
 * left out if its excerpt would be too short to be useful. */
static size_t told(struct call *c, struct step_result *results, size_t n)
{
	size_t room = list_room(c), sum = 0, each = n ? room * 2 / 3 / n : 0, shown = 0;
	bool is_cut = false;

	for (; shown < n && sum < room; shown++) {
		struct step_result *r = &results[shown];
		if (r->after_text.len > each) {
			is_cut = true;
			r->after_text = each < EACH_MIN
						? (struct text){0}
						: text_format(c->arena, "%.*s...", (int)utf8_cut(r->after_text, each),
							      r->after_text.at);
		}
		sum += r->step_id.len + r->after_text.len + 20;
		for (size_t i = 0; i < r->new_paragraph_ids.n; i++)
			sum += r->new_paragraph_ids.items[i].len + 3;
	}
	if (shown < n)
		warn(c, "all steps were applied; `results` has the first %zu, read_file shows the others", shown);
	else if (is_cut)
		warn(c,
		     "after_text is shortened or left out, because the steps are many; read_file shows the paragraphs");
	return shown;
}

static bool apply_steps(struct call *c, struct session *s, const void *in, void *out)
{
	const struct plan_args *args = in;
	struct plan_answer *answer = out;
	const struct step *steps = args->steps.items;
	struct step_result *results = arena_array(c->arena, args->steps.n, sizeof *results);
	struct lost_terms lost = {0};

	answer->completed_step_ids =
		(struct texts){arena_array(c->arena, args->steps.n, sizeof(struct text)), args->steps.n};
	for (size_t i = 0; i < args->steps.n; i++) {
		struct text id = steps[i].step_id.len ? steps[i].step_id : text_format(c->arena, "%zu", i + 1);
		results[i].step_id = answer->completed_step_ids.items[i] = id;
		if (run_step(c, s, &steps[i], &results[i], &lost))
			continue;
		c->error.message = text_format(c->arena, "failed_step_id %s (step %zu of %zu): %s; no step was applied",
					       shown(c, id), i + 1, args->steps.n, c->error.message)
					   .at;
		return false;
	}
	answer->results = (struct objects){results, told(c, results, args->steps.n)};
	references_warn_lost(c, s->body, &lost, "a paragraph of this plan");
	return true;
}

const struct edit docx_apply_plan = EDIT("apply_plan", struct plan_args, plan_in, struct plan_answer, apply_steps);

/* The content of a plan's file. */
static const struct field file_rows[] = {
	FIELD(struct plan_args, steps, OBJECTS, FIELD_REQUIRED, "Edits", .shape = &step_shape,
	      .limits = BETWEEN(1, STEPS_MAX)),
	FIELDS_END,
};

/* The steps of a file are copied into the call, so that the draft does not depend on the file. */
static bool read_plan(struct call *c, struct text path, struct plan_args *into)
{
	struct document *d;
	struct json_error err = {0};
	struct target target = into->target;

	if (!text_ends(path, ".json"))
		return fail_as(c, "INVALID_FILE_TYPE", "plan_file_path %s is not a .json file", shown(c, path));
	if (!document_open(c, path, &d))
		return false;
	struct text bytes = document_bytes(d);
	if (bytes.len > PLAN_FILE_MAX)
		return fail(c, FAULT_TOO_LARGE, "%s has %zu bytes; a plan has at most 1 MiB", shown(c, path),
			    bytes.len);
	struct json *json = json_parse(c->arena, bytes, JSON_DEPTH_MESSAGE, &err);
	if (!json)
		return fail(c, FAULT_ARGUMENT, "%s is not JSON: %s (line %u)", shown(c, path), err.message, err.line);
	if (!fields_decode(c, file_rows, sizeof *into, json, into, &(struct decode_options){.noun = "key"}))
		return false;
	into->target = target;
	return true;
}

static bool apply_plan(struct call *c, const void *in, void *out)
{
	struct plan_args args = *(const struct plan_args *)in;
	struct plan_answer *answer = out;

	if (!args.steps.n == !args.plan_file_path.len)
		return fail(c, FAULT_ARGUMENT, "pass either steps or plan_file_path");
	if (args.plan_file_path.len && !read_plan(c, args.plan_file_path, &args))
		return false;
	args.plan_file_path = (struct text){0};
	return session_edit(c, &docx_apply_plan, &args, out, &answer->session, &answer->edit);
}

const struct tool docx_plan_tools[] = {
	TOOL("apply_plan", "Apply several edits at once",
	     "Runs edits in order as one: if one is refused, none is applied, and `undo` undoes all of them together.",
	     EDIT_EFFECT | TOOL_DELETES, struct plan_args, plan_in, struct plan_answer, plan_out, apply_plan,
	     .example = "{\"file_path\":\"nda.docx\",\"steps\":[{\"operation\":\"smart_edit\",\"target_paragraph_id\":"
			"\"jr_para_0123456789ab\",\"old_string\":\"30\",\"new_string\":\"45\"}]}"),
	TOOLS_END,
};
