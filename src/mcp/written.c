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

/* Missing if the program was linked only once: in tests, and while it writes this text. */
extern const struct written quire_written __attribute__((weak, visibility("hidden")));

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

/* The parts of an entry's name, in order. The slash keeps names apart: neither a kind nor a tool contains one. */
struct wanted {
	const char *parts[4];
};

static struct wanted wanted_of(const struct kind *k, const char *name, bool alone)
{
	return (struct wanted){{k->name, "/", name, alone ? "" : "+"}};
}

static int compare_parts(const void *wanted, const void *entry)
{
	const char *const *parts = ((const struct wanted *)wanted)->parts;
	const char *name = ((const struct entry *)entry)->name;

	for (size_t i = 0; i < 4; i++) {
		size_t len = strlen(parts[i]);
		int order = strncmp(parts[i], name, len);
		if (order)
			return order;
		name += len;
	}
	return *name ? -1 : 0;
}

static struct text find(const struct kind *k, const char *name, bool alone)
{
	const struct written *all = &quire_written;

	if (!all)
		return (struct text){0};
	struct wanted wanted = wanted_of(k, name, alone);
	const struct entry *e = bsearch(&wanted, all->entries, all->n, sizeof *e, compare_parts);
	return e ? (struct text){(const char *)all->entries + e->at, e->len} : (struct text){0};
}

struct text written_tool(const struct kind *k, const struct tool *t, bool alone) { return find(k, t->name, alone); }

struct text written_instructions(const struct kind *k) { return find(k, "", false); }

struct making {
	struct arena *arena;
	ARRAY(struct entry) entries;
	struct buffer text;
};

/* The entry's text begins at `before`. An entry whose name is too long is never found. */
static void add_entry(struct making *m, const struct kind *k, const char *name, bool alone, size_t before)
{
	struct entry *e = ARRAY_PUSH(m->arena, &m->entries);
	struct wanted w = wanted_of(k, name, alone);

	*e = (struct entry){.at = (uint32_t)before, .len = (uint32_t)(m->text.len - before)};
	if (snprintf(e->name, sizeof e->name, "%s%s%s%s", w.parts[0], w.parts[1], w.parts[2], w.parts[3]) >=
	    NAME_MAX_BYTES)
		e->name[0] = 0;
}

/* A comma follows each tool, so that tools listed one after another are one piece of text. */
static void add_tool(struct making *m, const struct kind *k, const struct tool *t, bool alone)
{
	size_t before = m->text.len;
	bool is_core = k == &kind_core;

	tool_listed(&m->text, m->arena, k, t, alone || is_core ? t->name : name_together(m->arena, k, t->name).at,
		    alone);
	add_entry(m, k, t->name, alone, before);
	buffer_byte(&m->text, ',');
}

/* The tools of a kind that have all of the effects `with` and none of `without`, in the order of a list. */
static void add_tools(struct making *m, const struct kind *k, const struct kind *owner, bool alone, unsigned with,
		      unsigned without)
{
	for (const struct tool *const *table = k->tools; table && *table; table++)
		for (const struct tool *t = *table; t->name; t++)
			if ((t->effect & with) == with && !(t->effect & without))
				add_tool(m, owner, t, alone);
}

/* A kind that is served alone also owns the core's tools. */
static void add_alone(struct making *m, const struct kind *k)
{
	add_tools(m, k, k, true, 0, TOOL_UNLISTED);
	add_tools(m, &kind_core, k, true, 0, TOOL_UNLISTED);
	add_tools(m, k, k, true, TOOL_UNLISTED, 0);
}

static void add_instructions(struct making *m, const struct kind *k)
{
	size_t before = m->text.len;

	if (!k->instructions)
		return;
	buffer_add(&m->text, names_served(m->arena, k, text_of(k->instructions)));
	add_entry(m, k, "", false, before);
}

/* The usual list of several kinds comes first, and then the tools that it leaves out. */
static void add_together(struct making *m, const struct kind *const *several)
{
	for (const struct kind *const *k = several; *k; k++)
		add_tools(m, *k, *k, false, 0, TOOL_EXTRA | TOOL_UNLISTED);
	add_tools(m, &kind_core, &kind_core, false, 0, TOOL_EXTRA | TOOL_UNLISTED);
	for (const struct kind *const *k = several; *k; k++) {
		add_tools(m, *k, *k, false, TOOL_EXTRA, TOOL_UNLISTED);
		add_tools(m, *k, *k, false, TOOL_UNLISTED, 0);
	}
	add_tools(m, &kind_core, &kind_core, false, TOOL_EXTRA, TOOL_UNLISTED);
}

void written_make(struct buffer *to, struct arena *a, const struct kind *const *several)
{
	struct making m = {.arena = a, .text = {.arena = a}};

	add_together(&m, several);
	for (const struct kind *const *k = several; *k; k++) {
		add_alone(&m, *k);
		add_instructions(&m, *k);
	}
	uint64_t n = m.entries.n;
	size_t table = n * sizeof(struct entry);
	for (size_t i = 0; i < n; i++)
		m.entries.items[i].at += (uint32_t)table;
	qsort(m.entries.items, n, sizeof(struct entry), compare);
	buffer_add(to, (struct text){(const char *)&n, sizeof n});
	buffer_add(to, (struct text){(const char *)m.entries.items, table});
	buffer_add(to, buffer_text(&m.text));
}
