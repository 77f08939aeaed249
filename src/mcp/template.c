#include "mcp/template.h"
#include "base/uri.h"

#include <string.h>

bool template_has_places(const char *template) { return strchr(template, '{') != NULL; }

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
		/* A variable ends where the next literal begins; the last one matches the rest. */
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
		values[n] = uri_decode(a, raw);
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
