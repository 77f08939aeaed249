#include "kinds/hnpx/continuity/near_names.h"
#include "base/buffer.h"
#include "kinds/hnpx/bible/mention.h"

#include <string.h>

static bool is_vowel(char c) { return strchr("aeiouy", c) != NULL; }

/* The consonants of a word as they sound: c and k, ph and f are one, doubled letters and most vowels do not count. */
static struct text skeleton(struct arena *a, struct text word)
{
	struct buffer out = {.arena = a};

	for (size_t i = 0; i < word.len; i++) {
		char c = word.at[i], next = i + 1 < word.len ? word.at[i + 1] : 0;
		if (c == 'p' && next == 'h') {
			c = 'f';
			i++;
		} else if (c == 'c' && (next == 'h' || next == 'k')) {
			c = 'k';
			i++;
		} else if (c == 'c' || c == 'q') {
			c = 'k';
		} else if (c == 'z') {
			c = 's';
		} else if (c == 'h' && i) {
			continue;
		}
		if (is_vowel(c) && i)
			continue;
		if (is_vowel(c) || !out.len || out.at[out.len - 1] != c)
			buffer_byte(&out, c);
	}
	return buffer_text(&out);
}

static bool has_digit(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (t.at[i] >= '0' && t.at[i] <= '9')
			return true;
	return false;
}

enum { ALIKE_MIN = 6, NEAR_MIN = 5 };

static enum nearness words_near(struct arena *a, struct text x, struct text y)
{
	if (has_digit(x) || has_digit(y) || x.len < NEAR_MIN || y.len < NEAR_MIN)
		return NAMES_APART;
	unsigned distance = text_distance(x, y, 2);
	if (distance <= 2 && x.len >= ALIKE_MIN && y.len >= ALIKE_MIN && text_same(skeleton(a, x), skeleton(a, y)))
		return NAMES_ALIKE;
	return distance == 1 && x.at[0] == y.at[0] ? NAMES_NEAR : NAMES_APART;
}

static struct text next_word(struct text t, size_t *at)
{
	size_t from = *at, to = text_find(t, TEXT(" "), from);

	to = to == SIZE_MAX ? t.len : to;
	*at = to + 1;
	return text_slice(t, from, to);
}

enum nearness names_near(struct arena *a, struct text x, struct text y)
{
	enum nearness all = NAMES_APART;
	size_t i = 0, k = 0;

	while (i < x.len && k < y.len) {
		struct text one = next_word(x, &i), two = next_word(y, &k);
		if (text_same(one, two))
			continue;
		if (is_title_word(one) || is_title_word(two) || all != NAMES_APART)
			return NAMES_APART;
		all = words_near(a, one, two);
		if (all == NAMES_APART)
			return all;
	}
	return i < x.len || k < y.len ? NAMES_APART : all;
}
