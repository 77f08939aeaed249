/* validate.c: validate_floorplan. An invalid plan is a normal result, not an error. */
#include "kinds/floorplan/tools/answer.h"
#include "kinds/floorplan/kind.h"

struct validate_args {
	struct text dsl, file_path;
	int64_t first_error, first_warning;
};
struct validate_answer {
	bool valid;
	struct objects errors, warnings;
};

static const struct field validate_in[] = {
	DSL_ROW(struct validate_args), FILE_ROW(struct validate_args),
	FIELD_AS("firstError", struct validate_args, first_error, INT, FIELD_UNLISTED,
		 "Index of the first error to list: for the rest of a long list", .limits = AT_LEAST(0),
		 .otherwise = "0"),
	FIELD_AS("firstWarning", struct validate_args, first_warning, INT, FIELD_UNLISTED,
		 "Index of the first warning to list: for the rest of a long list", .limits = AT_LEAST(0),
		 .otherwise = "0"),
	FIELDS_END};
static const struct field validate_out[] = {
	FIELD(struct validate_answer, valid, FLAG, FIELD_REQUIRED, "The plan has no errors"),
	FIELD(struct validate_answer, errors, OBJECTS, FIELD_REQUIRED, "What makes it invalid, by place",
	      .shape = &problem_shape),
	FIELD(struct validate_answer, warnings, OBJECTS, FIELD_REQUIRED, "What is valid but looks wrong, by place",
	      .shape = &warning_shape),
	FIELDS_END};

static bool validate(struct call *c, const void *in, void *out)
{
	const struct validate_args *args = in;
	struct validate_answer *answer = out;
	struct text source;

	if (!plan_source(c, args->dsl, args->file_path, &source))
		return false;
	const struct plan *p = plan_checked(c, source);

	if (!p)
		return false;
	answer->valid = plan_is_valid(p);
	answer->errors = answer_problems(c, p, true, args->first_error, "call again with firstError");
	answer->warnings = answer_problems(c, p, false, args->first_warning, "call again with firstWarning");
	return true;
}

const struct tool validate_tools[] = {
	TOOL("validate_floorplan", "Check a floor plan",
	     "Checks a floor plan (language: describe_language). Returns errors and warnings with line and column, "
	     "some with a tried fix for modify_floorplan.",
	     TOOL_READS, struct validate_args, validate_in, struct validate_answer, validate_out, validate,
	     .example = "{\"dsl\": \"floorplan\\n  floor f1 {\\n    room Office at (0,0) "
			"size (10 x 12) walls [top: solid]\\n  }\\n\"}"),
	TOOLS_END};
