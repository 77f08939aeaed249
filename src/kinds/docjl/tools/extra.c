/* extra.c: a manual to read, as Markdown or HTML. */
#include "kinds/docjl/export/export.h"
#include "kinds/docjl/tools/unseen.h"

static const char *const formats[] = {"markdown", "html", NULL};

struct export_args {
	struct text document_id;
	int format;
	bool paragraph_numbers;
};
static const struct field export_in[] = {
	DOCUMENT_ID(struct export_args),
	FIELD(struct export_args, format, CHOICE, FIELD_TERSE, "Format of the text", .choices = formats,
	      .otherwise = "\"markdown\""),
	FIELD(struct export_args, paragraph_numbers, FLAG, FIELD_TERSE,
	      "Number every paragraph in the margin, not only those that references name", .otherwise = "false"),
	FIELDS_END,
};

static bool export_document(struct call *c, const void *in)
{
	const struct export_args *args = in;
	const struct export_form form = {.numbers_paragraphs = args->paragraph_numbers};
	struct buffer b = {.arena = c->arena};
	struct manual m;
	struct tree t;

	if (!manual_open(c, args->document_id, MANUAL_READ, &m))
		return false;
	bool done = tree_read(&m, TREE_BODIES | TREE_REFS, &t);
	if (done && args->format == 1)
		export_html(&b, &t, &form);
	else if (done)
		export_markdown(&b, &t, &form);
	manual_close(&m);
	if (!done)
		return false;
	if (b.len > ANSWER_MAX && answer_room(c) != SIZE_MAX)
		return fail(c, FAULT_TOO_LARGE,
			    "the page would have %zu bytes, and %d is the limit; use quire docjl export %s --format %s",
			    b.len, (int)ANSWER_MAX, shown(c, args->document_id), args->format == 1 ? "html" : "md");
	unseen_in_page(c, buffer_text(&b));
	reply_text(c, buffer_text(&b));
	return true;
}

static bool run_export(struct call *c, const void *in, void *out)
{
	(void)out;
	return export_document(c, in);
}

const struct tool docjl_extra_tools[] = {
	TEXT_TOOL("mcp_docjl_export_document", "Export a document",
		  "Returns the whole manual as Markdown or HTML with a table of contents and links.",
		  TOOL_READS | TOOL_EXTRA, struct export_args, export_in, run_export),
	TOOLS_END,
};
