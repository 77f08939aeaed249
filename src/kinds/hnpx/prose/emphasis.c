#include "base/ascii.h"
#include "kinds/hnpx/prose/emphasis.h"
#include "base/array.h"
#include "base/utf8.h"

#include <string.h>

enum { NONE = UINT32_MAX };

/* A run of equal delimiters. As a closer it is used from its left end, as an opener from its right end. */
struct run {
	uint32_t at, len, left; /* left: delimiters that are not used yet */
	uint32_t used;          /* at its left end */
	uint32_t before, after; /* neighbours that are still in the list */
	bool is_star, opens, closes;
};

struct finder {
	struct arena *arena;
	struct text t;
	ARRAY(struct run) runs;
	struct emphasis *out;
	uint32_t pairs;
	uint32_t bottom[2][2][3]; /* no opener for such a closer is below this run; by sign, opens, length modulo 3 */
};

bool emphasis_blank(uint32_t c)
{
	return c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x202f || c == 0x205f || c == 0x3000 ||
	       c == ' ' || (c >= '\t' && c <= '\r') || c == 0x2028 || c == 0x2029 || c == 0x85;
}

static bool is_punctuation(uint32_t c) { return !emphasis_blank(c) && !utf8_is_word(c); }

static bool is_ascii_punctuation(char c)
{
	return c > ' ' && c < 0x7f && !is_digit((uint32_t)c) && !((c | 32) >= 'a' && (c | 32) <= 'z');
}

static uint32_t char_before(struct text t, size_t at)
{
	if (!at)
		return '\n';
	for (at--; at && ((unsigned char)t.at[at] & 0xc0) == 0x80; at--)
		;
	return utf8_next(t, &at);
}

static void run_add(struct finder *f, size_t at, size_t len, enum emphasis_dialect dialect)
{
	size_t end = at + len;
	uint32_t before = char_before(f->t, at), behind = end < f->t.len ? utf8_next(f->t, &end) : '\n';
	bool left = !emphasis_blank(behind) &&
		    (!is_punctuation(behind) || emphasis_blank(before) || is_punctuation(before));
	bool right = !emphasis_blank(before) &&
		     (!is_punctuation(before) || emphasis_blank(behind) || is_punctuation(behind));
	bool is_star = f->t.at[at] == '*', is_inside = utf8_is_word(before) && utf8_is_word(behind);

	if (is_star && dialect & EMPHASIS_TIMES && is_inside && (is_digit(before) || is_digit(behind)))
		left = right = false;
	struct run run = {.at = (uint32_t)at, .len = (uint32_t)len, .left = (uint32_t)len, .is_star = is_star};
	run.opens = left && (is_star || !right || is_punctuation(before));
	run.closes = right && (is_star || !left || is_punctuation(behind));
	if (run.opens || run.closes)
		*ARRAY_PUSH(f->arena, &f->runs) = run;
}

/* The end of the code span that begins at the place; the end of its backticks if none closes it. */
static size_t code_end(struct text t, size_t at)
{
	size_t from = at;

	while (at < t.len && t.at[at] == '`')
		at++;
	size_t ticks = at - from, inner = at;
	while (at < t.len) {
		size_t run = at;
		while (at < t.len && t.at[at] == '`')
			at++;
		if (at - run == ticks)
			return at;
		at += at == run;
	}
	return inner;
}

static void runs_find(struct finder *f, enum emphasis_dialect dialect)
{
	struct text t = f->t;
	bool all = dialect & EMPHASIS_ESCAPES;

	for (size_t i = 0; i < t.len;) {
		char c = t.at[i], next = i + 1 < t.len ? t.at[i + 1] : ' ';
		if (c == '\\' && (next == '*' || next == '_' || (all && is_ascii_punctuation(next)))) {
			*ARRAY_PUSH(f->arena, &f->out->marks) = (struct emphasis_mark){.at = (uint32_t)i, .len = 1};
			i += 2;
		} else if (c == '`' && all) {
			i = code_end(t, i);
		} else if (c == '*' || c == '_') {
			size_t from = i;
			while (i < t.len && t.at[i] == c)
				i++;
			run_add(f, from, i - from, dialect);
		} else {
			i++;
		}
	}
}

static void run_drop(struct finder *f, uint32_t i)
{
	struct run *r = &f->runs.items[i];

	if (r->before != NONE)
		f->runs.items[r->before].after = r->after;
	if (r->after != NONE)
		f->runs.items[r->after].before = r->before;
}

/* May the two be a pair? A run that both opens and closes must not make a sum of three with the other. */
static bool runs_pair(const struct run *opener, const struct run *closer)
{
	if (opener->is_star != closer->is_star || !opener->opens || !opener->left)
		return false;
	return !(opener->closes || closer->opens) || (opener->len + closer->len) % 3 ||
	       (opener->len % 3 == 0 && closer->len % 3 == 0);
}

static void pair_add(struct finder *f, uint32_t opener, uint32_t closer)
{
	struct run *o = &f->runs.items[opener], *c = &f->runs.items[closer];
	uint8_t len = o->left >= 2 && c->left >= 2 ? 2 : 1;

	/* Runs between the two are ordinary characters. */
	o->after = closer;
	c->before = opener;
	o->left -= len;
	f->pairs++;
	*ARRAY_PUSH(f->arena, &f->out->marks) = (struct emphasis_mark){o->at + o->used + o->left, f->pairs, len, true};
	*ARRAY_PUSH(f->arena, &f->out->marks) = (struct emphasis_mark){c->at + c->used, f->pairs, len, false};
	c->left -= len;
	c->used += len;
	if (!o->left)
		run_drop(f, opener);
}

static void runs_match(struct finder *f)
{
	memset(f->bottom, 0xff, sizeof f->bottom);
	for (uint32_t i = 0; i < f->runs.n; i++) {
		f->runs.items[i].before = i ? i - 1 : NONE;
		f->runs.items[i].after = i + 1 < f->runs.n ? i + 1 : NONE;
	}
	for (uint32_t at = f->runs.n ? 0 : NONE; at != NONE;) {
		struct run *closer = &f->runs.items[at];
		if (!closer->closes || !closer->left) {
			at = closer->after;
			continue;
		}
		uint32_t *bottom = &f->bottom[closer->is_star][closer->opens][closer->len % 3], opener = closer->before;
		while (opener != NONE && (*bottom == NONE || opener > *bottom) &&
		       !runs_pair(&f->runs.items[opener], closer))
			opener = f->runs.items[opener].before;
		if (opener != NONE && (*bottom == NONE || opener > *bottom)) {
			pair_add(f, opener, at);
			continue;
		}
		if (closer->before != NONE)
			*bottom = closer->before;
		if (!closer->opens)
			run_drop(f, at);
		at = closer->after;
	}
}

static int by_place(const void *a, const void *b)
{
	uint32_t x = ((const struct emphasis_mark *)a)->at, y = ((const struct emphasis_mark *)b)->at;

	return (x > y) - (x < y);
}

void emphasis_find(struct arena *a, struct text t, enum emphasis_dialect dialect, struct emphasis *out)
{
	struct finder f = {.arena = a, .t = t, .out = out};

	out->marks.n = 0;
	if (!memchr(t.at ? t.at : "", '*', t.len) && !memchr(t.at ? t.at : "", '_', t.len) &&
	    !memchr(t.at ? t.at : "", '\\', t.len))
		return;
	runs_find(&f, dialect);
	runs_match(&f);
	if (out->marks.n > 1)
		array_sort(out->marks.items, out->marks.n, sizeof *out->marks.items, by_place);
}

bool emphasis_is_whole(struct text t, const struct emphasis *e)
{
	if (e->marks.n < 2)
		return false;
	const struct emphasis_mark *first = e->marks.items, *last = first + e->marks.n - 1;
	return first->pair && first->pair == last->pair && !first->at && last->at + last->len == t.len;
}

struct looks emphasis_looks(struct arena *a, struct text t, enum emphasis_dialect dialect, uint8_t base)
{
	struct emphasis found = {0};
	char *words = arena_array(a, t.len + 1, 1);
	struct looks out = {.words = {words, 0}, .look = arena_array(a, t.len + 1, 1)};
	uint8_t italics = base & LOOK_ITALIC, bolds = 0;
	size_t at = 0;

	emphasis_find(a, t, dialect, &found);
	for (size_t i = 0; i <= found.marks.n; i++) {
		const struct emphasis_mark *m = i < found.marks.n ? &found.marks.items[i] : NULL;
		size_t to = m ? m->at : t.len;
		memcpy(words + out.words.len, t.at + at, to - at);
		memset(out.look + out.words.len, italics | (base & LOOK_BOLD || bolds ? LOOK_BOLD : 0), to - at);
		out.words.len += to - at;
		if (!m)
			break;
		at = to + m->len;
		if (m->pair && m->len == 1)
			italics ^= LOOK_ITALIC;
		else if (m->pair)
			bolds = m->opens ? bolds + 1 : bolds - 1;
	}
	return out;
}
