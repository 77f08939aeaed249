#include "kinds/docjl/rows/trail_file.h"

#include "base/map.h"
#include "base/mutex.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

void trail_file_keep(struct manual *m, const struct entry *e)
{
	if (m->kind->audit_log && !m->c->dry_run)
		*ARRAY_PUSH(m->c->arena, &m->lines) = entry_line(m->c->arena, e, m->id);
}

static bool write_all(int fd, struct text t)
{
	while (t.len) {
		ssize_t n = write(fd, t.at, t.len);
		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0)
			t = text_slice(t, (size_t)n, t.len);
	}
	return true;
}

static int open_log(struct docjl *kind)
{
	int fd = open(kind->audit_log, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0640);

	if (fd >= 0 && flock(fd, LOCK_EX) && errno != EINTR) {
		close(fd);
		return -1;
	}
	return fd;
}

void trail_file_write(struct manual *m)
{
	struct buffer b = {.arena = m->c->arena};

	if (!m->lines.n)
		return;
	for (size_t i = 0; i < m->lines.n; i++)
		buffer_add(&b, m->lines.items[i]);
	m->lines.n = 0;
	mutex_lock(&m->kind->audit_lock);
	int fd = open_log(m->kind);
	bool written = fd >= 0 && write_all(fd, buffer_text(&b)) && !fsync(fd);
	int error = errno;
	if (fd >= 0)
		close(fd);
	mutex_unlock(&m->kind->audit_lock);
	if (!written)
		warn(m->c,
		     "the change is made, but the audit file cannot be written (%s); its lines are caught up at the next start",
		     strerror(error));
}

/* The last number of each document that the file has. Half a line at its end is ended first. */
static void file_heads(struct call *c, int fd, struct map *heads)
{
	struct buffer b = {.arena = c->arena};
	ssize_t got;

	while ((got = pread(fd, buffer_room(&b, 1 << 16), 1 << 16, (off_t)b.len)) > 0)
		b.len += (size_t)got;
	struct text all = buffer_text(&b);
	for (size_t at = 0; at < all.len;) {
		size_t end = text_find(all, TEXT("\n"), at);
		if (end == SIZE_MAX) {
			(void)!write(fd, "\n", 1);
			break;
		}
		struct text line = text_slice(all, at, end), document;
		int64_t seq;
		static const char begins[] = "{\"audit_id\":\"";
		size_t from = sizeof begins - 1, to = text_find(line, TEXT("\""), from);
		if (text_starts(line, begins) && to != SIZE_MAX && line.at[line.len - 1] == '}' &&
		    audit_parse(text_slice(line, from, to), &document, &seq)) {
			uint32_t *head = map_at(heads, document, 0, NULL);
			if (seq > *head && seq < UINT32_MAX)
				*head = (uint32_t)seq;
		}
		at = end + 1;
	}
}

static void append_missing(struct call *c, struct transaction *t, int fd, struct map *heads)
{
	struct documents {
		struct text id;
		int64_t doc;
	};
	ARRAY(struct documents) list = {0};
	struct query q = query_on(t, "SELECT doc, id FROM doc ORDER BY id");

	while (query_row(&q))
		*ARRAY_PUSH(c->arena, &list) = (struct documents){query_text(&q, c->arena, 1), query_int(&q, 0)};
	query_end(&q);
	for (size_t i = 0; i < list.n; i++) {
		const uint32_t *head = map_find(heads, list.items[i].id);
		struct arena scratch = {0};
		q = query_on(t, "SELECT " ENTRY_COLUMNS " FROM audit WHERE doc = ?1 AND seq > ?2 ORDER BY seq");
		bind_int(&q, list.items[i].doc);
		bind_int(&q, head ? *head : 0);
		while (query_row(&q)) {
			struct entry e;
			entry_read(&q, &scratch, &e);
			write_all(fd, entry_line(&scratch, &e, list.items[i].id));
			arena_free(&scratch);
		}
		query_end(&q);
		arena_free(&scratch);
	}
}

void trail_file_catch_up(struct call *c, struct docjl *kind)
{
	struct transaction *t = NULL;
	struct map heads = {.arena = c->arena};

	if (!kind->audit_log || kind->is_read_only || kind->is_caught_up)
		return;
	mutex_lock(&kind->audit_lock);
	if (!kind->is_caught_up && store_begin(c, kind->store, STORE_READ, &t) && t) {
		int fd = open_log(kind);
		if (fd >= 0) {
			file_heads(c, fd, &heads);
			append_missing(c, t, fd, &heads);
			fsync(fd);
			close(fd);
		}
		transaction_rollback(t);
	}
	kind->is_caught_up = true;
	mutex_unlock(&kind->audit_lock);
}
