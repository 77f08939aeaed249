#include "kinds/docx/surgeon/match.h"

#include "base/array.h"
#include "base/buffer.h"
#include "base/utf8.h"
#include "kinds/docx/text/composed.h"

#include <string.h>

const char *const match_names[] = {
	"exact", "toon_unescaped", "quote_normalized", "flexible_whitespace", "quote_optional", NULL};

static const char *const tag_names[] = {"b",           "i",          "u", "highlight", "highlighting", "font", "header",
					"RunInHeader", "definition", "a", NULL};

/* Length of the inline tag at the text's start; 0: none. *name: its name. */
static size_t tag_at(struct text t, struct text *name, bool *closes)
{
	if (t.len < 3 || t.at[0] != '<')
		return 0;
	*closes = t.at[1] == '/';
	size_t from = 1 + *closes, to = from;
	while (to < t.len && ((t.at[to] | 32) >= 'a' && (t.at[to] | 32) <= 'z'))
		to++;
	*name = text_slice(t, from, to);
	size_t known = 0;
	while (tag_names[known] && !text_is(*name, tag_names[known]))
		known++;
	if (!tag_names[known] || to >= t.len || (t.at[to] != '>' && t.at[to] != ' '))
		return 0;
	const char *end = memchr(t.at + to, '>', t.len - to);
	return end ? (size_t)(end - t.at) + 1 : 0;
}

/* [^12] */
static size_t note_at(struct text t)
{
	size_t i = 2;

	if (t.len < 4 || t.at[0] != '[' || t.at[1] != '^')
		return 0;
	while (i < t.len && t.at[i] >= '0' && t.at[i] <= '9')
		i++;
	return i > 2 && i < t.len && t.at[i] == ']' ? i + 1 : 0;
}

struct text match_prepare(struct arena *a, struct text needle)
{
	struct buffer out = {.arena = a};

	for (size_t i = 0; i < needle.len;) {
		struct text rest = text_slice(needle, i, needle.len), name;
		bool closes;
		size_t tag = tag_at(rest, &name, &closes), note = tag ? 0 : note_at(rest);
		if (tag && text_is(name, "definition"))
			buffer_byte(&out, '"');
		if (!tag && !note)
			buffer_byte(&out, needle.at[i]);
		i += tag ? tag : note ? note : 1;
	}
	return buffer_text(&out);
}

struct text match_without_notes(struct arena *a, struct text t)
{
	struct buffer out = {.arena = a};

	for (size_t i = 0; i < t.len;) {
		size_t note = note_at(text_slice(t, i, t.len));
		if (!note)
			buffer_byte(&out, t.at[i]);
		i += note ? note : 1;
	}
	return buffer_text(&out);
}

struct text match_unescape(struct arena *a, struct text t)
{
	struct buffer out = {.arena = a};

	for (size_t i = 0; i < t.len; i++) {
		static const char known[] = "ntr|\\", meant[] = "\n\t\r|\\";
		const char *escape =
			t.at[i] == '\\' && i + 1 < t.len && t.at[i + 1] ? strchr(known, t.at[i + 1]) : NULL;
		buffer_byte(&out, escape ? meant[escape - known] : t.at[i]);
		i += escape != NULL;
	}
	return buffer_text(&out);
}

/* A text in the form that a stage compares. Unit i stands for code points [from[i], to[i]) of the source. */
struct seen {
	uint32_t *at, *from, *to;
	uint32_t n;
};

/* 0: left out. */
static uint32_t unified(uint32_t c, enum match_mode mode)
{
	if (mode < MATCH_QUOTES)
		return c;
	if (rune_is_double_quote(c))
		return mode == MATCH_NO_QUOTES ? 0 : '"';
	if (rune_is_single_quote(c))
		return mode == MATCH_NO_QUOTES ? 0 : '\'';
	if ((c >= 0x2010 && c <= 0x2015) || c == 0x2212)
		return '-';
	if (c == 0xA0 || c == 0x2009 || c == 0x202F)
		return ' ';
	if (c == 0xAD)
		return 0;
	return mode >= MATCH_SPACES && rune_is_blank(c) ? ' ' : c;
}

static struct seen see(struct arena *a, const struct runes *r, enum match_mode mode)
{
	size_t room = (size_t)r->n * (mode >= MATCH_QUOTES ? 3 : 1) + 1;
	struct seen s = {arena_array(a, room, 4), arena_array(a, room, 4), arena_array(a, room, 4), 0};

	for (uint32_t i = 0; i < r->n; i++) {
		uint32_t c = unified(r->at[i], mode);
		/* Callers type an ellipsis as three dots. */
		uint32_t times = mode >= MATCH_QUOTES && c == 0x2026 ? 3 : 1;
		if (!c)
			continue;
		if (mode >= MATCH_SPACES && c == ' ' && s.n && s.at[s.n - 1] == ' ') {
			s.to[s.n - 1] = i + 1;
			continue;
		}
		for (uint32_t k = 0; k < times; k++) {
			s.at[s.n] = times == 3 ? '.' : c;
			s.from[s.n] = i;
			s.to[s.n++] = i + 1;
		}
	}
	return s;
}

/* Does a hit of units [from, to) split a letter from its marks, at either end? */
static bool tears_letter(const struct seen *text, uint32_t from, uint32_t to)
{
	return (to < text->n && utf8_completes(text->at[to])) || (from && utf8_completes(text->at[from]));
}

/* Knuth, Morris and Pratt: needles and paragraphs may both be long, and all hits count, overlapping ones too. */
static struct matches search(struct arena *a, const struct seen *text, const struct seen *needle)
{
	ARRAY(struct match) hits = {0};
	uint32_t *fall = arena_array(a, (size_t)needle->n + 1, sizeof *fall), k = 0;

	for (uint32_t i = 1; i < needle->n; i++) {
		while (k && needle->at[i] != needle->at[k])
			k = fall[k];
		k += needle->at[i] == needle->at[k];
		fall[i + 1] = k;
	}
	k = 0;
	for (uint32_t i = 0; i < text->n; i++) {
		while (k && (k == needle->n || text->at[i] != needle->at[k]))
			k = fall[k];
		k += text->at[i] == needle->at[k];
		if (k < needle->n)
			continue;
		struct match hit = {text->from[i + 1 - k], text->to[i]};
		if ((!hits.n || hits.items[hits.n - 1].from != hit.from) && !tears_letter(text, i + 1 - k, i + 1))
			*ARRAY_PUSH(a, &hits) = hit;
	}
	return (struct matches){hits.items, hits.n, MATCH_EXACT};
}

static bool is_quote(uint32_t c) { return rune_is_double_quote(c) || rune_is_single_quote(c); }

static uint32_t rune_at(const struct runes *r, size_t byte)
{
	uint32_t low = 0, high = r->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (r->byte[middle] < byte)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Searches the composed text. The hits are places in the text itself. */
static struct matches search_composed(struct arena *a, const struct runes *text, const struct seen *want,
				      enum match_mode mode)
{
	struct composed k = composed_of(a, text->text);
	struct runes composed = k.n ? runes_of(a, k.text) : *text;
	struct seen in = see(a, &composed, mode);
	struct matches found = search(a, &in, want);

	for (size_t i = 0; k.n && i < found.n; i++) {
		struct match *m = &found.items[i];
		size_t from = composed.byte[m->from], to = composed.byte[m->to];
		composed_source(&k, &from, &to);
		*m = (struct match){rune_at(text, from), rune_at(text, to)};
	}
	return found;
}

static struct matches stage(struct arena *a, const struct runes *text, struct text bytes, enum match_mode mode)
{
	bool is_loose = mode >= MATCH_QUOTES;
	struct runes needle = runes_of(a, is_loose ? composed_of(a, bytes).text : bytes);
	struct seen in = is_loose ? (struct seen){0} : see(a, text, mode), want = see(a, &needle, mode);

	if (!want.n)
		return (struct matches){0};
	struct matches found = is_loose ? search_composed(a, text, &want, mode) : search(a, &in, &want);
	found.mode = mode;
	/* Quotes at the needle's own ends belong to the match if the text has quotes there. */
	for (size_t i = 0; mode == MATCH_NO_QUOTES && i < found.n; i++) {
		struct match *m = &found.items[i];
		if (is_quote(needle.at[0]) && m->from && is_quote(text->at[m->from - 1]))
			m->from--;
		if (is_quote(needle.at[needle.n - 1]) && m->to < text->n && is_quote(text->at[m->to]))
			m->to++;
	}
	return found;
}

struct matches match_find(struct arena *a, const struct runes *text, struct text needle)
{
	/* An exact match is used first, even if it looks like a tag. */
	struct matches found = stage(a, text, needle, MATCH_EXACT);
	struct text prepared = match_prepare(a, needle), unescaped = match_unescape(a, prepared);

	for (int mode = MATCH_EXACT; !found.n && mode < MATCH_MODES; mode++)
		found = stage(a, text, mode == MATCH_EXACT ? prepared : unescaped, (enum match_mode)mode);
	for (int mode = MATCH_QUOTES; !found.n && mode < MATCH_MODES; mode++)
		found = stage(a, text, prepared, (enum match_mode)mode);
	return found;
}

struct text match_quotes_like(struct arena *a, struct text text, struct text like)
{
	struct runes model = runes_of(a, like), r = runes_of(a, text);
	bool doubles = false, singles = false;
	struct buffer out = {.arena = a};

	for (uint32_t i = 0; i < model.n; i++) {
		doubles |= model.at[i] == 0x201C || model.at[i] == 0x201D;
		singles |= model.at[i] == 0x2018 || model.at[i] == 0x2019;
	}
	for (uint32_t i = 0; i < r.n; i++) {
		uint32_t before = i ? r.at[i - 1] : ' ';
		bool opens = rune_is_blank(before) || before == '(' || before == '[' || before == '{' ||
			     before == 0x201C || before == 0x2018 || before == 0x2014;
		if (doubles && r.at[i] == '"')
			buffer_put(&out, opens ? "\xE2\x80\x9C" : "\xE2\x80\x9D");
		else if (singles && r.at[i] == '\'')
			buffer_put(&out, opens ? "\xE2\x80\x98" : "\xE2\x80\x99");
		else
			buffer_add(&out, runes_slice(&r, i, i + 1));
	}
	return buffer_text(&out);
}

enum { NEAREST_WORDS_MAX = 64 };

struct text match_nearest(struct arena *a, const struct runes *text, struct text needle, uint32_t most)
{
	struct text words[NEAREST_WORDS_MAX];
	size_t n = 0;
	struct text folded = utf8_fold(a, match_prepare(a, needle));

	for (size_t i = 0; n < NEAREST_WORDS_MAX && i < folded.len;) {
		size_t from = i;
		while (i < folded.len && (unsigned char)folded.at[i] > ' ')
			i++;
		if (i - from > 3)
			words[n++] = text_slice(folded, from, i);
		i += i == from;
	}
	/* The window of the paragraph with most of these words; windows step by a quarter. */
	uint32_t best = 0, best_at = 0, step = most / 4 ? most / 4 : 1;
	for (uint32_t at = 0; n && at < text->n; at += step) {
		uint32_t to = at + most < text->n ? at + most : text->n, score = 0;
		struct text window = utf8_fold(a, runes_slice(text, at, to));
		for (size_t i = 0; i < n; i++)
			score += text_find(window, words[i], 0) != SIZE_MAX;
		if (score > best) {
			best = score;
			best_at = at;
		}
		if (to == text->n)
			break;
	}
	if (!best)
		return (struct text){0};
	while (best_at && !runes_word_edge(text, best_at))
		best_at--;
	return text_trim(runes_slice(text, best_at, best_at + most < text->n ? best_at + most : text->n));
}
