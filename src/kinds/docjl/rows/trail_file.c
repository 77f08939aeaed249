#include "kinds/docjl/rows/trail_file.h"

#include "base/digest.h"
#include "base/map.h"
#include "base/mutex.h"
#include "base/own.h"

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
	int fd = open_at(AT_FDCWD, kind->audit_log, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK,
			 TRAIL_FILE_MODE);

	if (fd >= 0 && flock(fd, LOCK_EX) && errno != EINTR)
		fd_drop(&fd);
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
	fd_drop(&fd);
	mutex_unlock(&m->kind->audit_lock);
	if (!written)
		warn(m->c,
		     "the change is saved, but the audit file cannot be written (%s); the next start adds the missing lines",
		     strerror(error));
}

struct trail_line {
	struct text document, hash; /* hex */
	int64_t seq;
};
struct trail_file {
	ARRAY(struct trail_line) lines;
	struct map hashes; /* of all lines */
};

/* Reads only the first and the last member of a line. An incomplete line does not have both. */
static bool line_parse(struct text line, struct trail_line *out)
{
	static const char begins[] = "{\"audit_id\":\"", before[] = "\"hash\":\"", ends[] = "\"}";
	const size_t digits = 64, tail = sizeof before - 1 + digits + sizeof ends - 1;
	size_t from = sizeof begins - 1, to = text_find(line, TEXT("\""), from);

	if (!text_starts(line, begins) || to == SIZE_MAX || line.len < to + tail)
		return false;
	struct text last = text_slice(line, line.len - tail, line.len);
	out->hash = text_slice(last, sizeof before - 1, sizeof before - 1 + digits);
	return text_starts(last, before) && text_is(text_slice(last, tail - 2, tail), ends) &&
	       audit_parse(text_slice(line, from, to), &out->document, &out->seq);
}

/* Returns true if the file ends within a line. */
static bool lines_read(struct arena *a, int fd, struct trail_file *out)
{
	struct buffer b = {.arena = a};
	struct trail_line l;
	ssize_t got;

	*out = (struct trail_file){.hashes = {.arena = a}};
	while ((got = pread(fd, buffer_room(&b, 1 << 16), 1 << 16, (off_t)b.len)) > 0)
		b.len += (size_t)got;
	struct text all = buffer_text(&b);
	for (size_t at = 0, end; at < all.len; at = end + 1) {
		end = text_find(all, TEXT("\n"), at);
		if (end == SIZE_MAX)
			return true;
		if (!line_parse(text_slice(all, at, end), &l))
			continue;
		map_at(&out->hashes, l.hash, (uint32_t)out->lines.n, NULL);
		*ARRAY_PUSH(a, &out->lines) = l;
	}
	return false;
}

const struct trail_file *trail_file_read(struct call *c, struct docjl *kind)
{
	int fd = kind->audit_log ? open_at(AT_FDCWD, kind->audit_log, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0) : -1;

	if (fd < 0)
		return NULL;
	struct trail_file *file = arena_new(c->arena, struct trail_file);
	lines_read(c->arena, fd, file);
	fd_drop(&fd);
	return file;
}

struct trail_difference trail_file_compare(struct manual *m, const struct trail_file *file)
{
	struct arena *a = m->c->arena;
	struct trail_difference d = {0};
	struct map known = {.arena = a};
	struct query q = query_on(m->t, "SELECT hash FROM audit WHERE doc = ?1 ORDER BY seq");

	bind_int(&q, m->doc);
	while (query_row(&q))
		map_at(&known, hex_encode(a, query_lent(&q, 0)), 1, NULL);
	query_end(&q);
	for (size_t i = 0; i < file->lines.n; i++) {
		const struct trail_line *l = &file->lines.items[i];
		if (!text_same(l->document, m->id) || map_find(&known, l->hash))
			continue;
		if (!d.n++)
			d.first = l->seq;
	}
	return d;
}

/* The number up to which the file has every entry of the document: the largest, if the database has the same entry.
 * After a restored backup it may differ; then every entry is compared. */
static int64_t complete_up_to(struct transaction *t, const struct trail_file *file, struct text id, int64_t doc)
{
	const struct trail_line *last = NULL;
	struct arena scratch = {0};

	for (size_t i = 0; i < file->lines.n; i++)
		if (text_same(file->lines.items[i].document, id) && (!last || file->lines.items[i].seq > last->seq))
			last = &file->lines.items[i];
	if (!last)
		return 0;
	struct query q = query_on(t, "SELECT hash FROM audit WHERE doc = ?1 AND seq = ?2");
	bind_int(&q, doc);
	bind_int(&q, last->seq);
	bool is_same = query_row(&q) && text_same(hex_encode(&scratch, query_lent(&q, 0)), last->hash);
	query_end(&q);
	arena_free(&scratch);
	return is_same ? last->seq : 0;
}

static void append_missing(struct call *c, struct transaction *t, int fd, const struct trail_file *file)
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
		int64_t from = complete_up_to(t, file, list.items[i].id, list.items[i].doc);
		struct arena scratch = {0};
		q = query_on(t, "SELECT " ENTRY_COLUMNS " FROM audit WHERE doc = ?1 AND seq > ?2 ORDER BY seq");
		bind_int(&q, list.items[i].doc);
		bind_int(&q, from);
		while (query_row(&q)) {
			struct entry e;
			entry_read(&q, &scratch, &e);
			if (!map_find(&file->hashes, hex_encode(&scratch, e.hash)))
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
	struct trail_file file;

	if (!kind->audit_log || kind->is_read_only || kind->is_caught_up)
		return;
	mutex_lock(&kind->audit_lock);
	if (!kind->is_caught_up && store_begin(c, kind->store, STORE_READ, &t) && t) {
		int fd = open_log(kind);
		if (fd >= 0) {
			if (lines_read(c->arena, fd, &file))
				write_all(fd, TEXT("\n"));
			append_missing(c, t, fd, &file);
			fsync(fd);
			fd_drop(&fd);
		}
		transaction_rollback(t);
	}
	kind->is_caught_up = true;
	mutex_unlock(&kind->audit_lock);
}
