#include "mcp/template.h"

#include <string.h>

bool template_has_places(const char *template) { return strchr(template, '{') != NULL; }

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Absent: a broken escape. */
static struct text decoded(struct arena *a, struct text t)
{
	char *out = arena_alloc(a, t.len + 1);
	size_t n = 0;

	for (size_t i = 0; i < t.len; i++) {
		if (t.at[i] != '%') {
			out[n++] = t.at[i];
			continue;
		}
		bool whole = t.len - i > 2;
		int high = whole ? hex_digit(t.at[i + 1]) : -1, low = whole ? hex_digit(t.at[i + 2]) : -1;
		if (high < 0 || low < 0)
			return (struct text){0};
		out[n++] = (char)(high << 4 | low);
		i += 2;
	}
	out[n] = 0;
	return (struct text){out, n};
}

bool template_matches(struct arena *a, const char *template, struct text uri, struct text values[TEMPLATE_VALUES_MAX])
{
	size_t at = 0;
	int n = 0;

	for (const char *t = template; *t;) {
		if (*t != '{') {
			if (at >= uri.len || uri.at[at] != *t)
				return false;
			at++;
			t++;
			continue;
		}
		const char *end = strchr(t, '}');
		bool over_slashes = t[1] == '+';
		if (!end || n == TEMPLATE_VALUES_MAX)
			return false;
		/* A place ends where the literal behind it begins; what stands last takes the rest. */
		struct text behind = text_of(end + 1);
		const char *next = strchr(end + 1, '{');
		if (next)
			behind.len = (size_t)(next - end - 1);
		size_t stop = behind.len ? text_find(uri, behind, at) : uri.len;
		if (stop == SIZE_MAX || stop == at)
			return false;
		struct text raw = text_slice(uri, at, stop);
		if (!over_slashes && memchr(raw.at, '/', raw.len))
			return false;
		values[n] = decoded(a, raw);
		if (!values[n++].at)
			return false;
		at = stop;
		t = end + 1;
	}
	return at == uri.len;
}

int template_place(const char *template, struct text name)
{
	int n = 0;

	for (const char *t = strchr(template, '{'); t; t = strchr(t + 1, '{'), n++) {
		const char *from = t + 1 + (t[1] == '+'), *end = strchr(t, '}');
		if (end && text_same((struct text){from, (size_t)(end - from)}, name))
			return n;
	}
	return -1;
}
