#include "kinds/hnpx/prose/markup.h"
#include "base/utf8.h"

#include <string.h>

static bool is_blank_at(struct text t, size_t at) { return emphasis_blank(utf8_next(t, &at)); }
static bool is_word_at(struct text t, size_t at) { return utf8_is_word(utf8_next(t, &at)); }

static size_t back(struct text t, size_t at)
{
	for (at--; at && ((unsigned char)t.at[at] & 0xc0) == 0x80; at--)
		;
	return at;
}

static size_t on(struct text t, size_t at)
{
	utf8_next(t, &at);
	return at;
}

/* Takes a look away from the edges of a stretch where a delimiter would not count: from blanks, and from punctuation
 * that touches a word outside. */
static void trim_stretch(struct looks *w, size_t from, size_t to, uint8_t look)
{
	struct text t = w->words;

	while (from < to) {
		size_t last = back(t, to), next;
		if (is_blank_at(t, from) || (from && !is_word_at(t, from) && is_word_at(t, back(t, from)))) {
			for (next = on(t, from); from < next; from++)
				w->look[from] &= (uint8_t)~look;
		} else if (is_blank_at(t, last) || (to < t.len && !is_word_at(t, last) && is_word_at(t, to))) {
			for (; to > last; to--)
				w->look[to - 1] &= (uint8_t)~look;
		} else {
			return;
		}
	}
}

static void trim_looks(struct looks *w, uint8_t look)
{
	for (size_t from = 0, to; from < w->words.len; from = to) {
		bool is_on = w->look[from] & look;
		for (to = from; to < w->words.len && !!(w->look[to] & look) == is_on; to++)
			;
		if (is_on)
			trim_stretch(w, from, to, look);
	}
}

static size_t stretch_end(const struct looks *w, size_t at, uint8_t look)
{
	while (at < w->words.len && w->look[at] & look)
		at++;
	return at;
}

/* Escapes a character only where it would be markup: a hyphen inside a line is not escaped. `digits`: the line so far
 * is this many digits. */
static bool needs_escape(struct text t, size_t i, bool starts_line, size_t digits)
{
	char c = t.at[i], next = i + 1 < t.len ? t.at[i + 1] : '\n';
	bool is_mark = c && strchr("*`[]<~|", c);
	bool is_escape = c == '\\' && (next == '\n' || (next > ' ' && next < 0x7f && !is_word_at(t, i + 1)));
	bool inside = c == '_' && i && i + 1 < t.len && is_word_at(t, back(t, i)) && is_word_at(t, i + 1);
	bool starts = starts_line && c && strchr("#>+-=", c);
	bool numbers = digits && (c == '.' || c == ')');
	bool refers = c == '&' && (next == '#' || (next | 32) >= 'a');

	return is_mark || is_escape || (c == '_' && !inside) || starts || numbers || refers;
}

struct writer {
	struct buffer *to;
	enum markup form;
	bool escapes, tags; /* tags: HTML instead of stars */
	uint8_t open[2];    /* the open looks, the outer one first */
	size_t depth;
};

static void put_delimiter(struct writer *w, uint8_t look, bool closes)
{
	if (w->tags)
		buffer_put(w->to, look == LOOK_BOLD ? (closes ? "</strong>" : "<strong>") : closes ? "</em>" : "<em>");
	else
		buffer_put(w->to, look == LOOK_BOLD ? "**" : "*");
}

/* Closes and opens emphasis before the byte. What ends later is opened first. */
static void turn_look(struct writer *w, const struct looks *words, size_t at)
{
	uint8_t look = at < words->words.len ? words->look[at] : 0, open = 0;
	size_t keep = 0;

	while (keep < w->depth && look & w->open[keep])
		open |= w->open[keep++];
	while (w->depth > keep)
		put_delimiter(w, w->open[--w->depth], true);
	uint8_t more = look & (uint8_t)~open;
	if (!more)
		return;
	bool bold_first = more & LOOK_BOLD && (!(more & LOOK_ITALIC) ||
					       stretch_end(words, at, LOOK_BOLD) > stretch_end(words, at, LOOK_ITALIC));
	const uint8_t order[] = {bold_first ? LOOK_BOLD : LOOK_ITALIC, bold_first ? LOOK_ITALIC : LOOK_BOLD};
	for (size_t i = 0; i < 2; i++)
		if (more & order[i]) {
			put_delimiter(w, order[i], false);
			w->open[w->depth++] = order[i];
		}
}

static void put_char(struct writer *w, struct text t, size_t i, bool starts_line, size_t digits)
{
	bool is_star = t.at[i] == '*' || t.at[i] == '_';

	if (t.at[i] == '\n') {
		buffer_put(w->to, w->form == MARKUP_MARKDOWN ? "\\\n" : "\n");
		return;
	}
	if (w->form == MARKUP_MARKDOWN ? needs_escape(t, i, starts_line, digits) : w->escapes && is_star)
		buffer_byte(w->to, '\\');
	buffer_byte(w->to, t.at[i]);
}

static void put_all(struct writer *w, const struct looks *words)
{
	struct text t = words->words;
	size_t line = 0;
	bool is_number = true; /* the line so far has only digits */

	for (size_t i = 0; i <= t.len; i++) {
		uint8_t was = i ? words->look[i - 1] : 0, is = i < t.len ? words->look[i] : 0;
		if (was != is)
			turn_look(w, words, i);
		if (i == t.len)
			break;
		put_char(w, t, i, i == line && !is, is_number && i > line ? i - line : 0);
		is_number = t.at[i] == '\n' || (is_number && t.at[i] >= '0' && t.at[i] <= '9');
		line = t.at[i] == '\n' ? i + 1 : line;
	}
}

/* Markdown's hard breaks are line ends to a reader. */
static struct text without_breaks(struct arena *a, struct text t)
{
	struct buffer out = {.arena = a};

	for (size_t i = 0; i < t.len; i++)
		if (t.at[i] != '\\' || i + 1 == t.len || t.at[i + 1] != '\n')
			buffer_byte(&out, t.at[i]);
	return buffer_text(&out);
}

static bool reads_as(struct arena *a, struct text written, const struct looks *words, enum markup form)
{
	enum emphasis_dialect dialect = form == MARKUP_PROSE ? EMPHASIS_PROSE : EMPHASIS_MARKDOWN;

	if (form == MARKUP_MARKDOWN)
		written = without_breaks(a, written);
	struct looks read = emphasis_looks(a, written, dialect, 0);
	if (!text_same(read.words, words->words))
		return false;
	for (size_t i = 0; i < read.words.len; i++) /* the look of a blank is not seen */
		if (((unsigned char)read.words.at[i] & 0xc0) != 0x80 && read.look[i] != words->look[i] &&
		    !is_blank_at(words->words, i))
			return false;
	return true;
}

static bool has_look(const struct looks *w)
{
	for (size_t i = 0; i < w->words.len; i++)
		if (w->look[i])
			return true;
	return false;
}

void markup_put(struct buffer *to, struct arena *a, const struct looks *words, enum markup form)
{
	bool is_plain = !has_look(words);
	struct looks trimmed = *words;
	size_t from = to->len;

	if (!is_plain) {
		trimmed.look = arena_copy(a, words->look, words->words.len + 1);
		trim_looks(&trimmed, LOOK_ITALIC);
		trim_looks(&trimmed, LOOK_BOLD);
	}
	for (int attempt = 0; attempt < 3; attempt++) {
		struct writer w = {.to = to, .form = form};
		w.escapes = attempt;
		w.tags = attempt && form == MARKUP_MARKDOWN;
		to->len = from;
		/* A backslash directly before emphasis cannot be written in prose: the words count more. */
		if (attempt == 2)
			trimmed.look = arena_array(a, words->words.len + 1, 1);
		put_all(&w, w.tags ? words : &trimmed);
		if (form == MARKUP_TEXT || w.tags || (is_plain && form == MARKUP_MARKDOWN) ||
		    reads_as(a, text_slice(buffer_text(to), from, to->len), &trimmed, form))
			return;
	}
}

void markup_escape(struct buffer *to, struct text words, bool starts_line)
{
	size_t digits = 0;

	while (starts_line && digits < words.len && words.at[digits] >= '0' && words.at[digits] <= '9')
		digits++;
	for (size_t i = 0; i < words.len; i++) {
		if (needs_escape(words, i, starts_line && !i, digits && i == digits ? digits : 0))
			buffer_byte(to, '\\');
		buffer_byte(to, words.at[i]);
	}
}
