#include "kinds/floorplan/language/problem.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static const char *const type_names[] = {
#define PROBLEM(id, text, meaning) text,
#include "kinds/floorplan/language/problem.def"
};

const struct code problem_codes[] = {
#define PROBLEM(id, text, meaning) {text, 0, meaning},
#include "kinds/floorplan/language/problem.def"
	{.name = NULL},
};

void report_open(struct report *r, struct arena *arena, struct text source, struct problems *problems)
{
	*r = (struct report){.arena = arena, .source = source, .problems = problems, .call = {.arena = arena}};
}

/* Most plans have no problems, so lines are counted only for the first problem. */
static void count_lines(struct report *r)
{
	const char *end = r->source.at + r->source.len;
	size_t n = 1;

	for (const char *p = r->source.at; (p = memchr(p, '\n', (size_t)(end - p))); p++)
		n++;
	r->lines = arena_array(r->arena, n, sizeof *r->lines);
	r->line_count = 1;
	for (const char *p = r->source.at; (p = memchr(p, '\n', (size_t)(end - p))); p++)
		r->lines[r->line_count++] = (uint32_t)(p + 1 - r->source.at);
}

void report_place(struct report *r, uint32_t at, uint32_t *line, uint32_t *column)
{
	size_t low = 0, high;

	if (!r->lines)
		count_lines(r);
	for (high = r->line_count; high - low > 1;) {
		size_t middle = (low + high) / 2;

		if (r->lines[middle] <= at)
			low = middle;
		else
			high = middle;
	}
	*line = (uint32_t)low + 1;
	*column = 1;
	for (uint32_t i = r->lines[low]; i < at && i < r->source.len; i++)
		*column += ((unsigned char)r->source.at[i] & 0xC0) != 0x80;
}

__attribute__((format(printf, 5, 0))) static struct problem *
report_add(struct report *r, bool is_error, enum problem_type type, uint32_t at, const char *format, va_list ap)
{
	struct problems *list = r->problems;
	bool full = is_error ? list->errors >= ERRORS_MAX : list->warnings >= WARNINGS_MAX;
	struct problem *p = full ? arena_new(r->arena, struct problem) : ARRAY_PUSH(r->arena, list);

	list->errors += is_error;
	list->warnings += !is_error;
	if (full)
		return p;
	p->is_error = is_error;
	p->type = type_names[type];
	p->message = text_vformat(r->arena, format, ap).at;
	p->from = at;
	report_place(r, at, &p->line, &p->column);
	return p;
}

struct problem *report_error(struct report *r, enum problem_type type, uint32_t at, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	struct problem *p = report_add(r, true, type, at, format, ap);
	va_end(ap);
	return p;
}

struct problem *report_warning(struct report *r, enum problem_type type, uint32_t at, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	struct problem *p = report_add(r, false, type, at, format, ap);
	va_end(ap);
	return p;
}

void problem_rooms(struct report *r, struct problem *p, struct text a, struct text b)
{
	p->room = a;
	p->rooms.items = arena_array(r->arena, 2, sizeof(struct text));
	p->rooms.items[0] = a;
	p->rooms.items[1] = b;
	p->rooms.n = b.at ? 2 : 1;
}

/* A stable merge sort. The lists are usually short, but with a warning for each room they are as long as the plan. */
static void merge(struct problem *items, struct problem *spare, size_t n)
{
	size_t half = n / 2, i = 0, j = half, k = 0;

	if (n < 2)
		return;
	merge(items, spare, half);
	merge(items + half, spare, n - half);
	memcpy(spare, items, n * sizeof *items);
	while (k < n)
		items[k++] = j >= n || (i < half && spare[i].from <= spare[j].from) ? spare[i++] : spare[j++];
}

void report_sort(struct report *r)
{
	size_t n = r->problems->n;

	if (n > 1)
		merge(r->problems->items, arena_array(r->arena, n, sizeof(struct problem)), n);
}
