#include "kinds/notes/search/excerpt.h"

#include "base/buffer.h"

#include <string.h>

enum { WORD_MAX = 100 /* bytes; longer ones are not words */, BYTES_A_WORD = 12 };

struct excerpt {
	struct buffer out;
	size_t words, most;
	size_t word_from; /* where the current word begins */
};

static bool is_full(const struct excerpt *e) { return e->words >= e->most || e->out.len > e->most * BYTES_A_WORD; }

static bool is_address(struct text word)
{
	return text_find(word, TEXT("://"), 0) != SIZE_MAX || text_starts(word, "www.");
}

/* Ends the word. Removes it again if it is an address or too long. */
static void blank(struct excerpt *e)
{
	if (e->out.len == e->word_from)
		return;
	struct text word = {e->out.at + e->word_from, e->out.len - e->word_from};
	if (word.len > WORD_MAX || is_address(word)) {
		e->out.len = e->word_from;
		return;
	}
	buffer_byte(&e->out, ' ');
	e->word_from = e->out.len;
	e->words++;
}

static void inline_text(struct excerpt *e, struct text t);

/* [[target#part|shown]]: what a reader sees. Returns the bytes consumed, or 0. */
static size_t wikilink(struct excerpt *e, struct text t)
{
	size_t end = text_starts(t, "[[") ? text_find(t, TEXT("]]"), 2) : SIZE_MAX;

	if (end == SIZE_MAX)
		return 0;
	struct text inner = text_slice(t, 2, end);
	const char *bar = memchr(inner.at, '|', inner.len), *part = memchr(inner.at, '#', inner.len);
	if (bar)
		inner = text_slice(inner, (size_t)(bar - inner.at) + 1, inner.len);
	else if (part && part > inner.at)
		inner.len = (size_t)(part - inner.at);
	const char *folder = bar ? NULL : memrchr(inner.at, '/', inner.len);
	if (folder)
		inner = text_slice(inner, (size_t)(folder - inner.at) + 1, inner.len);
	inline_text(e, inner);
	return end + 2;
}

/* [shown](address) and ![shown](address). Returns the bytes consumed, or 0. */
static size_t link_of(struct excerpt *e, struct text t)
{
	size_t middle = *t.at == '[' ? text_find(t, TEXT("]("), 1) : SIZE_MAX;
	size_t end = middle == SIZE_MAX ? SIZE_MAX : text_find(t, TEXT(")"), middle);

	if (end == SIZE_MAX)
		return 0;
	inline_text(e, text_slice(t, 1, middle));
	return end + 1;
}

static size_t markup(struct excerpt *e, struct text t)
{
	size_t n = *t.at == '!' ? 1 : 0;

	if (t.len > n && t.at[n] == '[') {
		struct text rest = text_slice(t, n, t.len);
		size_t taken = wikilink(e, rest);
		taken = taken ? taken : link_of(e, rest);
		if (taken)
			return n + taken;
	}
	if (*t.at == '<') {
		size_t end = text_starts(t, "<!--") ? text_find(t, TEXT("-->"), 4) : text_find(t, TEXT(">"), 1);
		bool is_tag = t.len > 1 && ((t.at[1] | 32) >= 'a' || t.at[1] == '/' || t.at[1] == '!');
		if (end != SIZE_MAX && is_tag)
			return end + (text_starts(t, "<!--") ? 3 : 1);
	}
	return strchr("*`~|[]", *t.at) && *t.at ? 1 : 0;
}

static void inline_text(struct excerpt *e, struct text t)
{
	for (size_t i = 0; i < t.len && !is_full(e);) {
		struct text rest = text_slice(t, i, t.len);
		size_t taken = markup(e, rest);
		if (taken) {
			if (t.at[i] == '|')
				blank(e);
			i += taken;
			continue;
		}
		if (strchr(" \t\r\n", t.at[i]))
			blank(e);
		else
			buffer_byte(&e->out, t.at[i]);
		i++;
	}
}

/* Marks at the start of a line: headings, quotes, lists, tasks. */
static struct text without_marks(struct text line, bool *is_heading)
{
	line = text_trim(line);
	*is_heading = line.len && *line.at == '#';
	for (;;) {
		size_t digits = 0;
		while (digits < line.len && line.at[digits] >= '0' && line.at[digits] <= '9')
			digits++;
		if (line.len && (*line.at == '#' || *line.at == '>'))
			line = text_slice(line, 1, line.len);
		else if (text_starts(line, "- ") || text_starts(line, "* ") || text_starts(line, "+ "))
			line = text_slice(line, 2, line.len);
		else if (text_starts(line, "[ ] ") || text_starts(line, "[x] "))
			line = text_slice(line, 4, line.len);
		else if (digits && digits < 4 && text_starts(text_slice(line, digits, line.len), ". "))
			line = text_slice(line, digits + 2, line.len);
		else
			return line;
		line = text_trim(line);
	}
}

static bool is_rule(struct text line)
{
	for (size_t i = 0; i < line.len; i++)
		if (!strchr("-=_*|: ", line.at[i]))
			return false;
	return true;
}

/* Adds a full stop after a title or heading that has none. */
static void stop(struct excerpt *e)
{
	while (e->out.len && e->out.at[e->out.len - 1] == ' ')
		e->out.len--;
	if (e->out.len && !strchr(".!?:;,", e->out.at[e->out.len - 1]))
		buffer_byte(&e->out, '.');
	if (e->out.len)
		buffer_byte(&e->out, ' ');
	e->word_from = e->out.len;
}

struct text excerpt_of(struct arena *a, struct text title, struct text text, size_t words)
{
	struct excerpt e = {.out = {.arena = a}, .most = words};
	char fence = 0;

	inline_text(&e, title);
	blank(&e);
	stop(&e);
	e.words = 0;
	for (size_t at = 0; at < text.len && !is_full(&e);) {
		size_t end = text_find(text, TEXT("\n"), at);
		struct text line = text_trim(text_slice(text, at, end));
		bool is_heading;
		at = end == SIZE_MAX ? text.len : end + 1;
		if (text_starts(line, "```") || text_starts(line, "~~~")) {
			fence = !fence ? *line.at : fence == *line.at ? 0 : fence;
			continue;
		}
		if (fence || is_rule(line))
			continue;
		inline_text(&e, without_marks(line, &is_heading));
		blank(&e);
		if (is_heading)
			stop(&e);
	}
	return text_trim(buffer_text(&e.out));
}
