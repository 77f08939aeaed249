#include "kinds/notes/vault/unfinished.h"

#include "kinds/notes/graph/graph.h"

#include <stdlib.h>
#include <string.h>

enum { UNFINISHED_MAX = 64 }; /* any further ones are read as they are */

struct unfinished_note {
	char *path;
	size_t len;
	int64_t since; /* clock_ticks() */
	bool is_due;   /* the wait is over */
};

static struct unfinished_note *find(const struct unfinished *u, struct text path)
{
	for (uint32_t i = 0; i < u->n; i++)
		if (text_same(path, (struct text){u->items[i].path, u->items[i].len}))
			return &u->items[i];
	return NULL;
}

void unfinished_close(struct unfinished *u)
{
	for (uint32_t i = 0; i < u->n; i++)
		free(u->items[i].path);
	free(u->items);
	*u = (struct unfinished){0};
}

bool unfinished_begin(struct unfinished *u, struct text path, int64_t now)
{
	if (find(u, path) || u->n == UNFINISHED_MAX)
		return false;
	char *copy = budget_text(path.at, path.len);
	u->items = list_more(u->items, u->n, &u->cap, sizeof *u->items);
	u->items[u->n++] = (struct unfinished_note){.path = copy, .len = path.len, .since = now};
	return true;
}

void unfinished_end(struct unfinished *u, struct text path)
{
	struct unfinished_note *note = find(u, path);

	if (!note)
		return;
	free(note->path);
	*note = u->items[--u->n];
}

bool unfinished_has(const struct unfinished *u, struct text path)
{
	const struct unfinished_note *note = find(u, path);

	return note && !note->is_due;
}

struct text unfinished_due(struct unfinished *u, int64_t now)
{
	for (uint32_t i = 0; i < u->n; i++)
		if (!u->items[i].is_due && now - u->items[i].since >= UNFINISHED_MS) {
			u->items[i].is_due = true;
			return (struct text){u->items[i].path, u->items[i].len};
		}
	return (struct text){0};
}
