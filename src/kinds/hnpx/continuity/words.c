#include "kinds/hnpx/continuity/words.h"
#include "base/utf8.h"
#include "kinds/hnpx/story/loose.h"

#include <string.h>

enum class { LETTER = 1, CAPITAL = 2, DIGIT = 4, STOP = 8, QUOTE = 16, COMMA = 32, DASH = 64, WIDE = 128 };

static uint8_t class_of(unsigned char c)
{
	if (c >= 0x80)
		return WIDE;
	if (c >= 'a' && c <= 'z')
		return LETTER;
	if (c >= 'A' && c <= 'Z')
		return LETTER | CAPITAL;
	if (c >= '0' && c <= '9')
		return DIGIT;
	switch (c) {
	case '.':
	case '!':
	case '?':
	case ':':
	case ';':
	case '\n': return STOP;
	case '"':
	case '\'':
	case '`':
	case '(':
	case ')':
	case '[':
	case ']': return QUOTE;
	case ',': return COMMA;
	case '-':
	case '/': return DASH;
	default: return 0;
	}
}

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

static uint8_t gap_of(uint8_t class)
{
	return (uint8_t)((class & STOP ? GAP_STOP : 0) | (class & QUOTE ? GAP_QUOTE : 0) |
			 (class & DASH ? GAP_DASH : 0) | (class & COMMA ? GAP_COMMA : 0));
}

struct walk {
	struct text t;
	size_t at;
	const uint8_t *classes;
};

/* The class of the character at the place, and where the next one begins. */
static inline uint8_t look(const struct walk *w, size_t at, size_t *next)
{
	uint8_t class = w->classes[(unsigned char)w->t.at[at]];

	*next = at + 1;
	if (class != WIDE)
		return class;
	*next = at;
	return wide_class(utf8_next(w->t, next));
}

/* Length of the apostrophe at the place, straight or curly; 0: there is none. */
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
		size_t quote = apostrophe(w->t, w->at), from = w->at + quote;
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
			word.is_plain &= (class_of((unsigned char)w->t.at[i]) & LETTER) != 0;
	}
	return word;
}

void words_split(struct words *to, struct arena *a, struct text t)
{
	uint8_t classes[256], gap = GAP_START;
	struct walk w = {.t = t, .classes = classes};

	for (int i = 0; i < 256; i++)
		classes[i] = class_of((unsigned char)i);
	to->list.n = 0;
	while (w.at < t.len) {
		size_t next;
		uint8_t class = look(&w, w.at, &next);
		if (!(class & (LETTER | DIGIT))) {
			gap |= gap_of(class);
			w.at = next;
			continue;
		}
		if (to->list.n)
			to->list.items[to->list.n - 1].behind = gap;
		struct word word = read_word(&w, class, next);
		word.before = gap;
		*ARRAY_PUSH(a, &to->list) = word;
		gap = 0;
	}
	if (to->list.n)
		to->list.items[to->list.n - 1].behind = gap | GAP_STOP;
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
