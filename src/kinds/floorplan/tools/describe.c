/* describe.c: describe_language: the page floorplan://schema by sections, because many hosts hide resources from
 * models. */
#include "kinds/floorplan/kind.h"

struct describe_args {
	int section;
};

static const struct field describe_in[] = {FIELD(struct describe_args, section, CHOICE, 0, "Part to return",
						 .choices = schema_sections, .otherwise = "\"overview\""),
					   FIELDS_END};

static bool describe(struct call *c, const void *in, void *out)
{
	const struct describe_args *args = in;
	struct buffer b = {.arena = c->arena};

	(void)out;
	schema_write_section(&b, args->section < 0 ? 0 : args->section);
	if (args->section <= 0) {
		buffer_put(&b, "Other sections of describe_language:");
		for (int i = 1; schema_sections[i]; i++)
			buffer_format(&b, "%s %s", i > 1 ? "," : "", schema_sections[i]);
		buffer_put(&b, ".\n");
	}
	reply_text(c, buffer_text(&b));
	return true;
}

const struct tool describe_tools[] = {
	{.name = "describe_language",
	 .title = "Explain the floorplan language",
	 .prose = "Returns the syntax of the floorplan language. Read it before you write a plan.",
	 .effect = TOOL_READS,
	 .in = describe_in,
	 .in_size = sizeof(struct describe_args),
	 .run = describe,
	 .example = "{\"section\": \"rooms\"}"},
	TOOLS_END};
