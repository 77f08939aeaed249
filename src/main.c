/* main.c: the program's entry. */
#include "shell/shell.h"

#ifdef __SANITIZE_ADDRESS__
/* The libraries that draw text keep caches until the process ends. We cannot free them. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libfontconfig\nleak:libpango\nleak:libgobject\nleak:libglib\n";
}
const char *__lsan_default_options(void);
const char *__lsan_default_options(void) { return "print_suppressions=0"; }
#endif

int main(int argc, char **argv) { return shell_run(argc, argv); }
