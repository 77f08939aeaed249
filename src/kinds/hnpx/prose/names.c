#include "kinds/hnpx/prose/names.h"
#include "base/utf8.h"

static bool is_word_at(struct text t, size_t at) { return at < t.len && utf8_is_word(utf8_next(t, &at)); }

static bool is_word_before(struct text t, size_t at)
{
	if (!at)
		return false;
	for (at--; at && ((unsigned char)t.at[at] & 0xc0) == 0x80; at--)
		;
	return is_word_at(t, at);
}

size_t name_find(struct text t, struct text name, size_t from)
{
	for (size_t at = from; name.len && (at = text_find(t, name, at)) != SIZE_MAX; at += name.len)
		if (!is_word_before(t, at) && !is_word_at(t, at + name.len))
			return at;
	return SIZE_MAX;
}

size_t name_count(struct text t, struct text name)
{
	size_t n = 0;

	for (size_t at = 0; (at = name_find(t, name, at)) != SIZE_MAX; at += name.len)
		n++;
	return n;
}
