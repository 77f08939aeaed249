/* markdown.c: first the lines (fences, headings, list items, runs of text), then the content of each run
 * (markdown_inline.c). */
#include "format/markdown_inner.h"

#include "base/ascii.h"

#include <string.h>

/* Deeper lists keep the innermost known level. Only the detection of indented code depends on it. */
enum { LIST_DEPTH_MAX = 16 };

struct lines_state {
	struct markdown_scan s;
	/* The open run of text: [run, run_to). */
	bool in_run, run_is_top;
	uint32_t run, run_to;
	/* The open fence. */
	char fence;
	size_t fence_len;
	unsigned fence_quotes, fence_indent;
	uint32_t fence_from;
	/* The columns at which the text of the open list items begins. */
	unsigned lists[LIST_DEPTH_MAX];
	size_t n_lists;
	bool after_blank;
	struct span last_run; /* for a ^name on a line of its own */
};

/* One line, and where its text begins after quote marks and indentation. */
struct line {
	uint32_t from, end, next; /* end: before the line break; next: after it */
	uint32_t text;            /* the first byte that is neither indentation nor a quote mark */
	unsigned quotes, indent;  /* columns of indentation after the last quote mark */
};

static struct line line_at(struct text bytes, uint32_t from)
{
	const char *newline = memchr(bytes.at + from, '\n', bytes.len - from);
	struct line l = {.from = from, .text = from};
	unsigned column = 0;

	l.next = newline ? (uint32_t)(newline - bytes.at) + 1 : (uint32_t)bytes.len;
	l.end = newline ? l.next - 1 : l.next;
	if (l.end > l.from && bytes.at[l.end - 1] == '\r')
		l.end--;
	for (; l.text < l.end; l.text++) {
		char c = bytes.at[l.text];
		if (c == ' ') {
			column++;
		} else if (c == '\t') {
			column += 4 - column % 4;
		} else if (c == '>' && column < 4) {
			l.quotes++;
			column = 0;
			/* One blank after the mark belongs to it. */
			if (l.text + 1 < l.end && bytes.at[l.text + 1] == ' ')
				l.text++;
		} else {
			break;
		}
	}
	l.indent = column;
	return l;
}

static void end_run(struct lines_state *st)
{
	if (!st->in_run)
		return;
	st->in_run = false;
	st->last_run = markdown_run(&st->s, (struct span){st->run, st->run_to}, st->last_run);
}

static void add_code(struct lines_state *st, uint32_t from, uint32_t to)
{
	if (from < to)
		*ARRAY_PUSH(st->s.arena, &st->s.out->code) = (struct span){from, to};
}

static size_t run_of(struct text bytes, uint32_t from, uint32_t end, char c)
{
	size_t n = 0;

	while (from + n < end && bytes.at[from + n] == c)
		n++;
	return n;
}

static bool only_blanks(struct text bytes, uint32_t from, uint32_t end)
{
	while (from < end && is_blank(bytes.at[from]))
		from++;
	return from >= end;
}

/* Is the line inside the open fence? A fence also ends with the quote or list item that contains it. */
static bool in_fence(struct lines_state *st, const struct line *l)
{
	bool is_empty = l->text == l->end;

	if (l->quotes < st->fence_quotes || (!is_empty && l->indent < st->fence_indent)) {
		add_code(st, st->fence_from, l->from);
		st->fence = 0;
		return false;
	}
	size_t n = run_of(st->s.bytes, l->text, l->end, st->fence);
	if (n >= st->fence_len && l->indent < st->fence_indent + 4 &&
	    only_blanks(st->s.bytes, l->text + (uint32_t)n, l->end)) {
		add_code(st, st->fence_from, l->next);
		st->fence = 0;
	}
	return true;
}

static bool opens_fence(struct lines_state *st, const struct line *l, uint32_t text, unsigned indent)
{
	char c = text < l->end ? st->s.bytes.at[text] : 0;
	size_t n = c == '`' || c == '~' ? run_of(st->s.bytes, text, l->end, c) : 0;

	if (n < 3)
		return false;
	/* Three backticks and another on the same line are a code span. */
	if (c == '`' && memchr(st->s.bytes.at + text + n, '`', l->end - text - n))
		return false;
	end_run(st);
	st->fence = c;
	st->fence_len = n;
	st->fence_quotes = l->quotes;
	st->fence_indent = indent;
	st->fence_from = l->from;
	return true;
}

static struct span trimmed(struct text bytes, uint32_t from, uint32_t to)
{
	while (from < to && (is_blank(bytes.at[from]) || bytes.at[from] == '\r' || bytes.at[from] == '\n'))
		from++;
	while (to > from && (is_blank(bytes.at[to - 1]) || bytes.at[to - 1] == '\r' || bytes.at[to - 1] == '\n'))
		to--;
	return (struct span){from, to};
}

/* # Heading ## */
static bool is_heading(struct lines_state *st, const struct line *l)
{
	struct text b = st->s.bytes;
	size_t level = l->indent < 4 ? run_of(b, l->text, l->end, '#') : 0;
	uint32_t from = l->text + (uint32_t)level;

	if (!level || level > 6 || (from < l->end && !is_blank(b.at[from])))
		return false;
	end_run(st);
	struct span text = trimmed(b, from, l->end);
	uint32_t closing = text.to;
	while (closing > text.from && b.at[closing - 1] == '#')
		closing--;
	if (closing < text.to && (closing == text.from || is_blank(b.at[closing - 1])))
		text = trimmed(b, text.from, closing);
	if (!l->quotes && !st->n_lists)
		*ARRAY_PUSH(st->s.arena, &st->s.out->headings) =
			(struct markdown_heading){{l->from, l->next}, text, (int)level};
	size_t tags = st->s.out->tags.n;
	st->last_run = markdown_run(&st->s, (struct span){from, l->end}, st->last_run);
	st->s.out->tags.n = tags; /* a heading has no tags */
	return true;
}

/* A line of = or - below a paragraph turns it into a heading. */
static bool is_underline(struct lines_state *st, const struct line *l)
{
	struct text b = st->s.bytes;
	char c = l->text < l->end ? b.at[l->text] : 0;

	if (!st->in_run || !st->run_is_top || l->quotes || l->indent > 3 || (c != '=' && c != '-'))
		return false;
	if (!only_blanks(b, l->text + (uint32_t)run_of(b, l->text, l->end, c), l->end))
		return false;
	struct markdown_heading h = {{st->run, l->next}, trimmed(b, st->run, st->run_to), c == '=' ? 1 : 2};
	size_t tags = st->s.out->tags.n;
	end_run(st);
	st->s.out->tags.n = tags;
	*ARRAY_PUSH(st->s.arena, &st->s.out->headings) = h;
	return true;
}

/* The width of a list marker with the blank after it; 0: the line begins no list item. */
static unsigned marker_width(struct text b, const struct line *l, uint32_t at)
{
	uint32_t p = at;

	if (p < l->end && strchr("-+*", b.at[p]) && b.at[p])
		p++;
	else {
		while (p < l->end && p - at < 9 && b.at[p] >= '0' && b.at[p] <= '9')
			p++;
		if (p == at || p >= l->end || (b.at[p] != '.' && b.at[p] != ')'))
			return 0;
		p++;
	}
	if (p < l->end && !is_blank(b.at[p]))
		return 0;
	return (unsigned)(p - at) + 1;
}

static bool is_rule(struct text b, const struct line *l)
{
	char c = b.at[l->text];
	size_t n = 0;

	if (c != '-' && c != '*' && c != '_')
		return false;
	for (uint32_t i = l->text; i < l->end; i++) {
		if (b.at[i] == c)
			n++;
		else if (!is_blank(b.at[i]))
			return false;
	}
	return n >= 3;
}

/* <!-- at the start of a block may continue over blank lines. Returns where the text continues; 0: no comment. */
static uint32_t comment_block(struct lines_state *st, const struct line *l)
{
	struct text b = st->s.bytes;

	if (l->indent > 3 || l->end - l->text < 4 || memcmp(b.at + l->text, "<!--", 4) != 0)
		return 0;
	size_t close = text_find(b, TEXT("-->"), l->text + 4);
	uint32_t to = close == SIZE_MAX ? (uint32_t)b.len : (uint32_t)close + 3;
	end_run(st);
	add_code(st, l->text, to);
	return to;
}

static void add_to_run(struct lines_state *st, const struct line *l, bool starts)
{
	if (starts)
		end_run(st);
	if (!st->in_run) {
		st->in_run = true;
		st->run = l->from;
		st->run_is_top = !st->n_lists && !l->quotes;
	}
	st->run_to = l->end;
}

/* Opens and closes list items by the line's indentation. True: the line begins a new item. */
static bool follow_lists(struct lines_state *st, struct line *l)
{
	struct text b = st->s.bytes;
	bool begins = false;

	while (st->n_lists && l->indent < st->lists[st->n_lists - 1])
		st->n_lists--;
	for (;;) {
		unsigned base = st->n_lists ? st->lists[st->n_lists - 1] : 0;
		unsigned width = l->indent - base < 4 && !is_rule(b, l) ? marker_width(b, l, l->text) : 0;
		if (!width || st->n_lists == LIST_DEPTH_MAX)
			return begins;
		begins = true;
		uint32_t text = l->text + width - 1;
		unsigned indent = l->indent + width - 1, blanks = 0;
		while (text < l->end && is_blank(b.at[text])) {
			blanks += b.at[text] == '\t' ? 4 - (indent + blanks) % 4 : 1;
			text++;
		}
		/* With five or more blanks after a marker, one belongs to the marker and the rest indents code. */
		if (blanks > 4 || text == l->end)
			blanks = 1;
		st->lists[st->n_lists++] = indent + blanks;
		l->indent = indent + blanks;
		l->text = text;
		if (text >= l->end)
			return true;
	}
}

static uint32_t take_line(struct lines_state *st, uint32_t at)
{
	struct text b = st->s.bytes;
	struct line l = line_at(b, at);

	if (st->fence && in_fence(st, &l))
		return l.next;
	if (l.text == l.end) {
		end_run(st);
		st->after_blank = true;
		return l.next;
	}
	unsigned base = st->n_lists ? st->lists[st->n_lists - 1] : 0;
	bool lazy = st->in_run && !st->after_blank && l.indent < base && !marker_width(b, &l, l.text);
	bool begins = false;
	if (!lazy || is_rule(b, &l) || b.at[l.text] == '#' || b.at[l.text] == '`' || b.at[l.text] == '~')
		begins = follow_lists(st, &l);
	st->after_blank = false;
	if (l.text == l.end) {
		add_to_run(st, &l, begins);
		return l.next;
	}
	base = st->n_lists ? st->lists[st->n_lists - 1] : 0;
	unsigned indent = l.indent > base ? l.indent - base : 0;
	if (indent >= 4 && (!st->in_run || begins)) {
		end_run(st);
		add_code(st, l.from, l.next);
		return l.next;
	}
	if (indent < 4 && opens_fence(st, &l, l.text, base))
		return l.next;
	if (is_underline(st, &l) || is_heading(st, &l))
		return l.next;
	if (is_rule(b, &l) && indent < 4) {
		end_run(st);
		return l.next;
	}
	uint32_t behind = comment_block(st, &l);
	if (behind)
		return behind;
	add_to_run(st, &l, begins);
	return l.next;
}

void markdown_scan(struct arena *a, struct text bytes, size_t from, struct markdown *out)
{
	struct lines_state st = {.s = {.arena = a, .bytes = bytes, .out = out}};

	*out = (struct markdown){0};
	for (uint32_t at = (uint32_t)from; at < bytes.len;)
		at = take_line(&st, at);
	end_run(&st);
	if (st.fence)
		add_code(&st, st.fence_from, (uint32_t)bytes.len);
}

struct text span_text(struct text bytes, struct span s) { return (struct text){bytes.at + s.from, s.to - s.from}; }
