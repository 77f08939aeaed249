/* tool.h: the definition of a tool.
 *
 * A tool is a row: name, title, prose for a model that has never seen the format, effect, a field table for the
 * arguments, one for the answer, a handler. Everything that the protocol, the shell and the docs say about a tool is
 * derived from the row. */
#ifndef QUIRE_TOOL_TOOL_H
#define QUIRE_TOOL_TOOL_H
#include "tool/field.h"

enum tool_effect {
	TOOL_READS = 0,
	/* Changes documents; the core adds if_revision and dry_run, unless a flag below prevents it. */
	TOOL_WRITES = 1,
	TOOL_DELETES = 2,    /* can overwrite or remove existing text: clients may ask first */
	TOOL_IDEMPOTENT = 4, /* calling it twice has the same effect as once */
	TOOL_EXTRA = 16,     /* not in `--tools core`, which has the specification's own tools and a few more */

	/* Members that the core adds to a tool. Each can be switched off separately, for tools that do not write files.
	 * A revision is any text that the handler puts into c->revision and compares with c->if_revision. */
	TOOL_NO_REVISION = 8,   /* the answer has no `revision` */
	TOOL_NO_CONDITION = 32, /* a writer has no `if_revision` */
	TOOL_NO_DRY_RUN = 64,   /* a writer has no `dry_run` */
	TOOL_NO_CHANGES = 128,  /* a dry run returns no `changes` of files; the tool's own result describes them */
	TOOL_NO_FILE = TOOL_NO_REVISION | TOOL_NO_CONDITION | TOOL_NO_DRY_RUN | TOOL_NO_CHANGES,

	/* The answer table has one row, `result`, whose value is the whole answer: an array, null, or an object. The
	 * text is just this value: `[...]`, `null`, `{...}`. structuredContent must be an object, so an array or null
	 * is wrapped there as {"result": ...}, and an object is not. The schema allows every possible form. */
	TOOL_BARE = 256,
	TOOL_UNLISTED = 512 /* accepted, but neither listed nor documented: a name that older clients may use */
};

struct tool {
	const char *name, *title, *prose;
	unsigned effect;
	const struct field *in, *out; /* out NULL: returns only text, by reply_text() */
	size_t in_size, out_size;
	bool (*run)(struct call *c, const void *in, void *out);
	/* A raw schema, for arguments that no table can describe. It is listed unchanged, so a writer's schema must
	 * contain if_revision and dry_run. Then `in` has one MAP row, at offset 0, which gets all the arguments
	 * unchecked. */
	const char *in_schema;
	/* Does a call with these arguments write? NULL: the effect decides. For a tool that writes only in one of its
	 * modes. */
	bool (*writes)(const void *in);
	const char *example; /* arguments as JSON, for help and docs; NULL: none */
	/* Does this tool exist with this configuration of the kind (a struct of kind.config, never NULL if the kind has
	 * one)? NULL: always. A tool that is not offered is neither listed nor found. */
	bool (*offered)(const void *config);
	const char *const *aliases; /* other accepted names, NULL-terminated; never listed. NULL: none */
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

/* Writes one entry of tools/list. `version` ("2024-11-05" and so on) decides which members the client knows; only a
 * server that sends structuredContent with every result may list the schema of the result. */
void tool_describe(struct json_out *o, const struct tool *t, const char *name, const char *version, bool structured);
void tool_input_schema(struct json_out *o, const struct tool *t);  /* includes if_revision and dry_run */
void tool_output_schema(struct json_out *o, const struct tool *t); /* only for tools with an answer table */
/* The rows that the core adds to the tool's own; may be an empty table. */
const struct field *tool_core_in(const struct tool *t);
const struct field *tool_core_out(const struct tool *t);
void tool_help(struct buffer *to, const struct tool *t); /* for a terminal */
void tool_doc(struct buffer *to, const struct tool *t);  /* a section of docs/tools */

/* The core adds members to a result and to its schema: `revision` (of the document), `_warnings`, and for writers
 * `dry_run` and `changes`. If the tool has a row with one of these names, its row is used.
 *
 * Decodes the arguments and runs the handler. The outcome is in c->error, c->reply and, encoded, *structured (absent
 * for text tools, errors and waiting calls). It never fails in another way. A handler that fails with c->again set is
 * run again, a few times (again.h). A debug build checks every answer against its schema. */
void tool_run(struct call *c, const struct tool *t, const struct json *arguments, struct text *structured);
bool tool_writes(const struct tool *t);
bool tool_is_named(const struct tool *t, struct text name); /* by its name or an alias */
/* Would a call with these arguments write? Called before tool_run(), for limits and read-only servers. A call whose
 * arguments do not decode writes nothing. Sets no error. */
bool tool_would_write(struct call *c, const struct tool *t, const struct json *arguments);

#endif
