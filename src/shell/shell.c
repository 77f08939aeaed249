#include "shell/shell.h"

#include <stdio.h>

int shell_run(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	printf("quire %s\n", QUIRE_VERSION);
	return 0;
}
