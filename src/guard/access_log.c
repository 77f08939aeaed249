/* access_log.c: one JSON line a request.
 *
 * The file is opened to append and each line is one write(2), so lines of several threads and processes never mix and
 * a rotated file that was copied and cut goes on at its start. A line that cannot be written is told on stderr once. */
#include "guard/guard.h"

#include "base/clock.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct access_log {
	int fd;
	atomic_bool has_failed;
};

struct access_log *access_log_open(struct call *c, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0600);

	if (fd < 0) {
		fail(c, FAULT_STORAGE, "the access log %s cannot be opened: %s", path, strerror(errno));
		return NULL;
	}
	struct access_log *l = calloc(1, sizeof *l);
	if (!l)
		arena_die("out of memory");
	l->fd = fd;
	return l;
}

void access_log_line(struct access_log *l, struct text key, const char *kind, const char *tool, const char *outcome,
		     int64_t ms)
{
	struct arena arena = {0};
	struct buffer line = {.arena = &arena};
	struct json_out o = {.to = &line};

	if (!l)
		return;
	json_open(&o, '{');
	json_key(&o, "time");
	json_put_text(&o, clock_iso(&arena, clock_now()));
	json_key(&o, "key");
	json_put_text(&o, key);
	json_key(&o, "kind");
	json_put_text(&o, text_of(kind));
	json_key(&o, "tool");
	json_put_text(&o, text_of(tool));
	json_key(&o, "outcome");
	json_put_text(&o, text_of(outcome));
	json_key(&o, "ms");
	json_put_int(&o, ms);
	json_close(&o, '}');
	buffer_byte(&line, '\n');
	ssize_t n;
	do
		n = write(l->fd, line.at, line.len);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)line.len && !atomic_exchange(&l->has_failed, true))
		log_line(LOG_ERROR, "the access log cannot be written: %s",
			 n < 0 ? strerror(errno) : "the disk is full");
	arena_free(&arena);
}

void access_log_close(struct access_log *l)
{
	if (!l)
		return;
	close(l->fd);
	free(l);
}
