/* tool.h: what a tool is.
 *
 * A row: name, title, prose for a model that has never seen the format, effect, a field table for the arguments, one
 * for the answer, a handler. Everything the protocol, the shell and the docs say about a tool is derived from the row.
 */
#ifndef QUIRE_TOOL_TOOL_H
#define QUIRE_TOOL_TOOL_H
#include "tool/field.h"

enum tool_effect {
	TOOL_READS = 0,
	TOOL_WRITES = 1,     /* changes documents; the core adds if_revision and dry_run, unless told not to below */
	TOOL_DELETES = 2,    /* can overwrite or remove existing text: clients may ask first */
	TOOL_IDEMPOTENT = 4, /* calling it twice is the same as once */
	TOOL_EXTRA = 16,     /* not in `--tools core`, which holds the specification's own tools and few more */

	/* What the core adds to a tool. Each can be switched off separately, for tools that do not write files; a
	 * revision is any text that the handler puts into c->revision and compares with c->if_revision. */
	TOOL_NO_REVISION = 8,   /* the answer: no `revision` */
	TOOL_NO_CONDITION = 32, /* writers: no `if_revision` */
	TOOL_NO_DRY_RUN = 64,   /* writers: no `dry_run` */
	TOOL_NO_CHANGES =
		128, /* writers: a dry run returns no `changes` of files; the tool's own result describes them */
	TOOL_NO_FILE = TOOL_NO_REVISION | TOOL_NO_CONDITION | TOOL_NO_DRY_RUN | TOOL_NO_CHANGES,

	/* The answer table has one row, `result`, and its value is the whole answer: an array, null, or an object. As
	 * text it stands alone: `[...]`, `null`, `{...}`. structuredContent must be an object, so an array or null is
	 * wrapped there as {"result": ...} and an object stands for itself; the schema allows what can come. */
	TOOL_BARE = 256,
	TOOL_UNLISTED = 512 /* accepted, but neither listed nor documented: a name that clients may still know */
};

struct tool {
	const char *name, *title, *prose;
	unsigned effect;
	const struct field *in, *out; /* out NULL: returns text by reply_text() only */
	size_t in_size, out_size;
	bool (*run)(struct call *c, const void *in, void *out);
	/* Raw schema for what no table says, listed as it is (so a writer's says if_revision and dry_run itself); then
	 * `in` has one MAP row, at offset 0, that takes all the arguments unchecked. */
	const char *in_schema;
	/* Does a call with these arguments write? NULL: by the effect. For a tool that writes only in one of its modes.
	 */
	bool (*writes)(const void *in);
	const char *example; /* arguments as JSON, for help and docs; NULL: none */
	/* Is there such a tool with this configuration of the kind (a struct of kind.config, never NULL where the kind
	 * has one)? NULL: always. A tool that is not offered is neither listed nor found. */
	bool (*offered)(const void *config);
	const char *const *aliases; /* other names it is called by, NULL-terminated; never listed. NULL: none */
};

/* TOOL("get_node", "Show a node", "...", TOOL_READS, struct node_args, node_in, struct node_answer, node_out, get_node)
 */
#define TOOL(NAME, TITLE, PROSE, EFFECT, IN, IN_TABLE, OUT, OUT_TABLE, RUN, ...)                                       \
	{                                                                                                              \
		.name = (NAME), .title = (TITLE), .prose = (PROSE), .effect = (EFFECT), .in = (IN_TABLE),              \
		.out = (OUT_TABLE), .in_size = sizeof(IN), .out_size = sizeof(OUT), .run = (RUN), ##__VA_ARGS__        \
	}
/* A tool that returns text only. */
#define TEXT_TOOL(NAME, TITLE, PROSE, EFFECT, IN, IN_TABLE, RUN, ...)                                                  \
	{                                                                                                              \
		.name = (NAME), .title = (TITLE), .prose = (PROSE), .effect = (EFFECT), .in = (IN_TABLE),              \
		.in_size = sizeof(IN), .run = (RUN), ##__VA_ARGS__                                                     \
	}
#define TOOLS_END                                                                                                      \
	{                                                                                                              \
		.name = NULL                                                                                           \
	}

/* One entry of tools/list. `version` decides which members the client knows: "2024-11-05" and so on. */
void tool_describe(struct json_out *o, const struct tool *t, const char *name, const char *version);
void tool_input_schema(struct json_out *o, const struct tool *t);  /* if_revision and dry_run included */
void tool_output_schema(struct json_out *o, const struct tool *t); /* only for tools with an answer table */
const struct field *tool_core_in(const struct tool *t); /* the rows the core adds to the tool's; none: an empty table */
const struct field *tool_core_out(const struct tool *t);
void tool_help(struct buffer *to, const struct tool *t); /* for a terminal */
void tool_doc(struct buffer *to, const struct tool *t);  /* a section of docs/tools */

/* The core adds members to a result, and to its schema: `revision` (the document's), on writers `dry_run` and
 * `changes`, and `_warnings`.
 *
 * Decodes, runs, and leaves the outcome in the call: c->error, c->reply and, encoded, *structured (absent for text
 * tools, errors and waiting calls). Never fails in another way. A handler that fails with c->again set is run again, a
 * few times (again.h). A tool that has a row of its own under one of these names keeps it. A debug build checks every
 * answer against its schema. */
void tool_run(struct call *c, const struct tool *t, const struct json *arguments, struct text *structured);
bool tool_writes(const struct tool *t);
bool tool_is_named(const struct tool *t, struct text name); /* by its name or an alias */
/* Would a call with these arguments write? Asked before tool_run(), for limits and read-only servers. Arguments that do
 * not decode write nothing. Leaves no error. */
bool tool_would_write(struct call *c, const struct tool *t, const struct json *arguments);

#endif
