/* docs.c: quire docs DIR: writes the pages that come from the tables, and the snapshots of every tool. Not listed in
 * help: make docs and make snapshots call it. */
#include "shell/command.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const char keys_prose[] =
	"## The keys file\n"
	"\n"
	"`--keys FILE`, or `api_keys_file`, names a JSON file. `quire key NAME` makes a key and its entry.\n"
	"\n"
	"```json\n"
	"{\"keys\": [\n"
	"  {\"name\": \"anna\",\n"
	"   \"hash\": \"sha256:41ef4bb0b23661e66301aac36066912dac037827b4ae63a7b1165a5aa93ed4eb\",\n"
	"   \"grants\": {\n"
	"     \"kinds\": [\"hnpx\"],\n"
	"     \"tools\": [\"*\"],\n"
	"     \"documents\": [\"novels/**\"],\n"
	"     \"write\": [\"novels/mine/**\"]},\n"
	"   \"rate_limit\": {\"requests_per_minute\": 100, \"writes_per_minute\": 10},\n"
	"   \"expires\": \"2027-01-01\"}\n"
	"]}\n"
	"```\n"
	"\n"
	"| member | meaning |\n"
	"| --- | --- |\n"
	"| `name` | who it is, in the history and the access log; unique |\n"
	"| `hash` | `sha256:` and the hex digest of the secret |\n"
	"| `key` | the secret itself instead of its hash: 8 to 1024 characters |\n"
	"| `grants.kinds` | kinds it may use |\n"
	"| `grants.tools` | tools it may call, by their own name or with the kind in front; also called `commands` "
	"|\n"
	"| `grants.documents` | documents it may read: paths relative to their root |\n"
	"| `grants.write` | documents it may read and write |\n"
	"| `grants.hide` | documents that are not there for it, whatever the others say |\n"
	"| `rate_limit` | its own limits for each kind, before those of the server; 0 is none |\n"
	"| `expires` | a date, or a moment like `2027-01-01T12:00:00Z`, from which it is refused |\n"
	"\n"
	"In the lists `*` stands for any characters within one part of a path, `**` for any number of parts, `?` for "
	"one\n"
	"character. What is not granted is refused: a list that is missing grants nothing. A malformed file is "
	"refused\n"
	"whole, at the start; at a re-read (`SIGHUP`) the old keys stay then. Sessions and event streams of a key "
	"that was\n"
	"taken out, has another secret or has expired end at once; those of the others go on with what the file "
	"grants by\n"
	"then. Calls that are running keep the key they came with. Keep the file to yourself (`chmod 600`); quire "
	"warns when\n"
	"others can read it.\n"
	"\n"
	"`file_history`, `file_diff` and `file_undo` are of no kind: a key that may use any kind may use them, if "
	"its tools\n"
	"name them, on the documents that it is granted.\n"
	"\n"
	"A flat form is understood too: a list, or `{\"api_keys\": [...]}`, of `{\"api_key\", \"name\", "
	"\"allowed_documents\",\n"
	"\"allowed_commands\", \"rate_limit\"}`. It grants every kind, reading and writing alike, and every tool "
	"when\n"
	"`allowed_commands` is missing; `allowed_documents` is required.\n";

static bool page_write(struct call *c, const char *folder, const char *name, struct buffer *page)
{
	const char *path = folder ? text_format(c->arena, "%s/%s", folder, name).at : name;
	FILE *to = fopen(path, "w");

	if (!to)
		return fail(c, FAULT_STORAGE, "%s cannot be written: %s", path, strerror(errno));
	bool written = fwrite(page->at, 1, page->len, to) == page->len;
	written = !fclose(to) && written;
	page->len = 0;
	return written || fail(c, FAULT_STORAGE, "%s cannot be written: %s", path, strerror(errno));
}

static bool folder_make(struct call *c, const char *path)
{
	return !mkdir(path, 0777) || errno == EEXIST ||
	       fail(c, FAULT_STORAGE, "%s cannot be created: %s", path, strerror(errno));
}

static const struct field *section_fields(const char *name)
{
	const struct field *server = fields_find(config_table, TEXT("mcp_server"));
	const struct field *part = fields_find(server->shape->fields, text_of(name));

	return part->shape->fields;
}

/* [mcp_server] without the tables that are sections of their own. */
static const struct field *server_fields(struct arena *a)
{
	const struct field *from = fields_find(config_table, TEXT("mcp_server"))->shape->fields;
	ARRAY(struct field) rows = {0};

	for (const struct field *f = from; f->name; f++)
		if (f->type != FIELD_OBJECT)
			*ARRAY_PUSH(a, &rows) = *f;
	(void)ARRAY_PUSH(a, &rows);
	return rows.items;
}

static bool pages(struct call *c, const char *folder)
{
	struct buffer b = {.arena = c->arena};
	const char *tools = text_format(c->arena, "%s/tools", folder).at;
	const struct config_section sections[] = {
		{"mcp_server", "Paths in the file are relative to the file.", server_fields(c->arena)},
		{"mcp_server.auth", "", section_fields("auth")},
		{"mcp_server.rate_limit", "Limits are exact: no 60 seconds ever contain more requests.",
		 section_fields("rate_limit")},
		{"mcp_server.storage", "", section_fields("storage")},
		{"mcp_server.validation", "", section_fields("validation")},
		{NULL, NULL, NULL},
	};

	if (!folder_make(c, folder) || !folder_make(c, tools))
		return false;
	for (const struct kind *const *k = kinds; *k; k++) {
		kind_doc(&b, *k);
		if (!page_write(c, tools, text_format(c->arena, "%s.md", (*k)->name).at, &b))
			return false;
	}
	files_doc(&b);
	if (!page_write(c, tools, "file.md", &b))
		return false;
	errors_doc(&b, kinds);
	if (!page_write(c, folder, "errors.md", &b))
		return false;
	config_doc(&b, sections, kinds);
	buffer_put(&b, keys_prose);
	return page_write(c, folder, "config.md", &b);
}

static bool snapshot(struct call *c, const char *folder, const struct kind *k, const struct tool *t)
{
	struct buffer b = {.arena = c->arena};

	kind_snapshot(&b, k, t);
	return page_write(c, folder, text_format(c->arena, "%s.json", t->name).at, &b);
}

static bool snapshots(struct call *c, const char *folder)
{
	if (!folder_make(c, folder))
		return false;
	for (const struct kind *const *k = kinds; *k; k++) {
		const char *below = text_format(c->arena, "%s/%s", folder, (*k)->name).at;
		size_t table = 0, row = 0;

		if (!folder_make(c, below))
			return false;
		for (const struct tool *t; (t = kind_tool_next(*k, &table, &row));)
			if (!snapshot(c, below, *k, t))
				return false;
	}
	const char *below = text_format(c->arena, "%s/file", folder).at;
	if (!folder_make(c, below))
		return false;
	for (const struct tool *t = file_tools; t->name; t++)
		if (!snapshot(c, below, NULL, t))
			return false;
	return true;
}

int docs_run(struct call *c, int argc, char **argv)
{
	const struct shell_command *self = shell_command_find("docs");
	struct settings s = {0};

	if (!options_read(c, self->options, argc, argv, &s))
		return shell_usage(c, "docs");
	if (s.help) {
		help_command(stdout, self);
		return EXIT_DONE;
	}
	if (s.rest.n != 1) {
		fail(c, FAULT_MISSING, "quire docs needs the folder to write to");
		return shell_usage(c, "docs");
	}
	if (!(s.snapshots ? snapshots(c, s.rest.items[0]) : pages(c, s.rest.items[0])))
		return shell_failed(c, EXIT_REFUSED);
	return EXIT_DONE;
}
