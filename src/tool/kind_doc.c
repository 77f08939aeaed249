/* kind_doc.c: the generated pages: docs/tools/KIND.md, docs/errors.md, docs/config.md, and the snapshots of tools.
 *
 * Each page depends only on the tables, so it changes exactly when the tables change. */
#include "tool/bound.h"
#include "tool/doc.h"
#include "tool/kind.h"

#include <string.h>

static void put_opening(struct buffer *to, const char *title)
{
	buffer_format(to, "# %s\n\n<!-- Written by `make docs` from the tables in src; change those. -->\n\n", title);
}

static void put_resources(struct buffer *to, const struct kind *k)
{
	if (!k->resources || !k->resources->uri)
		return;
	buffer_put(to, "## Resources\n\n| address | type | meaning |\n| --- | --- | --- |\n");
	for (const struct resource *r = k->resources; r->uri; r++) {
		buffer_format(to, "| `%s` | %s | ", r->uri, r->mime ? r->mime : "");
		doc_cell(to, r->prose ? r->prose : r->title);
		buffer_put(to, " |\n");
	}
	buffer_byte(to, '\n');
}

static void put_prompts(struct buffer *to, const struct kind *k)
{
	if (!k->prompts || !k->prompts->name)
		return;
	buffer_put(to, "## Prompts\n\n");
	for (const struct prompt *p = k->prompts; p->name; p++) {
		buffer_format(to, "### %s\n\n%s\n\n", p->name, p->prose ? p->prose : "");
		if (!p->in || !p->in->name)
			continue;
		buffer_put(to, "| argument | type | meaning |\n| --- | --- | --- |\n");
		fields_doc(to, p->in, false);
		buffer_byte(to, '\n');
	}
}

static void put_commands(struct buffer *to, const struct kind *k)
{
	if (!k->commands || !k->commands->name)
		return;
	buffer_put(to, "## Commands\n\n| command | meaning |\n| --- | --- |\n");
	for (const struct command *c = k->commands; c->name; c++) {
		buffer_format(to, "| `quire %s %s%s%s` | ", k->name, c->name, c->usage && *c->usage ? " " : "",
			      c->usage ? c->usage : "");
		doc_cell(to, c->prose);
		buffer_put(to, " |\n");
	}
	buffer_byte(to, '\n');
}

void kind_doc(struct buffer *to, const struct kind *k)
{
	put_opening(to, k->title ? k->title : k->name);
	buffer_format(to, "%s\n\n", k->prose ? k->prose : "");
	buffer_format(to,
		      "Serve it alone with `quire serve %s`; call a tool from the shell with `quire call %s TOOL`.\n\n",
		      k->name, k->name);
	if (k->instructions)
		buffer_format(to, "## What a model is told\n\n%s\n\n", k->instructions);
	if (k->tools && k->tools[0])
		buffer_put(to, "## Tools\n\n");
	for (const struct tool *const *table = k->tools; table && *table; table++)
		for (const struct tool *t = *table; t->name; t++)
			if (!(t->effect & TOOL_UNLISTED))
				tool_doc(to, t);
	put_resources(to, k);
	put_prompts(to, k);
	put_commands(to, k);
	if (k->config && k->config->name) {
		buffer_format(to, "## Settings\n\nUnder `[kinds.%s]` of the configuration:\n\n", k->name);
		buffer_put(to, "| key | type | meaning |\n| --- | --- | --- |\n");
		fields_doc(to, k->config, false);
		buffer_byte(to, '\n');
	}
}

void files_doc(struct buffer *to)
{
	static const struct tool writer = {.effect = TOOL_WRITES};

	put_opening(to, "Files and their history");
	buffer_put(to, "Served with every kind that has files, for every document below the roots.\n\n## Tools\n\n");
	for (const struct tool *t = file_tools; t->name; t++)
		tool_doc(to, t);
	buffer_put(to, "## Besides\n\nEvery tool that writes files, of every kind, also takes these arguments:\n\n"
		       "| argument | type | meaning |\n| --- | --- | --- |\n");
	fields_doc(to, tool_core_in(&writer), false);
	buffer_put(to,
		   "\nAnd every tool takes these. A longer answer than 60,000 characters is cut, and says which call\n"
		   "returns the rest.\n\n"
		   "| argument | type | meaning |\n| --- | --- | --- |\n");
	fields_doc(to, bound_in, false);
	buffer_put(
		to,
		"\nIn every tool `null` for an optional argument means that it is not given. A schema allows `null`\n"
		"only where it is a value of its own: some providers refuse a whole list of tools if one type in\n"
		"it is a list such as `[\"string\", \"null\"]`.\n");
	buffer_put(to, "\nA result may contain these members besides the tool's own. A tool that returns text has the\n"
		       "revision in `_meta[\"quire/revision\"]` and the rest in its text.\n\n"
		       "| result | type | meaning |\n| --- | --- | --- |\n");
	fields_doc(to, tool_core_out(&writer), true);
}

static void put_kind_errors(struct buffer *to, const struct kind *k)
{
	buffer_format(to, "## %s\n\n| code | status | meaning |\n| --- | --- | --- |\n", k->title ? k->title : k->name);
	for (int f = FAULT_NONE + 1; f < FAULT_OWN; f++) {
		const struct error e = {.fault = (enum fault)f};
		buffer_format(to, "| `%s` | %d | %s |\n", kind_code(k, &e), fault_status(e.fault),
			      fault_prose(e.fault));
	}
	for (const struct code *code = k->codes; code && code->name; code++) {
		const struct error e = {.fault = FAULT_OWN, .code = code->name};
		buffer_format(to, "| `%s` | %d | ", code->name, kind_status(k, &e));
		doc_cell(to, code->prose);
		buffer_put(to, " |\n");
	}
	buffer_byte(to, '\n');
}

void errors_doc(struct buffer *to, const struct kind *const *list)
{
	put_opening(to, "Errors");
	buffer_put(to, "A tool that refuses returns a result with `isError`. Its text is the kind's error object. The\n"
		       "message says what is wrong and what to do next; the code is for programs. The status is used\n"
		       "by the plain HTTP form.\n\n"
		       "The core's own codes, used if a kind has no other name for them:\n\n"
		       "| code | status | meaning |\n| --- | --- | --- |\n");
	for (int f = FAULT_NONE + 1; f < FAULTS; f++)
		buffer_format(to, "| `%s` | %d | %s |\n", fault_name((enum fault)f), fault_status((enum fault)f),
			      fault_prose((enum fault)f));
	buffer_byte(to, '\n');
	for (; list && *list; list++)
		put_kind_errors(to, *list);
}

static void put_settings(struct buffer *to, const char *name, const char *prose, const struct field *fields)
{
	buffer_format(to, "## [%s]\n\n", name);
	if (prose && *prose)
		buffer_format(to, "%s\n\n", prose);
	buffer_put(to, "| key | type | meaning |\n| --- | --- | --- |\n");
	fields_doc(to, fields, false);
	buffer_byte(to, '\n');
}

void config_doc(struct buffer *to, const struct config_section *sections, const struct kind *const *list)
{
	struct buffer name = {0};

	put_opening(to, "Configuration");
	buffer_put(to, "`quire serve --config FILE` reads TOML. The command line wins over the file; unknown keys\n"
		       "produce warnings.\n\n");
	for (const struct config_section *s = sections; s && s->name; s++)
		put_settings(to, s->name, s->prose, s->fields);
	for (; list && *list; list++) {
		if (!(*list)->config || !(*list)->config->name)
			continue;
		name.len = 0;
		buffer_format(&name, "kinds.%s", (*list)->name);
		put_settings(to, buffer_text(&name).at, (*list)->title, (*list)->config);
	}
	buffer_free(&name);
}

void kind_snapshot(struct buffer *to, const struct kind *k, const struct tool *t)
{
	struct arena arena = {0};
	struct buffer compact = {.arena = &arena};
	struct json_out o = {.to = &compact};
	struct json_error never;

	(void)k;
	tool_describe(&o, t, t->name, NULL, true);
	const struct json *tree = json_parse(&arena, buffer_text(&compact), JSON_DEPTH_MAX, &never);
	if (!tree)
		arena_die("a tool's description is not JSON");
	json_write_pretty(to, tree);
	buffer_byte(to, '\n');
	arena_free(&arena);
}
