/* modify.c: modify_floorplan, on a text or on a file. */
#include "kinds/floorplan/tools/answer.h"
#include "kinds/floorplan/edit/edit.h"
#include "kinds/floorplan/edit/fix.h"
#include "kinds/floorplan/kind.h"
#include "work/work.h"

enum { OPERATIONS_MAX = 500 }; /* each reads the plan again */

struct modify_args {
	struct text dsl, file_path;
	struct objects operations;
	bool return_dsl;
};

struct modify_answer {
	bool success;
	struct text dsl;
	struct objects changes, warnings;
	struct text diff;
};

static const struct field modify_in[] = {
	DSL_ROW(struct modify_args), FIELD(struct modify_args, file_path, TEXT, FIELD_PATH, "A file to edit in place"),
	FIELD(struct modify_args, operations, UNIONS, FIELD_REQUIRED, "Applied in order",
	      .more = RARE{.by = "action", .variants = action_variants}, .limits = BETWEEN(1, OPERATIONS_MAX)),
	FIELD(struct modify_args, return_dsl, FLAG, 0, "Of a file: return the text", .otherwise = "false"), FIELDS_END};

static const struct field change_fields[] = {
	FIELD(struct change_row, action, TEXT, FIELD_REQUIRED, "The operation's action"),
	FIELD(struct change_row, target, TEXT, 0, "The operation's target"),
	FIELD(struct change_row, result, CHOICE, FIELD_REQUIRED, "What became of it", .choices = CHOICES_OF(RESULT)),
	FIELD(struct change_row, message, TEXT, 0, "What was done, or why not"), FIELDS_END};
static const struct shape change_shape = SHAPE(struct change_row, "operationResult", change_fields);

static const struct field error_fields[] = {
	FIELD(struct edit_error, message, TEXT, FIELD_REQUIRED, "Why"),
	FIELD(struct edit_error, operation, INT, FIELD_REQUIRED, "Which operation, from 0"),
	FIELD(struct edit_error, line, MAYBE_INT, 0, "Where the plan would have been wrong"),
	FIELD(struct edit_error, column, MAYBE_INT, 0, "Column in characters"), FIELDS_END};

static const struct field modify_out[] = {
	FIELD(struct modify_answer, success, FLAG, FIELD_REQUIRED, "Every operation was applied or was so already"),
	FIELD(struct modify_answer, dsl, TEXT, FIELD_EMPTY, "The new text; of a file only with return_dsl"),
	FIELD(struct modify_answer, changes, OBJECTS, FIELD_REQUIRED, "One for each operation, in order",
	      .shape = &change_shape),
	FIELD(struct modify_answer, warnings, OBJECTS, FIELD_TERSE,
	      "What the operations brought that is valid but looks wrong", .shape = &warning_shape),
	FIELD(struct modify_answer, diff, TEXT, 0, "A dry run on a file: what would change in it"),
	FIELDS_END};

/* As JSON, for the error object. */
static const struct json *rows(struct call *c, const struct field *table, const void *items, size_t n, size_t size)
{
	struct buffer b = {.arena = c->arena};
	struct json_out o = {.to = &b};
	struct json_error ignored;

	json_open(&o, '[');
	for (size_t i = 0; i < n; i++)
		fields_encode(&o, table, (const char *)items + i * size);
	json_close(&o, ']');
	return json_parse(c->arena, buffer_text(&b), JSON_DEPTH_MAX, &ignored);
}

enum { ERRORS_TOLD = 10 };

/* Some operations failed. The error says which, and contains the text with the others applied. */
static bool tell_failure(struct call *c, struct edited *e, bool with_text)
{
	struct json *details = json_new_object(c->arena);
	struct json *errors = json_new_array(c->arena);
	size_t told = e->errors.n < ERRORS_TOLD ? e->errors.n : ERRORS_TOLD;
	const struct json *list = rows(c, error_fields, e->errors.items, told, sizeof *e->errors.items);

	/* The errors give the reasons. Later changes have only their result. */
	for (size_t i = ERRORS_TOLD; i < e->changes.n; i++)
		e->changes.items[i].message = (struct text){0};
	if (told < e->errors.n)
		warn(c, "%zu of %zu failed operations say why; see changes for all that failed", told, e->errors.n);

	for (uint32_t i = 0; i < list->len; i++) {
		struct json *row = json_new_object(c->arena);

		json_set_text(c->arena, row, "type", TEXT("operation"));
		for (uint32_t k = 0; k < list->items[i].len; k++)
			json_set(c->arena, row, list->items[i].members[k].key, &list->items[i].members[k].value);
		json_push(c->arena, errors, row);
	}
	json_set(c->arena, details, "errors", errors);
	json_set(c->arena, details, "changes",
		 rows(c, change_fields, e->changes.items, e->changes.n, sizeof *e->changes.items));
	if (with_text)
		json_set_text(c->arena, details, "dsl", e->source);
	fail_as(c, "operation", "%.*s", TEXT_ARGS(e->errors.items[0].message));
	c->error.details = details;
	return false;
}

static bool run(struct call *c, struct text source, const struct modify_args *args, struct edited *out)
{
	const struct plan *p = plan_read(c->arena, source);

	if (!plan_is_editable(p))
		return plan_refuse(c, p);
	return edit_run(c, source, args->operations.items, args->operations.n, out);
}

/* The warnings of the new text that the old one did not have. */
static bool warnings_of(struct call *c, struct text source, const struct edited *e, struct objects *out)
{
	struct plan *after = plan_read(c->arena, e->source);

	if (!fixes_offer_new(c, plan_read(c->arena, source), after))
		return false;
	struct objects warnings =
		answer_problems(c, after, false, 0, "validate_floorplan lists all; left out here from");

	if (warnings.n)
		*out = warnings;
	return true;
}

/* A file is written with all operations or not at all. If one operation fails, the others are marked as not applied. */
static void withdraw(struct call *c, struct edited *e)
{
	for (size_t i = 0; i < e->changes.n; i++)
		if (e->changes.items[i].result == RESULT_APPLIED) {
			e->changes.items[i].result = RESULT_SKIPPED;
			e->changes.items[i].message = text_format(
				c->arena, "not applied, because operation %lld failed; the file is unchanged",
				(long long)e->errors.items[0].operation);
		}
}

static bool modify_text(struct call *c, const struct modify_args *args, struct modify_answer *answer)
{
	struct edited e;

	if (args->dsl.len > PLAN_MAX)
		return fail(c, FAULT_TOO_LARGE, "the plan has %zu bytes; at most %d are read", args->dsl.len,
			    (int)PLAN_MAX);
	if (!run(c, args->dsl, args, &e))
		return false;
	if (e.errors.n)
		return tell_failure(c, &e, true);
	*answer = (struct modify_answer){.success = true, .dsl = e.source, .changes = {e.changes.items, e.changes.n}};
	return warnings_of(c, args->dsl, &e, &answer->warnings);
}

/* For a line of the history: the first few changes. */
static const char *summary_of(struct call *c, const struct edited *e)
{
	struct buffer b = {.arena = c->arena};
	enum { NAMED_MAX = 3 };

	for (size_t i = 0; i < e->changes.n && i < NAMED_MAX; i++)
		buffer_format(&b, "%s%s %s", i ? ", " : "", shown(c, e->changes.items[i].action),
			      shown(c, e->changes.items[i].target));
	if (e->changes.n > NAMED_MAX)
		buffer_format(&b, " and %zu more", e->changes.n - NAMED_MAX);
	return b.len ? text_string(c->arena, buffer_text(&b)) : "nothing";
}

static bool modify_file(struct call *c, const struct modify_args *args, struct modify_answer *answer)
{
	struct want want = {.path = args->file_path, .want = DOCUMENT_THERE};
	struct document *document;
	struct edited e;

	if (!c->work)
		return fail(c, FAULT_PATH, "no folder is served, so there is no file; give the plan's text as dsl");
	if (!documents_change(c, &want, 1, &document))
		return false;
	if (!run(c, document_bytes(document), args, &e))
		return false;
	if (e.errors.n) {
		withdraw(c, &e);
		return tell_failure(c, &e, false);
	}
	*answer = (struct modify_answer){.success = true, .changes = {e.changes.items, e.changes.n}};
	if (args->return_dsl)
		answer->dsl = e.source;
	if (!warnings_of(c, document_bytes(document), &e, &answer->warnings))
		return false;
	if (!work_commit(c,
			 &(struct change){.kind = CHANGE_SPLICE, .document = document, .splices = e.splices, .n = e.n},
			 1, "modify_floorplan: %s", summary_of(c, &e)))
		return false;
	if (c->dry_run && c->planned.n)
		answer->diff = c->planned.items[0].diff;
	return true;
}

static bool modify(struct call *c, const void *in, void *out)
{
	const struct modify_args *args = in;

	if (!args->dsl.at == !args->file_path.at)
		return fail(c, args->dsl.at ? FAULT_ARGUMENT : FAULT_MISSING,
			    "give %s: the plan's text as dsl, or the path of a file as file_path",
			    args->dsl.at ? "only one of the two" : "one of the two");
	return args->file_path.at ? modify_file(c, args, out) : modify_text(c, args, out);
}

static bool writes(const void *in) { return ((const struct modify_args *)in)->file_path.at; }

const struct tool modify_tools[] = {
	TOOL("modify_floorplan", "Edit a floor plan",
	     "Edits a floor plan with operations and returns the new text; the rest of the text stays. An operation that "
	     "would make the plan invalid is not applied. With file_path the file is edited, all operations or none.",
	     TOOL_WRITES | TOOL_DELETES, struct modify_args, modify_in, struct modify_answer, modify_out, modify,
	     .writes = writes,
	     .example = "{\"dsl\": \"floorplan\\n  floor f1 {\\n    room Office at (0,0) size (10 x 12) walls [top: "
			"solid]\\n"
			"  }\\n"
			"\", \"operations\": [{\"action\": \"resize_room\", \"target\": \"Office\", \"params\": "
			"{\"width\": 15, \"height\": 15}}]}"),
	TOOLS_END};
