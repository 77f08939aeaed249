#include "format/lines.h"

#include "base/budget.h"
#include "base/map.h"

#include <string.h>

/* Limits of one search: differing lines (the trace grows with their square) and total steps. */
enum { DIFFERENCES_MAX = 1500, STEPS_MAX = 30 << 20 };

static struct lines split(struct arena *a, struct text bytes)
{
	struct lines l = {.bytes = bytes};
	uint32_t n = 1;

	for (const char *p = bytes.at, *end = p + bytes.len; p < end && (p = memchr(p, '\n', (size_t)(end - p))); p++)
		n++;
	l.starts = arena_array(a, n + 1, sizeof *l.starts);
	for (size_t at = 0; at < bytes.len;) {
		const char *newline = memchr(bytes.at + at, '\n', bytes.len - at);
		l.starts[l.n++] = (uint32_t)at;
		at = newline ? (size_t)(newline - bytes.at) + 1 : bytes.len;
	}
	l.starts[l.n] = (uint32_t)bytes.len;
	return l;
}

uint32_t line_start(const struct lines *l, uint32_t line) { return l->starts[line]; }

struct text lines_text(const struct lines *l, uint32_t from, uint32_t to)
{
	struct text t = text_slice(l->bytes, l->starts[from], l->starts[to]);
	return t.at ? t : TEXT("");
}

static bool line_same(const struct lines *a, uint32_t i, const struct lines *b, uint32_t j)
{
	return text_same(lines_text(a, i, i + 1), lines_text(b, j, j + 1));
}

/* Lines as numbers, equal for equal lines, between the common beginning and the common end. */
struct search {
	struct arena *arena;
	const uint32_t *a, *b;
	int64_t n, m;
	uint32_t **trace; /* for each number of differences d: how far each of its 2d + 1 diagonals reached in a */
	size_t steps;
};

static uint32_t *numbered(struct arena *a, struct map *seen, const struct lines *l, uint32_t from, uint32_t to)
{
	uint32_t *numbers = arena_array(a, to - from, sizeof *numbers);

	for (uint32_t i = from; i < to; i++, budget_step())
		numbers[i - from] = *map_at(seen, lines_text(l, i, i + 1), (uint32_t)seen->n, NULL);
	return numbers;
}

/* Where diagonal k = x - y begins with d differences, computed from the ends with d - 1: after an added line (*came) or
 * after a removed one. */
static int64_t entry(const struct search *s, int64_t d, int64_t k, bool *came)
{
	if (!d)
		return 0;
	const uint32_t *last = s->trace[d - 1] + (d - 1); /* last[k] belongs to diagonal k */
	*came = k == -d || (k != d && last[k - 1] < last[k + 1]);
	return *came ? last[k + 1] : (int64_t)last[k - 1] + 1;
}

/* The least number of differences, or -1 when the search costs too much. */
static int64_t search(struct search *s)
{
	for (int64_t d = 0; d <= DIFFERENCES_MAX && d <= s->n + s->m; d++) {
		uint32_t *reached = s->trace[d] = arena_array(s->arena, (size_t)(2 * d + 1), sizeof **s->trace);
		for (int64_t k = -d; k <= d; k += 2, budget_step()) {
			bool came;
			int64_t x = entry(s, d, k, &came), y = x - k, from = x;
			while (x < s->n && y < s->m && s->a[x] == s->b[y])
				x++, y++;
			reached[k + d] = (uint32_t)x;
			s->steps += (size_t)(x - from) + 1;
			if (x >= s->n && y >= s->m)
				return d;
		}
		if (s->steps > STEPS_MAX)
			return -1;
	}
	return -1;
}

/* Walks the trace backwards and marks the lines that differ on each side. */
static void mark(const struct search *s, int64_t d, bool *gone, bool *come)
{
	int64_t x = s->n, y = s->m;

	for (bool came; d > 0; d--) {
		int64_t k = x - y, from = entry(s, d, k, &came);
		x = came ? from : from - 1;
		y = came ? from - k - 1 : from - k;
		(came ? &come[y] : &gone[x])[0] = true;
	}
}

/* An anchor is a line that occurs exactly once in both texts. Two texts that differ too much for one search are
 * compared between anchors: the longest list of them that has the same order in both. */
struct anchor {
	uint32_t a, b;
	uint32_t before; /* the previous anchor of the list, as index + 1 */
};

/* The position of each number that occurs once; NONE for all others. */
static uint32_t *places_of(struct arena *a, const uint32_t *numbers, int64_t n, size_t different)
{
	enum { NONE = UINT32_MAX };
	uint32_t *places = arena_array(a, different, sizeof *places),
		 *counts = arena_array(a, different, sizeof *counts);

	for (int64_t i = 0; i < n; i++, budget_step()) {
		places[numbers[i]] = (uint32_t)i;
		counts[numbers[i]]++;
	}
	for (size_t i = 0; i < different; i++)
		if (counts[i] != 1)
			places[i] = NONE;
	return places;
}

static struct anchor *anchors_of(struct arena *a, const struct search *s, size_t different, size_t *n)
{
	const uint32_t *in_a = places_of(a, s->a, s->n, different), *in_b = places_of(a, s->b, s->m, different);
	struct anchor *all = arena_array(a, (size_t)s->n, sizeof *all);
	/* For each length, the list that ends first in b. */
	uint32_t *ends = arena_array(a, (size_t)s->n, sizeof *ends);
	size_t count = 0, longest = 0;

	for (int64_t i = 0; i < s->n; i++, budget_step()) {
		uint32_t at = in_b[s->a[i]];
		size_t low = 0, high = longest;
		if (in_a[s->a[i]] == UINT32_MAX || at == UINT32_MAX)
			continue;
		while (low < high) {
			size_t middle = (low + high) / 2;
			if (all[ends[middle]].b < at)
				low = middle + 1;
			else
				high = middle;
		}
		all[count] = (struct anchor){(uint32_t)i, at, low ? ends[low - 1] + 1 : 0};
		ends[low] = (uint32_t)count++;
		longest += low == longest;
	}
	struct anchor *list = arena_array(a, longest + 1, sizeof *list);
	for (size_t i = longest, at = longest ? ends[longest - 1] + 1 : 0; i--; at = list[i].before)
		list[i] = all[at - 1];
	list[longest] = (struct anchor){(uint32_t)s->n, (uint32_t)s->m, 0};
	*n = longest;
	return list;
}

/* From line i of a and j of b up to the anchor. */
static void search_part(struct search *s, uint32_t i, uint32_t j, const struct anchor *to, bool *gone, bool *come)
{
	struct arena scratch = {0};
	struct search part = {
		.arena = &scratch, .a = s->a + i, .b = s->b + j, .n = to->a - i, .m = to->b - j, .steps = s->steps};

	int64_t most = part.n + part.m;
	part.trace = arena_array(&scratch, (size_t)(most < DIFFERENCES_MAX ? most : DIFFERENCES_MAX) + 1,
				 sizeof *part.trace);
	int64_t d = search(&part);
	if (d >= 0) {
		mark(&part, d, gone + i, come + j);
	} else {
		memset(gone + i, true, (size_t)part.n * sizeof *gone);
		memset(come + j, true, (size_t)part.m * sizeof *come);
	}
	s->steps = part.steps;
	arena_free(&scratch);
}

static void search_parts(struct search *s, size_t different, bool *gone, bool *come)
{
	size_t n;
	const struct anchor *anchors = anchors_of(s->arena, s, different, &n);

	s->steps = 0;
	for (size_t k = 0; k <= n; k++) {
		uint32_t i = k ? anchors[k - 1].a + 1 : 0, j = k ? anchors[k - 1].b + 1 : 0;
		if (i < anchors[k].a || j < anchors[k].b)
			search_part(s, i, j, &anchors[k], gone, come);
	}
}

static void collect(struct arena *a, struct line_changes *c, uint32_t head, const struct search *s, const bool *gone,
		    const bool *come)
{
	for (uint32_t i = 0, j = 0; i < s->n || j < s->m;) {
		if (!gone[i] && !come[j]) {
			i++, j++;
			continue;
		}
		struct line_change change = {head + i, head + i, head + j, head + j};
		while (gone[i])
			i++;
		while (come[j])
			j++;
		change.before_to = head + i;
		change.after_to = head + j;
		*ARRAY_PUSH(a, c) = change;
	}
}

struct line_changes lines_compare(struct arena *a, struct text before, struct text after)
{
	struct line_changes c = {.before = split(a, before), .after = split(a, after)};
	struct arena scratch = {0};
	uint32_t n = c.before.n, m = c.after.n, head = 0;

	for (; head < n && head < m && line_same(&c.before, head, &c.after, head); head++)
		budget_step();
	for (; n > head && m > head && line_same(&c.before, n - 1, &c.after, m - 1); n--, m--)
		budget_step();
	if (n == head && m == head)
		return c;
	struct map seen = {.arena = &scratch};
	struct search s = {.arena = &scratch, .n = n - head, .m = m - head};
	s.trace = arena_array(&scratch, DIFFERENCES_MAX + 1, sizeof *s.trace);
	s.a = numbered(&scratch, &seen, &c.before, head, n);
	s.b = numbered(&scratch, &seen, &c.after, head, m);
	/* One entry more than there are lines. It is never set, so it ends every run. */
	bool *gone = arena_array(&scratch, (size_t)s.n + 1, sizeof *gone);
	bool *come = arena_array(&scratch, (size_t)s.m + 1, sizeof *come);
	int64_t d = search(&s);
	if (d >= 0)
		mark(&s, d, gone, come);
	else
		search_parts(&s, seen.n, gone, come);
	collect(a, &c, head, &s, gone, come);
	arena_free(&scratch);
	return c;
}
