#include "kinds/hnpx/bible/bible.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/digest.h"
#include "base/utf8.h"
#include "kinds/hnpx/prose/loose.h"
#include "kinds/hnpx/tree/reading.h"

const char *const bible_sections[SECTIONS + 1] = {"Characters", "Places", "Things", "Rules", NULL};
const char *const evidence_names[] = {"none", "unchecked", "holds", "changed", "gone"};

static bool is_blank_byte(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static bool same_loosely(struct arena *a, struct text x, struct text y)
{
	return text_same(loose_text(a, text_trim(x)), loose_text(a, text_trim(y)));
}

/* Replaces each run of blanks and line ends by one blank. */
static struct text on_one_line(struct arena *a, struct text t)
{
	struct buffer out = {.arena = a};

	t = text_trim(t);
	for (size_t i = 0; i < t.len; i++) {
		bool blank = is_blank_byte(t.at[i]);
		if (!blank || !is_blank_byte(t.at[i - 1]))
			buffer_byte(&out, blank ? ' ' : t.at[i]);
	}
	return buffer_text(&out);
}

/* A heading without emphasis marks around it. */
static struct text plain_name(struct text t)
{
	t = text_trim(t);
	while (t.len > 1 && (t.at[0] == '*' || t.at[0] == '_') && t.at[t.len - 1] == t.at[0])
		t = text_trim(text_slice(t, 1, t.len - 1));
	return t;
}

struct line {
	uint32_t from, to, next; /* without the line end; `next` is the start of the next line */
};

static struct line line_at(struct text bytes, uint32_t at)
{
	struct line l = {at, at, at};

	while (l.next < bytes.len && bytes.at[l.next] != '\n')
		l.next++;
	l.to = l.next;
	if (l.to > l.from && bytes.at[l.to - 1] == '\r')
		l.to--;
	l.next += l.next < bytes.len;
	return l;
}

/* Where the words of a list item begin; 0 if the line is not an item. "* * *" and "---" are rules, not items. */
static uint32_t item_words(struct text bytes, struct line l)
{
	uint32_t at = l.from, marks = 0;
	bool is_rule = true;

	while (at < l.to && (bytes.at[at] == ' ' || bytes.at[at] == '\t'))
		at++;
	for (uint32_t i = at; i < l.to; i++) {
		char c = bytes.at[i];
		is_rule &= is_blank_byte(c) || (c == bytes.at[at] && (c == '-' || c == '*' || c == '_'));
		marks += !is_blank_byte(c);
	}
	if (at == l.to || (is_rule && marks >= 3))
		return 0;
	uint32_t mark = at;
	while (at < l.to && bytes.at[at] >= '0' && bytes.at[at] <= '9' && at - mark < 9)
		at++;
	bool is_item = at > mark ? at < l.to && (bytes.at[at] == '.' || bytes.at[at] == ')')
				 : bytes.at[at] == '-' || bytes.at[at] == '*' || bytes.at[at] == '+';
	at++;
	if (!is_item || (at < l.to && bytes.at[at] != ' ' && bytes.at[at] != '\t'))
		return 0;
	while (at < l.to && (bytes.at[at] == ' ' || bytes.at[at] == '\t'))
		at++;
	return at;
}

static bool is_id_byte(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/* The brackets at the end of an item: [fxs2di] or [fxs2di:k4f2], with or without a full stop after them. */
static void read_evidence(struct text bytes, uint32_t from, uint32_t to, struct bible_fact *f)
{
	while (to > from && is_blank_byte(bytes.at[to - 1]))
		to--;
	f->words_to = to;
	if (to - from > 1 && bytes.at[to - 1] == '.' && bytes.at[to - 2] == ']')
		to--;
	uint32_t open = to;
	if (to == from || bytes.at[to - 1] != ']')
		return;
	while (open > from && bytes.at[open - 1] != '[' && to - open < ID_LEN + BIBLE_CHECK_LEN + 3)
		open--;
	if (open == from || bytes.at[open - 1] != '[')
		return;
	struct text in = text_slice(bytes, open, to - 1);
	struct text check = text_slice(in, ID_LEN + 1, in.len);
	bool has_check = in.len == ID_LEN + 1 + BIBLE_CHECK_LEN && in.at[ID_LEN] == ':';
	for (size_t i = 0; has_check && i < check.len; i++)
		has_check = is_id_byte(check.at[i]);
	if (!id_pack(text_slice(in, 0, has_check ? ID_LEN : in.len), &f->id)) {
		f->id = BOOK_NONE;
		return;
	}
	if (has_check)
		f->check = check;
	f->evidence = (struct span){open - 1, to};
	for (f->words_to = open - 1; f->words_to > from && is_blank_byte(bytes.at[f->words_to - 1]);)
		f->words_to--;
}

/* The start of the words after "Aliases:", which may be bold and in the singular; 0 for any other line. */
static uint32_t alias_words(struct arena *a, struct text bytes, struct line l)
{
	static const char *const words[] = {"aliases:",   "alias:",       "**aliases:**",
					    "**alias:**", "**aliases**:", "**alias**:"};

	for (size_t i = 0; i < ARRAY_COUNT(words); i++) {
		size_t len = text_of(words[i]).len;
		struct text start = text_slice(bytes, l.from, l.from + len < l.to ? l.from + len : l.to);
		if (start.len == len && same_loosely(a, start, text_of(words[i])))
			return l.from + (uint32_t)len;
	}
	return 0;
}

static struct texts aliases_of(struct arena *a, struct text list)
{
	ARRAY(struct text) found = {0};

	for (size_t from = 0; from <= list.len;) {
		size_t comma = text_find(list, TEXT(","), from);
		comma = comma == SIZE_MAX ? list.len : comma;
		struct text one = text_trim(text_slice(list, from, comma));
		if (one.len)
			*ARRAY_PUSH(a, &found) = one;
		from = comma + 1;
	}
	return (struct texts){found.items, found.n};
}

static int by_place(const void *x, const void *y)
{
	const struct span *a = x, *b = y;

	return a->from < b->from ? -1 : a->from > b->from;
}

/* Lines are checked in order, so one moving index is enough. */
static bool is_hidden(const struct bible *b, size_t *at, uint32_t line)
{
	while (*at < b->comments.n && b->comments.items[*at].to <= line)
		++*at;
	return *at < b->comments.n && b->comments.items[*at].from <= line;
}

static void read_entry(struct arena *a, struct bible *b, struct bible_entry *e)
{
	uint32_t at = e->heading.to;
	size_t hidden = 0;

	e->first_fact = (uint32_t)b->facts.n;
	while (at < e->all.to) {
		struct line l = line_at(b->bytes, at);
		at = l.next;
		if (is_hidden(b, &hidden, l.from))
			continue;
		uint32_t words = e->alias_line.to ? 0 : alias_words(a, b->bytes, l);
		if (words) {
			e->alias_line = (struct span){l.from, l.next};
			e->alias_list = (struct span){words, l.to};
			e->aliases = aliases_of(a, text_slice(b->bytes, words, l.to));
			continue;
		}
		words = item_words(b->bytes, l);
		if (!words)
			continue;
		struct bible_fact f = {.lines = {l.from, l.next}, .id = BOOK_NONE};
		uint32_t end = l.to;
		while (at < e->all.to) { /* continuation lines of the item */
			struct line more = line_at(b->bytes, at);
			struct text words_more = text_trim(text_slice(b->bytes, more.from, more.to));
			if (!words_more.len || words_more.at[0] == '#' || item_words(b->bytes, more) ||
			    is_hidden(b, &hidden, more.from))
				break;
			f.lines.to = at = more.next;
			end = more.to;
		}
		read_evidence(b->bytes, words, end, &f);
		f.text = on_one_line(a, text_slice(b->bytes, words, f.words_to));
		if (f.text.len)
			*ARRAY_PUSH(a, &b->facts) = f;
	}
	e->facts = (uint32_t)b->facts.n - e->first_fact;
}

static int known_section(struct arena *a, struct text name)
{
	for (int i = 0; i < SECTIONS; i++)
		if (same_loosely(a, name, text_of(bible_sections[i])))
			return i;
	return -1;
}

static void end_at(struct span *s, uint32_t at)
{
	if (!s->to)
		s->to = at;
}

static void read_headings(struct arena *a, struct bible *b, const struct markdown *m)
{
	struct bible_section *section = NULL;
	struct bible_entry *entry = NULL;

	for (size_t i = 0; i < m->headings.n; i++) {
		const struct markdown_heading *h = &m->headings.items[i];
		struct text name = plain_name(span_text(b->bytes, h->text));
		int known = h->level <= 2 ? known_section(a, name) : -1, top = section ? section->level : 1;
		bool is_section = known >= 0 || h->level <= top;
		if (!name.len || (!is_section && h->level != top + 1))
			continue;
		if (entry)
			end_at(&entry->all, h->lines.from);
		entry = NULL;
		if (is_section) {
			if (section)
				end_at(&section->all, h->lines.from);
			section = ARRAY_PUSH(a, &b->sections);
			*section = (struct bible_section){name, {h->lines.from, 0}, h->lines, h->level, known};
			continue;
		}
		entry = ARRAY_PUSH(a, &b->entries);
		*entry = (struct bible_entry){.name = name,
					      .section = section ? (uint32_t)b->sections.n - 1 : BIBLE_NONE,
					      .all = {h->lines.from, 0},
					      .heading = h->lines,
					      .title = h->text};
	}
	if (section)
		end_at(&section->all, (uint32_t)b->bytes.len);
	if (entry)
		end_at(&entry->all, (uint32_t)b->bytes.len);
}

struct bible *bible_read(struct arena *a, struct text bytes)
{
	struct bible *b = arena_new(a, struct bible);
	struct markdown m = {0};
	size_t end = text_find(bytes, TEXT("\n"), 0);

	b->bytes = bytes;
	b->newline = end != SIZE_MAX && end && bytes.at[end - 1] == '\r' ? TEXT("\r\n") : TEXT("\n");
	markdown_scan(a, bytes, text_starts(bytes, "\xef\xbb\xbf") ? 3 : 0, &m);
	b->comments.items = m.code.items;
	b->comments.n = m.code.n;
	if (m.code.n)
		array_sort(m.code.items, m.code.n, sizeof *m.code.items, by_place);
	read_headings(a, b, &m);
	for (size_t i = 0; i < b->entries.n; i++)
		read_entry(a, b, &b->entries.items[i]);
	return b;
}

uint32_t bible_section_named(struct arena *a, const struct bible *b, struct text name)
{
	for (size_t i = 0; i < b->sections.n; i++)
		if (same_loosely(a, b->sections.items[i].name, name))
			return (uint32_t)i;
	return BIBLE_NONE;
}

static bool is_in(struct arena *a, const struct bible *b, const struct bible_entry *e, struct text section)
{
	return !section.at ||
	       (e->section != BIBLE_NONE && same_loosely(a, b->sections.items[e->section].name, section));
}

uint32_t bible_find(struct arena *a, const struct bible *b, struct text section, struct text name)
{
	struct text wanted = loose_text(a, text_trim(name));

	for (size_t i = 0; i < b->entries.n; i++)
		if (is_in(a, b, &b->entries.items[i], section) &&
		    text_same(loose_text(a, b->entries.items[i].name), wanted))
			return (uint32_t)i;
	for (size_t i = 0; i < b->entries.n; i++)
		for (size_t k = 0; k < b->entries.items[i].aliases.n; k++)
			if (is_in(a, b, &b->entries.items[i], section) &&
			    text_same(loose_text(a, b->entries.items[i].aliases.items[k]), wanted))
				return (uint32_t)i;
	return BIBLE_NONE;
}

uint32_t bible_fact_said(struct arena *a, const struct bible *b, const struct bible_entry *e, struct text words)
{
	struct text wanted = loose_text(a, on_one_line(a, words));

	for (uint32_t i = e->first_fact; i < e->first_fact + e->facts; i++)
		if (text_same(loose_text(a, b->facts.items[i].text), wanted))
			return i;
	return BIBLE_NONE;
}

struct text bible_prose(struct arena *a, const struct bible *b, const struct bible_entry *e)
{
	struct buffer out = {.arena = a};
	uint32_t from = e->heading.to;

	for (uint32_t i = e->first_fact; i <= e->first_fact + e->facts; i++) {
		struct span s =
			i < e->first_fact + e->facts ? b->facts.items[i].lines : (struct span){e->all.to, e->all.to};
		if (e->alias_line.to && e->alias_line.from >= from && e->alias_line.from < s.from) {
			buffer_add(&out, text_slice(b->bytes, from, e->alias_line.from));
			from = e->alias_line.to;
		}
		buffer_add(&out, text_slice(b->bytes, from, s.from));
		from = s.to;
	}
	return text_trim(buffer_text(&out));
}

struct text bible_check_prose(struct arena *a, struct text prose)
{
	struct revision r = revision_of(on_one_line(a, prose));

	return text_copy(a, (struct text){r.chars, BIBLE_CHECK_LEN});
}

struct text bible_check(struct arena *a, const struct book *b, uint32_t paragraph)
{
	return bible_check_prose(a, node_shown_prose(a, b, paragraph));
}

enum evidence bible_evidence(struct arena *a, const struct bible_fact *f, const struct book *b)
{
	if (f->id == BOOK_NONE)
		return EVIDENCE_NONE;
	uint32_t node = book_find(b, f->id);
	if (node == BOOK_NONE || b->nodes[node].level != LEVEL_PARAGRAPH)
		return EVIDENCE_GONE;
	if (!f->check.at)
		return EVIDENCE_UNCHECKED;
	return text_same(bible_check(a, b, node), f->check) ? EVIDENCE_HOLDS : EVIDENCE_CHANGED;
}
