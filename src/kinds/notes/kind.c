/* kind.c: a folder of Markdown notes joined by links, as one record.
 *
 * The error object is the specification's: {"error": {"code", "message"}}. */
#include "kinds/notes/note/note.h"
#include "kinds/notes/notes.h"
#include "kinds/notes/tools/engine.h"

static const struct tool *const tables[] = {notes_search_tools,
					    notes_node_tools,
					    notes_graph_tools,
					    notes_tag_tools,
					    notes_find_tools,
					    notes_property_tools,
					    notes_merge_tools,
					    notes_name_tools,
					    notes_link_tools,
					    notes_create_tools,
					    notes_update_tools,
					    notes_section_tools,
					    notes_move_tools,
					    notes_delete_tools,
					    notes_picture_tools,
					    notes_suggest_tools,
					    NULL};

static const char *const file_names[] = {"slug", "as typed", NULL};

const struct field notes_config_table[] = {
	FIELD(struct notes_config, trash, FLAG, 0, "delete_node moves notes to .trash/ instead of deleting them",
	      .otherwise = "false"),
	FIELD(struct notes_config, leave_out_hidden, FLAG, 0,
	      "Leave out of answers what people do not see: HTML comments, zero-width, tag and bidirectional characters",
	      .otherwise = "false"),
	FIELD(struct notes_config, file_names, CHOICE, 0,
	      "Name of a new note's file: slug: weekly-plan.md, as typed: Weekly Plan.md", .choices = file_names,
	      .otherwise = "\"slug\""),
	FIELD(struct notes_config, embed, TEXT, 0,
	      "Where search by meaning gets its vectors: an OpenAI-compatible service (http://localhost:11434/v1), or none; "
	      "default: the built-in model"),
	FIELD(struct notes_config, embed_model, TEXT, 0, "Name of the model, for the service"),
	FIELD(struct notes_config, query_prefix, TEXT, 0, "Text put before a query for the service"),
	FIELD(struct notes_config, note_prefix, TEXT, 0, "Text put before a note for the service"),
	FIELDS_END,
};

static const char *const faults[FAULTS] = {
	[FAULT_ARGUMENT] = "INVALID_PARAMS",  [FAULT_MISSING] = "INVALID_PARAMS", [FAULT_NOT_FOUND] = "PROVIDER_ERROR",
	[FAULT_EXISTS] = "NODE_EXISTS",       [FAULT_PATH] = "INVALID_PARAMS",    [FAULT_TOO_LARGE] = "PROVIDER_ERROR",
	[FAULT_LOCKED] = "PROVIDER_ERROR",    [FAULT_CONFLICT] = "CONFLICT",      [FAULT_READ_ONLY] = "PROVIDER_ERROR",
	[FAULT_DENIED] = "PROVIDER_ERROR",    [FAULT_RATE] = "PROVIDER_ERROR",    [FAULT_TIMEOUT] = "PROVIDER_ERROR",
	[FAULT_CANCELLED] = "PROVIDER_ERROR", [FAULT_STORAGE] = "PROVIDER_ERROR", [FAULT_INTERNAL] = "PROVIDER_ERROR",
};

static const struct code codes[] = {
	{"NODE_NOT_FOUND", 404, "There is no note with this id"},
	{"LINK_INTEGRITY", 409, "A rename or move would leave a link that no form of link can express"},
	{"PROVIDER_ERROR", 422, "The note's front matter is malformed, or the embedding service failed"},
	{.name = NULL},
};

static const struct error_form error_form = {.inside = "error"};

static const char instructions[] =
	"A vault of Markdown notes joined by [[links]]. A note's id is its path, such as projects/plan.md.\n"
	"To find out what is known: `search` by subject, then get_node with depth 1, get_neighbors and get_backlinks to follow "
	"the links; find_path shows how two notes are connected. resolve_nodes turns names into ids.\n"
	"To write: create_node; link to a note with its `link`. edit_node changes one section, update_node the whole text, "
	"tags or title. A new title renames the file, and every link to the note is rewritten; so does move_node. Pass "
	"if_revision from get_node to be sure nobody else changed the note. file_undo undoes the latest change.";

/* Called by the history before an undo: if the front matter is well-formed now, it must be well-formed after the
 * undo. */
static void *parse(struct arena *a, struct text bytes, struct error *error)
{
	(void)error;
	return note_front_holds(a, bytes) ? arena_zero(a, 1) : NULL;
}
static const struct format notes_format = {.name = "notes", .parse = parse};

const struct kind kind_notes = {
	.name = "notes",
	.title = "Markdown notes",
	.prose = "A folder of Markdown notes joined by [[links]], with tags, a graph and search by meaning.",
	.instructions = instructions,
	.documents = NOTE_SUFFIXES,
	.creates = "create_node",
	.config = notes_config_table,
	.config_size = sizeof(struct notes_config),
	.tools = tables,
	.resources = notes_resources,
	.format = &notes_format,
	.faults = faults,
	.codes = codes,
	.error = &error_form,
	.document_max = 16 * 1024 * 1024,
	.lists_change = true,
	.commands = notes_commands,
	.advice = engine_advice,
	.open = vault_open,
	.close = vault_close,
};
