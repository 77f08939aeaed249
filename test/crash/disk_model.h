/* disk_model.h: the possible contents of a disk after a power failure.
 *
 * While disk_log_on, every call that changes the tree below one folder is also logged: entries created, renamed and
 * removed, bytes written, sizes set, and flushes. disk_cut() then builds, at the same path, a tree that a power cut at
 * a given position in the log may leave. Everything flushed is there. For the rest:
 *
 * - a write may be absent, whole, or torn into sectors of 512 bytes. A size may be old or new. A file that is longer
 *   than its bytes on the disk ends in zeros.
 * - an entry may be old or new, in one of three manners (enum manner).
 *
 * Flushing a file does not flush its name, and flushing a name does not flush the file: stricter than any file system
 * we know. A flush covers everything that was in the log when it began. The log is in shared memory, so that it
 * survives a killed process. A test that includes this is linked with DISK_MODEL (crash.mk). */
#ifndef QUIRE_TEST_DISK_MODEL_H
#define QUIRE_TEST_DISK_MODEL_H
#include "work/work_fixture.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>

enum { DISK_SECTOR = 512, DISK_NAME = 64, DISK_EFFECTS = 1 << 16, DISK_NODES = 1 << 14 };
static const size_t disk_room = (size_t)256 << 20;

enum effect_kind {
	EFFECT_WRITE,    /* node, at, bytes */
	EFFECT_SIZE,     /* node, at: its size from now on */
	EFFECT_MAKE,     /* node gets the name in folder */
	EFFECT_REMOVE,   /* the name is removed */
	EFFECT_RENAME,   /* the name becomes `to`, which is replaced */
	EFFECT_EXCHANGE, /* the name and `to` are exchanged */
	EFFECT_FLUSH,    /* node; 0: everything */
	EFFECT_DONE      /* operation number `at` was acknowledged */
};

struct effect {
	enum effect_kind kind;
	uint32_t node, folder;
	char name[DISK_NAME], to[DISK_NAME];
	size_t at, len, bytes; /* `bytes`: their offset in the log's memory */
	size_t covers;         /* of a flush: it covers the effects before this one */
};

/* A file or a folder during its life. The system may use its inode number again later. */
struct node {
	ino_t number;
	bool is_folder;
	size_t bytes, len;    /* of a file, when the log began */
	uint32_t folder;      /* its folder then; 0: it did not exist */
	char name[DISK_NAME]; /* its first name */
};

struct disk {
	atomic_flag lock;
	size_t n, nodes, used;
	size_t die_at; /* the process is killed after this effect; 0: never */
	struct effect effects[DISK_EFFECTS];
	struct node node[DISK_NODES]; /* from 1; 1 is the folder itself */
	char room[];
};

static struct disk *disk;
static bool disk_log_on;

/* Flushes that the disk ignores, to check that the tests detect it. */
static enum lie { LIE_NONE, LIE_FOLDERS, LIE_DOCUMENTS, LIE_HISTORY, LIES } disk_lie;

static size_t disk_keep(const void *from, size_t n)
{
	assert_true(disk->used + n < disk_room);
	memcpy(disk->room + disk->used, from, n);
	disk->used += n;
	return disk->used - n;
}

static uint32_t disk_node_new(ino_t number, bool is_folder, const char *name)
{
	assert_true(disk->nodes + 1 < DISK_NODES);
	disk->node[++disk->nodes] = (struct node){.number = number, .is_folder = is_folder};
	snprintf(disk->node[disk->nodes].name, DISK_NAME, "%s", name);
	return (uint32_t)disk->nodes;
}

/* 0: not below our folder. The newest node with this inode number is the living one. */
static uint32_t disk_node(const struct stat *st)
{
	for (size_t i = disk->nodes; i > 0; i--)
		if (disk->node[i].number == st->st_ino)
			return (uint32_t)i;
	return 0;
}

static uint32_t disk_node_of(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 ? disk_node(&st) : 0;
}

static void disk_enter(void)
{
	while (atomic_flag_test_and_set(&disk->lock))
		usleep(10);
}

static void disk_leave(void) { atomic_flag_clear(&disk->lock); }

static void disk_push(struct effect e)
{
	assert_true(disk->n < DISK_EFFECTS);
	disk->effects[disk->n++] = e;
	if (disk->die_at && disk->n == disk->die_at)
		kill(getpid(), SIGKILL);
}

/* Splits a path into the folder's node and the last name. */
static bool disk_split(int at, const char *path, uint32_t *folder, char name[DISK_NAME])
{
	const char *slash = strrchr(path, '/');
	char head[PATH_MAX];
	struct stat st;

	snprintf(head, sizeof head, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
	if (fstatat(at, *head ? head : "/", &st, 0) != 0)
		return false;
	*folder = disk_node(&st);
	if (!*folder)
		return false;
	const char *last = slash ? slash + 1 : path;
	assert_true(strlen(last) < DISK_NAME);
	strcpy(name, last);
	return true;
}

static bool disk_is_there(int at, const char *path)
{
	struct stat st;

	return fstatat(at, path, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static void disk_made(int at, const char *path, bool is_folder)
{
	struct effect e = {.kind = EFFECT_MAKE};
	struct stat st;

	if (!disk_split(at, path, &e.folder, e.name) || fstatat(at, path, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return;
	e.node = disk_node_new(st.st_ino, is_folder, e.name);
	disk_push(e);
}

static void disk_renamed(int from, const char *old, int to, const char *new, enum effect_kind kind)
{
	struct effect e = {.kind = kind};
	uint32_t other;

	if (!disk_split(from, old, &e.folder, e.name))
		return;
	assert_true(disk_split(to, new, &other, e.to) && other == e.folder);
	disk_push(e);
}

static void disk_removed(int at, const char *path)
{
	struct effect e = {.kind = EFFECT_REMOVE};

	if (disk_split(at, path, &e.folder, e.name))
		disk_push(e);
}

static void disk_sized(int fd, size_t size)
{
	struct effect e = {.kind = EFFECT_SIZE, .node = disk_node_of(fd), .at = size};

	if (e.node)
		disk_push(e);
}

static void disk_written(int fd, const void *from, ssize_t n, off_t at)
{
	struct effect e = {.kind = EFFECT_WRITE, .node = disk_node_of(fd), .at = (size_t)at, .len = (size_t)n};

	if (!e.node || n <= 0)
		return;
	e.bytes = disk_keep(from, (size_t)n);
	disk_push(e);
}

/* A change that is logged if it succeeds: `call` is the real call, `note` writes the log. */
#define DISK_CHANGE(type, call, note)                                                                                  \
	do {                                                                                                           \
		if (!disk_log_on)                                                                                      \
			return call;                                                                                   \
		disk_enter();                                                                                          \
		type done_ = call;                                                                                     \
		int errno_ = errno;                                                                                    \
		if (done_ >= 0)                                                                                        \
			note;                                                                                          \
		disk_leave();                                                                                          \
		errno = errno_;                                                                                        \
		return done_;                                                                                          \
	} while (0)

#define DISK_OPEN(at, path, flags, call)                                                                               \
	do {                                                                                                           \
		if (!disk_log_on || !((flags) & (O_CREAT | O_TRUNC)))                                                  \
			return call;                                                                                   \
		bool was_there_ = disk_is_there(at, path);                                                             \
		DISK_CHANGE(int, call, {                                                                               \
			if (!was_there_)                                                                               \
				disk_made(at, path, false);                                                            \
			else if ((flags)&O_TRUNC)                                                                      \
				disk_sized(done_, 0);                                                                  \
		});                                                                                                    \
	} while (0)

int __real_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, mode_t mode)
{
	DISK_OPEN(AT_FDCWD, path, flags, __real_open(path, flags, mode));
}

int __real_open64(const char *path, int flags, mode_t mode);
int __wrap_open64(const char *path, int flags, mode_t mode);
int __wrap_open64(const char *path, int flags, mode_t mode)
{
	DISK_OPEN(AT_FDCWD, path, flags, __real_open64(path, flags, mode));
}

int __real_openat(int at, const char *path, int flags, mode_t mode);
int __wrap_openat(int at, const char *path, int flags, mode_t mode);
int __wrap_openat(int at, const char *path, int flags, mode_t mode)
{
	DISK_OPEN(at, path, flags, __real_openat(at, path, flags, mode));
}

ssize_t __real_write(int fd, const void *from, size_t n);
ssize_t __wrap_write(int fd, const void *from, size_t n);
ssize_t __wrap_write(int fd, const void *from, size_t n)
{
	off_t at = disk_log_on ? lseek(fd, 0, SEEK_CUR) : 0;

	if (at < 0)
		return __real_write(fd, from, n); /* a pipe */
	DISK_CHANGE(ssize_t, __real_write(fd, from, n), disk_written(fd, from, done_, at));
}

ssize_t __real_pwrite64(int fd, const void *from, size_t n, off_t at);
ssize_t __wrap_pwrite64(int fd, const void *from, size_t n, off_t at);
ssize_t __wrap_pwrite64(int fd, const void *from, size_t n, off_t at)
{
	DISK_CHANGE(ssize_t, __real_pwrite64(fd, from, n, at), disk_written(fd, from, done_, at));
}

int __real_ftruncate64(int fd, off_t size);
int __wrap_ftruncate64(int fd, off_t size);
int __wrap_ftruncate64(int fd, off_t size)
{
	DISK_CHANGE(int, __real_ftruncate64(fd, size), disk_sized(fd, (size_t)size));
}

int __real_fallocate(int fd, int how, off_t at, off_t size);
int __wrap_fallocate(int fd, int how, off_t at, off_t size);
int __wrap_fallocate(int fd, int how, off_t at, off_t size)
{
	DISK_CHANGE(int, __real_fallocate(fd, how, at, size), disk_sized(fd, (size_t)(at + size)));
}

int __real_renameat2(int from, const char *old, int to, const char *new, unsigned flags);
int __wrap_renameat2(int from, const char *old, int to, const char *new, unsigned flags);
int __wrap_renameat2(int from, const char *old, int to, const char *new, unsigned flags)
{
	DISK_CHANGE(int, __real_renameat2(from, old, to, new, flags),
		    disk_renamed(from, old, to, new, flags & RENAME_EXCHANGE ? EFFECT_EXCHANGE : EFFECT_RENAME));
}

int __real_renameat(int from, const char *old, int to, const char *new);
int __wrap_renameat(int from, const char *old, int to, const char *new);
int __wrap_renameat(int from, const char *old, int to, const char *new)
{
	DISK_CHANGE(int, __real_renameat(from, old, to, new), disk_renamed(from, old, to, new, EFFECT_RENAME));
}

int __real_rename(const char *old, const char *new);
int __wrap_rename(const char *old, const char *new);
int __wrap_rename(const char *old, const char *new)
{
	DISK_CHANGE(int, __real_rename(old, new), disk_renamed(AT_FDCWD, old, AT_FDCWD, new, EFFECT_RENAME));
}

int __real_unlink(const char *path);
int __wrap_unlink(const char *path);
int __wrap_unlink(const char *path) { DISK_CHANGE(int, __real_unlink(path), disk_removed(AT_FDCWD, path)); }

int __real_unlinkat(int at, const char *path, int flags);
int __wrap_unlinkat(int at, const char *path, int flags);
int __wrap_unlinkat(int at, const char *path, int flags)
{
	DISK_CHANGE(int, __real_unlinkat(at, path, flags), disk_removed(at, path));
}

int __real_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode)
{
	DISK_CHANGE(int, __real_mkdir(path, mode), disk_made(AT_FDCWD, path, true));
}

int __real_mkdirat(int at, const char *path, mode_t mode);
int __wrap_mkdirat(int at, const char *path, mode_t mode);
int __wrap_mkdirat(int at, const char *path, mode_t mode)
{
	DISK_CHANGE(int, __real_mkdirat(at, path, mode), disk_made(at, path, true));
}

#define DISK_FLUSH(whole, call)                                                                                        \
	do {                                                                                                           \
		struct effect flush_ = {.kind = EFFECT_FLUSH};                                                         \
		if (disk_log_on) {                                                                                     \
			disk_enter();                                                                                  \
			flush_.covers = disk->n;                                                                       \
			disk_leave();                                                                                  \
		}                                                                                                      \
		DISK_CHANGE(int, call, {                                                                               \
			flush_.node = (whole) ? 0 : disk_node_of(fd);                                                  \
			if ((whole) || flush_.node)                                                                    \
				disk_push(flush_);                                                                     \
		});                                                                                                    \
	} while (0)

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __wrap_fsync(int fd) { DISK_FLUSH(false, __real_fsync(fd)); }
int __real_fdatasync(int fd);
int __wrap_fdatasync(int fd);
int __wrap_fdatasync(int fd) { DISK_FLUSH(false, __real_fdatasync(fd)); }
int __real_syncfs(int fd);
int __wrap_syncfs(int fd);
int __wrap_syncfs(int fd) { DISK_FLUSH(true, __real_syncfs(fd)); }

/* The log begins: everything below `top` counts as on the disk. */
static int disk_see(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	struct node *n = &disk->node[disk_node_new(st->st_ino, type == FTW_D, path + walk->base)];
	struct stat above;
	char head[PATH_MAX];

	if (walk->level == 0)
		return 0;
	snprintf(head, sizeof head, "%.*s", walk->base - 1, path);
	assert_int_equal(stat(head, &above), 0);
	n->folder = disk_node(&above);
	if (type != FTW_F || !st->st_size)
		return 0;
	int fd = __real_open(path, O_RDONLY, 0);
	assert_true(fd >= 0 && disk->used + (size_t)st->st_size < disk_room);
	assert_int_equal(read(fd, disk->room + disk->used, (size_t)st->st_size), st->st_size);
	close(fd);
	n->bytes = disk->used;
	n->len = (size_t)st->st_size;
	disk->used += n->len;
	return 0;
}

static void disk_begin(const char *top)
{
	if (!disk) {
		disk = mmap(NULL, sizeof *disk + disk_room, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		assert_true(disk != MAP_FAILED);
	}
	disk->n = disk->nodes = disk->used = disk->die_at = 0;
	atomic_flag_clear(&disk->lock);
	assert_int_equal(nftw(top, disk_see, 16, FTW_PHYS), 0);
}

/* An acknowledgement of the program: from here on the operation must survive. */
static void disk_done(size_t operation)
{
	disk_enter();
	disk_push((struct effect){.kind = EFFECT_DONE, .at = operation});
	disk_leave();
}

/* How entries that were not flushed reach the disk. ORDERED: like a journal, everything up to some moment and nothing
 * after it. SINGLY: each operation separately, a rename as a whole. NAMES: each name separately, so that a renamed file
 * may have both names or none. */
enum manner { CUT_NOTHING, CUT_ALL, CUT_ORDERED, CUT_SINGLY, CUT_NAMES, CUT_MANNERS };

/* The contents of the disk at the cut, by node. */
struct image {
	struct arena arena;
	size_t cut;
	enum manner manner;
	size_t moment; /* ORDERED */
	unsigned dice;
};

static unsigned disk_roll(struct image *m, size_t below)
{
	m->dice = m->dice * 1664525u + 1013904223u;
	return below ? (unsigned)((m->dice >> 8) % below) : 0;
}

static bool disk_lies(uint32_t node)
{
	bool is_history = strncmp(disk->node[node].name, "history.db", 10) == 0, is_folder = disk->node[node].is_folder;

	return disk_lie && disk_lie == (is_folder ? LIE_FOLDERS : is_history ? LIE_HISTORY : LIE_DOCUMENTS);
}

/* All effects before the returned one are on the disk, for this node. */
static size_t disk_flushed(const struct image *m, uint32_t node)
{
	size_t covers = 0;

	if (disk_lies(node))
		return 0;
	for (size_t i = 0; i < m->cut; i++) {
		const struct effect *e = &disk->effects[i];
		if (e->kind == EFFECT_FLUSH && (!e->node || e->node == node) && e->covers > covers)
			covers = e->covers;
	}
	return covers;
}

struct bytes {
	char *at;
	size_t len, cap;
};

static void bytes_size(struct image *m, struct bytes *b, size_t len)
{
	if (len > b->cap) {
		char *more = arena_alloc(&m->arena, len * 2);
		if (b->len)
			memcpy(more, b->at, b->len);
		b->at = more;
		b->cap = len * 2;
	}
	if (len > b->len)
		memset(b->at + b->len, 0, len - b->len);
	b->len = len;
}

static void bytes_write(struct image *m, struct bytes *b, const struct effect *e, size_t from, size_t to)
{
	if (b->len < e->at + to)
		bytes_size(m, b, e->at + to);
	memcpy(b->at + e->at + from, disk->room + e->bytes + from, to - from);
}

/* Writes each sector or not, by chance. */
static void bytes_tear(struct image *m, struct bytes *b, const struct effect *e)
{
	for (size_t from = 0, to; from < e->len; from = to) {
		to = from + DISK_SECTOR - (e->at + from) % DISK_SECTOR;
		to = to < e->len ? to : e->len;
		if (disk_roll(m, 2))
			bytes_write(m, b, e, from, to);
	}
}

static struct bytes disk_content(struct image *m, uint32_t node)
{
	enum { NOTHING, ALL, FIRST, TORN, FATES };
	const struct node *n = &disk->node[node];
	unsigned fate = m->manner == CUT_NOTHING ? NOTHING : m->manner == CUT_ALL ? ALL : disk_roll(m, FATES);
	size_t flushed = disk_flushed(m, node);
	size_t until = fate == NOTHING ? flushed
		       : fate == FIRST ? flushed + disk_roll(m, m->cut - (flushed < m->cut ? flushed : m->cut) + 1)
				       : m->cut;
	struct bytes b = {0}, whole = {0};

	bytes_size(m, &b, n->len);
	if (n->len)
		memcpy(b.at, disk->room + n->bytes, n->len);
	whole.len = n->len;
	for (size_t i = 0; i < m->cut; i++) {
		const struct effect *e = &disk->effects[i];
		bool is_size = e->kind == EFFECT_SIZE;
		if (e->node != node || (!is_size && e->kind != EFFECT_WRITE))
			continue;
		whole.len = is_size ? e->at : e->at + e->len > whole.len ? e->at + e->len : whole.len;
		if (i >= flushed && i >= until)
			continue;
		bool is_torn = i >= flushed && fate == TORN;
		if (is_size && (!is_torn || disk_roll(m, 2)))
			bytes_size(m, &b, e->at);
		else if (!is_size && is_torn)
			bytes_tear(m, &b, e);
		else if (!is_size)
			bytes_write(m, &b, e, 0, e->len);
	}
	if (fate == TORN && disk_roll(m, 2) && whole.len > b.len)
		bytes_size(m, &b, whole.len);
	return b;
}

struct entry_of {
	const char *name;
	uint32_t node;
};
struct entries {
	struct entry_of *items;
	size_t n, cap;
};

static struct entry_of *entries_find(struct entries *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->items[i].name, name) == 0)
			return &l->items[i];
	return NULL;
}

static void entries_set(struct image *m, struct entries *l, const char *name, uint32_t node)
{
	struct entry_of *e = entries_find(l, name);

	if (!e && node)
		*ARRAY_PUSH(&m->arena, l) = (struct entry_of){name, node};
	else if (e && node)
		e->node = node;
	else if (e)
		*e = l->items[--l->n];
}

/* If an operation is impossible because an earlier one is not on the disk, it is skipped. */
static void entries_apply(struct image *m, struct entries *l, const struct effect *e)
{
	const struct entry_of *one = entries_find(l, e->name), *two = entries_find(l, e->to);
	uint32_t first = one ? one->node : 0, second = two ? two->node : 0;

	if (e->kind == EFFECT_MAKE)
		entries_set(m, l, e->name, e->node);
	if (e->kind == EFFECT_REMOVE)
		entries_set(m, l, e->name, 0);
	if (e->kind == EFFECT_RENAME && first) {
		entries_set(m, l, e->name, 0);
		entries_set(m, l, e->to, first);
	}
	if (e->kind == EFFECT_EXCHANGE && first && second) {
		entries_set(m, l, e->name, second);
		entries_set(m, l, e->to, first);
	}
}

static bool is_entry(const struct effect *e, uint32_t folder)
{
	return e->folder == folder && e->kind >= EFFECT_MAKE && e->kind <= EFFECT_EXCHANGE;
}

/* All effects before `until` are on the disk, and the others by chance. */
static struct entries entries_at(struct image *m, uint32_t folder, size_t until, bool by_dice)
{
	struct entries l = {0};

	for (uint32_t i = 1; i <= disk->nodes; i++)
		if (disk->node[i].folder == folder)
			entries_set(m, &l, disk->node[i].name, i);
	for (size_t i = 0; i < m->cut; i++)
		if (is_entry(&disk->effects[i], folder) && (i < until || (by_dice && disk_roll(m, 2))))
			entries_apply(m, &l, &disk->effects[i]);
	return l;
}

static struct entries entries_by_name(struct image *m, uint32_t folder, size_t flushed)
{
	struct entries l = entries_at(m, folder, flushed, false), names = l;

	/* Every name that ever existed. */
	names.items = arena_copy(&m->arena, l.items, l.n * sizeof *l.items);
	names.cap = l.n;
	for (size_t i = flushed; i < m->cut; i++)
		if (is_entry(&disk->effects[i], folder)) {
			entries_set(m, &names, disk->effects[i].name, folder);
			if (*disk->effects[i].to)
				entries_set(m, &names, disk->effects[i].to, folder);
		}
	for (size_t i = 0; i < names.n; i++) {
		size_t moment = flushed + disk_roll(m, m->cut - flushed + 1);
		struct entries then = entries_at(m, folder, moment, false);
		const struct entry_of *e = entries_find(&then, names.items[i].name);
		entries_set(m, &l, names.items[i].name, e ? e->node : 0);
	}
	return l;
}

static struct entries disk_entries(struct image *m, uint32_t folder)
{
	size_t flushed = disk_flushed(m, folder);

	flushed = flushed < m->cut ? flushed : m->cut;
	switch (m->manner) {
	case CUT_NOTHING: return entries_at(m, folder, flushed, false);
	case CUT_ALL: return entries_at(m, folder, m->cut, false);
	case CUT_ORDERED: return entries_at(m, folder, m->moment > flushed ? m->moment : flushed, false);
	case CUT_SINGLY: return entries_at(m, folder, flushed, true);
	case CUT_NAMES: return entries_by_name(m, folder, flushed);
	case CUT_MANNERS: break;
	}
	return (struct entries){0};
}

/* Creates every file once; a file with two names gets both. */
static void disk_lay(struct image *m, const char *path, uint32_t folder, const char **laid)
{
	struct entries l = disk_entries(m, folder);

	for (size_t i = 0; i < l.n; i++) {
		uint32_t node = l.items[i].node;
		const char *to = text_format(&m->arena, "%s/%s", path, l.items[i].name).at;
		if (laid[node] && !disk->node[node].is_folder) {
			assert_int_equal(link(laid[node], to), 0);
			continue;
		}
		laid[node] = to;
		if (disk->node[node].is_folder) {
			assert_int_equal(__real_mkdir(to, 0700), 0);
			disk_lay(m, to, node, laid);
			continue;
		}
		struct bytes b = disk_content(m, node);
		int fd = __real_open(to, O_WRONLY | O_CREAT | O_EXCL, 0600);
		assert_true(fd >= 0);
		assert_int_equal(__real_write(fd, b.at, b.len), b.len);
		close(fd);
	}
}

/* Replaces everything below `top` by what a power cut after `cut` effects may leave. */
static void disk_cut(const char *top, size_t cut, enum manner manner, unsigned seed)
{
	struct image m = {.cut = cut, .manner = manner, .dice = seed * 2654435761u + 1};

	m.moment = disk_roll(&m, cut + 1);
	/* A journal contains everything before the last flush. */
	for (uint32_t i = 1; i <= disk->nodes; i++)
		if (disk->node[i].is_folder && disk_flushed(&m, i) > m.moment)
			m.moment = disk_flushed(&m, i);
	nftw(top, fixture_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	assert_int_equal(__real_mkdir(top, 0700), 0);
	disk_lay(&m, top, 1, arena_array(&m.arena, disk->nodes + 1, sizeof(const char *)));
	arena_free(&m.arena);
}

#endif
