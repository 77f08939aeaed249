/* kinds_test.c: what holds of every tool of every kind that is served, whatever it does. */
#include "support/check.h"

#include "format/json_schema.h"
#include "tool/kind.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

static struct arena arena;

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
		fail_msg("not JSON at %u: %s: %.*s", e.pos, e.message, TEXT_ARGS(source));
	return v;
}

/* The core's own tools belong to no kind; their folder among the snapshots is called file. */
typedef void tool_claim(const char *kind, const struct kind *k, const struct tool *t);

static void of_every_tool(tool_claim *claim)
{
	for (const struct tool *t = file_tools; t->name; t++)
		claim("file", NULL, t);
	for (const struct kind *const *k = kinds; *k; k++)
		for (const struct tool *const *table = (*k)->tools; table && *table; table++)
			for (const struct tool *t = *table; t->name; t++)
				claim((*k)->name, *k, t);
}

static const struct json *described(const struct tool *t)
{
	struct buffer to = {.arena = &arena};

	tool_describe(&(struct json_out){.to = &to}, t, t->name, NULL, true);
	return tree(buffer_text(&to));
}

static void name_and_prose(const char *kind, const struct kind *k, const struct tool *t)
{
	(void)k;
	if (!*t->name || strlen(t->name) > 64 ||
	    t->name[strspn(t->name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")])
		fail_msg("%s: the name %s is not one that clients take", kind, t->name);
	if (!t->title || !*t->title || !t->prose || strlen(t->prose) < 20)
		fail_msg("%s %s has no title, or no prose that tells a model what it does", kind, t->name);
	if (!t->run)
		fail_msg("%s %s does nothing", kind, t->name);
}

static void every_tool_has_a_name_a_title_and_prose(void **state)
{
	(void)state;
	of_every_tool(name_and_prose);
}

static void rows_have_prose(const char *kind, const struct tool *t, const struct field *table, const char *which)
{
	for (const struct field *f = table; f && f->name; f++)
		if (!(f->flags & FIELD_HIDDEN) && (!f->prose || !*f->prose))
			fail_msg("%s %s: %s %s is not described", kind, t->name, which, f->name);
}

/* In the docs: a schema may leave to the name what the name says, and so may an answer. */
static void described_arguments(const char *kind, const struct kind *k, const struct tool *t)
{
	(void)k;
	rows_have_prose(kind, t, t->in_schema ? NULL : t->in, "argument");
	rows_have_prose(kind, t, tool_core_in(t), "argument");
	rows_have_prose(kind, t, tool_core_out(t), "answer");
}

static void every_argument_is_described(void **state)
{
	(void)state;
	of_every_tool(described_arguments);
}

static void plain_root(const char *kind, const struct kind *k, const struct tool *t)
{
	static const char *const roots[] = {"inputSchema", "outputSchema", NULL};
	static const char *const refused[] = {"anyOf", "oneOf", "allOf", "not", "$ref", NULL};
	const struct json *have = described(t);

	(void)k;
	for (size_t r = 0; roots[r]; r++) {
		const struct json *schema = json_get(have, roots[r]);
		if (schema && !text_is(json_text(json_get(schema, "type")), "object"))
			fail_msg("%s %s: the root of %s is not an object", kind, t->name, roots[r]);
		for (size_t i = 0; refused[i]; i++)
			if (json_get(schema, refused[i]))
				fail_msg("%s %s: %s at the root of %s", kind, t->name, refused[i], roots[r]);
	}
}

static void no_schema_has_branches_at_its_root(void **state)
{
	(void)state;
	of_every_tool(plain_root);
}

/* ONE_BYTES: modify_floorplan, which is a language of its own. */
enum { MODEL_BYTES = 600, ONE_BYTES = 8704, RESULT_BYTES = 400 };

/* A tool that is a language of its own is counted by itself. */
static bool is_large(const struct tool *t) { return !strcmp(t->name, "modify_floorplan"); }

static size_t bytes_of(const struct json *have, const char *member)
{
	const struct json *v = json_get(have, member);

	return v ? json_source(&arena, v).len : 0;
}

/* What a model reads of a tool: name, description and arguments, with their keys and brackets. */
static size_t model_bytes(const struct json *have)
{
	return strlen("{\"name\":,\"description\":,\"inputSchema\":}") + bytes_of(have, "name") +
	       bytes_of(have, "description") + bytes_of(have, "inputSchema");
}

static void lean_kind(const char *name, const struct tool *const *tables)
{
	size_t n = 0, tools = 0, all = 0, model = 0, answers = 0;

	for (; *tables; tables++)
		for (const struct tool *t = *tables; t->name; t++) {
			if (t->effect & TOOL_UNLISTED)
				continue;
			const struct json *have = described(t);
			size_t one = model_bytes(have);
			tools++;
			all += one;
			answers += bytes_of(have, "outputSchema");
			if (one > ONE_BYTES)
				fail_msg("%s %s has %zu bytes, more than %d", name, t->name, one, ONE_BYTES);
			model += is_large(t) ? 0 : one;
			n += !is_large(t);
		}
	if (n && model / n > MODEL_BYTES)
		fail_msg("%s: %zu bytes a tool (name, description, inputSchema), more than %d", name, model / n,
			 MODEL_BYTES);
	/* Only programs that ask for structure get these. A short list may have results as long as its arguments. */
	if (tools && answers > all / 2 && answers / tools > RESULT_BYTES)
		fail_msg("%s: %zu bytes of outputSchema, more than half of %zu and more than %d a tool", name, answers,
			 all, RESULT_BYTES);
}

static void lists_are_lean(void **state)
{
	(void)state;
	for (const struct kind *const *k = kinds; *k; k++)
		if ((*k)->tools)
			lean_kind((*k)->name, (*k)->tools);
	lean_kind("file", (const struct tool *const[]){file_tools, NULL});
}

static void example_holds(const char *kind, const struct kind *k, const struct tool *t)
{
	struct text why;

	(void)k;
	if (t->example &&
	    !json_schema_holds(&arena, json_get(described(t), "inputSchema"), tree(text_of(t->example)), &why))
		fail_msg("%s %s: the example does not keep the schema: %s", kind, t->name, why.at);
}

static void every_example_keeps_its_schema(void **state)
{
	(void)state;
	of_every_tool(example_holds);
}

/* Empty arguments: either something is missing by name, or all defaults decode. */
static void defaults_decode(const char *kind, const struct kind *k, const struct tool *t)
{
	struct call c = {.arena = &arena};

	(void)k;
	if (t->in_schema || !t->in)
		return;
	void *into = arena_zero(&arena, t->in_size ? t->in_size : 1);
	if (!fields_decode(&c, t->in, t->in_size, NULL, into, NULL) && c.error.fault != FAULT_MISSING)
		fail_msg("%s %s: %s", kind, t->name, c.error.message);
}

static void defaults_are_values_their_rows_take(void **state)
{
	(void)state;
	of_every_tool(defaults_decode);
}

static void pages_are_written_of_every_kind(void **state)
{
	(void)state;
	for (const struct kind *const *k = kinds; *k; k++) {
		struct buffer to = {.arena = &arena};
		kind_doc(&to, *k);
		for (const struct tool *const *table = (*k)->tools; table && *table; table++)
			for (const struct tool *t = *table; t->name; t++)
				if (!strstr(buffer_text(&to).at, text_format(&arena, "### %s\n", t->name).at) !=
				    !!(t->effect & TOOL_UNLISTED))
					fail_msg("the page of %s is wrong about %s", (*k)->name, t->name);
	}
	struct buffer errors = {.arena = &arena}, config = {.arena = &arena};
	errors_doc(&errors, kinds);
	assert_non_null(strstr(buffer_text(&errors).at, "| `NOT_FOUND` | 404 | there is no such file |\n"));
	config_doc(&config, NULL, kinds);
	assert_non_null(strstr(buffer_text(&config).at, "# Configuration\n"));
}

static struct text file_text(const char *path)
{
	struct buffer to = {.arena = &arena};
	FILE *from = fopen(path, "r");

	if (!from)
		return (struct text){0};
	for (size_t n; (n = fread(buffer_room(&to, 4096), 1, 4096, from)) > 0;)
		to.len += n;
	fclose(from);
	return buffer_text(&to);
}

static void snapshot_is_true(const char *kind, const struct kind *k, const struct tool *t)
{
	const char *path = text_format(&arena, "test/snapshots/%s/%s.json", kind, t->name).at;
	struct buffer to = {.arena = &arena};
	struct text kept = file_text(path);

	kind_snapshot(&to, k, t);
	if (t->effect & TOOL_UNLISTED) {
		assert_null(kept.at);
		return;
	}
	if (!kept.at)
		fail_msg("%s is not there: run make snapshots and look at the difference", path);
	if (!text_same(kept, buffer_text(&to)))
		fail_msg("%s is not what is listed: run make snapshots and look at the difference", path);
}

static void every_tool_is_listed_as_its_snapshot_says(void **state)
{
	(void)state;
	of_every_tool(snapshot_is_true);
}

static bool is_served(const char *kind, struct text tool)
{
	for (const struct tool *t = file_tools; t->name && !strcmp(kind, "file"); t++)
		if (text_is(tool, t->name))
			return true;
	for (const struct kind *const *k = kinds; *k; k++)
		if (!strcmp((*k)->name, kind) && kind_tool(*k, tool))
			return true;
	return false;
}

static void no_snapshot_outlives_its_tool(void **state)
{
	(void)state;
	DIR *top = opendir("test/snapshots");
	assert_non_null(top);
	for (struct dirent *kind; (kind = readdir(top));) {
		if (kind->d_name[0] == '.')
			continue;
		DIR *below = opendir(text_format(&arena, "test/snapshots/%s", kind->d_name).at);
		for (struct dirent *e; below && (e = readdir(below));) {
			struct text name = text_copy(&arena, text_of(e->d_name));
			if (text_ends(name, ".json") && !is_served(kind->d_name, text_slice(name, 0, name.len - 5)))
				fail_msg("test/snapshots/%s/%s is of no tool: remove it", kind->d_name, name.at);
		}
		if (below)
			closedir(below);
	}
	closedir(top);
}

#define TEST(f) cmocka_unit_test_teardown(f, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_tool_has_a_name_a_title_and_prose), TEST(every_argument_is_described),
		TEST(no_schema_has_branches_at_its_root),      TEST(lists_are_lean),
		TEST(every_example_keeps_its_schema),          TEST(defaults_are_values_their_rows_take),
		TEST(pages_are_written_of_every_kind),         TEST(every_tool_is_listed_as_its_snapshot_says),
		TEST(no_snapshot_outlives_its_tool),
	};
	return RUN_TESTS(tests);
}
