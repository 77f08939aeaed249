/* access_log.c: one JSON line per request.
 *
 * The file is opened to append and each line is one write(2), so lines of several threads and processes never mix.
 * After copy-and-truncate rotation, writing continues at the start of the file; a renamed file is reopened at the next
 * SIGHUP. The first failed write is reported on stderr. */
#include "guard/guard.h"

#include "base/budget.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/map.h"
#include "base/own.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct access_log {
	int fd; /* keeps its number when the log is reopened */
	char *path;
	atomic_bool has_failed;
};

static int log_file(struct call *c, const char *path)
{
	int fd = open_at(AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY, 0600);

	if (fd < 0)
		fail(c, FAULT_STORAGE, "the access log %s cannot be opened: %s", path, strerror(errno));
	return fd;
}

struct access_log *access_log_open(struct call *c, const char *path)
{
	int fd = log_file(c, path);

	if (fd < 0)
		return NULL;
	struct access_log *l = budget_zero(1, sizeof *l);
	l->path = budget_text(path, strlen(path));
	l->fd = fd;
	return l;
}

bool access_log_reopen(struct call *c, struct access_log *l)
{
	int fd = l ? log_file(c, l->path) : -1;

	if (fd < 0)
		return !l;
	bool done = dup3(fd, l->fd, O_CLOEXEC) >= 0;
	fd_drop(&fd);
	atomic_store(&l->has_failed, false);
	return done || fail(c, FAULT_STORAGE, "the access log %s cannot be reopened: %s", l->path, strerror(errno));
}

static void put(struct json_out *o, const char *name, struct text value)
{
	json_key(o, name);
	json_put_text(o, value);
}

/* A document that a call reads twice is logged once. */
static void put_documents(struct arena *a, struct json_out *o, struct texts documents)
{
	struct map seen = {.arena = a};

	if (!documents.n)
		return;
	json_key(o, "documents");
	json_open(o, '[');
	for (size_t i = 0; i < documents.n; i++) {
		bool was = false;

		map_at(&seen, documents.items[i], 0, &was);
		if (!was)
			json_put_text(o, documents.items[i]);
	}
	json_close(o, ']');
}

void access_log_line(struct access_log *l, const struct access *a)
{
	struct arena arena = {0};
	struct buffer line = {.arena = &arena};
	struct json_out o = {.to = &line};

	if (!l)
		return;
	json_open(&o, '{');
	put(&o, "time", clock_iso(&arena, clock_now()));
	put(&o, "peer", a->peer);
	put(&o, "key", a->key);
	put(&o, "method", a->method);
	put(&o, "kind", text_of(a->kind));
	put(&o, "tool", text_of(a->tool));
	put_documents(&arena, &o, a->documents);
	put(&o, "outcome", text_of(a->outcome));
	if (a->code) {
		json_key(&o, "code");
		json_put_int(&o, a->code);
	}
	json_key(&o, "ms");
	json_put_int(&o, a->ms);
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
	fd_drop(&l->fd);
	free(l->path);
	free(l);
}
