/* kind.c: the record of this kind: novels planned breadth-first.
 *
 * The error object is the specification's: {error, code, message, details}, and details is always an object. */
#include "kinds/hnpx/hnpx.h"

static const struct tool *const tables[] = {hnpx_create_tools,
					    hnpx_inspect_tools,
					    hnpx_revise_tools,
					    hnpx_arrange_tools,
					    hnpx_render_tools,
					    hnpx_replace_tools,
					    hnpx_search_tools,
					    hnpx_export_tools,
					    hnpx_repair_tools,
					    hnpx_bible_tools,
					    hnpx_writing_tools,
					    hnpx_continuity_tools,
					    NULL};

static const char *const faults[FAULTS] = {
	[FAULT_ARGUMENT] = "INVALID_ATTRIBUTE",
	[FAULT_MISSING] = "MISSING_ATTRIBUTE",
	[FAULT_NOT_FOUND] = "FILE_NOT_FOUND",
	[FAULT_EXISTS] = "FILE_EXISTS",
	[FAULT_PATH] = "INVALID_PATH",
	[FAULT_TOO_LARGE] = "FILE_TOO_LARGE",
	[FAULT_LOCKED] = "LOCKED",
	[FAULT_CONFLICT] = "CONFLICT",
	[FAULT_READ_ONLY] = "ACCESS_DENIED",
	[FAULT_DENIED] = "ACCESS_DENIED",
	[FAULT_RATE] = "RATE_LIMITED",
	[FAULT_TIMEOUT] = "TIMEOUT",
	[FAULT_CANCELLED] = "CANCELLED",
	[FAULT_STORAGE] = "STORAGE_ERROR",
	[FAULT_INTERNAL] = "INTERNAL_ERROR",
};

static const struct code codes[] = {
	{"INVALID_XML", 422, "The file is not well-formed XML, not UTF-8, or has a DOCTYPE"},
	{"NOT_HNPX", 422, "The file is XML but breaks a rule of HNPX; details.problems lists where"},
	{"NODE_NOT_FOUND", 404, "No node has this id"},
	{"INVALID_PARENT", 422, "The parent is of a level that does not hold such nodes"},
	{"DUPLICATE_ID", 409, "Three random ids in a row were taken"},
	{"INVALID_HIERARCHY", 422, "A node cannot be under the parent it was moved to or planned for"},
	{"EMPTY_SUMMARY", 422, "A summary is missing or blank"},
	{"MISSING_CHAR", 422, "A dialogue paragraph does not say who speaks"},
	{"VALIDATION_FAILED", 422,
	 "The result would not be valid: a title that is taken, a wrong set of children, words that are not there"},
	{"ENTRY_NOT_FOUND", 404, "The story bible has no entry, section or fact of this name"},
	{"READ_ONLY", 422, "The id of a node cannot be changed"},
	{"IMMUTABLE_ROOT", 422, "The book element cannot be removed or moved"},
	{.name = NULL},
};

static const struct error_form error_form = {
	.flag = "error", .flag_is = true, .argument = "argument", .hint = HINT_IN_DETAILS, .details = DETAILS_ALWAYS};

static const char instructions[] =
	"HNPX holds a novel planned breadth-first: book > chapter > sequence (one place and time) > beat (one turn) > "
	"paragraph (the prose). Every node has a six-character id and a summary of what belongs in it; \"book\" names the "
	"root.\n"
	"To write: create_document; edit_node_attributes on \"book\" with {\"summary\": ...}; then repeat "
	"get_next_empty_container and fill what it names with create_nodes until it returns null. get_writing_context shows "
	"what to know before.\n"
	"To revise: get_subtree of \"book\" with pruning_level chapter for an overview, render_node to read a part, then "
	"replace_text, edit_node_attributes, reorder_children (also moves and merges), remove_node. file_undo undoes the last "
	"write. export_document writes EPUB, DOCX and others.\n"
	"edit_bible keeps facts beside the book, each with the paragraph that shows it; check_continuity lists what may "
	"contradict itself; repair_document mends a file that a hand edit broke.";

struct settings {
	struct text extensions;
};

static const struct field config[] = {
	FIELD(struct settings, extensions, TEXT, 0,
	      "More endings of documents, besides .hnpx and .xml: \".book .novel\""),
	FIELDS_END,
};

const struct kind kind_hnpx = {
	.name = "hnpx",
	.title = "Novels planned breadth-first",
	.prose = "Books in HNPX, an XML format that goes from a book's summary over chapters, sequences and beats to "
		 "the paragraphs.",
	.instructions = instructions,
	.extensions = ".hnpx .xml",
	.creates = "create_document",
	.config = config,
	.config_size = sizeof(struct settings),
	.tools = tables,
	.resources = hnpx_resources,
	.prompts = hnpx_prompts,
	.commands = hnpx_commands,
	.faults = faults,
	.codes = codes,
	.format = &hnpx_format,
	.error = &error_form,
};
