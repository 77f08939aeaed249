/* filler.c: the thread that computes the vectors of notes.
 *
 * It takes the notes without vectors, highest priority first, and embeds their excerpts without a lock. Then it stores
 * the vectors of notes whose excerpt is still the same. If the service fails, the thread records the error, waits and
 * retries with half as many notes. This finds a note that the service refuses; that note then comes last. The pauses
 * grow while a single note fails. */
#include "kinds/notes/search/engine.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/mutex.h"
#include "kinds/notes/search/heap.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	PAUSE_FIRST = 1000, /* ms after a failure */
	PAUSE_LAST = 60000,
	GARBAGE_MIN = 1000 /* unused records in the cache before it is rewritten */
};

void known_forget(struct search *s, uint32_t number)
{
	struct known *n = &s->notes[number];

	s->waiting -= n->excerpt != NULL;
	free(n->excerpt);
	n->excerpt = NULL;
	n->has_vector = false;
	vectors_drop(&s->vectors, number);
}

static bool note_takes(struct search *s, uint32_t number, const struct vector_record *r)
{
	if (s->vectors.dimension && s->vectors.dimension != r->dimension)
		return false;
	known_forget(s, number);
	vectors_put(&s->vectors, number, r->dimension, r->row, r->scale);
	s->notes[number].has_vector = true;
	return true;
}

static bool take_cached(struct search *s, uint32_t number)
{
	struct arena a = {0};
	struct vector_record r;
	bool taken = s->file && vector_file_find(s->file, &a, &s->notes[number].key, &r) && note_takes(s, number, &r);

	arena_free(&a);
	return taken;
}

void known_means(struct search *s, uint32_t number, struct text excerpt)
{
	struct known *n = &s->notes[number];
	struct revision key = revision_of(excerpt);

	if ((n->has_vector || n->excerpt) && !memcmp(&key, &n->key, sizeof key))
		return;
	known_forget(s, number);
	n->key = key;
	if (take_cached(s, number))
		return;
	/* A note without words needs no vector. */
	if (!excerpt.len) {
		n->has_vector = true;
		return;
	}
	n->excerpt = heap_array(NULL, excerpt.len + 1, 1);
	memcpy(n->excerpt, excerpt.at, excerpt.len);
	n->excerpt_len = (uint32_t)excerpt.len;
	s->waiting++;
}

struct batch {
	struct arena arena;
	uint32_t *numbers;
	struct text *texts;
	struct revision *keys;
	size_t n;
};

static void batch_put(struct batch *b, const struct search *s, size_t at, uint32_t number)
{
	b->numbers[at] = number;
	b->keys[at] = s->notes[number].key;
}

/* Takes the notes with the highest priority among those without a vector. */
static void batch_take(struct batch *b, struct search *s)
{
	size_t most = s->filler.most;

	b->numbers = arena_array(&b->arena, most, sizeof *b->numbers);
	b->keys = arena_array(&b->arena, most, sizeof *b->keys);
	b->texts = arena_array(&b->arena, most, sizeof *b->texts);
	rwlock_read(&s->lock);
	for (uint32_t i = 0; i < s->n && s->waiting; i++) {
		if (!s->notes[i].excerpt)
			continue;
		size_t at = b->n;
		while (at && s->notes[b->numbers[at - 1]].priority < s->notes[i].priority)
			at--;
		if (at >= most)
			continue;
		b->n += b->n < most;
		for (size_t k = b->n - 1; k > at; k--)
			batch_put(b, s, k, b->numbers[k - 1]);
		batch_put(b, s, at, i);
	}
	for (size_t i = 0; i < b->n; i++) {
		const struct known *n = &s->notes[b->numbers[i]];
		b->texts[i] = text_copy(&b->arena, (struct text){n->excerpt, n->excerpt_len});
	}
	rwlock_unlock(&s->lock);
}

static void say(struct search *s, const char *problem)
{
	mutex_lock(&s->filler.lock);
	if (*problem && strcmp(problem, s->filler.problem))
		log_line(LOG_WARNING, "note vectors: %s", problem);
	snprintf(s->filler.problem, sizeof s->filler.problem, "%s", problem);
	s->filler.changes++;
	pthread_cond_broadcast(&s->filler.changed);
	mutex_unlock(&s->filler.lock);
}

/* Stores the vectors. Returns false if their dimension differs from that of the existing ones. */
static bool batch_store(struct batch *b, struct search *s, const float *vectors, size_t dimension)
{
	struct vector_record *records = arena_array(&b->arena, b->n, sizeof *records);
	bool fits = true;

	for (size_t i = 0; i < b->n; i++) {
		int8_t *row = arena_alloc(&b->arena, dimension);
		float scale = vector_packed(vectors + i * dimension, dimension, row);
		records[i] = (struct vector_record){b->keys[i], dimension, scale, row};
	}
	rwlock_write(&s->lock);
	for (size_t i = 0; i < b->n && fits; i++) {
		const struct known *n = &s->notes[b->numbers[i]];
		if (n->path && n->excerpt && !memcmp(&n->key, &b->keys[i], sizeof n->key))
			fits = note_takes(s, b->numbers[i], &records[i]);
	}
	rwlock_unlock(&s->lock);
	if (fits && s->file)
		vector_file_add(s->file, records, b->n);
	return fits;
}

/* Halve the batch to find the note that the service refuses. */
static void batch_failed(struct batch *b, struct search *s)
{
	s->filler.most = b->n > 1 ? b->n / 2 : 1;
	if (b->n > 1)
		return;
	rwlock_write(&s->lock);
	s->notes[b->numbers[0]].priority = INT64_MIN;
	rwlock_unlock(&s->lock);
}

/* Returns true if the vectors were computed. */
static bool batch_fill(struct batch *b, struct search *s)
{
	size_t dimension = 0;
	struct call c = {.arena = &b->arena, .cancelled = &s->filler.stopping};
	float *vectors = s->embedder->embed(&c, s->embedder, b->texts, b->n, false, &dimension);

	if (!vectors && atomic_load(&s->filler.stopping))
		return false;
	if (!vectors)
		say(s, error_sentence(&b->arena, &c.error));
	else if (!batch_store(b, s, vectors, dimension))
		say(s, "the embedding service returns vectors of another size than before; delete the files that begin "
		       "with \"vectors-\" in the state folder and start the server again");
	else
		say(s, "");
	bool done = vectors && !*s->filler.problem;
	if (!done)
		batch_failed(b, s);
	else
		s->filler.most = s->filler.most * 2 < s->embedder->batch ? s->filler.most * 2 : s->embedder->batch;
	return done;
}

/* Rewrites the cache when most of it belongs to removed notes. */
static void tidy_cache(struct search *s)
{
	struct arena a = {0};
	size_t n = 0;

	if (!s->file)
		return;
	rwlock_read(&s->lock);
	bool is_due = s->is_complete && !s->waiting && vector_file_count(s->file) > 2 * (size_t)s->alive + GARBAGE_MIN;
	struct vector_record *records = is_due ? arena_array(&a, s->alive + 1u, sizeof *records) : NULL;
	for (uint32_t i = 0; is_due && i < s->n; i++) {
		const struct known *note = &s->notes[i];
		if (!note->path || !vectors_has(&s->vectors, i))
			continue;
		int8_t *row = arena_copy(&a, s->vectors.rows + i * s->vectors.dimension, s->vectors.dimension);
		records[n++] = (struct vector_record){note->key, s->vectors.dimension, s->vectors.scales[i], row};
	}
	rwlock_unlock(&s->lock);
	if (is_due)
		vector_file_renew(s->file, records, n);
	arena_free(&a);
}

/* Waits until something changes after `seen`, or the time has passed (ms < 0: no limit). Returns the new count. */
static uint64_t await(struct filler *f, uint64_t seen, int64_t ms)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += ms / 1000;
	until.tv_nsec += ms % 1000 * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	mutex_lock(&f->lock);
	int failed = 0;
	while (f->changes == seen && !atomic_load(&f->stopping) && failed != ETIMEDOUT)
		failed = ms < 0 ? pthread_cond_wait(&f->changed, &f->lock)
				: pthread_cond_timedwait(&f->changed, &f->lock, &until);
	seen = f->changes;
	mutex_unlock(&f->lock);
	return seen;
}

static void pause_for(struct filler *f, int64_t ms)
{
	int64_t until = clock_ticks() + ms;

	while (!atomic_load(&f->stopping) && clock_ticks() < until) {
		mutex_lock(&f->lock);
		uint64_t seen = f->changes;
		mutex_unlock(&f->lock);
		await(f, seen, until - clock_ticks());
	}
}

static void *fill(void *of)
{
	struct search *s = of;
	struct filler *f = &s->filler;
	int64_t pause = PAUSE_FIRST;

	/* Lower the priority of this thread and those that it starts, so that tool calls are served first. */
	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 19);
	while (!atomic_load(&f->stopping)) {
		mutex_lock(&f->lock);
		uint64_t seen = f->changes;
		mutex_unlock(&f->lock);
		struct batch b = {0};
		batch_take(&b, s);
		bool done = b.n && batch_fill(&b, s);
		size_t n = b.n;
		arena_free(&b.arena);
		if (!n) {
			tidy_cache(s);
			await(f, seen, -1);
		} else if (done) {
			pause = PAUSE_FIRST;
		} else {
			pause_for(f, pause);
			if (n == 1)
				pause = pause * 2 < PAUSE_LAST ? pause * 2 : PAUSE_LAST;
		}
	}
	return NULL;
}

void filler_start(struct search *s)
{
	struct filler *f = &s->filler;
	pthread_condattr_t monotonic;
	sigset_t all, before;

	f->most = s->embedder->batch;
	pthread_mutex_init(&f->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&f->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	/* Block all signals: other threads handle them. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	f->is_running = !pthread_create(&f->thread, NULL, fill, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!f->is_running)
		snprintf(f->problem, sizeof f->problem, "the system refuses a thread that computes vectors");
}

void filler_notify(struct search *s)
{
	mutex_lock(&s->filler.lock);
	s->filler.changes++;
	pthread_cond_broadcast(&s->filler.changed);
	mutex_unlock(&s->filler.lock);
}

void filler_stop(struct search *s)
{
	atomic_store(&s->filler.stopping, true);
	filler_notify(s);
	if (s->filler.is_running)
		pthread_join(s->filler.thread, NULL);
	pthread_cond_destroy(&s->filler.changed);
	pthread_mutex_destroy(&s->filler.lock);
}

const char *filler_problem(struct search *s, struct arena *a)
{
	mutex_lock(&s->filler.lock);
	const char *problem = text_string(a, text_of(s->filler.problem));
	mutex_unlock(&s->filler.lock);
	return problem;
}

bool filler_wait(struct search *s, int64_t ms)
{
	int64_t until = clock_ticks() + ms;

	for (;;) {
		mutex_lock(&s->filler.lock);
		uint64_t seen = s->filler.changes;
		bool is_stuck = *s->filler.problem;
		mutex_unlock(&s->filler.lock);
		rwlock_read(&s->lock);
		bool is_done = !s->waiting;
		rwlock_unlock(&s->lock);
		int64_t left = until - clock_ticks();
		if (is_done || is_stuck || left <= 0)
			return is_done;
		await(&s->filler, seen, left);
	}
}
