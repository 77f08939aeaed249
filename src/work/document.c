#include "work/history/recover.h"
#include "base/budget.h"
#include "work/temp.h"
#include "work/history/place.h"
#include "work/workspace.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* COMPARE_STEP fits in the second-level cache. READ_TRIES: retries when a program writes in place while we read. */
enum { COMPARE_STEP = 128 << 10, READ_TRIES = 5, TREE_LEAST = 512, TREE_MOST = 16 << 10, TREE_TIMES = 16 };
/* Offsets are 32 bits wide. */
static const size_t document_most = UINT32_MAX / 4;

int file_compare(int fd, struct text bytes)
{
	char *step = budget_block(NULL, COMPARE_STEP);
	size_t at = 0;
	int same = 1;

	while (same == 1) {
		ssize_t n = pread(fd, step, COMPARE_STEP, (off_t)at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			same = -1;
		else if (n == 0)
			break;
		else if ((size_t)n > bytes.len - at || memcmp(step, bytes.at + at, (size_t)n) != 0)
			same = 0;
		else
			at += (size_t)n;
	}
	budget_block_free(step);
	return same == 1 && at != bytes.len ? 0 : same;
}

/* Reads up to `len` bytes from the start; -1: errno. */
static ssize_t read_up_to(int fd, char *to, size_t len)
{
	size_t at = 0;

	while (at < len) {
		ssize_t n = pread(fd, to + at, len - at, (off_t)at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		at += (size_t)n;
	}
	return (ssize_t)at;
}

static bool same_stamp(const struct stat *a, const struct stat *b)
{
	return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

bool file_read(struct call *c, int fd, struct text path, size_t max, struct stat *st, struct arena *a, struct text *out)
{
	if (max > document_most)
		max = document_most;
	for (int i = 0;; i++) {
		if ((uint64_t)st->st_size > max)
			return fail(c, FAULT_TOO_LARGE, "%s is %lld bytes, more than the %zu that are allowed",
				    shown(c, path), (long long)st->st_size, max);
		size_t size = (size_t)st->st_size;
		char *bytes = arena_alloc(a, size + 1);
		/* Reads one byte more than expected, to notice that the file grew. */
		ssize_t n = read_up_to(fd, bytes, size + 1);
		struct stat after;
		if (n < 0 || fstat(fd, &after) != 0)
			return path_refuse(c, errno, "read", path);
		if ((size_t)n == size && same_stamp(&after, st)) {
			bytes[size] = '\0';
			*out = (struct text){bytes, size};
			return true;
		}
		if (i == READ_TRIES)
			return fail(c, FAULT_CONFLICT, "%s is being written by another program; try again",
				    shown(c, path));
		*st = after;
	}
}

bool file_write(int fd, struct text bytes)
{
	for (size_t at = 0; at < bytes.len;) {
		ssize_t n = write(fd, bytes.at + at, bytes.len - at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		if (n == 0)
			return errno = ENOSPC, false;
		at += (size_t)n;
	}
	return true;
}

static size_t size_limit(const struct call *c)
{
	return c->document_max && c->document_max < c->work->document_max ? c->document_max : c->work->document_max;
}

/* The entry of an open file: from the cache, if it is certain or checked that it has the same bytes. */
static bool entry_of(struct call *c, struct document *d, int fd, struct stat *st, bool to_change)
{
	struct cache *cache = c->work->cache;
	enum trust trust = TRUST_NONE;
	int64_t now = real_now(); /* before the first byte is read, so that any later change has a later time */

	if ((uint64_t)st->st_size > size_limit(c))
		return fail(c, FAULT_TOO_LARGE, "%s is %lld bytes, more than the %zu that are allowed",
			    shown(c, d->path), (long long)st->st_size, size_limit(c));
	struct entry **held = work_place(d->held, c), *e = *held = cache_lookup(cache, st, &trust);
	if (e && trust < (to_change ? TRUST_CERTAIN : TRUST_LIKELY)) {
		int same = e->bytes.len == (size_t)st->st_size ? file_compare(fd, e->bytes) : 0;
		if (same == 1) {
			cache_seen(cache, e, st, now);
		} else {
			int error = errno;
			entry_drop(e);
			e = *held = NULL;
			if (same < 0)
				return path_refuse(c, error, "read", d->path);
		}
	}
	if (!e) {
		e = *held = entry_new();
		arena_start(&e->arena, (size_t)st->st_size + 1);
		if (!file_read(c, fd, d->path, size_limit(c), st, &e->arena, &e->bytes))
			return false;
		e->room = e->bytes.len + 1;
		e->revision = revision_of(e->bytes);
		cache_seen(cache, e, st, now);
	}
	d->entry = e;
	d->stat = *st;
	d->is_certain = trust == TRUST_CERTAIN;
	d->revision = (struct text){e->revision.chars, REVISION_LEN};
	return true;
}

bool document_load(struct call *c, struct document *d, int fd, struct stat *st) { return entry_of(c, d, fd, st, true); }

static struct document *document_at(struct call *c, struct text path, const struct spot *s)
{
	struct document *d = arena_new(c->arena, struct document);

	*d = (struct document){.held = work_hold(c),
			       .root = s->root,
			       .path = text_copy(c->arena, path),
			       .place = s->path,
			       .name = s->name,
			       .missing = s->missing,
			       .folder = -1};
	return d;
}

static void note_revision(struct call *c, const struct document *d)
{
	if (!c->revision.at && d->revision.at)
		c->revision = d->revision;
}

bool document_open(struct call *c, struct text path, struct document **out)
{
	recover_pending(c);
	for (int i = 0; i < PATH_TRIES; i++) {
		scoped(spot_drop) struct spot s = {.folder = -1};
		scoped(fd_drop) int fd = -1;
		struct stat st;
		if (!spot_granted(c, path, spot_owner(c), false, true, &s)) {
			if (c->error.fault == FAULT_NOT_FOUND)
				temp_sweep_missing(c, path);
			return false;
		}
		temp_sweep_idle(c, s.root, s.folder, s.name, s.path);
		if (!spot_open(c, &s, &fd, &st))
			return false;
		if (fd < 0)
			continue;
		struct document *d = document_at(c, path, &s);
		if (!entry_of(c, d, fd, &st, false))
			return false;
		note_revision(c, d);
		*out = d;
		return true;
	}
	return fail(c, FAULT_CONFLICT, "another program keeps replacing %s; try again", shown(c, path));
}

bool document_stamp(const struct document *d, struct file_stamp *out)
{
	*out = stamp_of(&d->stat);
	return d->is_certain;
}

bool work_read(struct call *c, struct text path, struct arena *a, struct file_content *out)
{
	struct work_call *h = work_hold(c);

	if (!h->recovered)
		recover_pending(c);
	h->recovered = true;
	for (int i = 0; i < PATH_TRIES; i++) {
		scoped(spot_drop) struct spot s = {.folder = -1};
		scoped(fd_drop) int fd = -1;
		struct stat st;
		/* Not logged: an index reads files that no caller requested. */
		if (!spot_granted(c, path, spot_owner(c), false, false, &s) || !spot_open(c, &s, &fd, &st))
			return false;
		if (fd < 0)
			continue;
		if (!file_read(c, fd, path, size_limit(c), &st, a, &out->bytes))
			return false;
		out->place = text_copy(a, s.path);
		out->revision = revision_of(out->bytes);
		out->stamp = stamp_of(&st);
		return true;
	}
	return fail(c, FAULT_CONFLICT, "another program keeps replacing %s; try again", shown(c, path));
}

void near_drop(struct near *near) { fd_drop(&near->folder); }

/* Opens the folder of the path, unless it is open. False: read the file in the usual way. */
static bool near_open(struct call *c, struct near *near, struct text path, size_t slash)
{
	const struct root *root;
	struct text folder = text_slice(path, 0, slash);

	if (near->folder >= 0 && text_same(near->path, folder))
		return true;
	near_drop(near);
	near->path = text_copy(c->arena, folder);
	if (root_folder(c, &c->work->roots, near->path, spot_owner(c), &root, &near->place, &near->folder))
		return true;
	c->error = (struct error){0};
	return false;
}

/* A file that grew or shrank meanwhile is read in the usual way. */
static bool near_read(struct call *c, const struct near *near, const char *name, struct arena *a,
		      struct file_content *out)
{
	scoped(fd_drop) int fd = open_at(near->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || (uint64_t)st.st_size > size_limit(c))
		return false;
	size_t size = (size_t)st.st_size;
	char *bytes = arena_alloc(a, size + 1);
	if (read(fd, bytes, size + 1) != (ssize_t)size)
		return false;
	bytes[size] = '\0';
	out->bytes = (struct text){bytes, size};
	out->stamp = stamp_of(&st);
	return true;
}

bool work_read_near(struct call *c, struct near *near, struct text path, struct arena *a, struct file_content *out)
{
	struct work_call *h = work_hold(c);
	size_t slash = path.len;

	while (slash && path.at[slash - 1] != '/')
		slash--;
	struct text name = text_slice(path, slash, path.len);
	bool is_plain = !(c->caller && c->caller->may) && name.len && name.at[0] != '.' && !text_has_nul(path);
	if (!h->recovered)
		recover_pending(c);
	h->recovered = true;
	if (!is_plain || !near_open(c, near, path, slash ? slash - 1 : 0) ||
	    !near_read(c, near, text_string(a, name), a, out))
		return work_read(c, path, a, out);
	out->place = near->place.len ? text_format(a, "%.*s/%.*s", TEXT_ARGS(near->place), TEXT_ARGS(name))
				     : text_copy(a, name);
	out->revision = revision_of(out->bytes);
	return true;
}

bool document_exists(const struct document *d) { return d->entry; }
struct text document_path(const struct document *d) { return d->path; }
struct text document_place(const struct document *d) { return d->place; }
struct text document_key(struct call *c, const struct document *d) { return place_of(c->arena, d->root, d->place); }

struct text document_bytes(const struct document *d) { return d->entry ? entry_bytes(d->entry) : (struct text){0}; }
struct text document_revision(const struct document *d) { return d->revision; }

const void *document_tree(struct call *c, struct document *d, const struct format *f)
{
	struct cache *cache = c->work->cache;
	struct arena arena = {0};

	if (!d->entry) {
		fail(c, FAULT_NOT_FOUND, "%s does not exist yet", shown(c, d->path));
		return NULL;
	}
	struct text bytes = entry_bytes(d->entry);
	const void *tree = entry_tree(cache, d->entry, f);
	if (tree)
		return tree;
	/* Cached trees have a limit of their own. */
	budget_widen(bytes.len * TREE_TIMES);
	/* There may be thousands of small documents, so their trees start small. */
	arena_start(&arena, bytes.len < TREE_MOST / 2 ? TREE_LEAST + bytes.len * 2 : TREE_MOST);
	tree = f->parse(&arena, bytes, &c->error);
	budget_narrow(bytes.len * TREE_TIMES);
	if (tree)
		return entry_give_tree(cache, d->entry, f, tree, &arena);
	struct arena *kept = ARRAY_PUSH(c->arena, &d->held->arenas);
	arena_keep(&arena);
	*kept = arena;
	if (!c->error.message)
		fail(c, FAULT_ARGUMENT, "%s is not valid %s", shown(c, d->path), f->name);
	return NULL;
}
