#include "kinds/notes/edit/section.h"

#include "base/buffer.h"
#include "kinds/notes/note/name.h"

#include <string.h>

enum { HEADINGS_SHOWN = 30 };

struct place {
	struct span span; /* what replace replaces */
	size_t own_end;   /* headings: where the first subheading begins */
	bool is_inline;   /* exact words: edits stay within the line */
};

static struct text plain_heading(struct text t)
{
	t = text_trim(t);
	while (t.len && t.at[0] == '#')
		t = text_slice(t, 1, t.len);
	return text_trim(t);
}

static struct text heading_text(const struct note *n, size_t i)
{
	return span_text(n->bytes, n->parts.headings.items[i].text);
}

/* The heading with those above it: A > B > C. */
static struct text heading_path(struct arena *a, const struct note *n, size_t i)
{
	struct text path = heading_text(n, i);
	int level = n->parts.headings.items[i].level;

	while (i-- > 0 && level > 1) {
		if (n->parts.headings.items[i].level >= level)
			continue;
		level = n->parts.headings.items[i].level;
		path = text_format(a, "%.*s > %.*s", TEXT_ARGS(heading_text(n, i)), TEXT_ARGS(path));
	}
	return path;
}

/* The path ends in what was asked for, component by component. */
static bool path_fits(struct arena *a, struct text path, struct text asked)
{
	struct text have = name_fold(a, path), want = name_fold(a, asked);

	if (have.len < want.len || memcmp(have.at + have.len - want.len, want.at, want.len) != 0)
		return false;
	return have.len == want.len ||
	       (have.len >= want.len + 3 && !memcmp(have.at + have.len - want.len - 3, " > ", 3));
}

static bool heading_fits(struct arena *a, const struct note *n, size_t i, struct text asked)
{
	if (text_same(name_fold(a, heading_text(n, i)), name_fold(a, asked)))
		return true;
	return text_find(asked, TEXT(">"), 0) != SIZE_MAX && path_fits(a, heading_path(a, n, i), asked);
}

/* "A>B" and "## A > ## B" as "A > B". */
static struct text asked_path(struct arena *a, struct text heading)
{
	struct buffer b = {.arena = a};

	for (struct text rest = heading; rest.at;) {
		size_t cut = text_find(rest, TEXT(">"), 0);
		struct text part = plain_heading(cut == SIZE_MAX ? rest : text_slice(rest, 0, cut));
		rest = cut == SIZE_MAX ? (struct text){0} : text_slice(rest, cut + 1, rest.len);
		buffer_put(&b, b.len ? " > " : "");
		buffer_add(&b, part);
	}
	return buffer_text(&b);
}

static bool refuse_heading(struct call *c, const struct note *n, struct text asked, size_t found)
{
	struct buffer list = {.arena = c->arena};
	size_t shown_n = 0;

	for (size_t i = 0; i < n->parts.headings.n && shown_n < HEADINGS_SHOWN; i++, shown_n++)
		buffer_format(&list, "%s\"%.*s\"", shown_n ? ", " : "", TEXT_ARGS(heading_path(c->arena, n, i)));
	if (n->parts.headings.n > shown_n)
		buffer_format(&list, " and %zu more", n->parts.headings.n - shown_n);
	if (found > 1)
		return fail(c, FAULT_ARGUMENT, "%zu headings are called %s; give the path of one: %s", found,
			    shown(c, asked), buffer_text(&list).at);
	if (!n->parts.headings.n)
		return fail(c, FAULT_ARGUMENT, "the note has no headings; leave heading out to edit the whole text");
	return fail(c, FAULT_ARGUMENT, "there is no heading %s; the headings are %s", shown(c, asked),
		    buffer_text(&list).at);
}

static bool find_heading(struct call *c, const struct note *n, struct text asked, struct place *out)
{
	struct text whole = plain_heading(asked), path = asked_path(c->arena, asked);
	size_t found = 0, at = 0;

	for (size_t i = 0; i < n->parts.headings.n; i++)
		if (heading_fits(c->arena, n, i, whole) || heading_fits(c->arena, n, i, path)) {
			found++;
			at = i;
		}
	if (found != 1)
		return refuse_heading(c, n, asked, found);
	const struct markdown_heading *h = &n->parts.headings.items[at];
	out->span = (struct span){h->lines.to, n->text.to};
	out->own_end = n->text.to;
	for (size_t i = at + 1; i < n->parts.headings.n; i++) {
		const struct markdown_heading *next = &n->parts.headings.items[i];
		if (out->own_end == n->text.to)
			out->own_end = next->lines.from;
		if (next->level <= h->level) {
			out->span.to = next->lines.from;
			break;
		}
	}
	if (out->own_end > out->span.to)
		out->own_end = out->span.to;
	return true;
}

static bool find_block(struct call *c, const struct note *n, struct text asked, struct place *out)
{
	struct buffer list = {.arena = c->arena};
	struct text name = text_trim(asked);

	if (text_starts(name, "^"))
		name = text_slice(name, 1, name.len);
	for (size_t i = 0; i < n->parts.blocks.n; i++) {
		const struct markdown_block *b = &n->parts.blocks.items[i];
		if (text_same(span_text(n->bytes, b->name), name)) {
			out->span = b->text;
			out->own_end = b->name.to;
			return true;
		}
		if (i < HEADINGS_SHOWN)
			buffer_format(&list, "%s^%.*s", i ? ", " : "", TEXT_ARGS(span_text(n->bytes, b->name)));
	}
	return fail(c, FAULT_ARGUMENT, "there is no block ^%s; %s%s", shown(c, name),
		    n->parts.blocks.n ? "the blocks are " : "the note names no blocks; use heading or text",
		    buffer_text(&list).at);
}

static size_t line_of(struct text b, size_t at)
{
	size_t line = 1;

	for (size_t i = 0; i < at; i++)
		line += b.at[i] == '\n';
	return line;
}

static bool find_text(struct call *c, const struct note *n, struct text asked, struct place *out)
{
	struct text in = text_slice(n->bytes, 0, n->text.to), words = lines_like(c->arena, n, asked);
	struct buffer lines = {.arena = c->arena};
	size_t found = 0;

	for (size_t at = n->text.from; (at = text_find(in, words, at)) != SIZE_MAX; at += words.len) {
		if (!found++)
			out->span = (struct span){(uint32_t)at, (uint32_t)(at + words.len)};
		if (found <= 10)
			buffer_format(&lines, "%s%zu", found > 1 ? ", " : "", line_of(in, at));
	}
	out->is_inline = true;
	out->own_end = out->span.to;
	if (found == 1)
		return true;
	if (!found)
		return fail(c, FAULT_ARGUMENT, "the note does not contain %s; copy the words exactly from get_node",
			    shown(c, asked));
	return fail(c, FAULT_ARGUMENT, "%s stands in %zu places, in lines %s; give more of the words around one",
		    shown(c, asked), found, buffer_text(&lines).at);
}

static bool is_blank_byte(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* A line of a list or a table goes on with the next one of its sort; anything else is set off by a blank line. */
static char sort_of_line(struct text line)
{
	size_t i = 0;

	while (i < line.len && (line.at[i] == ' ' || line.at[i] == '\t'))
		i++;
	if (i == line.len)
		return 0;
	if (line.at[i] == '|')
		return '|';
	if (strchr("-*+", line.at[i]) && i + 1 < line.len && line.at[i + 1] == ' ')
		return '-';
	size_t digits = i;
	while (digits < line.len && line.at[digits] >= '0' && line.at[digits] <= '9')
		digits++;
	return digits > i && digits < line.len && (line.at[digits] == '.' || line.at[digits] == ')') ? '1' : 0;
}

static struct text first_line(struct text t)
{
	size_t end = text_find(t, TEXT("\n"), 0);

	return end == SIZE_MAX ? t : text_slice(t, 0, end);
}

static struct text last_line(struct text t)
{
	size_t at = t.len;

	while (at && t.at[at - 1] != '\n')
		at--;
	return text_slice(t, at, t.len);
}

static bool joins(struct text above, struct text below)
{
	char sort = sort_of_line(last_line(above));

	return sort && sort == sort_of_line(first_line(below));
}

/* Puts lines between what stands before `at` and behind it, with the blank lines that Markdown wants. */
static void put_lines(struct call *c, const struct note *n, size_t at, struct text content, struct edits *out)
{
	struct text b = n->bytes, nl = newline_of(n);
	size_t from = at, to = at;
	struct buffer with = {.arena = c->arena};

	while (from > n->front_end && is_blank_byte(b.at[from - 1]))
		from--;
	while (to < b.len && is_blank_byte(b.at[to]))
		to++;
	struct text above = text_slice(b, n->front_end, from), below = text_slice(b, to, b.len);
	if (above.len) {
		buffer_add(&with, nl);
		if (!joins(above, content))
			buffer_add(&with, nl);
	} else if (n->front_end > n->start) {
		/* Behind the front matter the blank line that stood there stays. */
		from = n->front_end;
		size_t kept = n->front_end;
		while (kept < to && (b.at[kept] == '\n' || b.at[kept] == '\r'))
			kept++;
		if (kept > from && below.len)
			from = kept < to ? kept : to;
	}
	buffer_add(&with, content);
	buffer_add(&with, nl);
	if (below.len && !joins(content, below))
		buffer_add(&with, nl);
	/* Blanks that indent the first line behind belong to it. */
	while (to > at && to > from && below.len && (b.at[to - 1] == ' ' || b.at[to - 1] == '\t'))
		to--;
	edit_add(c, out, from, to, buffer_text(&with));
}

static bool edit_whole(struct call *c, const struct note *n, const struct section_edit *e, struct text content,
		       struct edits *out)
{
	if (e->operation == OPERATION_REPLACE || e->operation == OPERATION_INSERT)
		return fail(c, FAULT_ARGUMENT, "%s needs heading, block or text; update_node replaces the whole text",
			    e->operation == OPERATION_REPLACE ? "replace" : "insert");
	put_lines(c, n, e->operation == OPERATION_APPEND ? n->bytes.len : n->text.from, content, out);
	return true;
}

static void edit_words(struct call *c, const struct note *n, const struct section_edit *e, struct place p,
		       struct edits *out)
{
	struct text content = lines_like(c->arena, n, e->content);

	switch (e->operation) {
	case OPERATION_APPEND: edit_add(c, out, p.span.to, p.span.to, content); break;
	case OPERATION_PREPEND: edit_add(c, out, p.span.from, p.span.from, content); break;
	case OPERATION_REPLACE: edit_add(c, out, p.span.from, p.span.to, content); break;
	case OPERATION_INSERT: {
		size_t at = p.span.to;
		while (at < n->bytes.len && n->bytes.at[at] != '\n')
			at++;
		put_lines(c, n, at, text_trim(content), out);
		break;
	}
	}
}

static void edit_block(struct call *c, const struct note *n, const struct section_edit *e, struct place p,
		       struct text content, struct edits *out)
{
	struct text nl = newline_of(n);

	switch (e->operation) {
	case OPERATION_APPEND:
		edit_add(c, out, p.span.to, p.span.to,
			 text_format(c->arena, "%.*s%.*s", TEXT_ARGS(nl), TEXT_ARGS(content)));
		break;
	case OPERATION_PREPEND:
		edit_add(c, out, p.span.from, p.span.from,
			 text_format(c->arena, "%.*s%.*s", TEXT_ARGS(content), TEXT_ARGS(nl)));
		break;
	case OPERATION_REPLACE: edit_add(c, out, p.span.from, p.span.to, content); break;
	case OPERATION_INSERT: put_lines(c, n, p.own_end, content, out); break;
	}
}

static void edit_section(struct call *c, const struct note *n, const struct section_edit *e, struct place p,
			 struct text content, struct edits *out)
{
	switch (e->operation) {
	case OPERATION_APPEND: put_lines(c, n, p.span.to, content, out); break;
	case OPERATION_PREPEND: put_lines(c, n, p.span.from, content, out); break;
	case OPERATION_INSERT: put_lines(c, n, p.own_end, content, out); break;
	case OPERATION_REPLACE: {
		/* The blank lines around the section's text stay. */
		struct text old = text_trim(span_text(n->bytes, p.span));
		size_t from = (size_t)(old.at - n->bytes.at);
		if (old.len)
			edit_add(c, out, from, from + old.len, content);
		else if (content.len)
			put_lines(c, n, p.span.from, content, out);
		break;
	}
	}
}

bool section_change(struct call *c, const struct note *n, const struct section_edit *e, struct edits *out)
{
	struct place p = {0};
	struct text content = lines_like(c->arena, n, text_trim(e->content));
	size_t given = (e->heading.at != NULL) + (e->block.at != NULL) + (e->text.at != NULL);

	if (given > 1)
		return fail(c, FAULT_ARGUMENT, "give one of heading, block and text, not several");
	if (!e->content.len && e->operation != OPERATION_REPLACE)
		return fail(c, FAULT_ARGUMENT,
			    "content is empty; only replace takes an empty text, to remove what is there");
	if (!given)
		return edit_whole(c, n, e, content, out);
	if (e->heading.at) {
		if (!find_heading(c, n, e->heading, &p))
			return false;
		edit_section(c, n, e, p, content, out);
	} else if (e->block.at) {
		if (!find_block(c, n, e->block, &p))
			return false;
		edit_block(c, n, e, p, content, out);
	} else {
		if (!find_text(c, n, e->text, &p))
			return false;
		edit_words(c, n, e, p, out);
	}
	return true;
}
