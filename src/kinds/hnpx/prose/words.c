#include "kinds/hnpx/prose/words.h"
#include "base/utf8.h"
#include "kinds/hnpx/prose/loose.h"

#include <string.h>

enum class { LETTER = 1, CAPITAL = 2, DIGIT = 4, STOP = 8, QUOTE = 16, COMMA = 32, DASH = 64, WIDE = 128 };

/* clang-format off */
static const uint8_t classes[256] = {
	['a' ... 'z'] = LETTER, ['A' ... 'Z'] = LETTER | CAPITAL, ['0' ... '9'] = DIGIT, [0x80 ... 0xff] = WIDE,
	['.'] = STOP, ['!'] = STOP, ['?'] = STOP, [':'] = STOP, [';'] = STOP, ['\n'] = STOP,
	['"'] = QUOTE, ['\''] = QUOTE, ['`'] = QUOTE, ['('] = QUOTE, [')'] = QUOTE, ['['] = QUOTE, [']'] = QUOTE,
	[','] = COMMA, ['-'] = DASH, ['/'] = DASH,
};
/* clang-format on */

static uint8_t wide_class(uint32_t c)
{
	if (utf8_is_word(c))
		return utf8_lower(c) != c ? LETTER | CAPITAL : LETTER;
	if (c == 0x2026 || c == 0x2028 || c == 0x3002 || c == 0xff01 || c == 0xff1f)
		return STOP;
	if ((c >= 0x2018 && c <= 0x201f) || c == 0xab || c == 0xbb || c == 0x2039 || c == 0x203a ||
	    (c >= 0x300c && c <= 0x300f) || c == 0xbf || c == 0xa1)
		return QUOTE;
	return c >= 0x2010 && c <= 0x2015 ? DASH : 0;
}

/* The gap flags are the same bits, shifted by three. */
static inline uint8_t gap_of(uint8_t class) { return class >> 3 & (GAP_STOP | GAP_QUOTE | GAP_COMMA | GAP_DASH); }

struct walk {
	struct text t;
	size_t at;
};

/* The class of the character at the place, and where the next one begins. */
static inline uint8_t look(const struct walk *w, size_t at, size_t *next)
{
	uint8_t class = classes[(unsigned char)w->t.at[at]];

	*next = at + 1;
	if (class != WIDE)
		return class;
	*next = at;
	return wide_class(utf8_next(w->t, next));
}

/* Length of the apostrophe at the place, straight or curly, or 0. */
static size_t apostrophe(struct text t, size_t at)
{
	if (at < t.len && t.at[at] == '\'')
		return 1;
	return at + 3 <= t.len && !memcmp(t.at + at, "\xe2\x80\x99", 3) ? 3 : 0;
}

/* Reads one word; `at` is its first character. */
static struct word read_word(struct walk *w, uint8_t class, size_t next)
{
	struct word word = {.from = (uint32_t)w->at, .is_plain = class & LETTER && next == w->at + 1};
	size_t letters = 1, mark = 0;
	bool is_capital = class & CAPITAL;

	for (w->at = next; w->at < w->t.len; letters++) {
		/* Most words continue with small letters only. */
		if (letters > 1)
			while (w->at < w->t.len && classes[(unsigned char)w->t.at[w->at]] == LETTER)
				w->at++;
		size_t quote = w->at < w->t.len ? apostrophe(w->t, w->at) : 0, from = w->at + quote;
		if (from >= w->t.len)
			break;
		class = look(w, from, &next);
		if (!(class & (LETTER | DIGIT)))
			break;
		if (quote)
			mark = w->at;
		word.is_plain &= !quote && class & LETTER && next == from + 1;
		if (letters == 1)
			word.is_capital = is_capital && !quote && (class & (LETTER | CAPITAL)) == LETTER;
		w->at = next;
	}
	word.to = (uint32_t)w->at;
	/* Mira's is Mira. */
	if (mark && w->at - mark - apostrophe(w->t, mark) == 1 && (w->t.at[w->at - 1] | 32) == 's') {
		word.to = (uint32_t)mark;
		word.is_plain = true;
		for (size_t i = word.from; i < mark; i++)
			word.is_plain &= (classes[(unsigned char)w->t.at[i]] & LETTER) != 0;
	}
	return word;
}

/* Fast path: most words are one letter followed by small letters, all ASCII. Returns false for other words. */
static inline bool read_plain_word(struct walk *w, uint8_t class, struct word *out)
{
	size_t at = w->at + 1;
	uint8_t next = 0;

	while (at < w->t.len && (next = classes[(unsigned char)w->t.at[at]]) == LETTER)
		at++;
	if (!(class & LETTER) || (at < w->t.len && (next & (LETTER | DIGIT | WIDE) || w->t.at[at] == '\'')))
		return false;
	*out = (struct word){.from = (uint32_t)w->at,
			     .to = (uint32_t)at,
			     .is_capital = class & CAPITAL && at > w->at + 1,
			     .is_plain = true};
	w->at = at;
	return true;
}

void words_split(struct words *to, struct arena *a, struct text t)
{
	uint8_t gap = GAP_START;
	struct walk w = {.t = t};
	size_t n = 0, most = t.len / 2 + 1;

	if (to->list.cap < most)
		ARRAY_RESERVE(a, &to->list, 2 * most);
	struct word *list = to->list.items;
	while (w.at < t.len) {
		size_t next;
		uint8_t class = look(&w, w.at, &next);
		if (!(class & (LETTER | DIGIT))) {
			gap |= gap_of(class);
			w.at = next;
			continue;
		}
		if (n)
			list[n - 1].behind = gap;
		if (next != w.at + 1 || !read_plain_word(&w, class, &list[n]))
			list[n] = read_word(&w, class, next);
		list[n++].before = gap;
		gap = 0;
	}
	if (n)
		list[n - 1].behind = gap | GAP_STOP;
	to->list.n = n;
}

struct text word_loose(struct arena *a, struct text t, const struct word *w, char room[WORD_ROOM])
{
	struct text word = text_slice(t, w->from, w->to);

	if (!w->is_plain || word.len > WORD_ROOM)
		return loose_text(a, word);
	for (size_t i = 0; i < word.len; i++)
		room[i] = (char)(word.at[i] | 32);
	return (struct text){room, word.len};
}
