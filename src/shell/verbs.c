/* verbs.c: quire KIND VERB, what a kind does besides its tools. */
#include "shell/command.h"

#include <stdlib.h>
#include <string.h>

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
		/* quire KIND TOOL is quire call KIND TOOL for those who think of it as a verb. */
		if (tool_named(k, text_of(argv[1]))) {
			char **words = arena_array(c->arena, (size_t)argc + 2, sizeof *words);

			memcpy(words + 1, argv, (size_t)argc * sizeof *words);
			words[0] = (char *)(uintptr_t)call->name;
			return call_run(c, argc + 1, words);
		}
		fail(c, FAULT_NOT_FOUND, "%s has no verb or tool %s", k->name, shown(c, text_of(argv[1])));
		return shell_usage(c, k->name);
	}
	/* --root and its like are the shell's; the rest is the verb's. */
	char **rest = arena_array(c->arena, (size_t)argc, sizeof *rest);
	int n = 0;
	for (int i = 1; i < argc;) {
		if (!strncmp(argv[i], "--", 2) &&
		    option_take(c, shell_command_find("diff")->options, argc, argv, &i, &s))
			continue;
		if (c->error.fault)
			return shell_usage(c, k->name);
		rest[n++] = argv[i++];
	}
	if (!settings_complete(c, &s, &s.rest))
		return shell_failed(c, EXIT_USAGE);
	if (s.user)
		caller.name = text_of(s.user);
	if (!caller.name.at)
		caller.name = TEXT("shell");
	c->caller = &caller;
	c->tool = verb->name;
	c->document_max = k->document_max;
	/* A verb that needs no documents works anywhere; one that does finds out that there is no workspace. */
	if (default_root(c, &s)) {
		if (!workspace_open(c, &s, &c->work))
			return shell_failed(c, EXIT_USAGE);
	} else {
		c->error = (struct error){0};
	}
	struct ticker *ticker = c->work ? ticker_start(c->work) : NULL;
	int status = kind_open(c, k, &s, &c->state) ? verb->run(c, n, rest) : shell_failed(c, EXIT_USAGE);
	shell_warnings(c);
	if (c->work)
		work_release(c);
	if (k->close && c->state)
		k->close(c->state);
	if (ticker)
		ticker_stop(ticker);
	if (c->work)
		work_close(c->work);
	return status;
}
