/* snippet.c: the part of a note that matched. */
#include "kinds/notes/search/engine.h"

#include "base/buffer.h"
#include "base/mutex.h"
#include "base/utf8.h"
#include "kinds/notes/search/words.h"

#include <string.h>

enum { MARK = 3 /* "..." */, HITS_MAX = 4096 };

struct hit {
	size_t from, to; /* bytes */
	size_t term;
};

struct hits {
	struct query_terms terms;
	double weights[QUERY_TERMS_MAX];
	ARRAY(struct hit) list;
};

static void find_hits(struct call *c, struct hits *h, struct text text)
{
	struct words words = words_of(text);
	struct word word;

	words.is_query = true;
	while (h->list.n < HITS_MAX && words_next(&words, &word))
		for (size_t i = 0; i < h->terms.n; i++)
			if (h->weights[i] > 0 && text_same(word.term, h->terms.items[i]))
				*ARRAY_PUSH(c->arena, &h->list) = (struct hit){word.from, word.to, i};
}

/* The index of the hit that begins the best stretch of `room` bytes. Each term counts once, and its repetitions a
 * little. */
static size_t best_hit(const struct hits *h, size_t room, size_t *last)
{
	size_t best = 0;
	double most = -1;

	for (size_t i = 0; i < h->list.n; i++) {
		uint64_t seen = 0;
		double sum = 0;
		size_t k = i;
		for (; k < h->list.n && h->list.items[k].to - h->list.items[i].from <= room && k - i < 64; k++) {
			uint64_t bit = UINT64_C(1) << h->list.items[k].term;
			sum += h->weights[h->list.items[k].term] * (seen & bit ? 0.1 : 1);
			seen |= bit;
		}
		if (sum > most * 1.0001) {
			most = sum;
			best = i;
			*last = k > i ? k - 1 : i;
		}
	}
	return best;
}

/* The offset of the character that lies `n` characters before `at`. */
static size_t back(struct text t, size_t at, size_t n)
{
	while (n-- && at)
		do
			at--;
		while (at && (t.at[at] & 0xC0) == 0x80);
	return at;
}

static size_t forth(struct text t, size_t at, size_t n)
{
	while (n-- && at < t.len)
		do
			at++;
		while (at < t.len && (t.at[at] & 0xC0) == 0x80);
	return at;
}

/* A cut must not separate a letter from the marks and joiners that follow it. */
static bool joins(struct text t, size_t at)
{
	size_t next = at;
	uint32_t c = at < t.len && utf8_len(t.at + at, t.at + t.len) ? utf8_next(t, &next) : 0;
	bool after_joiner = at >= 3 && !memcmp(t.at + at - 3, "\xe2\x80\x8d", 3);

	return after_joiner || c == 0x200d || (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0x1f3fb && c <= 0x1f3ff) ||
	       (c >= 0x80 && utf8_width(c) == 0);
}

static bool is_between_words(struct text t, size_t at)
{
	return at == 0 || at == t.len || strchr(" \t\n\r", t.at[at - 1]);
}

/* The nearest gap between words within a few characters, or else the place itself. */
static size_t word_start(struct text t, size_t at, size_t limit)
{
	enum { LOOK = 40 };

	for (size_t i = at; i <= limit && i < at + LOOK; i++)
		if (is_between_words(t, i))
			return i;
	while (at < limit && joins(t, at))
		at = forth(t, at, 1);
	return at;
}

static size_t word_end(struct text t, size_t at, size_t limit)
{
	enum { LOOK = 40 };

	for (size_t i = at; i >= limit && i + LOOK > at && i > 0; i--)
		if (i < t.len && strchr(" \t\n\r", t.at[i]) && t.at[i])
			return i;
	while (at > limit && joins(t, at))
		at = back(t, at, 1);
	return at;
}

struct text search_snippet(struct call *c, struct search *s, struct text words, struct text text, size_t most)
{
	struct hits h = {0};

	text = text_trim(text);
	if (utf8_count(text) <= most)
		return text;
	if (most <= 2 * MARK)
		return text_slice(text, 0, forth(text, 0, most));
	query_terms(&h.terms, words);
	rwlock_read(&s->lock);
	for (size_t i = 0; i < h.terms.n; i++)
		h.weights[i] = lexicon_weight(&s->lexicon, h.terms.items[i]);
	rwlock_unlock(&s->lock);
	find_hits(c, &h, text);

	size_t room = most - 2 * MARK, from = 0, to, last = 0;
	if (h.list.n) {
		size_t first = best_hit(&h, room, &last);
		size_t start = h.list.items[first].from, end = h.list.items[last].to;
		size_t taken = utf8_count(text_slice(text, start, end)), left = room > taken ? room - taken : 0;
		from = back(text, start, left / 3);
		from = from ? word_start(text, from, start) : 0;
	}
	to = forth(text, from, from ? room : room + MARK);
	if (to == text.len && from) { /* the text ends before the room is used: begin earlier */
		from = back(text, text.len, room + MARK);
		from = from ? word_start(text, from, text.len) : 0;
	} else if (to < text.len) {
		to = word_end(text, to, h.list.n ? h.list.items[last].to : from + 1);
	}
	struct buffer b = {.arena = c->arena};
	buffer_put(&b, from ? "..." : "");
	buffer_add(&b, text_trim(text_slice(text, from, to)));
	buffer_put(&b, to < text.len ? "..." : "");
	return buffer_text(&b);
}
