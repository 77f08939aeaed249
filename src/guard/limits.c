#include "guard/limits.h"

#include "base/mutex.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The number of buckets is small and fixed: there is about one window for each key and kind in use. */
enum { BUCKETS = 512, FIRST_SWEEP = 1024, RING_FIRST = 16 };

struct window {
	struct window *next;
	uint64_t hash;
	int64_t *times; /* a ring of n times, the oldest at `first` */
	int n, first, cap;
	size_t name_len;
	char name[];
};

struct windows {
	pthread_mutex_t lock;
	struct window *buckets[BUCKETS];
	size_t n, sweep_at;
};

struct windows *windows_new(void)
{
	struct windows *w = budget_zero(1, sizeof *w);

	pthread_mutex_init(&w->lock, NULL);
	w->sweep_at = FIRST_SWEEP;
	return w;
}

static void window_free(struct window *v)
{
	free(v->times);
	free(v);
}

void windows_free(struct windows *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < BUCKETS; i++) {
		for (struct window *v = w->buckets[i], *next; v; v = next) {
			next = v->next;
			window_free(v);
		}
	}
	pthread_mutex_destroy(&w->lock);
	free(w);
}

static int64_t *window_time(struct window *v, int i) { return &v->times[(v->first + i) % v->cap]; }

static void forget_old(struct window *v, int64_t now)
{
	while (v->n && *window_time(v, 0) <= now - WINDOW_MS) {
		v->first = (v->first + 1) % v->cap;
		v->n--;
	}
}

/* Drops windows without a time in the last minute. The next sweep waits until the table has doubled, so sweeping costs
 * constant time per window. */
static void sweep(struct windows *w, int64_t now)
{
	for (size_t i = 0; i < BUCKETS; i++) {
		for (struct window **at = &w->buckets[i]; *at;) {
			struct window *v = *at;

			forget_old(v, now);
			if (v->n) {
				at = &v->next;
				continue;
			}
			*at = v->next;
			window_free(v);
			w->n--;
		}
	}
	w->sweep_at = w->n * 2 > FIRST_SWEEP ? w->n * 2 : FIRST_SWEEP;
}

static struct window *window_find(struct windows *w, struct text name, uint64_t hash)
{
	for (struct window *v = w->buckets[hash % BUCKETS]; v; v = v->next)
		if (v->hash == hash && v->name_len == name.len && !memcmp(v->name, name.at, name.len))
			return v;
	return NULL;
}

static struct window *window_add(struct windows *w, struct text name, uint64_t hash)
{
	struct window *v = budget_zero(1, sizeof *v + name.len);

	memcpy(v->name, name.at, name.len);
	v->name_len = name.len;
	v->hash = hash;
	v->next = w->buckets[hash % BUCKETS];
	w->buckets[hash % BUCKETS] = v;
	w->n++;
	return v;
}

static void window_push(struct window *v, int limit, int64_t now)
{
	if (v->n == v->cap) {
		int cap = v->cap ? v->cap * 2 : RING_FIRST;
		int64_t *times = budget_memory(NULL, sizeof *times * (size_t)(cap > limit ? limit : cap));

		cap = cap > limit ? limit : cap;
		for (int i = 0; i < v->n; i++)
			times[i] = *window_time(v, i);
		free(v->times);
		v->times = times;
		v->cap = cap;
		v->first = 0;
	}
	v->n++;
	*window_time(v, v->n - 1) = now;
}

bool windows_take(struct windows *w, struct text name, int limit, int64_t now, int *retry_after)
{
	uint64_t hash = text_hash(name);

	if (limit > WINDOW_LIMIT_MAX)
		limit = WINDOW_LIMIT_MAX;
	mutex_lock(&w->lock);
	struct window *v = window_find(w, name, hash);
	if (!v) {
		if (w->n >= w->sweep_at)
			sweep(w, now);
		v = window_add(w, name, hash);
	}
	/* Two threads may arrive here in another order than they read the clock. Keep times within a window rising. */
	if (v->n && now < *window_time(v, v->n - 1))
		now = *window_time(v, v->n - 1);
	forget_old(v, now);
	bool taken = v->n < limit;
	if (taken) {
		window_push(v, limit, now);
	} else if (retry_after) {
		/* After a reload with a lower limit, the window may have more than the limit allows. All above it must
		 * age first. */
		int64_t wait = limit < 1 ? WINDOW_MS : *window_time(v, v->n - limit) + WINDOW_MS - now;

		*retry_after = (int)((wait + 999) / 1000);
	}
	mutex_unlock(&w->lock);
	return taken;
}

void windows_return(struct windows *w, struct text name)
{
	mutex_lock(&w->lock);
	struct window *v = window_find(w, name, text_hash(name));
	if (v && v->n)
		v->n--;
	mutex_unlock(&w->lock);
}
