/* commands.c: quire floorplan VERB, for people at a terminal. */
#include "kinds/floorplan/tools/answer.h"
#include "kinds/floorplan/kind.h"

#include <stdio.h>
#include <string.h>

static int print_words(struct call *c, int argc, char **argv)
{
	struct buffer b = {.arena = c->arena};

	(void)argc, (void)argv;
	word_table(&b);
	fwrite(b.at, 1, b.len, stdout);
	return 0;
}

static int complain(struct call *c)
{
	fprintf(stderr, "quire: %s\n", error_sentence(c->arena, &c->error));
	return 1;
}

static int check_file(struct call *c, int argc, char **argv)
{
	struct text source;

	if (argc != 2) {
		fprintf(stderr, "usage: quire floorplan check FILE\n");
		return 2;
	}
	if (!plan_source(c, (struct text){0}, text_of(argv[1]), &source))
		return complain(c);
	const struct plan *p = plan_read(c->arena, source);

	for (size_t i = 0; i < p->problems.n; i++) {
		const struct problem *q = &p->problems.items[i];

		printf("%s:%u:%u: %s: %s (%s)\n", argv[1], q->line, q->column, q->is_error ? "error" : "warning",
		       q->message, q->type);
	}
	return plan_is_valid(p) ? 0 : 1;
}

static const struct tool *export_tool(void)
{
	const struct tool *t = render_tools;

	while (strcmp(t->name, "export_floorplan") != 0)
		t++;
	return t;
}

/* --sheet-set is --sheet_set, as in quire call. */
static const struct field *option_row(struct call *c, const struct tool *t, const char *word)
{
	char *name = (char *)text_copy(c->arena, text_of(word + 2)).at;
	const struct field *row = fields_find(t->in, text_of(name));

	for (char *at = name; !row && *at; at++)
		if (*at == '-')
			*at = '_';
	row = row ? row : fields_find(t->in, text_of(name));
	return row && row->flags & FIELD_HIDDEN ? NULL : row;
}

/* `--width 800`, `--overwrite`: the value of a flag is optional. Returns false, after a message, if it is not an option
 * or its value is missing. */
static bool take_option(struct call *c, const struct tool *t, int argc, char **argv, int *i, struct json *args)
{
	const char *word = argv[*i];
	const struct field *row = option_row(c, t, word);
	bool is_flag = row && (row->type == FIELD_FLAG || row->type == FIELD_MAYBE_FLAG);

	if (!row) {
		fprintf(stderr, "quire: unknown option %s\n", shown(c, text_of(word)));
		return false;
	}
	if (is_flag) {
		bool off = *i + 1 < argc && !strcmp(argv[*i + 1], "false");

		*i += off || (*i + 1 < argc && !strcmp(argv[*i + 1], "true"));
		json_set(c->arena, args, row->name, json_new_bool(c->arena, !off));
		return true;
	}
	if (*i + 1 == argc) {
		fprintf(stderr, "quire: %s needs a value\n", word);
		return false;
	}
	struct text value = text_of(argv[++*i]);
	const struct json *number = json_parse(c->arena, value, 1, &(struct json_error){0});
	bool is_number = json_is(number, JSON_INT) || json_is(number, JSON_REAL);

	if (is_number && row->type != FIELD_TEXT && row->type != FIELD_CHOICE)
		json_set(c->arena, args, row->name, number);
	else
		json_set_text(c->arena, args, row->name, value);
	return true;
}

static int draw_file(struct call *c, int argc, char **argv)
{
	const struct tool *t = export_tool();
	struct json *args = json_new_object(c->arena);
	struct text answer;
	int files = 0;
	bool fine = true;

	for (int i = 1; i < argc && fine; i++) {
		if (!strncmp(argv[i], "--", 2))
			fine = take_option(c, t, argc, argv, &i, args);
		else
			json_set_text(c->arena, args, files++ ? "output_path" : "file_path", text_of(argv[i]));
	}
	if (!fine || files != 2) {
		fprintf(stderr,
			"usage: quire floorplan draw FILE OUT [--overwrite] [--NAME VALUE ...]\n"
			"OUT ends in the format's extension; the names are the arguments of export_floorplan\n");
		return 2;
	}
	/* On paper, draw all floors unless one is named. */
	if (!json_get(args, "floor") && !json_get(args, "floorIndex") && !json_get(args, "renderAllFloors") &&
	    !json_get(args, "crop") && !json_get(args, "zoom"))
		json_set(c->arena, args, "renderAllFloors", json_new_bool(c->arena, true));
	c->extensions = NULL; /* at a terminal any file may be a plan */
	tool_run(c, t, args, &answer);
	if (!c->error.fault)
		return 0;
	if (c->error.line) { /* the plan has errors: all of them */
		c->error = (struct error){0};
		return check_file(c, 2,
				  (char *[]){argv[0], (char *)(uintptr_t)json_text(json_get(args, "file_path")).at});
	}
	complain(c);
	if (c->error.fault == FAULT_EXISTS)
		fprintf(stderr, "quire: choose another name, or add --overwrite\n");
	return 1;
}

const struct command floorplan_commands[] = {
	{"words", "", "Every word of the language: set, word, meaning", print_words},
	{"check", "FILE", "Errors and warnings of a plan, one a line; exit 1 if it is invalid", check_file},
	{"draw", "FILE OUT [--overwrite] [--NAME VALUE ...]",
	 "Draws all floors of a plan; OUT's extension is the format, --NAME an argument of export_floorplan",
	 draw_file},
	{.name = NULL},
};
