#include "base/unseen.h"

#include "base/buffer.h"
#include "base/utf8.h"

const char *const unseen_names[UNSEEN_SORTS] = {"", "zero-width", "tag", "bidirectional", "control"};

enum { TAG_FIRST = 0xE0000, TAG_LAST = 0xE007F, TAG_END = 0xE007F, BLACK_FLAG = 0x1F3F4 };

static bool is_tag(uint32_t c) { return c >= TAG_FIRST && c <= TAG_LAST; }
static bool is_joiner(uint32_t c) { return c == 0x200C || c == 0x200D; }
static bool is_selector(uint32_t c) { return (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF); }
static bool is_mark(uint32_t c) { return c == 0x200E || c == 0x200F || c == 0x061C; }

/* Letters of right-to-left scripts. */
static bool is_leftward(uint32_t c)
{
	return (c >= 0x0590 && c <= 0x08FF && c != 0x061C) || (c >= 0xFB1D && c <= 0xFDFF) ||
	       (c >= 0xFE70 && c <= 0xFEFC) || (c >= 0x10800 && c <= 0x10FFF) || (c >= 0x1E800 && c <= 0x1EEFF);
}

/* Scripts whose letters join or have forms (Arabic to Mongolian), and emoji. */
static bool may_join(uint32_t c)
{
	return (c >= 0x0590 && c <= 0x1AFF) || (c >= 0xA800 && c <= 0xABFF) || (c >= 0x1F000 && c <= 0x1FAFF) ||
	       (c >= 0x2190 && c <= 0x2BFF) || is_selector(c);
}

/* What a variation selector may follow: symbols, emoji, digits of keycaps, ideographs, Mongolian letters. */
static bool may_vary(uint32_t c, uint32_t selector)
{
	if (selector > 0xFFFF)
		return c >= 0x3400 && c <= 0x3FFFF;
	return c == '#' || c == '*' || (c >= '0' && c <= '9') || c == 0xA9 || c == 0xAE ||
	       (c >= 0x2010 && c <= 0x303F) || (c >= 0x3200 && c <= 0x9FFF) || (c >= 0x1000 && c <= 0x1AFF) ||
	       (c >= 0x1F000 && c <= 0x3FFFF);
}

static enum unseen sort_of(uint32_t c)
{
	if (is_tag(c))
		return UNSEEN_TAG;
	if ((c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || is_mark(c))
		return UNSEEN_DIRECTION;
	if (c == 0x200B || is_joiner(c) || (c >= 0x2060 && c <= 0x2065) || c == 0xFEFF || c == 0x034F || c == 0x180E ||
	    c == 0x115F || c == 0x1160 || c == 0x3164 || c == 0xFFA0 || is_selector(c))
		return UNSEEN_ZERO_WIDTH;
	if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7F && c < 0xA0 && c != 0x85) ||
	    (c >= 0xFFF9 && c <= 0xFFFB))
		return UNSEEN_CONTROL;
	return UNSEEN_NONE;
}

static bool has_leftward(struct text t)
{
	for (size_t at = 0; at < t.len;)
		if (is_leftward(utf8_next(t, &at)))
			return true;
	return false;
}

/* The end of a flag's tags that begin at `at`, or 0: they do not end as a flag's do. */
static size_t flag_end(struct text t, size_t at)
{
	for (int n = 0; at < t.len && n < 8; n++) {
		uint32_t c = utf8_next(t, &at);
		if (c == TAG_END)
			return n ? at : 0;
		if (!is_tag(c))
			return 0;
	}
	return 0;
}

static bool is_ordinary(struct text t, size_t from, size_t end, uint32_t before, uint32_t c)
{
	size_t next = end;

	if (is_selector(c))
		return may_vary(before, c);
	if (is_joiner(c))
		return may_join(before) && end < t.len && may_join(utf8_next(t, &next));
	if (is_mark(c))
		return has_leftward(t);
	return c == 0xFEFF && !from; /* a byte order mark */
}

enum unseen unseen_next(struct text t, size_t *at, size_t *len)
{
	uint32_t before = 0;

	/* Ordinary depends on the character before, so begin with that. */
	size_t i = *at;
	while (i && i + 8 > *at && ((unsigned char)t.at[i - 1] & 0xC0) == 0x80)
		i--;
	i = i ? i - 1 : 0;
	while (i < t.len) {
		size_t from = i;
		unsigned char byte = (unsigned char)t.at[i];
		if (byte >= 0x20 && byte < 0x7F) {
			before = byte;
			i++;
			continue;
		}
		uint32_t c = utf8_next(t, &i);
		enum unseen sort = sort_of(c);
		size_t flag = c == BLACK_FLAG ? flag_end(t, i) : 0;
		if (flag)
			i = flag;
		if (sort && from >= *at && !is_ordinary(t, from, i, before, c)) {
			*at = from;
			*len = i - from;
			return sort;
		}
		before = c;
	}
	return UNSEEN_NONE;
}

struct text unseen_without(struct arena *a, struct text t)
{
	struct buffer b = {.arena = a};
	size_t at = 0, from = 0, len;

	while (unseen_next(t, &at, &len)) {
		buffer_add(&b, text_slice(t, from, at));
		from = at += len;
	}
	if (!from)
		return t;
	buffer_add(&b, text_slice(t, from, t.len));
	return b.len ? buffer_text(&b) : TEXT("");
}
