/* create.c: create_floorplan: creates a plan from its text or from a list of rooms. */
#include "kinds/floorplan/tools/answer.h"
#include "kinds/floorplan/kind.h"
#include "kinds/floorplan/tools/sketch.h"
#include "work/work.h"

struct create_args {
	struct text file_path, dsl;
	struct objects rooms; /* struct room_wanted */
	int unit;
};

struct create_answer {
	bool success;
	struct text file_path, dsl;
	struct objects warnings;
};

enum { ROOMS_MAX = 200 };

static const struct field room_fields[] = {
	FIELD(struct room_wanted, name, TEXT, FIELD_REQUIRED | FIELD_TERSE,
	      "What it is called; letters that a name cannot hold go into the label", .limits = BETWEEN(1, 100)),
	FIELD(struct room_wanted, width, MAYBE_NUMBER, FIELD_TERSE, "Default: by its name"),
	FIELD(struct room_wanted, height, MAYBE_NUMBER, 0, "Depth"),
	FIELD(struct room_wanted, area, MAYBE_NUMBER, 0, "Instead of width and height"),
	FIELD(struct room_wanted, floor, TEXT, 0, "Default: Ground", .limits = AT_MOST(100)),
	FIELDS_END};
static const struct shape room_wanted_shape = SHAPE(struct room_wanted, "roomWanted", room_fields);

static const struct field create_in[] = {
	FIELD(struct create_args, file_path, TEXT, FIELD_PATH, "New .floorplan file; default: only return the text"),
	FIELD(struct create_args, dsl, TEXT, FIELD_EMPTY, "The plan's text; this or rooms"),
	FIELD(struct create_args, rooms, OBJECTS, 0,
	      "Rooms to lay out along a hall, with doors, windows and an entrance", .shape = &room_wanted_shape,
	      .limits = BETWEEN(1, ROOMS_MAX)),
	FIELD(struct create_args, unit, CHOICE, FIELD_TERSE, "Unit of the sizes", .choices = CHOICES_OF(UNIT),
	      .otherwise = "\"m\""),
	FIELDS_END};

static const struct field create_out[] = {
	FIELD(struct create_answer, success, FLAG, FIELD_REQUIRED, "The plan is valid"),
	FIELD(struct create_answer, file_path, TEXT, 0, "The file that was written"),
	FIELD(struct create_answer, dsl, TEXT, 0, "The text, where it was made or no file was written"),
	FIELD(struct create_answer, warnings, OBJECTS, FIELD_REQUIRED | FIELD_TERSE, "What is valid but looks wrong",
	      .shape = &warning_shape),
	FIELDS_END};

static bool write_new(struct call *c, struct text path, struct text text)
{
	struct want want = {.path = path, .want = DOCUMENT_NEW, .make_folders = true};
	struct document *document;

	if (!c->work)
		return fail(c, FAULT_PATH, "no folder is served, so no file can be written; leave out file_path");
	if (!documents_change(c, &want, 1, &document))
		return c->error.fault == FAULT_EXISTS
			       ? fail(c, FAULT_EXISTS,
				      "%s exists; give another file_path, or edit it by modify_floorplan",
				      shown(c, path))
			       : false;
	return work_commit(c, &(struct change){.kind = CHANGE_WHOLE, .document = document, .bytes = text}, 1,
			   "create_floorplan");
}

static bool create(struct call *c, const void *in, void *out)
{
	const struct create_args *args = in;
	struct create_answer *answer = out;
	struct text text = args->dsl;

	if (!args->dsl.at == !args->rooms.n)
		return fail(c, args->dsl.at ? FAULT_ARGUMENT : FAULT_MISSING,
			    "give %s: the plan's text as dsl, or a list of rooms",
			    args->dsl.at ? "only one of the two" : "one of the two");
	if (args->dsl.len > PLAN_MAX)
		return fail(c, FAULT_TOO_LARGE, "the plan has %zu bytes; at most %d are read", args->dsl.len,
			    (int)PLAN_MAX);
	if (args->rooms.n &&
	    !sketch_plan(c, args->rooms.items, args->rooms.n, args->unit < 0 ? UNIT_M : (enum unit)args->unit, &text))
		return false;
	const struct plan *p = plan_checked(c, text);

	if (!p)
		return false;
	if (!plan_is_valid(p))
		return plan_refuse(c, p);
	if (args->file_path.at && !write_new(c, args->file_path, text))
		return false;
	*answer = (struct create_answer){
		.success = true,
		.file_path = args->file_path,
		.warnings = answer_problems(c, p, false, 0, "call validate_floorplan with firstWarning")};
	if (args->rooms.n || !args->file_path.at)
		answer->dsl = text;
	return true;
}

static bool writes(const void *in) { return ((const struct create_args *)in)->file_path.at; }

const struct tool create_tools[] = {
	TOOL("create_floorplan", "Create a floor plan",
	     "Creates a floor plan from its text or from a list of rooms, and checks it.",
	     TOOL_WRITES | TOOL_NO_CONDITION, struct create_args, create_in, struct create_answer, create_out, create,
	     .writes = writes,
	     .example = "{\"rooms\": [{\"name\": \"Kitchen\", \"area\": 12}, {\"name\": \"Bath\", "
			"\"width\": 2, \"height\": 3}]}"),
	TOOLS_END};
