/* shell.h: the command line: one table of commands, each in a file of its own. */
#ifndef QUIRE_SHELL_SHELL_H
#define QUIRE_SHELL_SHELL_H

int shell_run(int argc, char **argv); /* the exit status: 0 done, 1 refused, 2 wrong usage */

#endif
