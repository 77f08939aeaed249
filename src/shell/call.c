/* call.c: quire call: runs a tool from the shell.
 *
 * The arguments are checked by the same table and passed to the same handler as for a client, in this process, without
 * a socket. The options have the types of the tool's own table. If both have an option of one name, it belongs to the
 * tool after the tool's name, and to the command before it. */
#include "shell/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 16 << 20 };

static const struct field *field_of(const struct tool *t, struct text name)
{
	const struct field *f = fields_find(t->in, name);

	return f ? f : fields_find(tool_core_in(t), name);
}

/* Options may be written with hyphens: --parent-id is parent_id. */
static struct text underscored(struct call *c, struct text name)
{
	char *copy = (char *)(uintptr_t)text_copy(c->arena, name).at;

	for (size_t i = 0; i < name.len; i++)
		if (copy[i] == '-')
			copy[i] = '_';
	return (struct text){copy, name.len};
}

static const struct json *as_json(struct call *c, const char *value)
{
	struct json_error ignored;

	return json_parse(c->arena, text_of(value), JSON_DEPTH_MESSAGE, &ignored);
}

/* Converts a value to the type of the schema. A value that does not fit stays a string, and the table's check reports
 * it. */
static const struct json *typed(struct call *c, enum field_type type, const char *value)
{
	const struct json *text = json_new_text(c->arena, text_of(value));
	const struct json *json =
		type == FIELD_TEXT || type == FIELD_CHOICE || type == FIELD_TEXTS || type == FIELD_CHOICES
			? NULL
			: as_json(c, value);

	return json ? json : text;
}

static bool is_list(enum field_type type)
{
	return type == FIELD_TEXTS || type == FIELD_CHOICES || type == FIELD_NUMBERS || type == FIELD_OBJECTS ||
	       type == FIELD_UNIONS;
}

static bool is_flag(enum field_type type) { return type == FIELD_FLAG || type == FIELD_MAYBE_FLAG; }

static void list_add(struct call *c, struct json *args, const struct field *f, const char *value)
{
	const struct json *whole = value[0] == '[' ? as_json(c, value) : NULL;
	const struct json *had = json_get(args, f->name);
	struct json *list = json_new_array(c->arena);

	if (json_is(whole, JSON_ARRAY)) {
		json_set(c->arena, args, f->name, whole);
		return;
	}
	for (uint32_t i = 0; json_is(had, JSON_ARRAY) && i < had->len; i++)
		json_push(c->arena, list, &had->items[i]);
	json_push(c->arena, list, typed(c, f->type, value));
	json_set(c->arena, args, f->name, list);
}

static bool fail_option(struct call *c, const struct tool *t, struct text name)
{
	const char *names[2 * FIELD_ROWS_MAX + 1];
	const struct field *const tables[] = {t->in, tool_core_in(t)};
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_COUNT(tables); i++)
		for (const struct field *f = tables[i]; f && f->name && n + 1 < ARRAY_COUNT(names); f++)
			if (!(f->flags & FIELD_HIDDEN))
				names[n++] = f->name;
	names[n] = NULL;
	const char *near = text_nearest(name, names);
	if (near)
		return fail(c, FAULT_ARGUMENT, "%s has no argument %s; did you mean --%s?", t->name, shown(c, name),
			    near);
	return fail(c, FAULT_ARGUMENT, "%s has no argument %s", t->name, shown(c, name));
}

/* Reads one option of the tool at argv[*i]. False without an error: not one of its own. */
static bool argument_take(struct call *c, const struct tool *t, int argc, char **argv, int *i, struct json *args,
			  struct json *taken)
{
	const char *word = argv[*i] + 2, *equals = strchr(word, '=');
	struct text name = underscored(c, (struct text){word, equals ? (size_t)(equals - word) : strlen(word)});
	const struct field *f = field_of(t, name);
	const char *value = equals ? equals + 1 : NULL;

	if (!f && text_starts(name, "no_") && !value) {
		const struct field *flag = field_of(t, text_slice(name, 3, name.len));

		if (flag && is_flag(flag->type)) {
			f = flag;
			value = "false";
		}
	}
	if (!f && !t->in_schema)
		return false;
	if (f && is_flag(f->type) && !value) {
		bool said = *i + 1 < argc && (!strcmp(argv[*i + 1], "true") || !strcmp(argv[*i + 1], "false"));

		value = said ? argv[++*i] : "true";
	}
	if (!value) {
		if (*i + 1 >= argc)
			return fail(c, FAULT_MISSING, "--%.*s needs a value", TEXT_ARGS(name));
		value = argv[++*i];
	}
	++*i;
	struct text whole = f ? text_of(f->name) : name;
	if (json_get_text(taken, whole) && !(f && is_list(f->type)))
		return fail(c, FAULT_ARGUMENT, "--%.*s was given twice", TEXT_ARGS(name));
	json_set_key(c->arena, taken, whole, json_new_bool(c->arena, true));
	if (f && is_list(f->type))
		list_add(c, args, f, value);
	else
		json_set(c->arena, args, f ? f->name : text_string(c->arena, name),
			 typed(c, f ? f->type : FIELD_ANY, value));
	return true;
}

static bool arguments_parse(struct call *c, const char *word, struct json **args)
{
	struct text source = text_of(word);
	struct json_error bad;

	if (!strcmp(word, "-") && !file_slurp(c, "-", ARGUMENTS_MAX, &source))
		return false;
	*args = json_parse(c->arena, source, JSON_DEPTH_MESSAGE, &bad);
	if (!*args)
		return fail(c, FAULT_ARGUMENT, "the arguments are not JSON: line %u, column %u: %s", bad.line,
			    bad.column, bad.message);
	if (!json_is(*args, JSON_OBJECT))
		return fail(c, FAULT_ARGUMENT, "the arguments must be one JSON object: {\"name\": value, ...}");
	return true;
}

/* Reads one JSON object and options, in any order; the options win. */
static bool arguments_read(struct call *c, const struct shell_command *self, const struct tool *t, int argc,
			   char **argv, struct settings *s, struct json **args)
{
	struct json *options = json_new_object(c->arena), *said = json_new_object(c->arena);

	*args = NULL;
	for (int i = 0; i < argc;) {
		/* The argument after -- is the object, even if it begins with a dash. */
		bool ends = !strcmp(argv[i], "--") && i + 2 == argc;

		if (ends || argv[i][0] != '-' || !argv[i][1]) {
			i += ends;
			if (*args)
				return fail(c, FAULT_ARGUMENT,
					    "unexpected word %s: arguments are one JSON object, or --name value",
					    shown(c, text_of(argv[i])));
			if (!arguments_parse(c, argv[i++], args))
				return false;
			continue;
		}
		if (!strncmp(argv[i], "--", 2) && argument_take(c, t, argc, argv, &i, options, said))
			continue;
		if (c->error.fault)
			return false;
		if (!strncmp(argv[i], "--", 2) && option_take(c, self->options, argc, argv, &i, s))
			continue;
		return c->error.fault ? false : fail_option(c, t, text_of(argv[i] + strspn(argv[i], "-")));
	}
	if (!*args)
		*args = json_new_object(c->arena);
	for (uint32_t i = 0; i < options->len; i++)
		json_set_key(c->arena, *args, (struct text){options->members[i].key, options->members[i].key_len},
			     &options->members[i].value);
	return true;
}

/* Without --root, the documents in the arguments decide the roots, as for quire history. */
static bool roots_find(struct call *c, struct settings *s, const struct tool *t, struct json *args)
{
	struct text paths[8];
	const char *names[ARRAY_COUNT(paths)];
	size_t n = 0;

	if (s->roots.n)
		return true;
	for (const struct field *f = t->in; f && f->name && n < ARRAY_COUNT(paths); f++) {
		const struct json *value = json_get(args, f->name);

		if (f->type == FIELD_TEXT && f->flags & FIELD_PATH && json_is(value, JSON_STRING) &&
		    json_text(value).len && !text_has_nul(json_text(value))) {
			paths[n] = json_text(value);
			names[n++] = f->name;
		}
	}
	if (!roots_above(c, s, paths, n))
		return false;
	for (size_t i = 0; i < n; i++)
		json_set_text(c->arena, args, names[i], paths[i]);
	return true;
}

static bool write_all(int fd, struct text t)
{
	while (t.len) {
		ssize_t n = write(fd, t.at, t.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		t = text_slice(t, (size_t)n, t.len);
	}
	return true;
}

static bool image_write(struct call *c, const struct settings *s, const struct block *b)
{
	if (!s->output && isatty(STDOUT_FILENO)) {
		fprintf(stderr, "quire: %s of %zu bytes is not shown at a terminal: use --output FILE\n", b->mime,
			b->bytes.len);
		return true;
	}
	int fd = s->output ? open(s->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : STDOUT_FILENO;
	bool written = fd >= 0 && write_all(fd, b->bytes);
	int error = errno;
	if (s->output && fd >= 0)
		written = !close(fd) && written;
	return written ||
	       fail(c, FAULT_STORAGE, "%s cannot be written: %s", s->output ? s->output : "stdout", strerror(error));
}

static void line_write(FILE *to, struct text t)
{
	terminal_write(to, t);
	if (!text_ends(t, "\n"))
		fputc('\n', to);
}

/* Results that belong in a file, not on a terminal: pictures, sounds and binary documents. */
static bool is_image(const struct block *b)
{
	static const char *const texts[] = {"text/", "application/json", "application/xml"};

	if (b->type != BLOCK_RESOURCE)
		return b->type == BLOCK_IMAGE || b->type == BLOCK_AUDIO;
	for (size_t i = 0; b->mime && i < ARRAY_COUNT(texts); i++)
		if (!strncmp(b->mime, texts[i], strlen(texts[i])))
			return false;
	return b->mime != NULL;
}

static void structured_write(struct call *c, struct text structured)
{
	struct buffer b = {.arena = c->arena};
	struct json_error bad;
	const struct json *tree = json_parse(c->arena, structured, JSON_DEPTH_MAX, &bad);

	if (tree)
		json_write_pretty(&b, tree);
	line_write(stdout, tree ? buffer_text(&b) : structured);
}

static int answer_write(struct call *c, const struct settings *s, struct text structured)
{
	struct reply *r = c->reply;
	bool image_on_stdout = false, has_image = false;

	for (size_t i = 0; i < r->blocks.n; i++)
		image_on_stdout |= is_image(&r->blocks.items[i]) && !s->output && !isatty(STDOUT_FILENO) && !s->json;
	for (size_t i = 0; i < r->blocks.n; i++) {
		const struct block *b = &r->blocks.items[i];

		has_image |= is_image(b);
		if (is_image(b)) {
			if ((!s->json || s->output) && !image_write(c, s, b))
				return shell_failed(c, EXIT_REFUSED);
		} else if (!s->json || !structured.at) {
			line_write(image_on_stdout ? stderr : stdout, b->bytes);
		}
	}
	if (structured.at && (s->json || !r->blocks.n))
		structured_write(c, structured);
	if (s->output && !has_image)
		fprintf(stderr, "quire: warning: the answer has no image, so --output %s was not written\n", s->output);
	return EXIT_DONE;
}

static int error_write(struct call *c, const struct kind *k)
{
	struct buffer b = {.arena = c->arena};
	struct json_out o = {.to = &b};

	kind_error(&o, k, &c->error);
	line_write(stderr, buffer_text(&b));
	return EXIT_REFUSED;
}

static void show_progress(void *to, const char *method, const struct json *params)
{
	const struct json *done = json_get(params, "progress"), *total = json_get(params, "total");
	struct text message = json_text(json_get(params, "message"));

	(void)to;
	if (strcmp(method, "notifications/progress") != 0 || !done)
		return;
	if (total && json_real(total) > 0)
		fprintf(stderr, "\r\033[K%3.0f %% %.*s", 100 * json_real(done) / json_real(total), TEXT_ARGS(message));
	else
		fprintf(stderr, "\r\033[K%.0f %.*s", json_real(done), TEXT_ARGS(message));
}

static bool is_offered(struct call *c, const struct kind *k, const struct tool *t, const void *config)
{
	const char *advice = k->advice ? k->advice(config) : NULL;

	if (!t->offered || t->offered(config))
		return true;
	return advice ? fail(c, FAULT_NOT_FOUND, "%s does not offer %s: %s", k->name, t->name, advice)
		      : fail(c, FAULT_NOT_FOUND, "%s does not offer %s with this configuration; see [kinds.%s]",
			     k->name, t->name, k->name);
}

struct running {
	struct call *c;
	const struct tool *tool;
	const struct json *args;
	struct text structured;
};

static void tool_at_work(void *of)
{
	struct running *r = of;

	tool_run(r->c, r->tool, r->args, &r->structured);
}

/* In the shell a call has the usual memory limit, but no time limit. */
static struct text run_within(struct call *c, const struct settings *s, const struct tool *t, const struct json *args)
{
	struct running r = {.c = c, .tool = t, .args = args};
	struct budget b = {.most = s->call_memory ? s->call_memory : CALL_MEMORY};
	struct arena *own = c->arena;
	enum budget_end why = budget_run(&b, own, tool_at_work, &r);

	if (why == BUDGET_KEPT)
		return r.structured;
	c->arena = own; /* the call may have been ended while it used another one */
	work_release(c);
	budget_clear(&b);
	c->warnings.items = NULL;
	c->warnings.n = c->warnings.cap = 0;
	c->touched.items = NULL;
	c->touched.n = c->touched.cap = 0;
	fail_ended(c, why);
	return (struct text){0};
}

static int run(struct call *c, const struct settings *s, const struct kind *k, const struct tool *t,
	       const struct json *args)
{
	struct text structured = {0};
	struct caller caller = {.name = text_of(s->user ? s->user : getenv("USER"))};
	bool shows_progress = isatty(STDERR_FILENO);

	if (!caller.name.at)
		caller.name = TEXT("shell");
	if (!workspace_open(c, s, &c->work))
		return shell_failed(c, EXIT_USAGE);
	shell_confine(c, s, c->work);
	struct ticker *ticker = ticker_start(c->work);
	c->caller = &caller;
	c->tool = t->name;
	c->document_max = k->document_max;
	if (shows_progress) {
		c->reply->progress_token = json_new_int(c->arena, 1);
		c->reply->notify = show_progress;
	}
	bool is_open = false;
	const void *config = NULL;
	struct document_kind named[2] = {{.name = k->name, .endings = k->documents}};
	if (s->read_only && tool_would_write(c, t, args))
		fail(c, FAULT_READ_ONLY, "%s writes, and --read-only was given", t->name);
	else if (kind_settings(c, k, s, &config) && is_offered(c, k, t, config)) {
		c->extensions = kind_extensions(c->arena, k, config);
		if (!named->endings)
			named->endings = c->extensions;
		c->kinds = named->endings ? named : NULL;
		is_open = kind_open(c, k, config, &c->state);
		if (is_open)
			structured = run_within(c, s, t, args);
	}
	if (shows_progress && c->reply->progress_last >= 0)
		fprintf(stderr, "\r\033[K");
	shell_warnings(c);
	int status = c->error.fault ? error_write(c, k) : answer_write(c, s, structured);
	work_release(c);
	if (k->close && is_open)
		k->close(c->state);
	ticker_stop(ticker);
	work_close(c->work);
	return status;
}

static bool fail_tool(struct call *c, const struct kind *k, struct text typed_name)
{
	const char *names[200];
	size_t n = 0, table = 0, row = 0;

	for (const struct tool *t; n + 1 < ARRAY_COUNT(names) && (t = kind_tool_next(k, &table, &row));)
		names[n++] = t->name;
	names[n] = NULL;
	const char *near = text_nearest(typed_name, names);
	if (near)
		return fail(c, FAULT_NOT_FOUND, "%s has no tool %s; did you mean %s?", k->name, shown(c, typed_name),
			    near);
	return fail(c, FAULT_NOT_FOUND, "%s has no tool %s; quire tools %s lists them", k->name, shown(c, typed_name),
		    k->name);
}

int call_run(struct call *c, int argc, char **argv)
{
	const struct shell_command *self = shell_command_find("call");
	struct settings s = {0};
	struct json *args = NULL;
	const char *names[2] = {NULL, NULL};
	int i = 1;

	for (int n = 0; i < argc && n < 2;) {
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
			help_command(stdout, self);
			return EXIT_DONE;
		}
		if (argv[i][0] != '-') {
			names[n++] = argv[i++];
		} else if (strncmp(argv[i], "--", 2) != 0 || !option_take(c, self->options, argc, argv, &i, &s)) {
			if (!c->error.fault)
				fail(c, FAULT_ARGUMENT, "there is no option %s before the tool's name",
				     shown(c, text_of(argv[i])));
			return shell_usage(c, "call");
		}
	}
	if (!names[1]) {
		if (names[0] && kind_find(names[0]))
			fail(c, FAULT_MISSING, "quire call %s needs a tool; quire tools %s lists them", names[0],
			     names[0]);
		else
			fail(c, FAULT_MISSING, "quire call needs a kind and a tool: quire call %s", self->usage);
		return shell_usage(c, "call");
	}
	const struct kind *k = kind_find(names[0]);
	if (!k) {
		kind_missing(c, names[0]);
		return shell_failed(c, EXIT_USAGE);
	}
	const struct tool *t = tool_named(k, text_of(names[1]));
	if (!t) {
		fail_tool(c, k, text_of(names[1]));
		return shell_failed(c, EXIT_USAGE);
	}
	for (int j = i; j < argc; j++) {
		if (!strcmp(argv[j], "--help") || !strcmp(argv[j], "-h")) {
			struct buffer b = {.arena = c->arena};

			tool_help(&b, t);
			shell_write(buffer_text(&b));
			return EXIT_DONE;
		}
	}
	if (!arguments_read(c, self, t, argc - i, argv + i, &s, &args))
		return shell_usage(c, t->name);
	const struct kind *const called[] = {k, NULL};
	if (!settings_complete(c, &s, &s.rest) || !kind_options_fit(c, &s, called) || !roots_find(c, &s, t, args))
		return shell_failed(c, EXIT_USAGE);
	return run(c, &s, k, t, args);
}
