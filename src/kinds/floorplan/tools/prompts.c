/* prompts.c: prompts to start with: a plan from a brief, or a review of an existing one. */
#include "kinds/floorplan/kind.h"

struct brief_args {
	struct text brief;
};
static const struct field brief_in[] = {
	FIELD(struct brief_args, brief, TEXT, FIELD_REQUIRED,
	      "What is wanted: rooms, sizes, storeys, what must lie beside what"),
	FIELDS_END,
};

static bool draft_plan(struct call *c, const void *in)
{
	const struct brief_args *args = in;
	static const char words[] =
		"Draw up a floor plan for this brief:\n\n%.*s\n\nCall describe_language for the "
		"language. Begin with the entrance and the way through the building, then place the rooms so that "
		"each can be reached and every bedroom has a window. Check with validate_floorplan and mend every "
		"error and warning, look at the areas with analyze_floorplan, then show me the plan with "
		"render_floorplan and say in three sentences why it is laid out so.";

	reply_text(c, text_format(c->arena, words, TEXT_ARGS(args->brief)));
	return true;
}

struct review_args {
	struct text file_path;
};
static const struct field review_in[] = {
	FIELD(struct review_args, file_path, TEXT, FIELD_REQUIRED | FIELD_PATH, "The plan to look at"),
	FIELDS_END,
};

static bool review_plan(struct call *c, const void *in)
{
	const struct review_args *args = in;
	static const char words[] =
		"Review the floor plan %.*s as an architect would: validate_floorplan, analyze_floorplan, then "
		"render_floorplan with showDimensions and showArea. Tell me what works, what does not (access, "
		"light, sizes, doors that collide, stairs that do not fit), and propose the changes as operations "
		"for modify_floorplan. Change nothing before I agree.";

	reply_text(c, text_format(c->arena, words, TEXT_ARGS(args->file_path)));
	return true;
}

const struct prompt floorplan_prompts[] = {
	{"draft_plan", "Draft a plan", "A floor plan from a brief, checked and drawn", brief_in,
	 sizeof(struct brief_args), draft_plan, NULL},
	{"review_plan", "Review a plan", "What an architect would say about a plan, with changes to agree on",
	 review_in, sizeof(struct review_args), review_plan, NULL},
	{.name = NULL},
};
