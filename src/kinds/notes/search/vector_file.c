#include "kinds/notes/search/vector_file.h"

#include "base/buffer.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/own.h"
#include "kinds/notes/search/embedder.h"
#include "kinds/notes/search/heap.h"
#include "kinds/notes/search/slots.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char MAGIC[16] = "quire vectors 1\n";

struct head {
	char key[REVISION_LEN];
	uint32_t dimension;
	float scale;
	char check[8]; /* hash of the other bytes of the record */
};

struct place {
	char key[REVISION_LEN];
	uint64_t at;
};

struct vector_file {
	int folder, fd;
	char name[64];
	struct slots by_key;
	struct place *places;
	uint32_t n, cap;
	bool failed;          /* a failure was logged; it is logged only once */
	pthread_mutex_t lock; /* used by calls that put notes and by the thread that computes vectors */
};

static void file_drop(int *fd)
{
	fd_drop(fd);
	own_gone(LASTING_VECTORS);
}

static void tell(struct vector_file *c, const char *what)
{
	if (!c->failed)
		log_line(LOG_WARNING,
			 "%s the cache of note vectors (%s): %s; they are computed again at the next start", what,
			 c->name, strerror(errno));
	c->failed = true;
}

static struct revision check_of(const struct head *h, const int8_t *row)
{
	struct text pieces[] = {{(const char *)h, offsetof(struct head, check)}, {(const char *)row, h->dimension}};

	return revision_of_pieces(pieces, 2);
}

/* Keys are hashes already, but their characters have only 5 bits each. So hash the whole key. */
static uint32_t key_hash(const char *key) { return (uint32_t)text_hash((struct text){key, REVISION_LEN}); }

static struct place *place_find(const struct vector_file *c, const char *key)
{
	uint32_t hash = key_hash(key);

	for (uint32_t at = slots_first(&c->by_key, hash), n; (n = slots_at(&c->by_key, &at, hash)) != SLOTS_NONE;)
		if (!memcmp(c->places[n].key, key, REVISION_LEN))
			return &c->places[n];
	return NULL;
}

static void place_add(struct vector_file *c, const char *key, uint64_t at)
{
	struct place *known = place_find(c, key);

	if (known) {
		known->at = at;
		return;
	}
	if (c->n == c->cap) {
		c->cap = (uint32_t)heap_room(c->cap, c->n + 64u);
		c->places = heap_array(c->places, c->cap, sizeof *c->places);
	}
	memcpy(c->places[c->n].key, key, REVISION_LEN);
	c->places[c->n].at = at;
	slots_add(&c->by_key, key_hash(key), c->n++);
}

/* Reads up to the first incomplete record and returns its offset. */
static uint64_t index_file(struct vector_file *c, FILE *f)
{
	uint64_t at = sizeof MAGIC;
	struct head h;
	static_assert(sizeof h == REVISION_LEN + 16, "no gaps: the file holds it as it is");
	int8_t *row = heap_array(NULL, DIMENSION_MAX, 1);

	while (fread(&h, sizeof h, 1, f) == 1 && h.dimension && h.dimension <= DIMENSION_MAX &&
	       fread(row, h.dimension, 1, f) == 1) {
		struct revision check = check_of(&h, row);
		if (memcmp(check.chars, h.check, sizeof h.check))
			break;
		place_add(c, h.key, at);
		at += sizeof h + h.dimension;
	}
	free(row);
	return at;
}

static bool write_all(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t n = write(fd, bytes, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		bytes += n;
		len -= (size_t)n;
	}
	return true;
}

/* Called under the file's lock. Empties a file of another format, and cuts off an incomplete end. */
static bool adopt(struct vector_file *c)
{
	char magic[sizeof MAGIC];
	int copy = fcntl(c->fd, F_DUPFD_CLOEXEC, 0);
	FILE *f = copy < 0 ? NULL : fdopen(copy, "r");
	uint64_t end = 0;

	if (!f) {
		fd_drop(&copy);
		return false;
	}
	if (fread(magic, sizeof magic, 1, f) == 1 && !memcmp(magic, MAGIC, sizeof MAGIC))
		end = index_file(c, f);
	fclose(f);
	struct stat st;
	if (fstat(c->fd, &st) || !S_ISREG(st.st_mode))
		return false;
	if (end != (uint64_t)st.st_size && ftruncate(c->fd, (off_t)end))
		return false;
	return end || write_all(c->fd, MAGIC, sizeof MAGIC);
}

struct vector_file *vector_file_open(int folder, const char *name)
{
	struct vector_file *c = heap_array(NULL, 1, sizeof *c);

	*c = (struct vector_file){.folder = fd_copy(folder), .fd = -1};
	pthread_mutex_init(&c->lock, NULL);
	snprintf(c->name, sizeof c->name, "%s", name);
	if (c->folder >= 0)
		c->fd = open_at(c->folder, c->name, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0600);
	/* It is opened under the vault's lock, so the call is not ended before it knows the file. */
	own_keep(LASTING_VECTORS, c->folder);
	own_keep(LASTING_VECTORS, c->fd);
	bool is_open = c->fd >= 0 && !flock(c->fd, LOCK_EX) && adopt(c);
	if (c->fd >= 0)
		flock(c->fd, LOCK_UN);
	if (is_open)
		return c;
	tell(c, "cannot open");
	vector_file_close(c);
	return NULL;
}

void vector_file_close(struct vector_file *c)
{
	if (!c)
		return;
	file_drop(&c->fd);
	file_drop(&c->folder);
	slots_free(&c->by_key);
	free(c->places);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

size_t vector_file_count(struct vector_file *c)
{
	mutex_lock(&c->lock);
	size_t n = c->n;
	mutex_unlock(&c->lock);
	return n;
}

static bool record_read(struct vector_file *c, struct arena *a, const struct revision *key, struct vector_record *out)
{
	struct place *p = place_find(c, key->chars);
	struct head h;

	if (!p || pread(c->fd, &h, sizeof h, (off_t)p->at) != sizeof h || memcmp(h.key, key->chars, REVISION_LEN) ||
	    !h.dimension || h.dimension > DIMENSION_MAX)
		return false;
	int8_t *row = arena_alloc(a, h.dimension);
	if (pread(c->fd, row, h.dimension, (off_t)(p->at + sizeof h)) != (ssize_t)h.dimension)
		return false;
	struct revision check = check_of(&h, row);
	*out = (struct vector_record){*key, h.dimension, h.scale, row};
	return !memcmp(check.chars, h.check, sizeof h.check);
}

bool vector_file_find(struct vector_file *c, struct arena *a, const struct revision *key, struct vector_record *out)
{
	mutex_lock(&c->lock);
	bool found = record_read(c, a, key, out);
	mutex_unlock(&c->lock);
	return found;
}

static void record_put(struct buffer *b, const struct vector_record *r)
{
	struct head h = {.dimension = (uint32_t)r->dimension, .scale = r->scale};

	memcpy(h.key, r->key.chars, REVISION_LEN);
	struct revision check = check_of(&h, r->row);
	memcpy(h.check, check.chars, sizeof h.check);
	buffer_add(b, (struct text){(const char *)&h, sizeof h});
	buffer_add(b, (struct text){(const char *)r->row, r->dimension});
}

void vector_file_add(struct vector_file *c, const struct vector_record *records, size_t n)
{
	struct buffer b = {0};
	struct stat st;

	for (size_t i = 0; i < n; i++)
		record_put(&b, &records[i]);
	mutex_lock(&c->lock);
	if (flock(c->fd, LOCK_EX)) {
		tell(c, "cannot lock");
	} else if (fstat(c->fd, &st) || !write_all(c->fd, b.at, b.len)) {
		tell(c, "cannot write");
	} else {
		uint64_t at = (uint64_t)st.st_size;
		for (size_t i = 0; i < n; i++) {
			place_add(c, records[i].key.chars, at);
			at += sizeof(struct head) + records[i].dimension;
		}
	}
	flock(c->fd, LOCK_UN);
	mutex_unlock(&c->lock);
	buffer_free(&b);
}

/* Writes a new file and renames it over the old one. On failure the old file stays, but its index is lost. */
static bool renew(struct vector_file *c, const struct vector_record *records, size_t n)
{
	char temporary[sizeof c->name + 8];
	struct buffer b = {0};

	snprintf(temporary, sizeof temporary, "%s~", c->name);
	int fd = open_at(c->folder, temporary, O_RDWR | O_APPEND | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
	slots_free(&c->by_key);
	c->n = 0;
	if (fd < 0)
		return false;
	buffer_add(&b, (struct text){MAGIC, sizeof MAGIC});
	for (size_t i = 0; i < n; i++) {
		place_add(c, records[i].key.chars, b.len);
		record_put(&b, &records[i]);
	}
	bool is_swapped = write_all(fd, b.at, b.len) && !renameat(c->folder, temporary, c->folder, c->name);
	buffer_free(&b);
	if (is_swapped) {
		file_drop(&c->fd);
		own_keep(LASTING_VECTORS, c->fd = fd);
		return true;
	}
	unlinkat(c->folder, temporary, 0);
	fd_drop(&fd);
	slots_free(&c->by_key);
	c->n = 0;
	return false;
}

void vector_file_renew(struct vector_file *c, const struct vector_record *records, size_t n)
{
	mutex_lock(&c->lock);
	if (!renew(c, records, n))
		tell(c, "cannot write");
	mutex_unlock(&c->lock);
}
