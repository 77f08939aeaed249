#include "kinds/docx/text/excerpt.h"

#include "tool/reply.h"

#include "base/utf8.h"

enum {
	BEFORE = 2000, /* bytes shown before the place */
	SHORT_MAX = 2000
};

size_t list_room(const struct call *c)
{
	size_t room = answer_room(c) / 3 * 2;

	return room < LIST_ROOM ? room : LIST_ROOM;
}

struct text excerpt(struct arena *a, struct text t, size_t at)
{
	if (t.len <= EXCERPT_MAX)
		return t;
	size_t from = at > BEFORE ? utf8_cut(t, at - BEFORE) : 0;
	if (t.len - from < EXCERPT_MAX)
		from = utf8_cut(t, t.len - EXCERPT_MAX);
	size_t to = t.len - from > EXCERPT_MAX ? utf8_cut(t, from + EXCERPT_MAX) : t.len;
	return text_format(a, "%s%.*s%s", from ? "..." : "", TEXT_ARGS(text_slice(t, from, to)),
			   to < t.len ? "..." : "");
}

struct text excerpt_short(struct arena *a, struct text t)
{
	return t.len <= SHORT_MAX ? t : text_format(a, "%.*s...", (int)utf8_cut(t, SHORT_MAX), t.at);
}

size_t excerpt_difference(struct text one, struct text other)
{
	size_t at = 0;

	while (at < one.len && at < other.len && one.at[at] == other.at[at])
		at++;
	return at;
}
