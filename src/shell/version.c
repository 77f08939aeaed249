#include "shell/command.h"

int version_run(struct call *c, int argc, char **argv)
{
	struct settings s = {0};

	if (!options_read(c, NULL, argc, argv, &s))
		return shell_usage(c, "version");
	if (s.help) {
		help_command(stdout, shell_command_find("version"));
		return EXIT_DONE;
	}
	if (s.rest.n) {
		fail(c, FAULT_ARGUMENT, "quire version takes no arguments");
		return shell_usage(c, "version");
	}
	printf("quire %s\n", QUIRE_VERSION);
	return EXIT_DONE;
}
