/* commands.c: quire hnpx VERB FILE, for people at a terminal. Each verb is one of the tools, printed. */
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/render.h"

#include <stdio.h>
#include <string.h>

static int failed(struct call *c)
{
	fprintf(stderr, "quire: %s\n", c->error.message ? c->error.message : "refused");
	return 1;
}

static int usage(const char *line)
{
	fprintf(stderr, "usage: quire hnpx %s\n", line);
	return 2;
}

static void print(struct text t)
{
	fwrite(t.at, 1, t.len, stdout);
	if (!t.len || t.at[t.len - 1] != '\n')
		putchar('\n');
}

static const struct tool *tool_of(const struct tool *table, const char *name)
{
	while (strcmp(table->name, name) != 0)
		table++;
	return table;
}

/* Runs a tool with arguments made here; its struct comes as JSON. */
static bool run_tool(struct call *c, const struct tool *table, const char *name, const struct json *args,
		     struct text *answer)
{
	tool_run(c, tool_of(table, name), args, answer);
	return c->error.fault == FAULT_NONE;
}

static struct json *file_args(struct call *c, const char *file)
{
	struct json *args = json_new_object(c->arena);

	json_set_text(c->arena, args, "file_path", text_of(file));
	return args;
}

static int outline(struct call *c, int argc, char **argv)
{
	struct opened o;
	struct buffer text = {.arena = c->arena};

	if (argc != 2)
		return usage("outline FILE");
	if (!book_read(c, text_of(argv[1]), &o))
		return failed(c);
	render_outline(&text, c->arena, o.book, 0, &(struct render_options){.ids = true, .start = BOOK_NONE});
	print(buffer_text(&text));
	return 0;
}

static int render(struct call *c, int argc, char **argv)
{
	struct opened o;
	struct buffer text = {.arena = c->arena};

	if (argc != 2)
		return usage("render FILE");
	if (!book_read(c, text_of(argv[1]), &o))
		return failed(c);
	render_prose(&text, c->arena, o.book, 0, &(struct render_options){.headings = true, .start = BOOK_NONE});
	print(buffer_text(&text));
	return 0;
}

/* An answer as lines of `name: value`; lists as one line an item. */
static void print_answer(const struct json *v, int depth)
{
	for (uint32_t i = 0; i < v->len; i++) {
		const struct json *item = v->type == JSON_OBJECT ? &v->members[i].value : &v->items[i];
		struct buffer line = {0};
		bool nested = item->type == JSON_OBJECT || item->type == JSON_ARRAY;
		buffer_fill(&line, ' ', 2 * (size_t)depth);
		if (v->type == JSON_OBJECT)
			buffer_format(&line, "%s:", v->members[i].key);
		if (item->type == JSON_STRING) {
			buffer_byte(&line, ' ');
			buffer_add(&line, json_text(item));
		} else if (!nested || v->type == JSON_ARRAY) {
			buffer_byte(&line, ' ');
			json_write(&line, item);
		}
		print(buffer_text(&line));
		buffer_free(&line);
		if (nested && v->type == JSON_OBJECT)
			print_answer(item, depth + 1);
	}
}

static int print_tool(struct call *c, const struct tool *table, const char *name, const struct json *args)
{
	struct text answer;

	if (!run_tool(c, table, name, args, &answer))
		return failed(c);
	print_answer(json_parse(c->arena, answer, JSON_DEPTH_MESSAGE, &(struct json_error){0}), 0);
	return 0;
}

static int stats(struct call *c, int argc, char **argv)
{
	return argc == 2 ? print_tool(c, hnpx_progress_tools, "get_progress", file_args(c, argv[1]))
			 : usage("stats FILE");
}

static int validate(struct call *c, int argc, char **argv)
{
	struct text answer;

	if (argc != 2)
		return usage("validate FILE");
	if (!run_tool(c, hnpx_progress_tools, "validate_document", file_args(c, argv[1]), &answer))
		return failed(c);
	const struct json *v = json_parse(c->arena, answer, JSON_DEPTH_MESSAGE, &(struct json_error){0});
	const struct json *problems = json_get(v, "problems");
	/* One line a problem, in the form that editors jump by. */
	for (uint32_t i = 0; problems && i < problems->len; i++)
		printf("%s:%lld: %s\n", argv[1], (long long)json_get(&problems->items[i], "line")->integer,
		       json_get(&problems->items[i], "problem")->string);
	bool valid = json_get(v, "valid")->boolean;
	if (valid)
		printf("%s: %s\n", argv[1], json_get(v, "message")->string);
	return valid ? 0 : 1;
}

static int export(struct call *c, int argc, char **argv)
{
	static const char line[] =
		"export FILE TARGET.md|TARGET.epub [--title T] [--author A] [--language L] [--overwrite]";
	static const char *const words[] = {"title", "author", "language", NULL};

	if (argc < 3)
		return usage(line);
	struct json *args = file_args(c, argv[1]);
	json_set_text(c->arena, args, "output_path", text_of(argv[2]));
	for (int i = 3; i < argc; i++) {
		bool known = false;
		if (!strcmp(argv[i], "--overwrite")) {
			json_set(c->arena, args, "overwrite", json_new_bool(c->arena, true));
			continue;
		}
		for (const char *const *word = words; *word && i + 1 < argc && !known; word++)
			if (!strncmp(argv[i], "--", 2) && !strcmp(argv[i] + 2, *word)) {
				json_set_text(c->arena, args, *word, text_of(argv[++i]));
				known = true;
			}
		if (!known)
			return usage(line);
	}
	return print_tool(c, hnpx_export_tools, "export_document", args);
}

const struct command hnpx_commands[] = {
	{"outline", "FILE", "Print the book as an outline with ids and summaries", outline},
	{"render", "FILE", "Print the prose with chapter titles", render},
	{"stats", "FILE", "Count words, nodes and what is still empty", stats},
	{"validate", "FILE", "Check a file and list everything that is wrong with it", validate},
	{"export", "FILE TARGET.md|TARGET.epub", "Write the book as Markdown or EPUB 3", export},
	{.name = NULL},
};
