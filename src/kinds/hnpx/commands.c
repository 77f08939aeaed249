/* commands.c: quire hnpx VERB FILE, for people at a terminal. Each verb calls a tool and prints the result. */
#include "kinds/hnpx/hnpx.h"
#include "kinds/hnpx/tools/progress.h"
#include "kinds/hnpx/tools/render.h"

#include <stdio.h>
#include <string.h>

static int failed(struct call *c)
{
	fprintf(stderr, "quire: %s\n", c->error.message ? c->error.message : "refused");
	/* The tool's hint names an argument. In the shell it is the option --overwrite. */
	if (c->error.code && !strcmp(c->error.code, "FILE_EXISTS"))
		fprintf(stderr, "quire: choose another name, or add --overwrite\n");
	else if (c->error.hint)
		fprintf(stderr, "quire: %s\n", c->error.hint);
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

/* Runs a tool with these arguments and returns its result as JSON. */
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
	int deepest = LEVEL_BEAT;

	if (argc == 4 && !strcmp(argv[2], "--depth") && argv[3][0] >= '1' && argv[3][0] <= '4' && !argv[3][1])
		deepest = argv[3][0] - '0';
	else if (argc != 2)
		return usage("outline FILE [--depth 1|2|3|4]");
	if (!book_read(c, text_of(argv[1]), &o))
		return failed(c);
	render_outline(&text, c->arena, o.book, 0,
		       &(struct render_options){.ids = true, .start = BOOK_NONE, .is_plan = true, .deepest = deepest});
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

static void put_value(struct buffer *to, const struct json *v)
{
	if (v->type == JSON_STRING)
		buffer_add(to, json_text(v));
	else
		json_write(to, v);
}

/* Prints a result as lines of `name: value`. Each item of a list is on its own indented line. */
static void print_answer(const struct json *v)
{
	for (uint32_t i = 0; i < v->len; i++) {
		const struct json *item = &v->members[i].value;
		struct buffer line = {0};
		bool is_list = item->type == JSON_ARRAY;
		buffer_format(&line, "%s:", v->members[i].key);
		if (!is_list && item->type != JSON_OBJECT) {
			buffer_byte(&line, ' ');
			put_value(&line, item);
		}
		for (uint32_t k = 0; (is_list || item->type == JSON_OBJECT) && k < item->len; k++) {
			const struct json *part = is_list ? &item->items[k] : &item->members[k].value;
			buffer_put(&line, "\n  ");
			if (!is_list)
				buffer_format(&line, "%s: ", item->members[k].key);
			if (part->type != JSON_OBJECT)
				put_value(&line, part);
			for (uint32_t m = 0; part->type == JSON_OBJECT && m < part->len; m++) {
				buffer_format(&line, "%s%s ", m ? ", " : "", part->members[m].key);
				put_value(&line, &part->members[m].value);
			}
		}
		print(buffer_text(&line));
		buffer_free(&line);
	}
}

static int print_tool(struct call *c, const struct tool *table, const char *name, const struct json *args)
{
	struct text answer;

	if (!run_tool(c, table, name, args, &answer))
		return failed(c);
	print_answer(json_parse(c->arena, answer, JSON_DEPTH_MESSAGE, &(struct json_error){0}));
	return 0;
}

static int stats(struct call *c, int argc, char **argv)
{
	bool as_json = argc == 3 && !strcmp(argv[2], "--json");
	struct buffer bytes = {.arena = c->arena};
	struct json_out out = {.to = &bytes};
	const struct progress *progress;
	struct opened o;

	if (argc != 2 && !as_json)
		return usage("stats FILE [--json]");
	if (!book_read(c, text_of(argv[1]), &o) || !book_progress(c, o.book, 0, (struct maybe_int){0}, &progress))
		return failed(c);
	fields_encode(&out, progress_shape.fields, progress);
	if (as_json)
		print(buffer_text(&bytes));
	else
		print_answer(json_parse(c->arena, buffer_text(&bytes), JSON_DEPTH_MESSAGE, &(struct json_error){0}));
	return 0;
}

static int validate(struct call *c, int argc, char **argv)
{
	struct document *d;
	struct problems problems = {0};
	struct error error = {0};

	if (argc != 2)
		return usage("validate FILE");
	if (!document_open(c, text_of(argv[1]), &d))
		return failed(c);
	const struct book *b = book_parse(c->arena, document_bytes(d), &problems, &error);
	if (b) {
		printf("%s: Valid HNPX: %u chapters, %u sequences, %u beats, %u paragraphs\n", argv[1],
		       b->count[LEVEL_CHAPTER], b->count[LEVEL_SEQUENCE], b->count[LEVEL_BEAT],
		       b->count[LEVEL_PARAGRAPH]);
		return 0;
	}
	/* One line per problem, in the form that editors use to jump to a line. */
	for (size_t i = 0; i < problems.list.n; i++)
		printf("%s:%u: %s\n", argv[1], problems.list.items[i].line, problems.list.items[i].sentence);
	if (!problems.list.n)
		printf("%s:%u: %s\n", argv[1], error.line, error.message);
	return 1;
}

static int export(struct call *c, int argc, char **argv)
{
	static const char line[] =
		"export FILE TARGET.md|.txt|.html|.epub|.docx [--title T] [--author A] [--language L] "
		"[--chapter_numbers none|arabic|words] [--cover PICTURE] [--unwritten skip|mark] "
		"[--overwrite]";
	static const char *const words[] = {"title",           "author", "language",  "format",
					    "chapter_numbers", "cover",  "unwritten", NULL};

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
	{"outline", "FILE [--depth 1|2|3|4]",
	 "Print ids, titles and summaries by level, without prose; 1: chapters, 4: paragraphs", outline},
	{"render", "FILE", "Print the prose with chapter titles", render},
	{"stats", "FILE [--json]", "Count words, nodes and what is still empty", stats},
	{"validate", "FILE", "Check a file and list everything that is wrong with it", validate},
	{"export", "FILE TARGET.md|.txt|.html|.epub|.docx [OPTION VALUE ...]",
	 "Write the book for readers; the ending of TARGET decides the format", export},
	{.name = NULL},
};
