#include "base/utf8.h"

#include "base/budget.h"
#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

int utf8_len(const char *s, const char *end)
{
	const unsigned char *p = (const unsigned char *)s;

	if (s >= end)
		return 0;
	if (*p < 0x80)
		return 1;
	if (*p < 0xC2 || *p > 0xF4)
		return 0;
	int n = *p < 0xE0 ? 2 : *p < 0xF0 ? 3 : 4;
	if (end - s < n || (p[1] & 0xC0) != 0x80)
		return 0;
	if (n == 2)
		return 2;
	if ((p[2] & 0xC0) != 0x80 || (*p == 0xE0 && p[1] < 0xA0) || (*p == 0xED && p[1] > 0x9F))
		return 0;
	if (n == 3)
		return 3;
	if ((p[3] & 0xC0) != 0x80 || (*p == 0xF0 && p[1] < 0x90) || (*p == 0xF4 && p[1] > 0x8F))
		return 0;
	return 4;
}

static size_t ascii_run(struct text t, size_t from)
{
	while (t.len - from >= 8) {
		uint64_t word;
		memcpy(&word, t.at + from, 8);
		if (word & 0x8080808080808080u)
			break;
		from += 8;
	}
	while (from < t.len && !(t.at[from] & 0x80))
		from++;
	return from;
}

size_t utf8_bad(struct text t)
{
	for (size_t i = 0;;) {
		i = ascii_run(t, i);
		if (i == t.len)
			return i;
		int n = utf8_len(t.at + i, t.at + t.len);
		if (!n)
			return i;
		i += (size_t)n;
	}
}

size_t utf8_count(struct text t)
{
	size_t n = t.len, i = 0;
	uint64_t eight;

	/* Counts the bytes that are not continuation bytes (10xxxxxx), eight at a time. */
	for (; i + sizeof eight <= t.len; i += sizeof eight) {
		memcpy(&eight, t.at + i, sizeof eight);
		n -= (size_t)__builtin_popcountll(eight & ~eight << 1 & UINT64_C(0x8080808080808080));
	}
	for (; i < t.len; i++)
		n -= (t.at[i] & 0xC0) == 0x80;
	return n;
}

uint32_t utf8_next(struct text t, size_t *offset)
{
	const unsigned char *p = (const unsigned char *)t.at + *offset;
	int n = *p < 0x80 ? 1 : *p < 0xE0 ? 2 : *p < 0xF0 ? 3 : 4;

	/* Text should be well-formed. If it is not, the walk still moves on and stays inside the text. */
	if ((size_t)n > t.len - *offset)
		n = 1;
	*offset += (size_t)n;
	switch (n) {
	case 1: return *p;
	case 2: return (p[0] & 31u) << 6 | (p[1] & 63u);
	case 3: return (p[0] & 15u) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u);
	default: return (p[0] & 7u) << 18 | (p[1] & 63u) << 12 | (p[2] & 63u) << 6 | (p[3] & 63u);
	}
}

size_t utf8_put(char *to, uint32_t c)
{
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char marks[] = {0, 0, 0xC0, 0xE0, 0xF0};

	for (size_t i = n; i-- > 1; c >>= 6)
		to[i] = (char)(0x80 | (c & 63));
	to[0] = (char)(marks[n] | c);
	return n;
}

size_t utf8_cut(struct text t, size_t at_most)
{
	if (at_most >= t.len)
		return t.len;
	while (at_most && (t.at[at_most] & 0xC0) == 0x80)
		at_most--;
	return at_most;
}

static struct text mapped(struct arena *a, struct text t, utf8proc_option_t options)
{
	utf8proc_uint8_t *out = NULL;
	utf8proc_ssize_t n = utf8proc_map((const utf8proc_uint8_t *)t.at, (utf8proc_ssize_t)t.len, &out, options);

	/* It fails only without memory or on malformed text, and malformed text was refused on input. */
	if (n < 0)
		return text_copy(a, t);
	budget_hold();
	struct text copy = text_copy(a, (struct text){(const char *)out, (size_t)n});
	free(out);
	budget_let();
	return copy;
}

struct text utf8_fold(struct arena *a, struct text t)
{
	if (ascii_run(t, 0) < t.len)
		return mapped(a, t,
			      UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD |
				      UTF8PROC_IGNORE);
	char *out = arena_alloc(a, t.len + 1);
	for (size_t i = 0; i < t.len; i++)
		out[i] = t.at[i] >= 'A' && t.at[i] <= 'Z' ? (char)(t.at[i] + 32) : t.at[i];
	out[t.len] = 0;
	return (struct text){out, t.len};
}

size_t utf8_loose(struct text t, char *to, size_t room)
{
	enum { POINTS = 256, ACCENT_FIRST = 0x300, ACCENT_LAST = 0x36f };
	utf8proc_int32_t points[POINTS];
	utf8proc_ssize_t n = utf8proc_decompose((const utf8proc_uint8_t *)t.at, (utf8proc_ssize_t)t.len, points, POINTS,
						UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT |
							UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
	size_t len = 0;

	/* Malformed text yields nothing. A text with too many code points yields those that fit. */
	for (utf8proc_ssize_t i = 0; i < n && i < POINTS; i++) {
		char bytes[4];
		if (points[i] >= ACCENT_FIRST && points[i] <= ACCENT_LAST)
			continue;
		size_t size = utf8_put(bytes, (uint32_t)points[i]);
		if (size > room - len)
			break;
		memcpy(to + len, bytes, size);
		len += size;
	}
	return len;
}

struct text utf8_nfc(struct arena *a, struct text t)
{
	if (ascii_run(t, 0) < t.len)
		return mapped(a, t, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
	return text_copy(a, t.at ? t : TEXT(""));
}

struct text utf8_nfkc(struct arena *a, struct text t)
{
	if (ascii_run(t, 0) < t.len)
		return mapped(a, t, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
	return text_copy(a, t.at ? t : TEXT(""));
}

struct text utf8_repaired(struct arena *a, struct text t)
{
	struct buffer b = {.arena = a};

	for (size_t bad; (bad = utf8_bad(t)) < t.len || b.len; t = text_slice(t, bad + 1, t.len)) {
		buffer_add(&b, text_slice(t, 0, bad));
		if (bad == t.len)
			return buffer_text(&b);
		buffer_put(&b, "\xef\xbf\xbd");
	}
	return t;
}

bool utf8_is_word(uint32_t c)
{
	if (c < 0x80)
		return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
	utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)c);
	return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;
}

/* Scripts without spaces between words: each character counts as one word, as in word processors. */
static bool is_word_alone(uint32_t c)
{
	static const uint32_t ranges[][2] = {
		{0x3041, 0x3096}, {0x30a1, 0x30fa}, {0x3400, 0x4dbf},
		{0x4e00, 0x9fff}, {0xf900, 0xfaff}, {0x20000, 0x3fffd},
	};

	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
		if (c >= ranges[i][0] && c <= ranges[i][1])
			return true;
	return false;
}

struct word_state {
	bool in_word, joins;
};

static bool begins_word(struct word_state *s, uint32_t c)
{
	enum { APOSTROPHE = '\'', CURLY_APOSTROPHE = 0x2019 };
	bool alone = is_word_alone(c), is_word = utf8_is_word(c),
	     begins = alone || (is_word && !s->in_word && !s->joins);

	s->joins = s->in_word && (c == APOSTROPHE || c == CURLY_APOSTROPHE);
	s->in_word = is_word && !alone;
	return begins;
}

enum { WORD_BLOCK = 64 };

static inline unsigned char is_plain_word(unsigned char c)
{
	return (unsigned char)((((unsigned char)((c | 32) - 'a')) < 26) | ((unsigned char)(c - '0') < 10));
}

/* Counts the words that begin in a block of ASCII; SIZE_MAX if the block has other bytes. Two bytes precede the block.
 * Each byte is judged by its own two neighbours, so the compiler can vectorise the loop: carrying a state from byte to
 * byte takes ten times as long. */
static size_t block_words(const unsigned char *p)
{
	unsigned char begins[WORD_BLOCK];
	uint64_t eight, sum = 0, wide = (uint64_t)(p[-1] | p[-2]) & 0x80;

	for (int i = 0; i < WORD_BLOCK; i += 8) {
		memcpy(&eight, p + i, 8);
		wide |= eight & 0x8080808080808080u;
	}
	if (wide)
		return SIZE_MAX;
	for (int i = 0; i < WORD_BLOCK; i++)
		begins[i] = (unsigned char)(is_plain_word(p[i]) & (is_plain_word(p[i - 1]) ^ 1) &
					    (((p[i - 1] == '\'') & is_plain_word(p[i - 2])) ^ 1));
	for (int i = 0; i < WORD_BLOCK; i += 8) {
		memcpy(&eight, begins + i, 8);
		sum += eight;
	}
	return (size_t)(sum * 0x0101010101010101u >> 56);
}

size_t utf8_words(struct text t)
{
	struct word_state s = {0};
	size_t n = 0;

	for (size_t i = 0; i < t.len;) {
		/* The first and the last block are copied and padded with spaces. */
		unsigned char edge[WORD_BLOCK + 2];
		const unsigned char *block = (const unsigned char *)t.at + i;
		size_t len = t.len - i < WORD_BLOCK ? t.len - i : WORD_BLOCK, before = i < 2 ? i : 2;
		if (before < 2 || len < WORD_BLOCK) {
			memset(edge, ' ', sizeof edge);
			memcpy(edge + 2 - before, t.at + i - before, before + len);
			block = edge + 2;
		}
		size_t more = block_words(block), end = i + len;
		if (more == SIZE_MAX) {
			while (i < end)
				n += begins_word(&s, utf8_next(t, &i));
			continue;
		}
		n += more;
		i = end;
		/* Computes the state after the last two bytes. */
		s = (struct word_state){0};
		for (size_t k = len < 2 ? i - len : i - 2; k < i;)
			begins_word(&s, utf8_next(t, &k));
	}
	return n;
}

size_t utf8_word_at(struct text t, size_t number)
{
	struct word_state s = {0};

	for (size_t i = 0, start = 0; i < t.len; start = i)
		if (begins_word(&s, utf8_next(t, &i)) && number-- == 0)
			return start;
	return t.len;
}

uint32_t utf8_lower(uint32_t c)
{
	return c < 0x80 ? (c >= 'A' && c <= 'Z' ? c + 32 : c) : (uint32_t)utf8proc_tolower((utf8proc_int32_t)c);
}

int utf8_width(uint32_t c) { return utf8proc_charwidth((utf8proc_int32_t)c); }

size_t utf8_decompose(uint32_t c, uint32_t parts[UTF8_PARTS_MAX])
{
	utf8proc_int32_t found[UTF8_PARTS_MAX];
	utf8proc_ssize_t n = c < 0xC0 ? 0
				      : utf8proc_decompose_char((utf8proc_int32_t)c, found, UTF8_PARTS_MAX,
								UTF8PROC_STABLE | UTF8PROC_DECOMPOSE, &(int){0});

	if (n < 1 || n > UTF8_PARTS_MAX) {
		parts[0] = c;
		return 1;
	}
	for (utf8proc_ssize_t i = 0; i < n; i++)
		parts[i] = (uint32_t)found[i];
	return (size_t)n;
}

size_t utf8_compose(uint32_t points[UTF8_LETTER_MAX], size_t n)
{
	utf8proc_int32_t all[UTF8_LETTER_MAX * UTF8_PARTS_MAX];
	utf8proc_ssize_t len = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t parts[UTF8_PARTS_MAX];
		size_t more = utf8_decompose(points[i], parts);
		for (size_t k = 0; k < more; k++)
			all[len++] = (utf8proc_int32_t)parts[k];
	}
	/* The library sorts marks by class only while it decomposes a whole text. */
	for (utf8proc_ssize_t i = 1; i < len;) {
		utf8proc_propval_t left = utf8proc_get_property(all[i - 1])->combining_class;
		utf8proc_propval_t right = utf8proc_get_property(all[i])->combining_class;
		if (right && left > right) {
			utf8proc_int32_t c = all[i];
			all[i] = all[i - 1];
			all[i - 1] = c;
			i = i > 1 ? i - 1 : i + 1;
		} else {
			i++;
		}
	}
	len = utf8proc_normalize_utf32(all, len, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
	if (len < 1 || len > UTF8_LETTER_MAX)
		return 0;
	for (utf8proc_ssize_t i = 0; i < len; i++)
		points[i] = (uint32_t)all[i];
	return (size_t)len;
}

bool utf8_completes(uint32_t c)
{
	if (c < 0x300)
		return false;
	/* Vowels and final consonants of a Hangul syllable that is written in parts. */
	if ((c >= 0x1160 && c <= 0x11FF) || (c >= 0xD7B0 && c <= 0xD7FB))
		return true;
	/* A variation selector chooses a picture. It is not part of a letter. */
	if ((c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF))
		return false;
	utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)c);
	return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

bool utf8_joins(uint32_t c)
{
	enum { JOINER = 0x200d, SKIN_FIRST = 0x1f3fb, SKIN_LAST = 0x1f3ff };

	if (c < 0x300)
		return false;
	utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)c);
	return c == JOINER || (c >= SKIN_FIRST && c <= SKIN_LAST) ||
	       (category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME);
}
