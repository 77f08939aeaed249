/* main.c: the program's entry. */
#include "shell/shell.h"

int main(int argc, char **argv) { return shell_run(argc, argv); }
