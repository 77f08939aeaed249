/* kind.c: the record of this kind: Word documents.
 *
 * The error object is the specification's: {success: false, error: {code, message, hint}}. An error message says what
 * is wrong, then what to do. The text after the semicolon is the hint. */
#include "kinds/docx/docx.h"
#include "kinds/docx/package/package.h"
#include "kinds/docx/read/words.h"
#include "kinds/docx/session/session.h"

#include <string.h>

/* clang-format off */
static const struct tool *const tables[] = {
	docx_read_tools,
	docx_grep_tools,
	docx_outline_tools,
	docx_check_tools,
	docx_text_tools,
	docx_plan_tools,
	docx_layout_tools,
	docx_numbering_tools,
	docx_track_tools,
	docx_compare_tools,
	docx_comment_tools,
	docx_footnote_tools,
	docx_session_tools,
	docx_save_tools,
	NULL,
};
/* clang-format on */

static const char *const faults[FAULTS] = {
	[FAULT_ARGUMENT] = "INVALID_ARGUMENT",
	[FAULT_MISSING] = "INVALID_ARGUMENT",
	[FAULT_NOT_FOUND] = "FILE_NOT_FOUND",
	[FAULT_EXISTS] = "OVERWRITE_BLOCKED",
	[FAULT_PATH] = "PATH_NOT_ALLOWED",
	[FAULT_TOO_LARGE] = "DOCX_ARCHIVE_UNCOMPRESSED_TOO_LARGE",
	[FAULT_LOCKED] = "LOCKED",
	[FAULT_CONFLICT] = "CONFLICT",
	[FAULT_READ_ONLY] = "READ_ONLY",
	[FAULT_DENIED] = "PATH_NOT_ALLOWED",
	[FAULT_RATE] = "RATE_LIMITED",
	[FAULT_TIMEOUT] = "TIMEOUT",
	[FAULT_CANCELLED] = "CANCELLED",
	[FAULT_STORAGE] = "SAVE_ERROR",
	[FAULT_INTERNAL] = "READ_ERROR",
};

static const struct code codes[] = {
	{"INVALID_FILE_TYPE", 415, "The file's name does not end in .docx"},
	{"INVALID_DOCX_ARCHIVE", 422,
	 "Not a ZIP archive, damaged, without a main document, or its XML is not well-formed"},
	{"DOCX_ARCHIVE_TOO_MANY_ENTRIES", 413, "The archive has more entries than [kinds.docx] allows"},
	{"DOCX_ARCHIVE_ENTRY_TOO_LARGE", 413, "A part is larger unpacked than [kinds.docx] allows"},
	{"DOCX_ARCHIVE_COMPRESSION_RATIO_TOO_HIGH", 413, "A part unpacks to a suspicious multiple of its size"},
	{"MISSING_SESSION_CONTEXT", 400, "Neither session_id nor file_path was given"},
	{"INVALID_SESSION_ID", 400, "Not of the form ses_ and 12 letters or digits"},
	{"SESSION_NOT_FOUND", 404, "No session has this id: it was cleared, or had no edits when the program ended"},
	{"SESSION_EXPIRED", 410, "The session was not used for an hour"},
	{"SESSION_FILE_CONFLICT", 409, "session_id and file_path name different documents"},
	{"CONFIRMATION_REQUIRED", 400, "clear_all needs confirm"},
	{"NOTHING_TO_UNDO", 409, "The session has not that many edits in force"},
	{"NOTHING_TO_REDO", 409, "The session has not that many undone edits"},
	{"INVALID_FORMAT", 400, "read_file knows toon, json and simple"},
	{"INVALID_SAVE_FORMAT", 400, "save knows clean, tracked and both"},
	{"INVALID_PATTERN", 400, "A regular expression of grep is malformed"},
	{"MISSING_PATTERN", 400, "grep was given no pattern"},
	{"UNSUPPORTED_COMPARISON", 422, "The two documents cannot be compared as they are"},
	{"REDLINE_NOT_PROVED", 500, "A redline would not give back both versions; it was not written"},
	{"REVISION_NOT_FOUND", 404, "No tracked change has this id"},
	{"COMMENT_NOT_FOUND", 404, "No comment has this id"},
	{"FOOTNOTE_NOT_FOUND", 404, "No footnote has this id"},
	{"NO_TRACKED_CHANGES", 409, "The document has no tracked changes to accept or reject, or none matches"},
	{"NOT_NUMBERED", 422, "The paragraph has no automatic number"},
	{"ANCHOR_NOT_FOUND", 404, "No paragraph has this id, bookmark or label"},
	{"INVALID_POSITION", 400, "position is neither BEFORE nor AFTER"},
	{"TEXT_NOT_FOUND", 404, "old_string is not in the paragraph"},
	{"MULTIPLE_MATCHES", 409, "old_string occurs more than once in the paragraph"},
	{"UNSUPPORTED_EDIT", 422, "The change would touch a field, a locked control, a symbol or what Word requires"},
	{"UNSAFE_CONTAINER_BOUNDARY", 422, "The change would begin inside a link or control and end outside of it"},
	{"UNBALANCED_BOLD_TAGS", 400, "A <b> without its partner, or crossed with another tag"},
	{"UNBALANCED_ITALIC_TAGS", 400, "The same for <i>"},
	{"UNBALANCED_UNDERLINE_TAGS", 400, "The same for <u>"},
	{"UNBALANCED_HIGHLIGHT_TAGS", 400, "The same for <highlight> and <highlighting>"},
	{"UNBALANCED_FONT_TAGS", 400, "The same for <font>"},
	{"UNBALANCED_HEADER_TAGS", 400, "The same for <header> and <RunInHeader>"},
	{"UNBALANCED_DEFINITION_TAGS", 400, "The same for <definition>"},
	{"EDIT_ERROR", 500, "The edit would not give the text asked for; nothing was changed"},
	{"OVERWRITE_BLOCKED", 409, "The file to write is there and allow_overwrite is not set"},
	{NULL, 0, NULL},
};

/* For errors of the core, whose messages only say what is wrong. */
static const char *const hints[FAULTS] = {
	[FAULT_ARGUMENT] = "change this argument and call again",
	[FAULT_MISSING] = "pass this argument and call again",
	[FAULT_NOT_FOUND] = "check the path and call again",
	[FAULT_PATH] = "name a file below the served folder",
	[FAULT_TOO_LARGE] = "ask for less, or raise the limits in [kinds.docx]",
	[FAULT_LOCKED] = "call again in a moment",
	[FAULT_CONFLICT] = "read the document again, then repeat the call",
	[FAULT_READ_ONLY] = "only reading tools work here",
	[FAULT_DENIED] = "name another document",
	[FAULT_RATE] = "call again later",
	[FAULT_TIMEOUT] = "ask for less in one call",
	[FAULT_CANCELLED] = "call again if it is still wanted",
	[FAULT_STORAGE] = "free some space or check the disk, then call again",
	[FAULT_INTERNAL] = "open the file in Word, save it and call again",
};

static const struct error_form error_form = {.flag = "success",
					     .inside = "error",
					     .argument = "argument",
					     .hint = HINT_BESIDE,
					     .details = DETAILS_BESIDE,
					     .hints = hints};

static const char instructions[] =
	"Word documents (.docx), read as rows and edited as a careful person would in Word. read_file gives each "
	"paragraph an id that stays the same; `grep` finds paragraphs; smart_edit changes words in one, smart_insert adds "
	"clauses in its style, apply_plan does several edits as one; `save` writes the result and leaves everything else "
	"byte for byte. The first call on a file opens a session; edits are kept in it, can be undone with `undo`, and "
	"reach the disk only by `save`.";

/* For the history, which knows no configuration. */
static const struct zip_limits archive_limits = {
	.entries = 10000, .entry = 256u << 20, .total = 512u << 20, .ratio = 400, .ratio_from = 32u << 20};

/* Called by the history before an undo: if Word can open the file now, it must be able to after the undo. */
static void *parse(struct arena *a, struct text bytes, struct error *error)
{
	(void)error;
	return package_holds(a, bytes, &archive_limits) ? arena_zero(a, 1) : NULL;
}

/* Called by the history to show what changed between two versions. */
static bool words(struct call *c, struct text bytes, struct text *out)
{
	return docx_words(c, bytes, &archive_limits, out);
}
static const struct format docx_format = {.name = "docx", .parse = parse, .words = words};

const struct kind kind_docx = {
	.name = "docx",
	.title = "Word documents",
	.prose =
		"Contracts and other Word files: a compact view with stable handles, surgical edits, byte-exact saves.",
	.instructions = instructions,
	.documents = ".docx .docm .dotx .dotm",
	.config = docx_config_fields,
	.config_size = sizeof(struct docx_config),
	.tools = tables,
	.format = &docx_format,
	.faults = faults,
	.codes = codes,
	.error = &error_form,
	.extensions = ".docx .docm .dotx .dotm",
	.document_max = 256u << 20,
	.open = docx_open,
	.close = docx_close,
};
