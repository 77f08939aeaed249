/* tool_doc.c: describes a tool: help for a terminal, a section of docs/tools. */
#include "tool/doc.h"
#include "tool/tool.h"

#include <stdio.h>

static const char *effect_words(const struct tool *t)
{
	if (!tool_writes(t))
		return "reads";
	if (t->effect & TOOL_DELETES)
		return t->effect & TOOL_IDEMPOTENT ? "writes; can overwrite or remove words; idempotent"
						   : "writes; can overwrite or remove words";
	return t->effect & TOOL_IDEMPOTENT ? "writes; idempotent" : "writes";
}

/* Writes the tool's rows, then the core's rows that the tool does not have itself. */
static void put_rows(struct buffer *to, const struct field *own, const struct field *core, bool is_answer,
		     void (*put)(struct buffer *, const struct field *, bool))
{
	put(to, own, is_answer);
	for (const struct field *f = core; f->name; f++)
		if (!fields_find(own, text_of(f->name)))
			put(to, (const struct field[]){*f, FIELDS_END}, is_answer);
}

static bool has_rows(const struct field *table) { return table && table->name; }

void tool_help(struct buffer *to, const struct tool *t)
{
	buffer_format(to, "%s: %s (%s)\n\n", t->name, t->title ? t->title : "", effect_words(t));
	doc_wrap(to, t->prose, 0);
	if (t->in_schema) {
		buffer_format(to, "\nArguments, as JSON Schema:\n  %s\n", t->in_schema);
	} else if (has_rows(t->in) || has_rows(tool_core_in(t))) {
		buffer_put(to, "\nArguments:\n");
		put_rows(to, t->in, tool_core_in(t), false, fields_help);
	} else {
		buffer_put(to, "\nIt takes no arguments.\n");
	}
	if (has_rows(t->out)) {
		buffer_put(to, "\nResult:\n");
		put_rows(to, t->out, tool_core_out(t), true, fields_help);
	} else {
		buffer_put(to, "\nReturns text.\n");
	}
	if (t->example)
		buffer_format(to, "\nExample:\n  %s\n", t->example);
}

/* Writes "Also takes `if_revision` and `dry_run`". The page of the core's own tools explains them once. */
static void put_core_names(struct buffer *to, const struct tool *t, const char *verb, const struct field *own,
			   const struct field *core)
{
	size_t n = 0, left = 0;

	for (const struct field *f = core; f->name; f++)
		left += !fields_find(own, text_of(f->name));
	if (!left || t->in_schema)
		return;
	for (const struct field *f = core; f->name; f++) {
		if (fields_find(own, text_of(f->name)))
			continue;
		buffer_format(to, "%s`%s`", n == 0 ? verb : n + 1 < left ? ", " : " and ", f->name);
		n++;
	}
	buffer_put(to, ", as [every tool that writes files](file.md#besides) does.\n");
}

void tool_doc(struct buffer *to, const struct tool *t)
{
	buffer_format(to, "### %s\n\n", t->name);
	if (t->title)
		buffer_format(to, "*%s; %s.*\n\n", t->title, effect_words(t));
	buffer_format(to, "%s\n", t->prose);
	if (t->in_schema) {
		buffer_format(to, "\nArguments, as JSON Schema:\n\n```json\n%s\n```\n", t->in_schema);
	} else if (has_rows(t->in)) {
		buffer_put(to, "\n| argument | type | meaning |\n| --- | --- | --- |\n");
		fields_doc(to, t->in, false);
	} else {
		buffer_put(to, "\nIt takes no arguments of its own.\n");
	}
	if (has_rows(t->out)) {
		buffer_put(to, "\n| result | type | meaning |\n| --- | --- | --- |\n");
		fields_doc(to, t->out, true);
	} else {
		buffer_put(to, "\nReturns text.\n");
	}
	buffer_byte(to, '\n');
	put_core_names(to, t, "Also takes ", t->in, tool_core_in(t));
	if (t->example)
		buffer_format(to, "\n```json\n%s\n```\n", t->example);
	buffer_byte(to, '\n');
}
