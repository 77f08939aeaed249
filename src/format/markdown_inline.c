/* markdown_inline.c: links, tags, code spans and block names inside one run of text. */
#include "format/markdown_inner.h"

#include "base/ascii.h"

#include <string.h>

enum {
	OPEN_MAX = 64,    /* open brackets remembered at once; outer ones beyond that make no link */
	TICKS_MAX = 64,   /* lengths of backtick runs that are remembered as unclosed */
	NESTING_MAX = 32, /* parentheses inside a target: CommonMark's own limit */
	TARGET_MAX = 2048 /* bytes of a target and its title */
};

struct run_state {
	struct markdown_scan *s;
	struct text b;
	struct span run;
	uint32_t open[OPEN_MAX]; /* positions of [ */
	size_t n_open;
	/* Set for each length of backtick runs that has no closing run ahead, so that the text is searched once, not at
	 * each run. */
	uint32_t no_ticks[TICKS_MAX];
	bool no_angle, no_comment; /* the same for > and --> */
};

/* Only at these bytes can a mark begin. All others are skipped. */
static const bool is_mark[256] = {['\\'] = true, ['`'] = true, ['['] = true, [']'] = true, ['<'] = true, ['#'] = true};

static bool is_punctuation(char c)
{
	return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

static void add_code(struct run_state *r, uint32_t from, uint32_t to)
{
	*ARRAY_PUSH(r->s->arena, &r->s->out->code) = (struct span){from, to};
}

static size_t ticks_at(const struct run_state *r, uint32_t at)
{
	size_t n = 0;

	while (at + n < r->run.to && r->b.at[at + n] == '`')
		n++;
	return n;
}

/* Returns the position after the code span that begins here, or after its backticks when the span is not closed. */
static uint32_t code_span(struct run_state *r, uint32_t at)
{
	size_t n = ticks_at(r, at);
	uint32_t from = at + (uint32_t)n;

	if (n < TICKS_MAX && r->no_ticks[n])
		return from;
	for (uint32_t p = from; p < r->run.to;) {
		const char *tick = memchr(r->b.at + p, '`', r->run.to - p);
		if (!tick)
			break;
		p = (uint32_t)(tick - r->b.at);
		size_t m = ticks_at(r, p);
		p += (uint32_t)m;
		if (m == n) {
			add_code(r, at, p);
			return p;
		}
	}
	if (n < TICKS_MAX)
		r->no_ticks[n] = 1;
	return from;
}

/* Skips HTML comments, autolinks and tags: nothing in them is Markdown. */
static uint32_t angle(struct run_state *r, uint32_t at)
{
	uint32_t p = at + 1;

	if (!r->no_comment && r->run.to - at >= 4 && !memcmp(r->b.at + at, "<!--", 4)) {
		size_t close = text_find((struct text){r->b.at, r->run.to}, TEXT("-->"), at + 4);
		if (close == SIZE_MAX) {
			r->no_comment = true;
			return p;
		}
		add_code(r, at, (uint32_t)close + 3);
		return (uint32_t)close + 3;
	}
	if (p >= r->run.to || r->no_angle || !(is_letter(r->b.at[p]) || r->b.at[p] == '/'))
		return p;
	const char *close = memchr(r->b.at + p, '>', r->run.to - p);
	if (!close) {
		r->no_angle = true;
		return p;
	}
	/* Another < comes before the next >: this is a less-than sign, not a tag. */
	uint32_t to = (uint32_t)(close - r->b.at);
	return memchr(r->b.at + p, '<', to - p) || memchr(r->b.at + p, '[', to - p) ? p : to + 1;
}

static struct span trim(const struct run_state *r, uint32_t from, uint32_t to)
{
	while (from < to && is_space(r->b.at[from]))
		from++;
	while (to > from && is_space(r->b.at[to - 1]))
		to--;
	return (struct span){from, to};
}

/* Cuts the target at its first #. */
static void cut_fragment(const struct run_state *r, struct markdown_link *l, struct span whole)
{
	const char *hash = memchr(r->b.at + whole.from, '#', whole.to - whole.from);
	uint32_t cut = hash ? (uint32_t)(hash - r->b.at) : whole.to;

	l->target = trim(r, whole.from, cut);
	l->fragment = (struct span){cut, whole.to};
}

static bool has_embed_mark(const struct run_state *r, uint32_t at)
{
	return at > r->run.from && r->b.at[at - 1] == '!' && !(at - 1 > r->run.from && r->b.at[at - 2] == '\\');
}

/* [[target#part|shown]] on one line. Returns the position after it; 0: no wikilink. */
static uint32_t wikilink(struct run_state *r, uint32_t at)
{
	uint32_t from = at + 2, bar = 0, p = from;

	for (; p < r->run.to; p++) {
		char c = r->b.at[p];
		if (c == '\n' || c == '\r' || (c == '[' && p + 1 < r->run.to && r->b.at[p + 1] == '['))
			return 0;
		if (c == ']')
			break;
		if (c == '|' && !bar)
			bar = p;
	}
	if (p + 1 >= r->run.to || r->b.at[p] != ']' || r->b.at[p + 1] != ']' || p == from || r->b.at[from] == '[')
		return 0;
	/* In a table the bar is written as \| */
	uint32_t end = !bar ? p : bar > from && r->b.at[bar - 1] == '\\' ? bar - 1 : bar;
	struct span whole = trim(r, from, end);
	struct markdown_link l = {.form = LINK_WIKI, .is_embed = has_embed_mark(r, at)};
	l.all = (struct span){at - l.is_embed, p + 2};
	l.shown = bar ? (struct span){bar + 1, p} : (struct span){p, p};
	cut_fragment(r, &l, whole);
	if (whole.from < whole.to)
		*ARRAY_PUSH(r->s->arena, &r->s->out->links) = l;
	return p + 2;
}

/* A link's title, in quotes or parentheses. Returns the position after it; 0: none. */
static uint32_t link_title(const struct run_state *r, uint32_t p, uint32_t end)
{
	char close = r->b.at[p] == '(' ? ')' : r->b.at[p];

	if (close != '"' && close != '\'' && close != ')')
		return 0;
	for (p++; p < end; p++) {
		if (r->b.at[p] == '\\')
			p++;
		else if (r->b.at[p] == close)
			return p + 1;
	}
	return 0;
}

/* The destination that begins at p: <...> or without blanks. Returns the position after it; 0: none. */
static uint32_t destination(const struct run_state *r, uint32_t p, uint32_t end, struct span *out, bool *angled)
{
	unsigned depth = 0;

	*angled = p < end && r->b.at[p] == '<';
	if (*angled) {
		for (uint32_t q = p + 1; q < end; q++) {
			if (r->b.at[q] == '\\')
				q++;
			else if (r->b.at[q] == '\n' || r->b.at[q] == '<')
				return 0;
			else if (r->b.at[q] == '>') {
				*out = (struct span){p + 1, q};
				return q + 1;
			}
		}
		return 0;
	}
	uint32_t q = p;
	for (; q < end && !is_space(r->b.at[q]); q++) {
		if (r->b.at[q] == '\\' && q + 1 < end && is_punctuation(r->b.at[q + 1]))
			q++;
		else if (r->b.at[q] == '(' && ++depth > NESTING_MAX)
			return 0;
		else if (r->b.at[q] == ')' && !depth--)
			break;
	}
	*out = (struct span){p, q};
	return q;
}

static uint32_t skip_space(const struct run_state *r, uint32_t p, uint32_t end)
{
	while (p < end && is_space(r->b.at[p]))
		p++;
	return p;
}

/* (target "title") after the ] at `at`. Returns the position after it; 0: no link. */
static uint32_t inline_link(struct run_state *r, uint32_t open, uint32_t at)
{
	struct markdown_link l = {.form = LINK_INLINE, .is_embed = has_embed_mark(r, open)};
	struct span whole;
	uint32_t end = r->run.to, p = skip_space(r, at + 2, end);

	/* A longer target is refused. Without this limit, a missing parenthesis would cost a walk over the whole run at
	 * each bracket. */
	if (end - at > TARGET_MAX)
		end = at + TARGET_MAX;
	p = destination(r, p, end, &whole, &l.is_angled);
	if (!p)
		return 0;
	uint32_t q = skip_space(r, p, end);
	if (q < end && q > p && r->b.at[q] != ')') {
		q = link_title(r, q, end);
		q = q ? skip_space(r, q, end) : end;
	}
	if (q >= end || r->b.at[q] != ')')
		return 0;
	l.all = (struct span){open - l.is_embed, q + 1};
	l.shown = (struct span){open + 1, at};
	cut_fragment(r, &l, whole);
	if (whole.from < whole.to)
		*ARRAY_PUSH(r->s->arena, &r->s->out->links) = l;
	return q + 1;
}

/* [label]: target, on the first line of a run or after other definitions. */
static uint32_t definition(struct run_state *r, uint32_t at)
{
	uint32_t p = at;
	struct markdown_link l = {.form = LINK_DEFINITION};
	struct span whole;

	while (p < r->run.to && p - at < 4 && is_blank(r->b.at[p]))
		p++;
	const char *newline = memchr(r->b.at + p, '\n', r->run.to - p);
	uint32_t end = newline ? (uint32_t)(newline - r->b.at) : r->run.to, open = p;
	if (p >= end || r->b.at[p] != '[' || p + 1 >= end || r->b.at[p + 1] == '^' || r->b.at[p + 1] == '[')
		return 0;
	while (p < end && r->b.at[p] != ']')
		p += r->b.at[p] == '\\' ? 2 : 1;
	if (p + 1 >= end || r->b.at[p + 1] != ':' || p == open + 1)
		return 0;
	l.shown = (struct span){open + 1, p};
	p = skip_space(r, p + 2, end);
	if (p >= end || !(p = destination(r, p, end, &whole, &l.is_angled)) || whole.from == whole.to)
		return 0;
	uint32_t q = skip_space(r, p, end);
	if (q < end && (q == p || !(q = link_title(r, q, end)) || skip_space(r, q, end) < end))
		return 0;
	l.all = (struct span){open, q > p ? q : p};
	cut_fragment(r, &l, whole);
	*ARRAY_PUSH(r->s->arena, &r->s->out->links) = l;
	return newline ? end + 1 : end;
}

static bool is_tag_byte(char c)
{
	return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '/' || (unsigned char)c >= 0x80;
}

/* #tag, after a blank. Digits alone are a number, not a tag. */
static uint32_t tag(struct run_state *r, uint32_t at)
{
	uint32_t p = at + 1;
	bool has_word = false;

	if (at > r->run.from && !is_space(r->b.at[at - 1]) && r->b.at[at - 1] != '(')
		return p;
	for (; p < r->run.to && is_tag_byte(r->b.at[p]); p++)
		has_word |= !is_digit(r->b.at[p]);
	/* General punctuation in UTF-8 (dashes, quotes) ends a tag like ASCII punctuation. */
	for (uint32_t q = at + 1; q + 2 < p; q++)
		if (!memcmp(r->b.at + q, "\xe2\x80", 2))
			p = q;
	while (p > at + 1 && r->b.at[p - 1] == '/')
		p--;
	if (has_word && p > at + 1)
		*ARRAY_PUSH(r->s->arena, &r->s->out->tags) = (struct span){at, p};
	return p;
}

/* ^name at the end of the run. */
static struct span block_name(const struct run_state *r)
{
	struct span run = trim(r, r->run.from, r->run.to);
	uint32_t p = run.to;

	while (p > run.from && (is_letter(r->b.at[p - 1]) || is_digit(r->b.at[p - 1]) || r->b.at[p - 1] == '-'))
		p--;
	if (p == run.to || p == run.from || r->b.at[p - 1] != '^' || (p - 1 > run.from && !is_space(r->b.at[p - 2])))
		return (struct span){0, 0};
	return (struct span){p, run.to};
}

static uint32_t mark(struct run_state *r, uint32_t at)
{
	switch (r->b.at[at]) {
	case '\\': return at + 1 < r->run.to && is_punctuation(r->b.at[at + 1]) ? at + 2 : at + 1;
	case '`': return code_span(r, at);
	case '<': return angle(r, at);
	case '#': return tag(r, at);
	case '[': {
		uint32_t behind = at + 1 < r->run.to && r->b.at[at + 1] == '[' ? wikilink(r, at) : 0;
		if (behind)
			return behind;
		if (r->n_open == OPEN_MAX)
			memmove(r->open, r->open + 1, --r->n_open * sizeof *r->open);
		r->open[r->n_open++] = at;
		return at + 1;
	}
	default: {
		if (!r->n_open)
			return at + 1;
		uint32_t open = r->open[--r->n_open];
		uint32_t behind = at + 1 < r->run.to && r->b.at[at + 1] == '(' ? inline_link(r, open, at) : 0;
		return behind ? behind : at + 1;
	}
	}
}

struct span markdown_run(struct markdown_scan *s, struct span run, struct span previous)
{
	struct run_state r = {.s = s, .b = s->bytes, .run = run};

	for (uint32_t next; run.from < run.to && (next = definition(&r, run.from)); run.from = next)
		;
	r.run.from = run.from;
	for (uint32_t p = run.from; p < run.to;) {
		while (p < run.to && !is_mark[(unsigned char)s->bytes.at[p]])
			p++;
		if (p < run.to)
			p = mark(&r, p);
	}
	struct span name = block_name(&r), text = trim(&r, r.run.from, run.to);
	if (name.from == name.to)
		return text.from < text.to ? text : previous;
	struct span named = trim(&r, text.from, name.from - 1);
	bool alone = named.from == named.to;
	/* Ignore a name with nothing before it. */
	if (alone && previous.from == previous.to)
		return previous;
	*ARRAY_PUSH(s->arena, &s->out->blocks) = (struct markdown_block){alone ? previous : named, name};
	return alone ? previous : text;
}
