#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int most_shown = LOG_WARNING;

void log_set(enum log_level most) { atomic_store(&most_shown, (int)most); }

void log_line(enum log_level level, const char *format, ...)
{
	static const char *const names[] = {
		[LOG_ERROR] = "error: ", [LOG_WARNING] = "warning: ", [LOG_INFO] = "", [LOG_DEBUG] = ""};
	enum { LINE_MAX_BYTES = 1000 };
	char line[LINE_MAX_BYTES + 2];
	va_list ap;

	if ((int)level > atomic_load(&most_shown))
		return;
	int n = snprintf(line, LINE_MAX_BYTES, "quire: %s", names[level]);
	va_start(ap, format);
	int more = vsnprintf(line + n, (size_t)(LINE_MAX_BYTES - n), format, ap);
	va_end(ap);
	n = more < 0 ? n : more >= LINE_MAX_BYTES - n ? LINE_MAX_BYTES - 1 : n + more;
	line[n++] = '\n';
	/* One write, so that lines of several threads do not mix. A failing log has nowhere to report its failure. */
	if (write(STDERR_FILENO, line, (size_t)n) < 0)
		return;
}
