/* verbs.c: quire KIND VERB: a kind's commands besides its tools. */
#include "shell/command.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(path, folder, len) && (path[len] == '/' || path[len] == 0);
}

/* A user in a shell may name a file anywhere. The root is the current folder if the file is below it, else the folder
 * of the file; then the arguments that are files are made absolute. */
static bool root_choose(struct call *c, struct settings *s, int n, char **words)
{
	struct text path;
	char here[PATH_MAX], file[PATH_MAX];
	const char *found = NULL;

	if (s->roots.n)
		return true;
	for (int i = 1; i < n && !found; i++)
		if (words[i][0] != '-' && realpath(words[i], file))
			found = words[i];
	if (!found || (getcwd(here, sizeof here) && is_below(file, here))) {
		if (default_root(c, s))
			return true;
		if (!found)
			return false;
		c->error = (struct error){0};
	}
	for (int i = 1; i < n; i++)
		if (words[i][0] != '-' && (words[i] == found || strchr(words[i], '/') || realpath(words[i], file)))
			words[i] = (char *)(uintptr_t)absolute_path(c->arena, words[i]);
	return realpath(found, file) && root_above(c, s, file, &path);
}

/* A usage without brackets, bars and dots fixes the number of arguments. False: the error shows the usage. */
static bool words_fit(struct call *c, const struct kind *k, const struct command *verb, int n, char **words)
{
	const char *usage = verb->usage ? verb->usage : "";
	int wanted = 0;

	if (strpbrk(usage, "[|.-"))
		return true;
	for (const char *at = usage; *at; at++)
		wanted += *at != ' ' && (at == usage || at[-1] == ' ');
	for (int i = 1; i < n; i++)
		if (words[i][0] == '-' && words[i][1])
			return fail(c, FAULT_ARGUMENT, "quire %s %s has no option %s", k->name, verb->name,
				    shown(c, text_of(words[i])));
	return n - 1 == wanted ||
	       fail(c, FAULT_ARGUMENT, "%s: quire %s %s %s", n - 1 < wanted ? "something is missing" : "too many words",
		    k->name, verb->name, usage);
}

int kind_run(struct call *c, const struct kind *k, int argc, char **argv)
{
	const struct shell_command *call = shell_command_find("call");
	const struct command *verb = NULL;
	struct settings s = {0};
	struct caller caller = {.name = text_of(getenv("USER"))};

	if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		help_kind(argc < 2 ? stderr : stdout, k);
		return argc < 2 ? EXIT_USAGE : EXIT_DONE;
	}
	for (const struct command *v = k->commands; v && v->name && !verb; v++)
		if (!strcmp(v->name, argv[1]))
			verb = v;
	if (!verb) {
		/* quire KIND TOOL is short for quire call KIND TOOL. */
		if (tool_named(k, text_of(argv[1]))) {
			char **words = arena_array(c->arena, (size_t)argc + 2, sizeof *words);

			memcpy(words + 1, argv, (size_t)argc * sizeof *words);
			words[0] = (char *)(uintptr_t)call->name;
			return call_run(c, argc + 1, words);
		}
		fail(c, FAULT_NOT_FOUND, "%s has no verb or tool %s", k->name, shown(c, text_of(argv[1])));
		return shell_usage(c, k->name);
	}
	for (int i = 2; i < argc; i++) {
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
			printf("quire %s %s %s\n      %s\n", k->name, verb->name, verb->usage ? verb->usage : "",
			       verb->prose);
			return EXIT_DONE;
		}
	}
	/* --root and similar options belong to the shell, the rest to the verb. */
	char **rest = arena_array(c->arena, (size_t)argc, sizeof *rest);
	int n = 0;
	for (int i = 1; i < argc;) {
		if (!strncmp(argv[i], "--", 2) && option_take(c, verb_options, argc, argv, &i, &s))
			continue;
		if (c->error.fault)
			return shell_usage(c, k->name);
		rest[n++] = argv[i++];
	}
	if (!words_fit(c, k, verb, n, rest))
		return shell_usage(c, k->name);
	const struct kind *const own[] = {k, NULL};
	if (!settings_complete(c, &s, &s.rest) || !kind_options_fit(c, &s, own))
		return shell_failed(c, EXIT_USAGE);
	if (s.user)
		caller.name = text_of(s.user);
	if (!caller.name.at)
		caller.name = TEXT("shell");
	c->caller = &caller;
	c->tool = verb->name;
	c->document_max = k->document_max;
	/* A verb without arguments needs no documents, so it needs no folder. */
	bool is_placed = root_choose(c, &s, n, rest);
	if (is_placed ? !workspace_open(c, &s, &c->work) : n > 1)
		return shell_failed(c, EXIT_USAGE);
	c->error = (struct error){0};
	struct ticker *ticker = c->work ? ticker_start(c->work) : NULL;
	const void *config;
	bool is_open = kind_settings(c, k, &s, &config) && kind_open(c, k, config, &c->state);
	c->extensions = kind_extensions(c->arena, k, config);
	int status = is_open ? verb->run(c, n, rest) : shell_failed(c, EXIT_USAGE);
	shell_warnings(c);
	if (c->work)
		work_release(c);
	if (k->close && is_open)
		k->close(c->state);
	if (ticker)
		ticker_stop(ticker);
	if (c->work)
		work_close(c->work);
	return status;
}
