#include "kinds/docx/surgeon/markup.h"

#include "base/ascii.h"
#include "base/buffer.h"
#include "base/utf8.h"
#include "kinds/docx/surgeon/runes.h"

#include <stdlib.h>
#include <string.h>

enum markup_tag {
	MARK_BOLD,
	MARK_ITALIC,
	MARK_UNDERLINE,
	MARK_HIGHLIGHT,
	MARK_FONT,
	MARK_HEADER,
	MARK_DEFINITION,
	MARK_LINK
};

static const struct {
	const char *name;
	enum markup_tag tag;
	const char *code;
} tags[] = {
	{"b", MARK_BOLD, "UNBALANCED_BOLD_TAGS"},
	{"i", MARK_ITALIC, "UNBALANCED_ITALIC_TAGS"},
	{"u", MARK_UNDERLINE, "UNBALANCED_UNDERLINE_TAGS"},
	{"highlight", MARK_HIGHLIGHT, "UNBALANCED_HIGHLIGHT_TAGS"},
	{"highlighting", MARK_HIGHLIGHT, "UNBALANCED_HIGHLIGHT_TAGS"},
	{"font", MARK_FONT, "UNBALANCED_FONT_TAGS"},
	{"header", MARK_HEADER, "UNBALANCED_HEADER_TAGS"},
	{"RunInHeader", MARK_HEADER, "UNBALANCED_HEADER_TAGS"},
	{"definition", MARK_DEFINITION, "UNBALANCED_DEFINITION_TAGS"},
	{"a", MARK_LINK, NULL},
};

enum { OPEN_MAX = 64 };

struct open_tag {
	size_t row;
	struct look look; /* inside it */
	enum role role;
};

struct scan {
	struct call *c;
	struct text rest;
	struct buffer text;
	ARRAY(struct segment) segments;
	struct open_tag open[OPEN_MAX];
	size_t depth;
	uint32_t n; /* code points so far */
	bool has_highlight;
};

/* The length of the tag at the start of the rest; 0: none. */
static size_t tag_here(struct text t, size_t *row, bool *closes, struct text *attributes)
{
	if (t.len < 3 || t.at[0] != '<')
		return 0;
	*closes = t.at[1] == '/';
	size_t from = 1 + *closes, to = from;
	while (to < t.len && is_letter(t.at[to]))
		to++;
	struct text name = text_slice(t, from, to);
	for (*row = 0; *row < ARRAY_COUNT(tags) && !text_is(name, tags[*row].name);)
		++*row;
	if (*row == ARRAY_COUNT(tags) || to >= t.len || (t.at[to] != '>' && t.at[to] != ' '))
		return 0;
	enum markup_tag tag = tags[*row].tag;
	/* Only some tags have attributes: "<b and c>" is text. */
	if (t.at[to] == ' ' && (*closes || (tag != MARK_FONT && tag != MARK_LINK && tag != MARK_HIGHLIGHT)))
		return 0;
	const char *end = memchr(t.at + to, '>', t.len - to);
	if (!end)
		return 0;
	*attributes = (struct text){t.at + to, (size_t)(end - t.at) - to};
	return (size_t)(end - t.at) + 1;
}

static bool is_hex(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (!strchr("0123456789abcdefABCDEF", t.at[i]))
			return false;
	return t.len == 6;
}

static bool font_attribute(struct call *c, struct text name, struct text value, struct look *l)
{
	char digits[16] = "";

	if (text_is(name, "color")) {
		struct text hex = text_starts(value, "#") ? text_slice(value, 1, value.len) : value;
		if (!is_hex(hex) && !text_is(hex, "auto"))
			return fail(
				c, FAULT_ARGUMENT,
				"font color %s is not a colour; write six hexadecimal digits such as FF0000, or auto",
				shown(c, value));
		struct text upper = text_copy(c->arena, hex);
		for (size_t i = 0; i < upper.len && upper.len == 6; i++)
			((char *)upper.at)[i] -= upper.at[i] >= 'a' ? 32 : 0;
		l->color = upper;
		return true;
	}
	if (text_is(name, "size")) {
		char *end = digits;
		memcpy(digits, value.at, value.len < 15 ? value.len : 15);
		double points = strtod(digits, &end);
		if (end == digits || (*end && strcmp(end, "pt") != 0) || !(points >= 1) || points > 1638)
			return fail(c, FAULT_ARGUMENT,
				    "font size %s is not a size; write points from 1 to 1638, such as 10.5",
				    shown(c, value));
		l->half_points = (uint32_t)(points * 2 + 0.5);
		return true;
	}
	if (text_is(name, "face") && value.len && value.len < 128) {
		l->face = value;
		return true;
	}
	return fail(c, FAULT_ARGUMENT, "<font> has no attribute %s; it takes color, size and face", shown(c, name));
}

static bool attributes_of(struct scan *s, enum markup_tag tag, struct text t, struct look *l)
{
	size_t i = 0;

	while (i < t.len) {
		while (i < t.len && t.at[i] == ' ')
			i++;
		size_t from = i;
		while (i < t.len && t.at[i] != '=' && t.at[i] != ' ')
			i++;
		struct text name = text_slice(t, from, i), value = TEXT("");
		if (!name.len)
			break;
		if (i < t.len && t.at[i] == '=') {
			char quote = ++i < t.len && (t.at[i] == '"' || t.at[i] == '\'') ? t.at[i++] : ' ';
			for (from = i; i < t.len && t.at[i] != quote;)
				i++;
			value = text_slice(t, from, i);
			i += i < t.len;
		}
		if (tag == MARK_FONT && !font_attribute(s->c, name, value, l))
			return false;
		if (tag == MARK_HIGHLIGHT && text_is(name, "color")) {
			static const char *const colors[] = {
				"yellow",   "green",     "cyan",      "magenta",     "blue",    "red",
				"darkBlue", "darkCyan",  "darkGreen", "darkMagenta", "darkRed", "darkYellow",
				"darkGray", "lightGray", "black",     "white",       NULL};
			size_t k = 0;
			while (colors[k] && !text_is(value, colors[k]))
				k++;
			if (!colors[k])
				return fail(s->c, FAULT_ARGUMENT,
					    "Word has no highlight colour %s; use yellow or another of its sixteen",
					    shown(s->c, value));
			l->highlight = value;
		}
	}
	return true;
}

static bool opens(struct scan *s, size_t row, struct text attributes)
{
	struct open_tag next = s->depth ? s->open[s->depth - 1] : (struct open_tag){0};

	if (s->depth == OPEN_MAX)
		return fail_as(s->c, tags[row].code, "more than %d tags are open at once; close some", (int)OPEN_MAX);
	next.row = row;
	switch (tags[row].tag) {
	case MARK_BOLD: next.look.bold = MAYBE_ON; break;
	case MARK_ITALIC: next.look.italic = MAYBE_ON; break;
	case MARK_UNDERLINE: next.look.underline = TEXT("single"); break;
	case MARK_HIGHLIGHT:
		next.look.highlight = TEXT("yellow");
		s->has_highlight = true;
		break;
	case MARK_HEADER: next.role = ROLE_HEADER; break;
	case MARK_DEFINITION: next.role = ROLE_DEFINITION; break;
	case MARK_FONT:
	case MARK_LINK: break;
	}
	if (!attributes_of(s, tags[row].tag, attributes, &next.look))
		return false;
	s->open[s->depth++] = next;
	return true;
}

static bool closes(struct scan *s, size_t row)
{
	if (!s->depth)
		return fail_as(s->c, tags[row].code, "</%s> closes nothing; write <%s> before it, or leave it out",
			       tags[row].name, tags[row].name);
	size_t inner = s->open[s->depth - 1].row;
	if (tags[inner].tag != tags[row].tag)
		return fail_as(s->c, tags[inner].code, "</%s> is inside <%s>; close <%s> first", tags[row].name,
			       tags[inner].name, tags[inner].name);
	s->depth--;
	return true;
}

static void take_text(struct scan *s, size_t len)
{
	struct open_tag now = s->depth ? s->open[s->depth - 1] : (struct open_tag){0};
	struct text t = text_slice(s->rest, 0, len);
	uint32_t count = (uint32_t)utf8_count(t);
	struct segment *last = s->segments.n ? &s->segments.items[s->segments.n - 1] : NULL;

	buffer_add(&s->text, t);
	if (last && last->role == now.role && look_same(&last->look, &now.look))
		last->to += count;
	else if (count)
		*ARRAY_PUSH(s->c->arena, &s->segments) = (struct segment){s->n, s->n + count, now.look, now.role};
	s->n += count;
	s->rest = text_slice(s->rest, len, s->rest.len);
}

bool markup_read(struct call *c, struct text t, struct markup *out)
{
	struct scan s = {.c = c, .rest = t, .text = {.arena = c->arena}};

	while (s.rest.len) {
		size_t row = 0, length;
		bool is_end = false;
		struct text attributes = TEXT("");
		length = tag_here(s.rest, &row, &is_end, &attributes);
		if (!length) {
			const char *next = memchr(s.rest.at + 1, '<', s.rest.len - 1);
			take_text(&s, next ? (size_t)(next - s.rest.at) : s.rest.len);
			continue;
		}
		/* A link's tags are not written, so they need not be balanced. */
		if (tags[row].tag != MARK_LINK && !(is_end ? closes(&s, row) : opens(&s, row, attributes)))
			return false;
		s.rest = text_slice(s.rest, length, s.rest.len);
	}
	if (s.depth) {
		size_t row = s.open[s.depth - 1].row;
		return fail_as(c, tags[row].code, "<%s> is not closed; write </%s> after the text it marks",
			       tags[row].name, tags[row].name);
	}
	*out = (struct markup){buffer_text(&s.text), s.segments.items, s.segments.n, s.has_highlight};
	return true;
}

static void change(struct arena *a, struct markup *m, uint32_t from, uint32_t to,
		   void (*apply)(struct segment *, const void *), const void *with)
{
	ARRAY(struct segment) list = {0};

	for (size_t i = 0; i < m->n; i++) {
		struct segment s = m->segments[i];
		uint32_t left = s.from > from ? s.from : from, right = s.to < to ? s.to : to;
		if (left >= right) {
			*ARRAY_PUSH(a, &list) = s;
			continue;
		}
		struct segment middle = s;
		middle.from = left;
		middle.to = right;
		apply(&middle, with);
		if (s.from < left)
			*ARRAY_PUSH(a, &list) = (struct segment){s.from, left, s.look, s.role};
		*ARRAY_PUSH(a, &list) = middle;
		if (right < s.to)
			*ARRAY_PUSH(a, &list) = (struct segment){right, s.to, s.look, s.role};
	}
	m->segments = list.items;
	m->n = list.n;
}

static void set_look(struct segment *s, const void *look)
{
	/* The caller's look takes precedence over that of a role. */
	struct look own = s->look;

	s->look = *(const struct look *)look;
	look_add(&s->look, &own);
}

static void set_role(struct segment *s, const void *role) { s->role = *(const enum role *)role; }

void markup_add_look(struct arena *a, struct markup *m, uint32_t from, uint32_t to, const struct look *look)
{
	change(a, m, from, to, set_look, look);
}

void markup_add_role(struct arena *a, struct markup *m, uint32_t from, uint32_t to, enum role role)
{
	change(a, m, from, to, set_role, &role);
}

const struct segment *markup_at(const struct markup *m, uint32_t offset)
{
	for (size_t i = 0; i < m->n; i++)
		if (offset < m->segments[i].to)
			return &m->segments[i];
	return NULL;
}

void markup_splice(struct arena *a, struct markup *m, uint32_t from, uint32_t to, struct text with)
{
	struct runes r = runes_of(a, m->text);
	uint32_t count = (uint32_t)utf8_count(with);
	struct buffer text = {.arena = a};
	ARRAY(struct segment) list = {0};
	const struct segment *model = from < to || !from ? markup_at(m, from) : markup_at(m, from - 1);
	struct segment added = {from, from + count, model ? model->look : (struct look){0},
				model ? model->role : ROLE_NONE};

	buffer_add(&text, runes_slice(&r, 0, from));
	buffer_add(&text, with);
	buffer_add(&text, runes_slice(&r, to, r.n));
	for (size_t i = 0; i < m->n; i++) {
		struct segment s = m->segments[i];
		if (s.from < from)
			*ARRAY_PUSH(a, &list) = (struct segment){s.from, s.to < from ? s.to : from, s.look, s.role};
	}
	if (count)
		*ARRAY_PUSH(a, &list) = added;
	for (size_t i = 0; i < m->n; i++) {
		struct segment s = m->segments[i];
		if (s.to > to)
			*ARRAY_PUSH(a, &list) = (struct segment){(s.from > to ? s.from : to) - to + from + count,
								 s.to - to + from + count, s.look, s.role};
	}
	m->text = buffer_text(&text);
	m->segments = list.items;
	m->n = list.n;
}

struct markup markup_slice(struct arena *a, const struct markup *m, const struct runes *r, uint32_t from, uint32_t to)
{
	ARRAY(struct segment) list = {0};

	for (size_t i = 0; i < m->n; i++) {
		struct segment s = m->segments[i];
		uint32_t left = s.from > from ? s.from : from, right = s.to < to ? s.to : to;
		if (left < right)
			*ARRAY_PUSH(a, &list) = (struct segment){left - from, right - from, s.look, s.role};
	}
	return (struct markup){runes_slice(r, from, to), list.items, list.n, m->has_highlight};
}
