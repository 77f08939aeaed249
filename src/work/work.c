#include "work/workspace.h"

#include "base/budget.h"
#include "base/log.h"
#include "work/history/prune.h"
#include "work/history/recover.h"
#include "work/history/state.h"
#include "work/history/store.h"
#include "work/naming.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { IDLE_MS = 10 * 60 * 1000 }; /* a cached document is dropped after this idle time */
enum { FREE_KEPT = 16 << 20 };     /* malloc() may keep this much free memory between calls */

static struct work *new_work(const struct work_options *o)
{
	struct work *w = budget_zero(1, sizeof *w);

	w->arena.lasts = true;
	pthread_mutex_init(&w->met.mutex, NULL);
	w->met.folder = -1;
	beside_open(&w->beside);
	w->read_only = o->read_only;
	w->allow_hidden = o->allow_hidden;
	w->is_owner = o->is_owner;
	w->formats = o->formats;
	w->document_max = o->document_max ? o->document_max : (size_t)64 << 20;
	w->lock_wait_ms = o->lock_wait_ms ? o->lock_wait_ms : 10000;
	w->keep_days = o->keep_days ? o->keep_days : 90;
	w->keep_bytes = o->keep_bytes ? o->keep_bytes : (size_t)256 << 20;
	w->cache = cache_new(o->cache_max ? o->cache_max : (size_t)256 << 20);
#ifdef QUIRE_DEBUG
	const char *at = getenv("QUIRE_CRASH_AT");
	atomic_init(&w->steps_left, at ? strtol(at, NULL, 10) : -1);
#endif
	return w;
}

static bool open_roots(struct call *c, struct work *w, const struct work_options *o)
{
	size_t n = 0;

	while (o->roots && o->roots[n])
		n++;
	if (!n)
		return fail(c, FAULT_ARGUMENT, "no root is given; name the folder to serve with --root");
	w->roots.items = arena_array(&w->arena, n, sizeof *w->roots.items);
	for (size_t i = 0; i < n; i++)
		w->roots.items[i].fd = -1;
	w->roots.n = n;
	for (size_t i = 0; i < n; i++) {
		if (!root_open(c, &w->roots.items[i], &w->arena, o->roots[i]))
			return false;
	}
	w->roots.walk = !roots_have_openat2(&w->roots.items[0]);
	return true;
}

/* Each commit allocates new bytes for the document and frees the old ones. If malloc returned that memory to the
 * system, every page would be faulted in again, which costs more than writing them. */
static void keep_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
	/* By default each thread reserves its own address space, 64 MB at a time, up to eight times the number of
	 * processors. A server limited to 1 GB of address space would run out of it while most is unused. */
	mallopt(M_ARENA_MAX, 4);
}

bool work_open(struct call *c, const struct work_options *options, struct work **out)
{
	struct work *w = new_work(options);

	keep_memory();
	lock_prepare();
	w->history = history_new(w, options->state, options->state_is_named);
	if (!open_roots(c, w, options)) {
		work_close(w);
		return false;
	}
	state_advise(w);
	*out = w;
	return true;
}

void work_close(struct work *w)
{
	if (!w)
		return;
	history_upkeep(w);
	history_free(w->history);
	recover_forget(w);
	pthread_mutex_destroy(&w->met.mutex);
	beside_close(&w->beside);
	cache_free(w->cache);
	for (size_t i = 0; i < w->roots.n; i++)
		fd_drop(&w->roots.items[i].fd);
	arena_free(&w->arena);
	free(w);
}

bool work_is_read_only(const struct work *w) { return w->read_only; }

struct text work_root(const struct work *w, size_t i)
{
	return i < w->roots.n ? w->roots.items[i].given : (struct text){0};
}

/* Free memory goes back to the system once no call has run since the last tick, because calls would take it again. */
static bool has_free_memory(struct work *w)
{
	struct budget_calls calls = budget_calls();
	bool is_quiet = !calls.running && calls.ended == w->ticked_calls;

	w->ticked_calls = calls.ended;
	if (!is_quiet || w->trimmed_calls == calls.ended)
		return false;
	w->trimmed_calls = calls.ended;
	return mallinfo2().fordblks > FREE_KEPT;
}

void work_tick(struct work *w)
{
	history_upkeep(w);
	bool is_aged = cache_age(w->cache, IDLE_MS);
	if (has_free_memory(w) || is_aged)
		malloc_trim(0);
}

/* At the end of the call nobody reads the old bytes any more. The call's arena may be one that no longer exists. */
static void let_go(void *of)
{
	struct work_call *h = of;
	struct arena scratch = {0};

	h->call->held = NULL;
	work_settle(h, &scratch, true);
	beside_swept(&h->work->beside, &h->locks);
	locks_drop(&h->locks);
	for (size_t i = 0; i < h->entries.n; i++)
		entry_drop(h->entries.items[i]);
	for (size_t i = 0; i < h->arenas.n; i++)
		arena_free(&h->arenas.items[i]);
	arena_free(&scratch);
}

struct work_call *work_hold(struct call *c)
{
	if (!c->held) {
		c->held = arena_new(c->arena, struct work_call);
		c->held->work = c->work;
		c->held->call = c;
		own_object(let_go, c->held);
	}
	return c->held;
}

struct entry **work_place(struct work_call *h, struct call *c) { return ARRAY_PUSH(c->arena, &h->entries); }

void work_settle(struct work_call *h, struct arena *scratch, bool at_end)
{
	for (size_t i = 0; i < h->made.n; i++) {
		const struct made *m = &h->made.items[i];
		if (at_end)
			entry_settle(m->entry, scratch);
		else
			entry_bytes(m->entry);
		cache_made(h->work->cache, m->entry, &m->stat, m->named, m->exact);
	}
	h->made.n = 0;
}

void work_release(struct call *c)
{
	struct work_call *h = c->held;

	if (!h)
		return;
	budget_hold();
	own_not(h);
	let_go(h);
	budget_let();
}

const char broken_advice[] = "This process accepts no further writes: check the disk, then restart quire";

void work_break(struct work *w, const char *what)
{
	if (!atomic_exchange(&w->is_broken, true))
		log_line(LOG_ERROR, "%s could not be flushed to disk: %s. %s", what, strerrordesc_np(errno),
			 broken_advice);
}

bool work_takes_writes(struct call *c)
{
	return !atomic_load(&c->work->is_broken) ||
	       fail(c, FAULT_STORAGE, "an earlier change could not be flushed to disk, so nothing was changed now. %s",
		    broken_advice);
}

unsigned spot_owner(const struct call *c) { return c->own_names || c->work->allow_hidden ? SPOT_OWN : 0; }

bool may_touch(struct call *c, struct text place, bool to_write)
{
	const struct caller *caller = c->caller;

	if (place.len)
		*ARRAY_PUSH(c->arena, &c->touched) = text_copy(c->arena, place);
	if (!caller || !caller->may || caller->may(caller, place, to_write))
		return true;
	return fail(c, FAULT_DENIED, "this key may not %s %s; ask whoever runs the server for the grant",
		    to_write ? "change" : "read", shown(c, place));
}

#ifdef QUIRE_DEBUG
void crash_step(struct work *w)
{
	if (atomic_load(&w->steps_left) > 0 && atomic_fetch_sub(&w->steps_left, 1) == 1)
		kill(getpid(), SIGKILL);
}
#endif

const char *work_not_exchanging(struct call *c, const struct work *w)
{
	for (size_t i = 0; !w->read_only && i < w->roots.n; i++)
		if (!naming_exchanges(c, w->roots.items[i].fd))
			return text_string(c->arena, w->roots.items[i].given);
	return NULL;
}

int work_state_folder(struct call *c)
{
	struct error before = c->error;
	int folder = -1;

	if (!history_folder(c, &folder))
		folder = -1;
	c->error = before;
	return folder;
}
