#include "base/text.h"

#include "base/ascii.h"
#include "base/buffer.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

struct text text_of(const char *s) { return s ? (struct text){s, strlen(s)} : (struct text){0}; }

bool text_same(struct text a, struct text b)
{
	return a.len == b.len && !a.at == !b.at && (!a.len || !memcmp(a.at, b.at, a.len));
}

bool text_is(struct text t, const char *s) { return text_same(t, text_of(s)); }

int text_order(struct text a, struct text b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int order = n ? memcmp(a.at, b.at, n) : 0;

	return order ? order : (a.len > b.len) - (a.len < b.len);
}

bool text_starts(struct text t, const char *prefix)
{
	size_t n = strlen(prefix);

	return t.len >= n && (!n || !memcmp(t.at, prefix, n));
}

bool text_ends(struct text t, const char *suffix)
{
	size_t n = strlen(suffix);

	return t.len >= n && (!n || !memcmp(t.at + t.len - n, suffix, n));
}

bool text_ends_in(struct text t, const char *suffixes)
{
	size_t len;

	if (!*suffixes)
		return true;
	for (const char *at = suffixes; *at; at += len + (at[len] == ' ')) {
		len = strcspn(at, " ");
		if (len && t.len >= len && strncasecmp(t.at + t.len - len, at, len) == 0)
			return true;
	}
	return false;
}

struct text text_slice(struct text t, size_t from, size_t to)
{
	if (to > t.len)
		to = t.len;
	if (from > to)
		from = to;
	return t.at ? (struct text){t.at + from, to - from} : t;
}

struct text text_trim(struct text t)
{
	while (t.len && is_space(t.at[t.len - 1]))
		t.len--;
	while (t.len && is_space(*t.at))
		t.at++, t.len--;
	return t;
}

bool text_is_blank(struct text t) { return !text_trim(t).len; }

size_t text_find(struct text t, struct text what, size_t from)
{
	if (from > t.len || what.len > t.len - from)
		return SIZE_MAX;
	if (!what.len)
		return from;
	const char *p = memmem(t.at + from, t.len - from, what.at, what.len);
	return p ? (size_t)(p - t.at) : SIZE_MAX;
}

bool text_has_nul(struct text t) { return t.len && memchr(t.at, 0, t.len); }

struct text text_copy(struct arena *a, struct text t)
{
	if (!t.at)
		return t;
	char *p = arena_alloc(a, t.len + 1);
	memcpy(p, t.at, t.len);
	p[t.len] = 0;
	return (struct text){p, t.len};
}

const char *text_string(struct arena *a, struct text t) { return text_copy(a, t).at; }

struct text text_vformat(struct arena *a, const char *format, va_list ap)
{
	char first[256];
	va_list again;

	va_copy(again, ap);
	int n = vsnprintf(first, sizeof first, format, ap);
	if (n < 0)
		arena_die("a message cannot be formatted");
	char *p = arena_alloc(a, (size_t)n + 1);
	if ((size_t)n < sizeof first)
		memcpy(p, first, (size_t)n + 1);
	else
		vsnprintf(p, (size_t)n + 1, format, again);
	va_end(again);
	return (struct text){p, (size_t)n};
}

struct text text_format(struct arena *a, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	struct text t = text_vformat(a, format, ap);
	va_end(ap);
	return t;
}

/* Longer words are not typing mistakes of each other. The limit also keeps the rows on the stack. */
enum { WORD_MAX = 64 };

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

static bool is_control(char c) { return (unsigned char)c < ' ' || c == '\x7f'; }

struct text text_shell(struct arena *a, struct text word)
{
	struct buffer b = {.arena = a};
	bool has_controls = false;

	for (size_t i = 0; i < word.len && !has_controls; i++)
		has_controls = is_control(word.at[i]);
	/* POSIX has no $'...'; printf '%b' replaces \\ and \0ooo. */
	buffer_put(&b, has_controls ? "\"$(printf '%b' '" : "'");
	for (size_t i = 0; i < word.len; i++) {
		if (word.at[i] == '\'')
			buffer_put(&b, "'\\''");
		else if (is_control(word.at[i]))
			buffer_format(&b, "\\0%03o", (unsigned)word.at[i]);
		else if (has_controls && word.at[i] == '\\')
			buffer_put(&b, "\\\\");
		else
			buffer_byte(&b, word.at[i]);
	}
	buffer_put(&b, has_controls ? "')\"" : "'");
	return buffer_text(&b);
}

unsigned text_distance(struct text a, struct text b, unsigned cap)
{
	unsigned rows[3][WORD_MAX + 1];

	if (text_same(a, b))
		return 0;
	size_t apart = a.len > b.len ? a.len - b.len : b.len - a.len;
	if (a.len > WORD_MAX || b.len > WORD_MAX || apart > cap)
		return cap + 1;
	for (unsigned j = 0; j <= b.len; j++)
		rows[0][j] = j;
	for (unsigned i = 1; i <= a.len; i++) {
		unsigned *now = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
		unsigned best = now[0] = i;
		for (unsigned j = 1; j <= b.len; j++) {
			now[j] = above[j - 1] + (a.at[i - 1] != b.at[j - 1]);
			now[j] = least(now[j], least(above[j], now[j - 1]) + 1);
			/* Two swapped neighbours count as one typing mistake. */
			if (i > 1 && j > 1 && a.at[i - 1] == b.at[j - 2] && a.at[i - 2] == b.at[j - 1])
				now[j] = least(now[j], before[j - 2] + 1);
			best = least(best, now[j]);
		}
		if (best > cap)
			return cap + 1;
	}
	return least(rows[a.len % 3][b.len], cap + 1);
}

const char *text_nearest(struct text typed, const char *const *words)
{
	unsigned best = typed.len / 3 > 1 ? (unsigned)(typed.len / 3) : 1;
	const char *nearest = NULL, *begun = NULL;
	size_t beginnings = 0;

	for (; *words; words++) {
		/* An abbreviation counts if it fits only one word, such as "loc" for "location". */
		if (typed.len >= 3 && strncmp(*words, typed.at, typed.len) == 0 && !beginnings++)
			begun = *words;
		/* Reject a distance as large as the word: a short word would then be near every other word. */
		unsigned distance = text_distance(typed, text_of(*words), best);
		if (distance > best || distance >= strlen(*words))
			continue;
		nearest = *words;
		if (!distance)
			return nearest;
		best = distance - 1;
	}
	return nearest || beginnings != 1 ? nearest : begun;
}
