/* kind.c: the record of this kind: manuals as labelled blocks. The error object is {error:{code,message,details}}. */
#include "kinds/docjl/docjl.h"

#include "base/budget.h"
#include "base/own.h"
#include "kinds/docjl/rows/trail_file.h"
#include "work/work.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SCHEMA_FILE_MAX = 1 << 20 };

static const char *const confirm_names[] = {"ask", "flag", "none", NULL};

const struct field docjl_config_table[] = {
	FIELD(struct docjl_config, ironbase_path, TEXT, 0,
	      "The SQLite file of the documents. Default: docjl.db in the first root"),
	FIELD(struct docjl_config, store, TEXT, 0, "postgresql://... instead of a file; same as --store"),
	FIELD(struct docjl_config, audit_log_path, TEXT, 0,
	      "A file that gets a JSON line for each entry of the audit trail"),
	FIELD(struct docjl_config, schema_file, TEXT, 0,
	      "A JSON Schema that every written block must match in addition to the built-in one"),
	FIELD(struct docjl_config, strict_mode, MAYBE_FLAG, 0, "Refuse blocks of unknown types. Default: true"),
	FIELD(struct docjl_config, leave_unseen_out, FLAG, 0,
	      "get_document, search_blocks and search return words without zero-width, tag, bidirectional and control "
	      "characters, which a person does not see",
	      .otherwise = "false"),
	FIELD(struct docjl_config, anchor_keys, TEXTS, 0,
	      "Public keys whose anchors audit verify accepts, as quire docjl audit key prints them. Default: the key of "
	      "this state folder only"),
	FIELD(struct docjl_config, confirm_delete, CHOICE, 0,
	      "ask: before blocks are deleted, ask the user where the client supports it; flag: delete_block, apply and "
	      "rollback need confirm to delete blocks; none",
	      .choices = confirm_names, .otherwise = "\"ask\""),
	FIELDS_END,
};

static bool schema_read(struct call *c, struct docjl *d, struct text path)
{
	struct buffer b = {.arena = &d->arena};
	struct json_error bad;
	const char *name = text_string(c->arena, path);
	int fd = open_at(AT_FDCWD, name, O_RDONLY, 0);

	if (fd < 0) {
		warn(c, "the schema_file %s cannot be read, so only the built-in schema is used", name);
		return true;
	}
	ssize_t got;
	while (b.len <= SCHEMA_FILE_MAX && (got = read(fd, buffer_room(&b, 65536), 65536)) > 0)
		b.len += (size_t)got;
	fd_drop(&fd);
	d->schema = json_parse(&d->arena, buffer_text(&b), JSON_DEPTH_MAX, &bad);
	return d->schema || fail(c, FAULT_ARGUMENT, "the schema_file %s, line %u: %s", name, bad.line, bad.message);
}

static const char *usual_place(struct call *c)
{
	return text_format(c->arena, "%.*s/docjl.db", TEXT_ARGS(work_root(c->work, 0))).at;
}

static bool has_documents(struct call *c, const void *config)
{
	const struct docjl_config *config_ = config;

	return config_->store.at || config_->ironbase_path.at || !c->work || !access(usual_place(c), F_OK);
}

bool docjl_open(struct call *c, const void *config, void **state)
{
	const struct docjl_config *config_ = config;
	struct docjl *d = budget_zero(1, sizeof *d);

	d->arena.lasts = true;
	pthread_mutex_init(&d->audit_lock, NULL);
	d->is_strict = !config_->strict_mode.there || config_->strict_mode.value;
	d->leaves_unseen_out = config_->leave_unseen_out;
	d->is_read_only = c->work && work_is_read_only(c->work);
	d->confirm = config_->confirm_delete < 0 ? CONFIRM_ASK : (enum confirm)config_->confirm_delete;
	struct text place = config_->store.at ? config_->store : config_->ironbase_path;
	if (!place.at && c->work)
		place = text_copy(&d->arena, text_of(usual_place(c)));
	if (!place.at) {
		docjl_close(d);
		return fail(c, FAULT_ARGUMENT,
			    "no root is served, so there is no place for the documents; give --root DIR");
	}
	d->place = text_string(&d->arena, place);
	d->n_anchor_keys = config_->anchor_keys.n;
	struct text *keys = arena_array(&d->arena, d->n_anchor_keys + 1, sizeof *keys);
	for (size_t i = 0; i < d->n_anchor_keys; i++)
		keys[i] = text_copy(&d->arena, config_->anchor_keys.items[i]);
	d->anchor_keys = keys;
	if (config_->audit_log_path.at)
		d->audit_log = budget_text(config_->audit_log_path.at, config_->audit_log_path.len);
	if (config_->schema_file.at && !schema_read(c, d, config_->schema_file)) {
		docjl_close(d);
		return false;
	}
	d->store = store_open(&(struct store_options){
		.place = d->place,
		.schema = &docjl_schema,
		.noun = "the manuals",
		.rescue = text_format(&d->arena, "quire docjl rescue %s NEW.db", d->place).at,
		.read_only = d->is_read_only,
		.mode = TRAIL_FILE_MODE,
	});
	*state = d;
	struct call aside = {.arena = c->arena, .caller = c->caller};
	trail_file_catch_up(&aside, d);
	return true;
}

void docjl_close(void *state)
{
	struct docjl *d = state;

	if (!d)
		return;
	store_close(d->store);
	pthread_mutex_destroy(&d->audit_lock);
	free(d->audit_log);
	arena_free(&d->arena);
	free(d);
}

static const struct tool *const tables[] = {
	docjl_document_tools, docjl_block_tools,    docjl_search_tools, docjl_reference_tools,
	docjl_audit_tools,    docjl_coverage_tools, docjl_extra_tools,  NULL};

static const char *const faults[FAULTS] = {
	[FAULT_ARGUMENT] = "INVALID_COMMAND",  [FAULT_MISSING] = "INVALID_COMMAND",
	[FAULT_NOT_FOUND] = "INVALID_COMMAND", [FAULT_EXISTS] = "SCHEMA_VALIDATION_FAILED",
	[FAULT_PATH] = "INVALID_COMMAND",      [FAULT_TOO_LARGE] = "INVALID_COMMAND",
	[FAULT_LOCKED] = "INTERNAL_ERROR",     [FAULT_CONFLICT] = "INVALID_COMMAND",
	[FAULT_READ_ONLY] = "UNAUTHORIZED",    [FAULT_DENIED] = "UNAUTHORIZED",
	[FAULT_KEY] = "UNAUTHORIZED",          [FAULT_RATE] = "RATE_LIMIT_EXCEEDED",
	[FAULT_TIMEOUT] = "INTERNAL_ERROR",    [FAULT_CANCELLED] = "INTERNAL_ERROR",
	[FAULT_STORAGE] = "INTERNAL_ERROR",    [FAULT_INTERNAL] = "INTERNAL_ERROR",
};

static const struct code codes[] = {
	{DOCUMENT_NOT_FOUND, 404, "No document has this id, or the key may not see it"},
	{BLOCK_NOT_FOUND, 404, "No block of the document has this label"},
	{SCHEMA_FAILED, 422, "A block or label breaks the schema; details.validation_errors lists where"},
	{REFERENCE_ERROR, 422, "A reference would point to a label that does not exist"},
	{CONFIRMATION_REQUIRED, 409,
	 "Blocks would be deleted and nobody agreed; details show which. Ask the user, then repeat with confirm: true"},
	{.name = NULL},
};

static const struct error_form error_form = {.inside = "error", .argument = "argument", .details = DETAILS_ALWAYS};

/* Records a refusal by the guard in the trail of the document that the call names, or among the server's own events if
 * it names none. */
static void guard_refused(struct call *c, const struct tool *t, const struct json *arguments)
{
	static const char prefix[] = "mcp_docjl_";
	struct text document = json_text(json_get(arguments, "document_id"));
	int64_t seq;

	if (!t) {
		refusal_note(c, c->state, (struct text){0}, "request", (struct text){0});
		return;
	}
	const char *op = t->name;
	if (!strncmp(op, prefix, sizeof prefix - 1))
		op += sizeof prefix - 1;
	audit_parse(json_text(json_get(arguments, "audit_id")), &document, &seq);
	refusal_note(c, c->state, document, op, json_text(json_get(arguments, "block_label")));
}

static const char instructions[] =
	"DOCJL keeps manuals as trees of labelled blocks: heading and section hold blocks; paragraph, table, list, "
	"image, code and reference do not. A label is PREFIX:ID, such as sec:4.2, para:4.2.1, tab:7 or app:risk, "
	"and every tool addresses blocks by label. Labels such as para:4.2.1 follow the position: inserting or "
	"moving renumbers later ones, and references follow.\n"
	"Begin with mcp_docjl_list_documents and mcp_docjl_list_headings; mcp_docjl_search_blocks finds a clause; "
	"mcp_docjl_get_document with sections reads it. Then mcp_docjl_insert_block, mcp_docjl_update_block, "
	"mcp_docjl_move_block, mcp_docjl_delete_block. A new block needs no label. Inline text is "
	"[{\"type\":\"text\",\"content\":\"...\"}]; a cross-reference is "
	"{\"type\":\"ref\",\"target\":\"sec:4.2\"}; a plain string is accepted for content. dry_run shows what a "
	"write would do. mcp_docjl_validate_references lists broken references. Every write has an audit_id; "
	"mcp_docjl_rollback undoes one.";

const struct kind kind_docjl = {
	.name = "docjl",
	.title = "Manuals with labels, references and an audit trail",
	.prose = "Manuals in DOCJL: blocks with labels and cross-references, an audit trail, in a database.",
	.instructions = instructions,
	.config = docjl_config_table,
	.config_size = sizeof(struct docjl_config),
	.tools = tables,
	.resources = docjl_resources,
	.prompts = docjl_prompts,
	.commands = docjl_commands,
	.faults = faults,
	.codes = codes,
	.error = &error_form,
	.requests_a_minute = 100,
	.writes_a_minute = 10,
	.no_files = true,
	.has_documents = has_documents,
	.open = docjl_open,
	.close = docjl_close,
	.refused = guard_refused,
};
