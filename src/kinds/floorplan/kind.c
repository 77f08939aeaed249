#include "kinds/floorplan/kind.h"

#include "kinds/floorplan/draw/draw.h"
#include "kinds/floorplan/language/problem.h"
#include "kinds/floorplan/state.h"
#include "base/uri.h"
#include "work/work.h"

#include <stdlib.h>
#include <string.h>

static const char *const faults[FAULTS] = {
	[FAULT_ARGUMENT] = "argument",   [FAULT_MISSING] = "argument",  [FAULT_NOT_FOUND] = "not_found",
	[FAULT_EXISTS] = "exists",       [FAULT_PATH] = "path",         [FAULT_TOO_LARGE] = "size",
	[FAULT_LOCKED] = "locked",       [FAULT_CONFLICT] = "conflict", [FAULT_READ_ONLY] = "read_only",
	[FAULT_DENIED] = "denied",       [FAULT_RATE] = "rate",         [FAULT_TIMEOUT] = "timeout",
	[FAULT_CANCELLED] = "cancelled", [FAULT_STORAGE] = "storage",   [FAULT_INTERNAL] = "internal",
};

/* {success: false, errors: [...]}. A handler can put errors and other members into the details. */
static const struct error_form error_form = {.flag = "success",
					     .inside = "errors",
					     .is_list = true,
					     .code = "type",
					     .argument = "path",
					     .has_place = true,
					     .details = DETAILS_OUTER};

static const char prefix[] = "floorplan:///";

static bool read_plan(struct call *c, const struct text *values)
{
	struct document *document;

	if (!document_open(c, values[0], &document))
		return false;
	reply_resource(c, uri_of(c->arena, prefix, values[0]).at, "text/plain", document_bytes(document));
	return true;
}

static bool list_plans(struct call *c, struct text after, size_t most, struct resource_entry **out, size_t *n,
		       bool *more)
{
	enum { FILES_MAX = 10000 };
	struct file_entry *files;
	size_t found;

	*out = NULL;
	*n = 0;
	*more = false;
	if (!c->work)
		return true;
	if (!work_list(c, (struct text){0}, ".floorplan", FILES_MAX, &files, &found))
		return false;
	/* Continue by order, not by name: the last plan of the previous page may have been deleted. */
	size_t from = 0;
	struct text last = uri_decode(c->arena, text_slice(after, strlen(prefix), after.len));
	while (after.at && from < found && text_order(files[from].path, last) <= 0)
		from++;
	*more = found - from > most;
	*out = arena_array(c->arena, most + 1, sizeof **out);
	for (size_t i = from; i < found && *n < most; i++)
		(*out)[(*n)++] = (struct resource_entry){.uri = uri_of(c->arena, prefix, files[i].path),
							 .name = files[i].path,
							 .mime = TEXT("text/plain"),
							 .size = files[i].size,
							 .modified = files[i].modified};
	return true;
}

static bool plan_stamp(struct call *c, const struct text *values, struct text *out)
{
	return work_stamp(c, values[0], out);
}

static const struct resource resources[] = {
	{.uri = "floorplan://schema",
	 .name = "floorplan-schema",
	 .title = "The floorplan language",
	 .prose = "Syntax of the floorplan language with all words, clauses, settings and editing actions, and "
		  "complete examples",
	 .mime = "text/markdown",
	 .read = schema_read},
	{.uri = "floorplan:///{+path}",
	 .name = "floorplan-file",
	 .title = "Floor plans of the served folder",
	 .prose = "The text of a .floorplan file",
	 .mime = "text/plain",
	 .read = read_plan,
	 .list = list_plans,
	 .revision = plan_stamp},
	{.uri = NULL},
};

struct settings {
	struct text extensions;
	const struct critic_limits *critique;
};

static bool open_kind(struct call *c, const void *config, void **state)
{
	const struct settings *settings = config;
	struct floorplan_state *s = budget_zero(1, sizeof *s);

	(void)c;
	critic_limits_default(&s->limits);
	if (settings && settings->critique)
		s->limits = *settings->critique;
	s->lettering = lettering_new();
	*state = s;
	return true;
}

static void close_kind(void *state)
{
	struct floorplan_state *s = state;

	lettering_free(s->lettering);
	free(s);
}

/* Called by the history before an undo: a plan that is valid now must be valid after the undo. */
static void *parse(struct arena *a, struct text bytes, struct error *error)
{
	(void)error;
	struct plan *p = bytes.len <= PLAN_MAX ? plan_read(a, bytes) : NULL;

	return p && plan_is_valid(p) ? p : NULL;
}
static const struct format floorplan_format = {.name = "floorplan", .parse = parse};

static const struct field limit_fields[] = {
#define LIMIT(member, otherwise_, prose_)                                                                              \
	FIELD(struct critic_limits, member, NUMBER, 0, prose_, .limits = BETWEEN(0, 1000), .otherwise = #otherwise_),
#include "kinds/floorplan/critic/critic.def"
	FIELDS_END};
static const struct shape limit_shape = SHAPE(struct critic_limits, "critique", limit_fields);

static const struct field config_fields[] = {
	FIELD(struct settings, extensions, TEXT, 0, "More endings of documents, besides .floorplan: \".plan .txt\""),
	FIELD(struct settings, critique, OBJECT, 0, "Limits of critique_floorplan; lengths in metres",
	      .shape = &limit_shape),
	FIELDS_END};
static const struct tool *const tools[] = {describe_tools, create_tools,   read_tools,
					   validate_tools, modify_tools,   render_tools,
					   analyze_tools,  critique_tools, NULL};

const struct kind kind_floorplan = {
	.name = "floorplan",
	.title = "Floor plans",
	.prose = "Plans of buildings as text: checked, edited by operations, and drawn.",
	.instructions =
		"Floor plans are written in a small language; describe_language explains it (also the resource "
		"floorplan://schema). create_floorplan begins a plan, read_floorplan shows its text. Work in a loop: "
		"validate_floorplan, modify_floorplan for changes (several small operations, not pasted text), "
		"analyze_floorplan for areas and access, critique_floorplan for what the building would lack, "
		"render_floorplan to look at it. Warnings may carry a `fix`: an operation for modify_floorplan that "
		"was tried alone; validate again after each.",
	.extensions = ".floorplan",
	.creates = "create_floorplan",
	.config = config_fields,
	.config_size = sizeof(struct settings),
	.tools = tools,
	.resources = resources,
	.prompts = floorplan_prompts,
	.commands = floorplan_commands,
	.format = &floorplan_format,
	.faults = faults,
	.codes = problem_codes,
	.error = &error_form,
	.document_max = PLAN_MAX,
	.open = open_kind,
	.close = close_kind,
};
