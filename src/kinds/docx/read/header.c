#include "kinds/docx/read/header.h"

#include "base/ascii.h"
#include "base/utf8.h"

#include <string.h>

enum { HEADER_MAX = 80 }; /* characters: a header is short */

static bool is_roman(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (!strchr("ivxlcdmIVXLCDM", t.at[i]))
			return false;
	return t.len > 0;
}

/* Length of (a), (12) or (iv), or 0. */
static size_t bracketed(struct text t, enum label_type *type)
{
	size_t i = 1;

	if (t.len < 3 || t.at[0] != '(')
		return 0;
	while (i < t.len && i <= 6 && (is_digit(t.at[i]) || is_letter(t.at[i])))
		i++;
	if (i == 1 || i >= t.len || t.at[i] != ')')
		return 0;
	struct text inner = text_slice(t, 1, i);
	bool digits = true, letters = true;
	for (size_t k = 0; k < inner.len; k++) {
		digits = digits && is_digit(inner.at[k]);
		letters = letters && inner.at[k] == inner.at[0] && is_letter(inner.at[k]);
	}
	if (digits && inner.len <= 3)
		*type = LABEL_NUMBER;
	else if (inner.len == 1 || (letters && inner.len == 2 && !is_roman(inner)))
		*type = LABEL_LETTER;
	else if (is_roman(inner))
		*type = LABEL_ROMAN;
	else
		return 0;
	return i + 1;
}

/* 1.1, 2.3.1., 4.2(a)(i); a single number only with its point: 7. */
static size_t dotted(struct text t, bool may_be_bare)
{
	size_t i = 0, points = 0;
	enum label_type ignored;

	while (i < t.len && is_digit(t.at[i])) {
		size_t from = i;
		while (i < t.len && is_digit(t.at[i]))
			i++;
		if (i - from > 3)
			return 0;
		if (i + 1 < t.len && t.at[i] == '.' && is_digit(t.at[i + 1])) {
			points++;
			i++;
		}
	}
	if (!i)
		return 0;
	if (i < t.len && t.at[i] == '.') {
		points++;
		i++;
	}
	if (!points && !may_be_bare)
		return 0;
	for (size_t n; (n = bracketed(text_slice(t, i, t.len), &ignored));)
		i += n;
	return i;
}

static size_t roman_number(struct text t)
{
	size_t i = 0;

	while (i < t.len && strchr("IVXLC", t.at[i]) && t.at[i])
		i++;
	return i <= 8 ? i : 0;
}

static bool is_wide_blank(uint32_t c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F ||
	       c == 0x3000;
}

static uint32_t skip_blanks(struct text t, uint32_t at)
{
	while (at < t.len) {
		size_t next = at;
		uint32_t c = utf8_next(t, &next);
		if (!is_wide_blank(c))
			break;
		at = (uint32_t)next;
	}
	return at;
}

size_t typed_label(struct text t, struct text *label, enum label_type *type)
{
	static const struct {
		const char *word;
		enum label_type type;
	} words[] = {{"Section", LABEL_SECTION},
		     {"SECTION", LABEL_SECTION},
		     {"Article", LABEL_ARTICLE},
		     {"ARTICLE", LABEL_ARTICLE}};
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_COUNT(words) && !n; i++) {
		if (!text_starts(t, words[i].word))
			continue;
		size_t from = skip_blanks(t, (uint32_t)strlen(words[i].word));
		if (from == strlen(words[i].word))
			continue;
		struct text rest = text_slice(t, from, t.len);
		n = dotted(rest, true);
		if (!n)
			n = roman_number(rest);
		if (n && from + n < t.len && t.at[from + n] == '.')
			n++;
		if (!n)
			return 0;
		n += from;
		*type = words[i].type;
	}
	if (!n && (n = dotted(t, false)))
		*type = LABEL_NUMBER;
	if (!n)
		n = bracketed(t, type);
	/* A label must be followed by white space and text. */
	size_t end = n ? skip_blanks(t, (uint32_t)n) : 0;
	if (end == n || end == t.len)
		return 0;
	*label = text_slice(t, 0, n);
	return end;
}

static uint32_t last_character(struct text t, size_t *at)
{
	size_t i = t.len;

	while (i && ((unsigned char)t.at[--i] & 0xC0) == 0x80)
		;
	*at = i;
	size_t next = i;
	return t.len ? utf8_next(t, &next) : 0;
}

static bool is_quote(uint32_t c)
{
	return c == '"' || c == '\'' || (c >= 0x2018 && c <= 0x201F) || c == 0xAB || c == 0xBB;
}

static bool is_terminator(uint32_t c) { return c == '.' || c == ':' || c == '-' || c == 0x2013 || c == 0x2014; }

static struct text trimmed(struct text t)
{
	uint32_t from = skip_blanks(t, 0);
	size_t at;

	t = text_slice(t, from, t.len);
	while (t.len && is_wide_blank(last_character(t, &at)))
		t.len = at;
	return t;
}

/* Removes quotes on both sides; the terminator may be inside or outside them. */
static struct text bare(struct text t)
{
	size_t at;

	for (int round = 0; round < 4 && t.len; round++) {
		uint32_t c = last_character(t, &at);
		if (!is_quote(c) && (!is_terminator(c) || round == 3))
			break;
		t.len = at;
	}
	t = trimmed(t);
	size_t next = 0;
	if (t.len && is_quote(utf8_next(t, &next)))
		t = text_slice(t, next, t.len);
	return trimmed(t);
}

static bool stands_out(const struct row_run *r) { return r->look.on & (1 << TOGGLE_BOLD | 1 << TOGGLE_UNDERLINE); }

/* The end of the bold or underlined text from `from` on, including white space inside it. */
static uint32_t outstanding(const struct row *r, uint32_t from)
{
	uint32_t end = from;

	for (size_t i = 0; i < r->runs_n; i++) {
		const struct row_run *run = &r->runs[i];
		if (run->to <= from)
			continue;
		uint32_t at = run->from < from ? from : run->from;
		bool is_blank = skip_blanks(text_slice(r->all, 0, run->to), at) >= run->to;
		if (!stands_out(run) && !is_blank)
			break;
		if (stands_out(run))
			end = run->to;
	}
	return end;
}

static void take(struct row *r, uint32_t from, uint32_t to, struct text header)
{
	uint32_t rest = skip_blanks(r->all, to);

	if (rest >= r->all.len || !header.len || utf8_count(header) > HEADER_MAX)
		return;
	r->header = header;
	r->header_from = from;
	r->header_to = to;
	r->body = rest;
	for (size_t i = 0; i < r->runs_n; i++) {
		if (r->runs[i].to <= from)
			continue;
		r->header_bold = r->runs[i].look.on & 1 << TOGGLE_BOLD;
		r->header_italic = r->runs[i].look.on & 1 << TOGGLE_ITALIC;
		r->header_underline = r->runs[i].look.on & 1 << TOGGLE_UNDERLINE;
		break;
	}
}

static void by_look(struct row *r, uint32_t from)
{
	uint32_t end = outstanding(r, from), behind;
	size_t at, next;

	if (end <= from)
		return;
	struct text span = trimmed(text_slice(r->all, from, end));
	if (!span.len)
		return;
	end = (uint32_t)(span.at + span.len - r->all.at);
	struct text inner = span;
	while (inner.len && is_quote(last_character(inner, &at)))
		inner.len = at;
	bool ends = inner.len && is_terminator(last_character(inner, &at));
	behind = end;
	if (!ends && behind < r->all.len) {
		/* The words are emphasised, but the point after them is not. */
		next = behind;
		uint32_t c = utf8_next(r->all, &next);
		if (is_quote(c) && next < r->all.len) {
			size_t more = next;
			uint32_t d = utf8_next(r->all, &more);
			if (d == '.' || d == ':') {
				c = d;
				next = more;
			}
		}
		if (c == '.' || c == ':') {
			ends = true;
			end = (uint32_t)next;
		}
	} else if (ends && behind < r->all.len) {
		next = behind;
		if (is_quote(utf8_next(r->all, &next)))
			end = (uint32_t)next;
	}
	if (ends)
		take(r, from, end, bare(span));
}

/* Words in capitals, followed by a point or colon and more text. */
static void by_capitals(struct row *r, uint32_t from)
{
	size_t letters = 0, i = from;

	for (; i < r->all.len && i - from <= HEADER_MAX; i++) {
		char c = r->all.at[i];
		if (c >= 'A' && c <= 'Z')
			letters++;
		else if ((c == '.' || c == ':') && letters >= 4 && i + 1 < r->all.len && is_blank(r->all.at[i + 1]))
			break;
		else if (!is_blank(c) && !is_digit(c) && !strchr(",&'()/-", c))
			return;
	}
	if (i >= r->all.len || i - from > HEADER_MAX)
		return;
	take(r, from, (uint32_t)i + 1, trimmed(text_slice(r->all, from, i)));
}

void header_find(struct row *r)
{
	uint32_t from = skip_blanks(r->all, r->body);

	r->header = TEXT("");
	by_look(r, from);
	if (!r->header.len)
		by_capitals(r, from);
}

bool header_is_whole(const struct row *r)
{
	uint32_t from = skip_blanks(r->all, r->body);
	struct text t = bare(text_slice(r->all, from, r->all.len)); /* the point after the words may be plain */
	uint32_t end = t.len ? (uint32_t)(t.at + t.len - r->all.at) : from;
	bool has_capital = false, has_small = false;

	for (size_t i = 0; i < t.len; i++) {
		has_capital |= t.at[i] >= 'A' && t.at[i] <= 'Z';
		has_small |= t.at[i] >= 'a' && t.at[i] <= 'z';
	}
	return t.len && utf8_count(t) <= HEADER_MAX && (outstanding(r, from) >= end || (has_capital && !has_small));
}
