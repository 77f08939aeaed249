#include "kinds/notes/note/hidden.h"

#include "base/buffer.h"
#include "base/utf8.h"

enum {
	ZERO_JOINER = 0x200d,
	FLAG_BASE = 0x1f3f4, /* tag characters after it spell a region */
	TAG_FIRST = 0xe0000,
	TAG_LAST = 0xe007f
};

/* NULL: people see it, or it belongs to what they see. */
static const char *sort_of(uint32_t c, uint32_t before, bool in_flag)
{
	if (c < 0x80)
		return NULL;
	if (c == 0x200b || c == 0x2060 || c == 0xfeff || c == 0x180e || (c >= 0x2061 && c <= 0x2064))
		return "zero-width characters";
	if ((c == ZERO_JOINER || c == ZERO_JOINER - 1) && before < 0x80)
		return "zero-width characters";
	if (c >= TAG_FIRST && c <= TAG_LAST)
		return in_flag ? NULL : "tag characters";
	if (c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069))
		return "bidirectional controls";
	return NULL;
}

static void add(struct arena *a, struct hidden *out, const char *sort, size_t from, size_t to)
{
	struct hidden_part *last = out->parts.n ? &out->parts.items[out->parts.n - 1] : NULL;

	if (last && last->sort == sort && last->place.to == from)
		last->place.to = (uint32_t)to;
	else
		*ARRAY_PUSH(a, &out->parts) = (struct hidden_part){sort, {(uint32_t)from, (uint32_t)to}};
}

static void find_comments(struct arena *a, struct text t, struct hidden *out)
{
	struct markdown m;

	if (text_find(t, TEXT("<!--"), 0) == SIZE_MAX)
		return;
	markdown_scan(a, t, 0, &m);
	for (size_t i = 0; i < m.code.n; i++)
		if (text_starts(span_text(t, m.code.items[i]), "<!--"))
			add(a, out, "HTML comment", m.code.items[i].from, m.code.items[i].to);
}

static void find_characters(struct arena *a, struct text t, struct hidden *out)
{
	uint32_t before = ' ';
	bool in_flag = false;

	for (size_t at = 0; at < t.len;) {
		size_t from = at;
		if (!(t.at[at] & 0x80)) {
			before = (unsigned char)t.at[at++];
			in_flag = false;
			continue;
		}
		uint32_t c = utf8_next(t, &at);
		in_flag = c == FLAG_BASE || (in_flag && c >= TAG_FIRST && c <= TAG_LAST);
		const char *sort = sort_of(c, before, in_flag);
		if (sort)
			add(a, out, sort, from, at);
		before = c;
	}
}

static int by_place(const void *a, const void *b)
{
	const struct hidden_part *x = a, *y = b;

	return (x->place.from > y->place.from) - (x->place.from < y->place.from);
}

void hidden_find(struct arena *a, struct text t, struct hidden *out)
{
	*out = (struct hidden){0};
	find_comments(a, t, out);
	find_characters(a, t, out);
	array_sort(out->parts.items, out->parts.n, sizeof *out->parts.items, by_place);
}

struct text hidden_removed(struct arena *a, struct text t)
{
	struct hidden h;
	struct buffer b = {.arena = a};
	size_t at = 0;

	hidden_find(a, t, &h);
	if (!h.parts.n)
		return t;
	for (size_t i = 0; i < h.parts.n; i++) {
		struct span s = h.parts.items[i].place;
		if (s.from < at) { /* a character inside a comment */
			at = s.to > at ? s.to : at;
			continue;
		}
		buffer_add(&b, text_slice(t, at, s.from));
		at = s.to;
	}
	buffer_add(&b, text_slice(t, at, t.len));
	return buffer_text(&b);
}
