#include "shell/command.h"

int version_run(struct call *c, int argc, char **argv)
{
	(void)c;
	(void)argc;
	(void)argv;
	printf("quire %s\n", QUIRE_VERSION);
	return EXIT_DONE;
}
