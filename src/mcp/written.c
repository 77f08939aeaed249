#include "mcp/written.h"

#include "mcp/inner.h"

#include <stdio.h>
#include <stdlib.h>

enum { NAME_MAX_BYTES = 72 };

/* Sorted by name. `at` counts from the first entry. */
struct entry {
	char name[NAME_MAX_BYTES];
	uint32_t at, len;
};

struct written {
	uint64_t n;
	struct entry entries[];
};

/* Not there where the program was linked once: in tests, and while it writes this. */
extern const struct written quire_written __attribute__((weak, visibility("hidden")));

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

/* A kind and a tool may have the same names in another order; a slash is in neither. */
static struct entry entry_of(const struct kind *k, const struct tool *t, bool alone)
{
	struct entry e = {.at = 0};

	if (snprintf(e.name, sizeof e.name, "%s/%s%s", k->name, t->name, alone ? "" : "+") >= NAME_MAX_BYTES)
		e.name[0] = 0;
	return e;
}

struct text written_tool(const struct kind *k, const struct tool *t, bool alone)
{
	const struct written *all = &quire_written;

	if (!all)
		return (struct text){0};
	struct entry wanted = entry_of(k, t, alone);
	const struct entry *e = bsearch(&wanted, all->entries, all->n, sizeof wanted, compare);
	return e ? (struct text){(const char *)all->entries + e->at, e->len} : (struct text){0};
}

struct making {
	struct arena *arena;
	ARRAY(struct entry) entries;
	struct buffer text;
};

static void add(struct making *m, const struct kind *k, const struct tool *t, const char *name, bool alone)
{
	struct entry *e = ARRAY_PUSH(m->arena, &m->entries);
	size_t before = m->text.len;

	*e = entry_of(k, t, alone);
	tool_listed(&m->text, m->arena, k, t, name, alone);
	e->at = (uint32_t)before;
	e->len = (uint32_t)(m->text.len - before);
}

static void add_kind(struct making *m, const struct kind *k)
{
	for (const struct tool *const *table = k->tools; table && *table; table++)
		for (const struct tool *t = *table; t->name; t++) {
			add(m, k, t, t->name, true);
			add(m, k, t, name_together(m->arena, k, t->name).at, false);
		}
	/* A kind served alone also owns the core's tools. */
	for (const struct tool *t = file_tools; t->name; t++)
		add(m, k, t, t->name, true);
}

void written_make(struct buffer *to, struct arena *a, const struct kind *const *several)
{
	struct making m = {.arena = a, .text = {.arena = a}};

	for (const struct kind *const *k = several; *k; k++)
		add_kind(&m, *k);
	for (const struct tool *t = file_tools; t->name; t++)
		add(&m, &kind_core, t, t->name, false);
	uint64_t n = m.entries.n;
	size_t table = n * sizeof(struct entry);
	for (size_t i = 0; i < n; i++)
		m.entries.items[i].at += (uint32_t)table;
	qsort(m.entries.items, n, sizeof(struct entry), compare);
	buffer_add(to, (struct text){(const char *)&n, sizeof n});
	buffer_add(to, (struct text){(const char *)m.entries.items, table});
	buffer_add(to, buffer_text(&m.text));
}
