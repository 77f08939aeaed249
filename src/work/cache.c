#include "work/cache.h"

#include "base/mutex.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* RACY_MS: within this time after its last stamp, a file may change again without a new stamp. */
enum { BUCKETS = 4096, RACY_MS = 2000, ENTRY_WEIGHT = 512, GROWTH_MIN = 4096, SMALL = 64 << 10 };

struct cache {
	pthread_mutex_t mutex;
	size_t bytes, bytes_max;
	struct entry *newest, *oldest;
	struct entry *buckets[BUCKETS];
};

int64_t real_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

struct cache *cache_new(size_t bytes_max)
{
	struct cache *k = budget_zero(1, sizeof *k);

	pthread_mutex_init(&k->mutex, NULL);
	k->bytes_max = bytes_max;
	return k;
}

struct entry *entry_new(void)
{
	struct entry *e = budget_zero(1, sizeof *e);

	e->arena.lasts = true;
	atomic_init(&e->refs, 1);
	return e;
}

void entry_follow(struct entry *e, struct entry *base, const struct splice *sorted, size_t n)
{
	e->base = base;
	e->splices = sorted;
	e->n = n;
}

/* Sets the new bytes, and their position in the trees of the edit. */
static struct text stand(struct entry *e, char *at, size_t len)
{
	e->bytes = (struct text){at, len};
	e->base = NULL;
	for (struct entry_tree *t = e->trees; t; t = t->next)
		if (t->format->place)
			t->format->place((void *)t->tree, e->bytes);
	return e->bytes;
}

struct text entry_bytes(struct entry *e)
{
	struct arena scratch = {0};

	if (e->bytes.at || !e->base)
		return e->bytes;
	struct pieces p = splice_pieces(&scratch, entry_bytes(e->base), e->splices, e->n);
	/* Leaves room for later edits, except in small documents, where copying is cheap. */
	e->room = p.len + 1 + (p.len < SMALL ? 0 : p.len / 16 + GROWTH_MIN);
	arena_start(&e->arena, e->room);
	char *at = arena_alloc(&e->arena, e->room);
	pieces_join(p, at);
	arena_free(&scratch);
	return stand(e, at, p.len);
}

/* Debug builds copy instead, so that the sanitizers find any use of the old bytes after the edit. With QUIRE_IN_PLACE
 * they edit in place, like the shipped program. */
static bool may_reuse(struct entry *base)
{
#ifdef QUIRE_DEBUG
	if (!getenv("QUIRE_IN_PLACE"))
		return false;
#endif
	return atomic_load_explicit(&base->refs, memory_order_acquire) == 1 && !base->base;
}

void entry_settle(struct entry *e, struct arena *scratch)
{
	struct entry *base = e->base;
	char *at = base ? (char *)base->bytes.at : NULL;
	size_t len = base ? base->bytes.len : 0, grown = len;

	for (size_t i = 0; base && i < e->n; i++)
		grown += e->splices[i].with.len - (e->splices[i].to - e->splices[i].from);
	if (!at || grown + 1 > base->room || !may_reuse(base)) {
		entry_bytes(e);
		return;
	}
	struct splice *edits = arena_copy(scratch, e->splices, e->n * sizeof *edits);
	for (size_t i = 0; i < e->n; i++)
		if (edits[i].with.at >= at && edits[i].with.at < at + base->room)
			edits[i].with = text_copy(scratch, edits[i].with);
	splice_within(at, len, edits, e->n);
	e->arena = base->arena;
	e->room = base->room;
	base->arena = (struct arena){.lasts = true};
	base->bytes = (struct text){0};
	stand(e, at, grown);
}

void entry_drop(struct entry *e)
{
	if (!e || atomic_fetch_sub_explicit(&e->refs, 1, memory_order_acq_rel) != 1)
		return;
	for (struct entry_tree *t = e->trees, *next; t; t = next) {
		next = t->next;
		arena_free(&t->arena);
		free(t);
	}
	arena_free(&e->arena);
	free(e);
}

static struct entry **bucket_of(struct cache *k, const struct stat *st)
{
	uint64_t mixed = ((uint64_t)st->st_ino ^ (uint64_t)st->st_dev << 40) * 0x9E3779B97F4A7C15u;

	return &k->buckets[mixed >> 52];
}
_Static_assert(BUCKETS == 1 << 12, "bucket_of takes the upper twelve bits");

static bool is_file(const struct entry *e, const struct stat *st)
{
	return e->stamp.st_ino == st->st_ino && e->stamp.st_dev == st->st_dev;
}

static bool same_time(struct timespec a, struct timespec b) { return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec; }

bool stat_is_same(const struct stat *a, const struct stat *b)
{
	return a->st_size == b->st_size && same_time(a->st_mtim, b->st_mtim) && same_time(a->st_ctim, b->st_ctim);
}

static int64_t in_ms(struct timespec t) { return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000; }

static void take_from_list(struct cache *k, struct entry *e)
{
	*(e->newer ? &e->newer->older : &k->newest) = e->older;
	*(e->older ? &e->older->newer : &k->oldest) = e->newer;
	e->newer = e->older = NULL;
}

static void put_first(struct cache *k, struct entry *e)
{
	e->newer = NULL;
	e->older = k->newest;
	*(k->newest ? &k->newest->newer : &k->oldest) = e;
	k->newest = e;
	e->used = real_now();
}

static void weigh(struct cache *k, struct entry *e)
{
	size_t weight = ENTRY_WEIGHT + e->arena.used;

	for (struct entry_tree *t = e->trees; t; t = t->next)
		weight += t->arena.used;
	k->bytes += weight - e->weight;
	e->weight = weight;
}

/* Removes the entry from the cache. The caller holds the mutex and drops the reference afterwards. */
static void unlink_entry(struct cache *k, struct entry *e)
{
	struct entry **p = bucket_of(k, &e->stamp);

	while (*p != e)
		p = &(*p)->same_bucket;
	*p = e->same_bucket;
	take_from_list(k, e);
	k->bytes -= e->weight;
	e->weight = 0;
	e->kept = false;
	entry_drop(e);
}

static void make_room(struct cache *k)
{
	for (struct entry *e = k->oldest, *newer; e && k->bytes > k->bytes_max; e = newer) {
		newer = e->newer;
		unlink_entry(k, e);
	}
}

void cache_free(struct cache *k)
{
	if (!k)
		return;
	while (k->oldest)
		unlink_entry(k, k->oldest);
	pthread_mutex_destroy(&k->mutex);
	free(k);
}

static enum trust trust_in(const struct entry *e, const struct stat *st)
{
	int64_t changed = in_ms(st->st_mtim), named = in_ms(st->st_ctim);

	if (!stat_is_same(&e->stamp, st))
		return TRUST_NONE;
	if (e->exact)
		return TRUST_CERTAIN;
	return e->seen - (changed > named ? changed : named) > RACY_MS ? TRUST_LIKELY : TRUST_NONE;
}

struct entry *cache_lookup(struct cache *k, const struct stat *st, enum trust *trust)
{
	struct entry *e;

	mutex_lock(&k->mutex);
	for (e = *bucket_of(k, st); e && !is_file(e, st); e = e->same_bucket)
		;
	if (e) {
		*trust = trust_in(e, st);
		atomic_fetch_add_explicit(&e->refs, 1, memory_order_relaxed);
		take_from_list(k, e);
		put_first(k, e);
	}
	mutex_unlock(&k->mutex);
	return e;
}

void cache_seen(struct cache *k, struct entry *e, const struct stat *st, int64_t seen)
{
	cache_made(k, e, st, seen, false);
}

void cache_made(struct cache *k, struct entry *e, const struct stat *st, int64_t seen, bool exact)
{
	mutex_lock(&k->mutex);
	e->exact = exact;
	if (e->kept && is_file(e, st)) {
		e->stamp = *st;
		e->seen = seen;
	} else {
		if (e->kept)
			unlink_entry(k, e);
		struct entry **bucket = bucket_of(k, st), *had;
		for (had = *bucket; had && !is_file(had, st); had = had->same_bucket)
			;
		if (had)
			unlink_entry(k, had);
		atomic_fetch_add_explicit(&e->refs, 1, memory_order_relaxed);
		e->stamp = *st;
		e->seen = seen;
		e->kept = true;
		e->same_bucket = *bucket;
		*bucket = e;
		put_first(k, e);
		weigh(k, e);
		make_room(k);
	}
	mutex_unlock(&k->mutex);
}

void cache_forget(struct cache *k, struct entry *e)
{
	mutex_lock(&k->mutex);
	if (e->kept)
		unlink_entry(k, e);
	mutex_unlock(&k->mutex);
}

bool cache_age(struct cache *k, int64_t idle_ms)
{
	int64_t before = real_now() - idle_ms;
	bool some = false;

	mutex_lock(&k->mutex);
	for (; k->oldest && k->oldest->used < before; some = true)
		unlink_entry(k, k->oldest);
	mutex_unlock(&k->mutex);
	return some;
}

static const void *find_tree(const struct entry *e, const struct format *f)
{
	for (const struct entry_tree *t = e->trees; t; t = t->next)
		if (t->format == f)
			return t->tree;
	return NULL;
}

const void *entry_tree(struct cache *k, struct entry *e, const struct format *f)
{
	mutex_lock(&k->mutex);
	const void *tree = find_tree(e, f);
	mutex_unlock(&k->mutex);
	return tree;
}

const void *entry_give_tree(struct cache *k, struct entry *e, const struct format *f, const void *tree,
			    struct arena *arena)
{
	struct entry_tree *t = budget_zero(1, sizeof *t);

	arena_keep(arena);
	*t = (struct entry_tree){.format = f, .tree = tree, .arena = *arena};
	*arena = (struct arena){0};
	mutex_lock(&k->mutex);
	const void *had = find_tree(e, f);
	if (had) {
		mutex_unlock(&k->mutex);
		arena_free(&t->arena);
		free(t);
		return had;
	}
	t->next = e->trees;
	e->trees = t;
	if (e->kept) {
		weigh(k, e);
		make_room(k);
	}
	mutex_unlock(&k->mutex);
	return tree;
}
