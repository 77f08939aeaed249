#include "mcp/notice.h"

#include "base/clock.h"
#include "mcp/inner.h"
#include "work/history/history.h"
#include "work/watch.h"

#include <stdlib.h>

enum {
	LATER_MAX = 256, /* documents that were locked when they changed; more are found at their next change */
	LOCK_MS = 100    /* the ticker does not wait longer for a lock */
};

struct watched {
	struct watch *watch;
	const char *root; /* "" for the first root: its paths are relative */
};

struct notices {
	struct server *server;
	struct arena arena; /* as long as the notices */
	struct watched *roots;
	size_t n_roots;
	char *later[LATER_MAX];
	size_t n_later;
	int64_t newest;
};

/* The file name endings of all kinds here. */
static const char *endings(struct notices *n)
{
	struct buffer b = {.arena = &n->arena};

	for (size_t i = 0; i < n->server->n_kinds; i++) {
		const struct kind *k = n->server->kinds[i].kind;
		const char *of = k->documents ? k->documents : kind_documents(&n->arena, n->server, k);
		if (of && !k->no_files)
			buffer_format(&b, "%s%s", b.len ? " " : "", of);
	}
	return buffer_text(&b).at;
}

struct notices *notices_new(struct server *s)
{
	struct notices *n = budget_zero(1, sizeof *n);
	struct work *w = s->options.work;

	*n = (struct notices){.server = s, .arena = {.lasts = true}};
	while (w && work_root(w, n->n_roots).at)
		n->n_roots++;
	n->roots = arena_zero(&n->arena, (n->n_roots ? n->n_roots : 1) * sizeof *n->roots);
	const char *of = endings(n);
	for (size_t i = 0; of && !work_is_read_only(w) && i < n->n_roots; i++) {
		struct arena arena = {0};
		struct call c = {.arena = &arena, .work = w};

		n->roots[i].root = i ? text_string(&n->arena, work_root(w, i)) : "";
		if (!watch_open(&c, text_of(n->roots[i].root), of, &n->roots[i].watch))
			n->roots[i].watch = NULL;
		work_release(&c);
		arena_free(&arena);
	}
	return n;
}

void notices_free(struct notices *n)
{
	if (!n)
		return;
	for (size_t i = 0; i < n->n_roots; i++)
		watch_close(n->roots[i].watch);
	for (size_t i = 0; i < n->n_later; i++)
		free(n->later[i]);
	arena_free(&n->arena);
	free(n);
}

static void note_later(struct notices *n, struct text path)
{
	for (size_t i = 0; i < n->n_later; i++)
		if (text_is(path, n->later[i]))
			return;
	if (n->n_later < LATER_MAX)
		n->later[n->n_later++] = budget_text(path.at, path.len);
}

/* Records the change, or notes it for the next look. */
static void note(struct notices *n, struct text path)
{
	struct arena arena = {0};
	struct call c = {.arena = &arena, .work = n->server->options.work, .deadline = clock_ticks() + LOCK_MS};

	if (!history_note_change(&c, path))
		note_later(n, path);
	work_release(&c);
	arena_free(&arena);
}

static void note_news(struct notices *n, struct watched *root)
{
	struct arena arena = {0};
	struct call c = {.arena = &arena, .work = n->server->options.work};
	struct watch_news news = {0};

	/* The first news, and those after an overflow, name no files: a change that was missed there is found when the
	 * document is written or changes again. */
	if (root->watch && watch_drain(&c, root->watch, &news))
		for (size_t i = 0; i < news.n; i++) {
			const struct watch_item *item = &news.items[i];
			struct text path = *root->root
						   ? text_format(&arena, "%s/%.*s", root->root, TEXT_ARGS(item->path))
						   : item->path;
			if (item->is_folder)
				continue;
			if (item->is_open)
				note_later(n, path);
			else
				note(n, path);
		}
	work_release(&c);
	arena_free(&arena);
}

bool notices_look(struct notices *n)
{
	char *due[LATER_MAX];
	size_t n_due = n->n_later;
	struct arena arena = {0};
	struct call c = {.arena = &arena, .work = n->server->options.work};

	memcpy(due, n->later, sizeof due);
	n->n_later = 0;
	for (size_t i = 0; i < n_due; i++) {
		note(n, text_of(due[i]));
		free(due[i]);
	}
	for (size_t i = 0; i < n->n_roots; i++)
		note_news(n, &n->roots[i]);
	int64_t newest = c.work ? history_newest(&c) : 0;
	bool is_new = newest != n->newest;
	n->newest = newest;
	if (c.work)
		work_release(&c);
	arena_free(&arena);
	return is_new;
}
