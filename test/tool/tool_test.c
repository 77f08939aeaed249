#include "support/check.h"

#include "tool/kind.h"

#include <string.h>

static struct arena arena;
static struct reply reply;
static struct call call;
static struct text structured;

static int begin(void **state)
{
	(void)state;
	arena = (struct arena){0};
	reply = (struct reply){.log_level = -1};
	call = (struct call){.arena = &arena, .reply = &reply};
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static const struct json *tree(struct text source)
{
	struct json_error e = {0};
	const struct json *v = json_parse(&arena, source, JSON_DEPTH_MAX, &e);

	if (!v)
		fail_msg("not JSON at %u: %s", e.pos, e.message);
	return v;
}

struct rename_args {
	struct text path, name;
	int outcome;
};
static const char *const outcomes[] = {"fine", "fails",   "silent",   "recovers", "wrong",
				       "asks", "picture", "own_text", NULL};
static const struct field rename_in[] = {
	FIELD(struct rename_args, path, TEXT, FIELD_REQUIRED | FIELD_PATH, "Path of the note"),
	FIELD(struct rename_args, name, TEXT, 0, "Its new name"),
	FIELD(struct rename_args, outcome, CHOICE, 0, "How it ends", .choices = outcomes, .otherwise = "\"fine\""),
	FIELDS_END,
};
struct rename_answer {
	struct text name;
};
static const struct field rename_out[] = {
	FIELD(struct rename_answer, name, TEXT, FIELD_REQUIRED, "The name it has now"),
	FIELDS_END,
};

static bool rename_note(struct call *c, const void *in, void *out)
{
	const struct rename_args *args = in;
	struct rename_answer *answer = out;

	answer->name = args->name.at ? args->name : TEXT("untitled");
	if (!strcmp(outcomes[args->outcome], "fails")) {
		reply_text(c, TEXT("half of an answer"));
		/* cmocka has a macro of this name */
		return (fail)(c, FAULT_NOT_FOUND, "there is no note %s", shown(c, args->path));
	}
	if (!strcmp(outcomes[args->outcome], "silent"))
		return false;
	if (!strcmp(outcomes[args->outcome], "recovers"))
		(fail)(c, FAULT_NOT_FOUND, "not there, but that is no matter");
	if (!strcmp(outcomes[args->outcome], "wrong"))
		answer->name = (struct text){0};
	if (!strcmp(outcomes[args->outcome], "asks")) {
		const struct json *response;
		return ask_client(c, "k", "sampling/createMessage", NULL, json_new_object(c->arena), &response) ==
		       WAITING;
	}
	if (!strcmp(outcomes[args->outcome], "picture"))
		reply_image(c, "image/png", TEXT("png"));
	if (!strcmp(outcomes[args->outcome], "own_text"))
		reply_text(c, TEXT("a table"));
	return true;
}

static bool dump_note(struct call *c, const void *in, void *out)
{
	const struct rename_args *args = in;

	(void)out;
	reply_text(c, args->path);
	return true;
}

static const struct tool tools[] = {
	TOOL("rename", "Rename a note", "Renames a note and every link to it.", TOOL_WRITES, struct rename_args,
	     rename_in, struct rename_answer, rename_out, rename_note,
	     .example = "{\"path\": \"a.md\", \"name\": \"b.md\"}"),
	TOOL("look", "Look at a note", "Looks.", TOOL_READS, struct rename_args, rename_in, struct rename_answer,
	     rename_out, rename_note),
	TEXT_TOOL("dump", "Dump a note", "Dumps.", TOOL_WRITES | TOOL_DELETES | TOOL_IDEMPOTENT, struct rename_args,
		  rename_in, dump_note),
	TOOL("elsewhere", "Write elsewhere", "Writes no file.", TOOL_WRITES | TOOL_NO_FILE, struct rename_args,
	     rename_in, struct rename_answer, rename_out, rename_note),
	TOOLS_END,
};
static const struct tool *const rename_tool = &tools[0], *const look_tool = &tools[1], *const dump_tool = &tools[2],
				*const elsewhere_tool = &tools[3];

static void run(const struct tool *t, const char *arguments)
{
	reply.blocks.n = 0;
	tool_run(&call, t, arguments ? tree(text_of(arguments)) : NULL, &structured);
}

static struct text described(const struct tool *t, const char *version)
{
	struct buffer to = {.arena = &arena};

	tool_describe(&(struct json_out){.to = &to}, t, NULL, version, true);
	return buffer_text(&to);
}

static void a_tool_is_described_from_its_row(void **state)
{
	(void)state;
	const struct json *have = tree(described(rename_tool, "2025-06-18"));
	assert_text(json_text(json_get(have, "name")), "rename");
	assert_text(json_text(json_get(have, "title")), "Rename a note");
	assert_text(json_text(json_get(have, "description")), "Renames a note and every link to it.");
	assert_text(
		json_source(&arena, json_get(have, "annotations")),
		"{\"readOnlyHint\":false,\"destructiveHint\":false,\"idempotentHint\":false,\"openWorldHint\":false}");
	have = tree(described(look_tool, NULL));
	assert_text(
		json_source(&arena, json_get(have, "annotations")),
		"{\"readOnlyHint\":true,\"destructiveHint\":false,\"idempotentHint\":true,\"openWorldHint\":false}");
	have = tree(described(dump_tool, NULL));
	assert_text(
		json_source(&arena, json_get(have, "annotations")),
		"{\"readOnlyHint\":false,\"destructiveHint\":true,\"idempotentHint\":true,\"openWorldHint\":false}");
	assert_null(json_get(have, "outputSchema"));
}

static void a_version_is_told_only_what_it_knows(void **state)
{
	(void)state;
	static const struct {
		const char *version;
		bool annotations, titles;
	} versions[] = {{"2024-11-05", false, false},
			{"2025-03-26", true, false},
			{"2025-06-18", true, true},
			{"2025-11-25", true, true},
			{"2026-07-28", true, true}};
	for (size_t i = 0; i < ARRAY_COUNT(versions); i++) {
		const struct json *have = tree(described(rename_tool, versions[i].version));
		assert_int_equal(json_get(have, "annotations") != NULL, versions[i].annotations);
		assert_int_equal(json_get(have, "title") != NULL, versions[i].titles);
		assert_int_equal(json_get(have, "outputSchema") != NULL, versions[i].titles);
		assert_non_null(json_get(have, "inputSchema"));
	}
}

static struct text names_in(const struct tool *t, const char *which)
{
	const struct json *properties = json_get(json_get(tree(described(t, NULL)), which), "properties");
	struct buffer to = {.arena = &arena};

	for (uint32_t i = 0; i < properties->len; i++)
		buffer_format(&to, "%s ", properties->members[i].key);
	return buffer_text(&to);
}

static void writers_of_files_get_what_the_core_adds(void **state)
{
	(void)state;
	assert_text(names_in(rename_tool, "inputSchema"), "path name outcome if_revision dry_run ");
	assert_text(names_in(rename_tool, "outputSchema"), "name revision ");
	assert_text(names_in(look_tool, "inputSchema"), "path name outcome ");
	assert_text(names_in(look_tool, "outputSchema"), "name revision ");
	assert_text(names_in(elsewhere_tool, "inputSchema"), "path name outcome ");
	assert_text(names_in(elsewhere_tool, "outputSchema"), "name ");
}

static void an_answer_is_structured_and_the_same_as_text(void **state)
{
	(void)state;
	run(look_tool, "{\"path\":\"a\",\"name\":\"b\"}");
	assert_int_equal(call.error.fault, FAULT_NONE);
	assert_text(structured, "{\"name\":\"b\"}");
	assert_int_equal(reply.blocks.n, 1);
	assert_text(reply.blocks.items[0].bytes, "{\"name\":\"b\"}");
	assert_string_equal(call.tool, "look");
}

static void revision_and_warnings_are_spliced_in(void **state)
{
	(void)state;
	call.revision = TEXT("abcdefghijklmnop");
	warn(&call, "mind the gap");
	run(look_tool, "{\"path\":\"a\"}");
	assert_text(structured,
		    "{\"name\":\"untitled\",\"revision\":\"abcdefghijklmnop\",\"_warnings\":[\"mind the gap\"]}");
	run(elsewhere_tool, "{\"path\":\"a\"}");
	assert_text(structured, "{\"name\":\"untitled\",\"_warnings\":[\"mind the gap\"]}");
}

static void the_core_takes_its_own_arguments_out(void **state)
{
	(void)state;
	run(rename_tool, "{\"if_revision\":\"abcdefghijklmnop\",\"path\":\"a\",\"dry_run\":true,\"name\":\"b\"}");
	assert_int_equal(call.error.fault, FAULT_NONE);
	assert_text(call.if_revision, "abcdefghijklmnop");
	assert_true(call.dry_run);
	assert_text(structured, "{\"name\":\"b\",\"dry_run\":true,\"changes\":[]}");
	run(look_tool, "{\"path\":\"a\",\"dry_run\":true}");
	assert_string_equal(call.error.message, "there is no argument dry_run: there is path, name or outcome");
	run(rename_tool, "{\"path\":\"a\",\"if_revision\":\"\"}");
	assert_string_equal(call.error.message, "if_revision must have 1 to 128 characters, not 0");
	assert_string_equal(call.error.where, "/if_revision");
	run(rename_tool, "{\"path\":\"a\",\"dryrun\":true}");
	assert_string_equal(call.error.message, "there is no argument dryrun: did you mean dry_run?");
}

static void a_dry_run_lists_the_changes(void **state)
{
	(void)state;
	struct planned two[] = {{.path = TEXT("a"), .action = PLANNED_MOVE, .to = TEXT("b")},
				{.path = TEXT("c"), .action = PLANNED_EDIT, .diff = TEXT("-x\n+y\n")}};
	call.planned.items = two;
	call.planned.n = 2;
	run(rename_tool, "{\"path\":\"a\",\"dry_run\":true}");
	assert_text(json_source(&arena, json_get(tree(structured), "changes")),
		    "[{\"path\":\"a\",\"action\":\"move\",\"to\":\"b\"},"
		    "{\"path\":\"c\",\"action\":\"edit\",\"lines\":\"+1 -1\",\"diff\":\"-x\\n+y\\n\"}]");
	run(dump_tool, "{\"path\":\"a\",\"dry_run\":true}");
	assert_null(structured.at);
	assert_int_equal(reply.blocks.n, 1);
	assert_text(reply.blocks.items[0].bytes,
		    "Dry run: nothing was written. This would change:\n\nmove a to b\n\nedit c +1 -1\n-x\n+y\n");
	call.planned.n = 0;
	run(dump_tool, "{\"path\":\"a\",\"dry_run\":true}");
	assert_text(reply.blocks.items[0].bytes, "Dry run: nothing would change.\n");
}

static void a_large_dry_run_is_cut_at_a_line_and_counted(void **state)
{
	struct planned changes[30];
	struct buffer diff = {.arena = &arena};

	(void)state;
	for (int i = 0; i < 5000; i++)
		buffer_put(&diff, "+a line\n");
	for (int i = 0; i < 30; i++)
		changes[i] = (struct planned){.path = text_format(&arena, "%d", i),
					      .action = PLANNED_EDIT,
					      .diff = i ? TEXT("+x\n") : buffer_text(&diff)};
	call.planned.items = changes;
	call.planned.n = 30;
	reply.room = ANSWER_CHARACTERS;
	run(rename_tool, "{\"path\":\"a\",\"dry_run\":true,\"diff\":true}");
	assert_true(structured.len < 36000);
	const struct json *listed = json_get(tree(structured), "changes"),
			  *warnings = json_get(tree(structured), "_warnings");
	assert_int_equal(listed->len, 10);
	assert_true(text_ends(json_text(json_get(&listed->items[0], "diff")), "+a line\n"));
	assert_text(json_text(json_get(&listed->items[0], "lines")), "+5000 -0");
	assert_text(json_text(json_get(&listed->items[9], "path")), "9");
	assert_text(json_text(&warnings->items[0]), "30 files would change; 10 are listed here");
	assert_text(json_text(&warnings->items[1]), "the diffs of 10 files are cut");
	call.planned.n = 30;
	call.warnings.n = 0;
	run(rename_tool, "{\"path\":\"a\",\"dry_run\":true}");
	listed = json_get(tree(structured), "changes");
	assert_int_equal(listed->len, 10);
	assert_null(json_get(&listed->items[0], "diff"));
}

static void a_text_tool_answers_its_text_and_warnings_behind_it(void **state)
{
	(void)state;
	call.revision = TEXT("abcdefghijklmnop");
	warn(&call, "one");
	warn(&call, "two");
	run(dump_tool, "{\"path\":\"a\"}");
	assert_null(structured.at);
	assert_int_equal(reply.blocks.n, 2);
	assert_text(reply.blocks.items[0].bytes, "a");
	assert_text(reply.blocks.items[1].bytes, "Warning: one\nWarning: two");
	assert_text(call.revision, "abcdefghijklmnop");
}

static void the_handlers_own_text_replaces_the_json_and_a_picture_does_not(void **state)
{
	(void)state;
	run(look_tool, "{\"path\":\"a\",\"outcome\":\"own_text\"}");
	assert_int_equal(reply.blocks.n, 1);
	assert_text(reply.blocks.items[0].bytes, "a table");
	assert_non_null(structured.at);
	run(look_tool, "{\"path\":\"a\",\"outcome\":\"picture\"}");
	assert_int_equal(reply.blocks.n, 2);
	assert_int_equal(reply.blocks.items[0].type, BLOCK_TEXT);
	assert_text(reply.blocks.items[0].bytes, "{\"name\":\"untitled\"}");
	assert_int_equal(reply.blocks.items[1].type, BLOCK_IMAGE);
}

static void an_error_carries_neither_structure_nor_blocks(void **state)
{
	(void)state;
	run(look_tool, "{\"path\":\"a\",\"outcome\":\"fails\"}");
	assert_int_equal(call.error.fault, FAULT_NOT_FOUND);
	assert_null(structured.at);
	assert_int_equal(reply.blocks.n, 0);
	run(look_tool, "{\"path\":\"a\",\"outcome\":\"silent\"}");
	assert_int_equal(call.error.fault, FAULT_INTERNAL);
	run(look_tool, NULL);
	assert_int_equal(call.error.fault, FAULT_MISSING);
	run(look_tool, "[]");
	assert_int_equal(call.error.fault, FAULT_ARGUMENT);
}

static void what_a_handler_got_over_is_no_error(void **state)
{
	(void)state;
	run(look_tool, "{\"path\":\"a\",\"outcome\":\"recovers\"}");
	assert_int_equal(call.error.fault, FAULT_NONE);
	assert_non_null(structured.at);
}

static void an_answer_that_breaks_its_schema_is_a_fault_of_ours(void **state)
{
	(void)state;
#ifdef QUIRE_DEBUG
	run(look_tool, "{\"path\":\"a\",\"outcome\":\"wrong\"}");
	assert_int_equal(call.error.fault, FAULT_INTERNAL);
	assert_string_equal(call.error.message, "the result of look does not match its schema: name is required");
	assert_null(structured.at);
#endif
}

static void a_waiting_call_answers_nothing_yet(void **state)
{
	(void)state;
	run(look_tool, "{\"path\":\"a\",\"outcome\":\"asks\"}");
	assert_int_equal(call.error.fault, FAULT_NONE);
	assert_int_equal(reply.questions.n, 1);
	assert_null(structured.at);
	assert_int_equal(reply.blocks.n, 0);
}

struct raw_args {
	const struct json *all;
};
static const struct field raw_in[] = {FIELD(struct raw_args, all, MAP, 0, ""), FIELDS_END};

static bool raw_run(struct call *c, const void *in, void *out)
{
	(void)out;
	reply_text(c, json_source(c->arena, ((const struct raw_args *)in)->all));
	return true;
}

static void a_raw_schema_is_listed_as_it_is_and_takes_everything(void **state)
{
	(void)state;
	static const struct tool raw = TEXT_TOOL("raw", "Raw", "Raw.", TOOL_WRITES, struct raw_args, raw_in, raw_run,
						 .in_schema = "{\"type\":\"object\",\"minProperties\":1}");
	assert_text(json_source(&arena, json_get(tree(described(&raw, NULL)), "inputSchema")),
		    "{\"type\":\"object\",\"minProperties\":1}");
	run(&raw, "{\"x\":1,\"dry_run\":false,\"y\":[2]}");
	assert_text(reply.blocks.items[0].bytes, "{\"x\":1,\"y\":[2]}");
	run(&raw, NULL);
	assert_text(reply.blocks.items[0].bytes, "{}");
}

static void a_raw_schema_is_what_help_and_docs_show(void **state)
{
	(void)state;
	static const struct tool raw = TEXT_TOOL("raw", "Raw", "Raw.", TOOL_WRITES, struct raw_args, raw_in, raw_run,
						 .in_schema = "{\"type\":\"object\"}");
	static const struct field nothing[] = {FIELDS_END};
	static const struct tool bare =
		TEXT_TOOL("bare", "Bare", "Bare.", TOOL_READS, struct raw_args, nothing, raw_run);
	struct buffer help = {.arena = &arena}, doc = {.arena = &arena};

	tool_help(&help, &raw);
	assert_non_null(strstr(buffer_text(&help).at, "Arguments, as JSON Schema:\n  {\"type\":\"object\"}\n"));
	tool_doc(&doc, &raw);
	assert_non_null(
		strstr(buffer_text(&doc).at, "Arguments, as JSON Schema:\n\n```json\n{\"type\":\"object\"}\n```\n"));
	assert_null(strstr(buffer_text(&doc).at, "Also takes"));
	help.len = doc.len = 0;
	tool_help(&help, &bare);
	assert_non_null(strstr(buffer_text(&help).at, "\nIt takes no arguments.\n"));
	tool_doc(&doc, &bare);
	assert_non_null(strstr(buffer_text(&doc).at, "\nIt takes no arguments of its own.\n"));
}

struct own_args {
	bool dry_run;
};
static const struct field own_in[] = {FIELD(struct own_args, dry_run, FLAG, 0, "Its own"), FIELDS_END};
struct own_answer {
	struct text revision;
	bool dry_run;
};
static const struct field own_out[] = {
	FIELD(struct own_answer, revision, TEXT, FIELD_NULLABLE, "Its own"),
	FIELD(struct own_answer, dry_run, FLAG, 0, "Its own"),
	FIELDS_END,
};

static bool own_run(struct call *c, const void *in, void *out)
{
	struct own_answer *answer = out;

	(void)c;
	answer->dry_run = ((const struct own_args *)in)->dry_run;
	return true;
}

static bool own_writes(const void *in) { return !((const struct own_args *)in)->dry_run; }

static const struct tool own = TOOL("own", "Own", "Own.", TOOL_WRITES, struct own_args, own_in, struct own_answer,
				    own_out, own_run, .writes = own_writes);

static void a_row_of_the_tools_own_is_the_tools(void **state)
{
	(void)state;
	call.revision = TEXT("abcdefghijklmnop");
	assert_text(names_in(&own, "inputSchema"), "dry_run if_revision ");
	assert_text(names_in(&own, "outputSchema"), "revision dry_run ");
	run(&own, "{\"dry_run\":true}");
	assert_false(call.dry_run);
	assert_text(structured, "{\"revision\":null,\"dry_run\":true}");
}

static void a_tool_may_write_in_one_of_its_modes(void **state)
{
	(void)state;
	assert_true(tool_would_write(&call, &own, tree(TEXT("{\"dry_run\":false}"))));
	assert_false(tool_would_write(&call, &own, tree(TEXT("{\"dry_run\":true}"))));
	assert_false(tool_would_write(&call, &own, tree(TEXT("{\"wrong\":true}"))));
	assert_int_equal(call.error.fault, FAULT_NONE);
	assert_true(tool_would_write(&call, rename_tool, NULL));
	assert_false(tool_would_write(&call, look_tool, NULL));
}

static void an_error_of_a_kind_without_a_form_of_its_own_says_all_there_is(void **state)
{
	(void)state;
	struct buffer to = {.arena = &arena};
	struct json *details = json_new_object(&arena);
	struct error e = {.fault = FAULT_LOCKED,
			  .message = "locked",
			  .where = "/path",
			  .line = 3,
			  .column = 7,
			  .retry_after = 5,
			  .details = details};

	json_set_text(&arena, details, "path", TEXT("a.md"));
	kind_error(&(struct json_out){.to = &to}, NULL, &e);
	assert_text(buffer_text(&to),
		    "{\"error\":{\"code\":\"LOCKED\",\"message\":\"locked\",\"where\":\"/path\",\"line\":3,"
		    "\"column\":7,\"details\":{\"path\":\"a.md\"},\"retry_after\":5}}");
	to.len = 0;
	kind_error(&(struct json_out){.to = &to}, NULL,
		   &(struct error){.fault = FAULT_OWN, .code = "BAD", .message = "bad"});
	assert_text(buffer_text(&to), "{\"error\":{\"code\":\"BAD\",\"message\":\"bad\"}}");
}

static void help_fits_a_terminal(void **state)
{
	(void)state;
	struct buffer to = {.arena = &arena};
	tool_help(&to, rename_tool);
	const char *have = buffer_text(&to).at;
	assert_non_null(strstr(have, "rename: Rename a note (writes)\n"));
	assert_non_null(strstr(have, "  path: path, required\n      Path of the note\n"));
	assert_non_null(strstr(have, "  dry_run: true or false, default false\n"));
	assert_non_null(strstr(have, "Example:\n  {\"path\": \"a.md\", \"name\": \"b.md\"}\n"));
	for (const char *line = have; *line;) {
		const char *next = strchr(line, '\n');
		assert_in_range(next - line, 0, 80);
		line = next + 1;
	}
}

static void docs_have_a_section_a_tool(void **state)
{
	(void)state;
	struct buffer to = {.arena = &arena};
	tool_doc(&to, rename_tool);
	const char *have = buffer_text(&to).at;
	assert_non_null(
		strstr(have, "### rename\n\n*Rename a note; writes.*\n\nRenames a note and every link to it.\n"));
	assert_non_null(strstr(have, "| `path` | path, required | Path of the note |\n"));
	assert_non_null(strstr(
		have,
		"Also takes `if_revision`, `dry_run` and `diff`, as [every tool that writes files](file.md#besides) does.\n"));
	struct buffer files = {.arena = &arena};
	files_doc(&files);
	have = buffer_text(&files).at;
	assert_non_null(strstr(have, "| `changes[].diff` | text, optional | A unified diff, if it is asked for |\n"));
}

static void a_kind_is_a_page_and_its_settings_a_section(void **state)
{
	(void)state;
	static const struct tool *const tables[] = {tools, NULL};
	static const struct prompt prompts[] = {{.name = "begin", .prose = "Begins."}, {0}};
	static const struct resource resources[] = {
		{.uri = "note:///{+path}", .mime = "text/plain", .prose = "A note | as it is"}, {0}};
	static const struct command commands[] = {{.name = "import", .usage = "FILE", .prose = "Imports."}, {0}};
	static const struct code codes[] = {{"BAD_NOTE", 0, "the note is bad"}, {.name = NULL}};
	static const struct kind kind = {.name = "notes",
					 .title = "Notes",
					 .prose = "A folder.",
					 .tools = tables,
					 .prompts = prompts,
					 .resources = resources,
					 .commands = commands,
					 .codes = codes,
					 .config = own_in,
					 .config_size = sizeof(struct own_args)};
	static const struct kind *const list[] = {&kind, NULL};
	static const char *const page[] = {
		"# Notes\n",
		"## Tools\n\n### rename\n",
		"| `note:///{+path}` | text/plain | A note \\| as it is |\n",
		"### begin\n\nBegins.\n",
		"| `quire notes import FILE` | Imports. |\n",
		("Under `[kinds.notes]` of the configuration:\n\n| key | type | meaning |\n| --- | --- | --- |\n"
		 "| `dry_run` | true or false | Its own |\n")};
	struct buffer to = {.arena = &arena};
	kind_doc(&to, &kind);
	for (size_t i = 0; i < ARRAY_COUNT(page); i++)
		if (!strstr(buffer_text(&to).at, page[i]))
			fail_msg("no %s in %s", page[i], buffer_text(&to).at);
	struct buffer config = {.arena = &arena}, errors = {.arena = &arena};
	config_doc(&config, (const struct config_section[]){{"server", "All of it.", own_in}, {0}}, list);
	assert_non_null(strstr(buffer_text(&config).at, "## [server]\n\nAll of it.\n\n| key |"));
	assert_non_null(strstr(buffer_text(&config).at, "## [kinds.notes]\n\nNotes\n\n| key |"));
	errors_doc(&errors, list);
	assert_non_null(strstr(buffer_text(&errors).at, "| `BAD_NOTE` | 422 | the note is bad |\n"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_tool_is_described_from_its_row),
		TEST(a_version_is_told_only_what_it_knows),
		TEST(writers_of_files_get_what_the_core_adds),
		TEST(an_answer_is_structured_and_the_same_as_text),
		TEST(revision_and_warnings_are_spliced_in),
		TEST(the_core_takes_its_own_arguments_out),
		TEST(a_dry_run_lists_the_changes),
		TEST(a_large_dry_run_is_cut_at_a_line_and_counted),
		TEST(a_text_tool_answers_its_text_and_warnings_behind_it),
		TEST(the_handlers_own_text_replaces_the_json_and_a_picture_does_not),
		TEST(an_error_carries_neither_structure_nor_blocks),
		TEST(what_a_handler_got_over_is_no_error),
		TEST(an_answer_that_breaks_its_schema_is_a_fault_of_ours),
		TEST(a_waiting_call_answers_nothing_yet),
		TEST(a_raw_schema_is_listed_as_it_is_and_takes_everything),
		TEST(a_raw_schema_is_what_help_and_docs_show),
		TEST(a_row_of_the_tools_own_is_the_tools),
		TEST(a_tool_may_write_in_one_of_its_modes),
		TEST(an_error_of_a_kind_without_a_form_of_its_own_says_all_there_is),
		TEST(help_fits_a_terminal),
		TEST(docs_have_a_section_a_tool),
		TEST(a_kind_is_a_page_and_its_settings_a_section),
	};
	return RUN_TESTS(tests);
}
