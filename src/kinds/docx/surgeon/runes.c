#include "kinds/docx/surgeon/runes.h"

#include "base/utf8.h"

struct runes runes_of(struct arena *a, struct text t)
{
	struct runes r = {.text = t, .n = (uint32_t)utf8_count(t)};
	size_t offset = 0;

	r.at = arena_array(a, (size_t)r.n + 1, sizeof *r.at);
	r.byte = arena_array(a, (size_t)r.n + 1, sizeof *r.byte);
	for (uint32_t i = 0; i < r.n; i++) {
		r.byte[i] = (uint32_t)offset;
		r.at[i] = utf8_next(t, &offset);
	}
	r.byte[r.n] = (uint32_t)t.len;
	return r;
}

struct text runes_slice(const struct runes *r, uint32_t from, uint32_t to)
{
	return text_slice(r->text, r->byte[from], r->byte[to]);
}

bool runes_may_cut(const struct runes *r, uint32_t at)
{
	enum { JOINER = 0x200D };

	if (!at || at >= r->n)
		return true;
	uint32_t before = r->at[at - 1], c = r->at[at];
	if (before == JOINER || (c >= 0x1F3FB && c <= 0x1F3FF))
		return false;
	/* Flags are pairs of regional letters. After an odd number of them the pair is incomplete. */
	if (c >= 0x1F1E6 && c <= 0x1F1FF) {
		uint32_t letters = 0;
		while (letters < at && r->at[at - 1 - letters] >= 0x1F1E6 && r->at[at - 1 - letters] <= 0x1F1FF)
			letters++;
		return letters % 2 == 0;
	}
	return c < 0x300 || utf8_width(c) != 0 || rune_is_blank(c) || c == 0x200B;
}

bool rune_is_blank(uint32_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
	       c == 0x202F || c == 0x205F || c == 0x3000;
}

bool rune_is_double_quote(uint32_t c)
{
	return c == '"' || (c >= 0x201C && c <= 0x201F) || c == 0xAB || c == 0xBB || c == 0x2039 || c == 0x203A;
}

bool rune_is_single_quote(uint32_t c) { return c == '\'' || (c >= 0x2018 && c <= 0x201B); }

bool runes_word_edge(const struct runes *r, uint32_t at)
{
	if (!at || at >= r->n)
		return true;
	return !utf8_is_word(r->at[at - 1]) || !utf8_is_word(r->at[at]);
}
