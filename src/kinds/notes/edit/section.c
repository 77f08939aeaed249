#include "kinds/notes/edit/section.h"

#include "base/buffer.h"
#include "kinds/notes/edit/heading.h"

#include <string.h>

enum { BLOCKS_SHOWN = 30 };

struct place {
	struct span span; /* the bytes that `replace` replaces */
	size_t own_end;   /* for a heading: where its first subheading begins */
	bool is_inline;   /* found by exact words: edits stay within the line */
};

static size_t line_of(struct text b, size_t at)
{
	size_t line = 1;

	for (size_t i = 0; i < at; i++)
		line += b.at[i] == '\n';
	return line;
}

static bool find_heading(struct call *c, const struct note *n, struct text asked, struct place *out)
{
	size_t at;

	if (!heading_find(c, n, asked, &at))
		return false;
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
	struct buffer list = {.arena = c->arena}, lines = {.arena = c->arena};
	struct text name = text_trim(asked);
	size_t found = 0;

	if (text_starts(name, "^"))
		name = text_slice(name, 1, name.len);
	for (size_t i = 0; i < n->parts.blocks.n; i++) {
		const struct markdown_block *b = &n->parts.blocks.items[i];
		if (i < BLOCKS_SHOWN)
			buffer_format(&list, "%s^%s", i ? ", " : "", shown(c, span_text(n->bytes, b->name)));
		if (!text_same(span_text(n->bytes, b->name), name))
			continue;
		out->span = b->text;
		out->own_end = b->name.to;
		if (++found <= 10)
			buffer_format(&lines, "%s%zu", found > 1 ? ", " : "", line_of(n->bytes, b->name.from));
	}
	if (found == 1)
		return true;
	if (found > 1)
		return fail(c, FAULT_ARGUMENT, "%zu blocks are called ^%s, in lines %s; name the place by text instead",
			    found, shown(c, name), buffer_text(&lines).at);
	return fail(c, FAULT_ARGUMENT, "there is no block ^%s; %s%s", shown(c, name),
		    n->parts.blocks.n ? "the blocks are " : "the note names no blocks; use heading or text",
		    buffer_text(&list).at);
}

bool section_find(struct call *c, const struct note *n, struct text heading, struct text block, struct span *out)
{
	struct place p = {0};
	size_t at;

	if (heading.at && block.at)
		return fail(c, FAULT_ARGUMENT, "give heading or block, not both");
	if (block.at ? !find_block(c, n, block, &p) : !find_heading(c, n, heading, &p))
		return false;
	*out = p.span;
	if (heading.at && heading_find(c, n, heading, &at))
		out->from = n->parts.headings.items[at].lines.from;
	return true;
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
	return fail(c, FAULT_ARGUMENT, "%s occurs in %zu places, in lines %s; give more of the words around one",
		    shown(c, asked), found, buffer_text(&lines).at);
}

static bool is_blank_byte(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* Two lines of the same list or table need no blank line between them. All other lines do; for these it returns 0. */
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

static size_t line_start(const struct note *n, size_t at)
{
	while (at > n->front_end && n->bytes.at[at - 1] != '\n')
		at--;
	return at;
}

/* Inserts lines at `at`, with the blank lines that Markdown needs. Existing blank lines stay. They come after the new
 * lines, unless the new lines continue a list or table below. */
static void put_lines(struct call *c, const struct note *n, size_t at, struct text content, struct edits *out)
{
	struct text b = n->bytes, nl = newline_of(n);
	size_t from = at, to = at, breaks = 0;
	struct buffer with = {.arena = c->arena};

	while (from > n->front_end && is_blank_byte(b.at[from - 1]))
		from--;
	while (to < b.len && is_blank_byte(b.at[to]))
		to++;
	struct text above = text_slice(b, n->front_end, from), below = text_slice(b, to, b.len);
	bool joins_above = joins(above, content), joins_below = joins(content, below);
	for (size_t i = from; i < to; i++)
		breaks += b.at[i] == '\n';
	if (above.len && (joins_above || !joins_below)) {
		while (from < b.len && (b.at[from] == ' ' || b.at[from] == '\t'))
			from++;
		buffer_add(&with, nl);
		buffer_add(&with, joins_above ? TEXT("") : nl);
		buffer_add(&with, content);
		buffer_add(&with, breaks ? TEXT("") : nl);
		buffer_add(&with, below.len && breaks < 2 && !joins_below ? nl : TEXT(""));
		edit_add(c, out, from, from, buffer_text(&with));
		return;
	}
	size_t place = below.len ? line_start(n, to) : b.len;
	bool begins_line = place == n->front_end || b.at[place - 1] == '\n';
	buffer_add(&with, place == n->front_end ? front_gap(n) : begins_line ? TEXT("") : nl);
	/* At the start of the file three dashes would begin front matter. */
	if ((above.len && breaks < 2) || (place == n->start && text_starts(content, "---")))
		buffer_add(&with, nl);
	buffer_add(&with, content);
	buffer_add(&with, nl);
	buffer_add(&with, below.len && !joins_below ? nl : TEXT(""));
	edit_add(c, out, place, place, buffer_text(&with));
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
		put_lines(c, n, at, without_blank_lines(content), out);
		break;
	}
	}
}

/* The marks before a block's text: quote marks, list marker, task checkbox. */
static struct text block_marks(const struct note *n, struct span block)
{
	struct text t = span_text(n->bytes, block);
	size_t at = 0;

	for (size_t mark = 0; at < t.len; at = mark) {
		mark = at;
		char sort = sort_of_line(text_slice(t, at, t.len));
		if (t.at[mark] == '>' || sort == '-')
			mark++;
		else if (sort == '1')
			while (t.at[mark++] != '.' && t.at[mark - 1] != ')')
				;
		else if (at && t.len - at > 3 && t.at[at] == '[' && t.at[at + 2] == ']' && t.at[at + 3] == ' ')
			mark += 3;
		else
			break;
		while (mark < t.len && (t.at[mark] == ' ' || t.at[mark] == '\t'))
			mark++;
	}
	return text_slice(t, 0, at);
}

/* Adds `lead` before every line except the first. */
static struct text led_lines(struct call *c, struct text content, struct text lead)
{
	struct buffer b = {.arena = c->arena};

	for (size_t i = 0; i < content.len; i++) {
		buffer_byte(&b, content.at[i]);
		if (content.at[i] == '\n')
			buffer_add(&b, lead);
	}
	return buffer_text(&b);
}

/* The prefix of a block's lines after the first: quote marks stay, everything else becomes indentation. */
static struct text block_lead(struct call *c, const struct note *n, struct span block, struct text marks)
{
	size_t from = line_start(n, block.from);
	struct text first = text_slice(n->bytes, from, block.from + marks.len);
	char *lead = arena_copy(c->arena, first.at, first.len + 1);

	for (size_t i = 0; i < first.len; i++)
		if (lead[i] != '>' && lead[i] != '\t')
			lead[i] = ' ';
	return (struct text){lead, first.len};
}

/* The end of a list item, including everything indented below it. */
static size_t item_end(const struct note *n, struct place p)
{
	struct text b = n->bytes;
	size_t indent = p.span.from - line_start(n, p.span.from), end = p.own_end;

	for (size_t at = end; at < b.len;) {
		size_t next = text_find(b, TEXT("\n"), at), from = next == SIZE_MAX ? b.len : next + 1, text = from;
		while (text < b.len && (b.at[text] == ' ' || b.at[text] == '\t'))
			text++;
		bool is_blank = text < b.len && (b.at[text] == '\n' || b.at[text] == '\r');
		if (text == b.len || (!is_blank && text - from <= indent))
			break;
		size_t stop = text_find(b, TEXT("\n"), text);
		at = stop == SIZE_MAX ? b.len : stop;
		end = is_blank ? end : at;
	}
	return end;
}

/* Adds an item to the same list, before or after this one, with the same indentation. */
static void put_item(struct call *c, const struct note *n, struct place p, bool before, struct text content,
		     struct edits *out)
{
	size_t line = line_start(n, p.span.from), at = before ? line : item_end(n, p);
	struct text indent = text_slice(n->bytes, line, p.span.from), nl = newline_of(n);
	struct text items = led_lines(c, content, indent);

	edit_add(c, out, at, at,
		 before ? text_format(c->arena, "%.*s%.*s%.*s", TEXT_ARGS(indent), TEXT_ARGS(items), TEXT_ARGS(nl))
			: text_format(c->arena, "%.*s%.*s%.*s", TEXT_ARGS(nl), TEXT_ARGS(indent), TEXT_ARGS(items)));
}

static void edit_block(struct call *c, const struct note *n, const struct section_edit *e, struct place p,
		       struct text content, struct edits *out)
{
	struct text nl = newline_of(n), marks = block_marks(n, p.span), lead = block_lead(c, n, p.span, marks);
	char sort = sort_of_line(first_line(span_text(n->bytes, p.span)));
	bool is_item = sort == '-' || sort == '1', brings_marks = sort && sort == sort_of_line(first_line(content));
	size_t text = p.span.from + marks.len;

	brings_marks |= marks.len && marks.at[0] == '>' && text_starts(content, ">");
	if (is_item && brings_marks && e->operation != OPERATION_REPLACE) {
		put_item(c, n, p, e->operation == OPERATION_PREPEND, content, out);
		return;
	}
	if (brings_marks) {
		text = p.span.from;
		lead = TEXT("");
	}
	struct text lines = led_lines(c, content, lead);
	switch (e->operation) {
	case OPERATION_APPEND:
		edit_add(c, out, p.span.to, p.span.to,
			 text_format(c->arena, "%.*s%.*s%.*s", TEXT_ARGS(nl), TEXT_ARGS(lead), TEXT_ARGS(lines)));
		break;
	case OPERATION_PREPEND:
		edit_add(c, out, text, text,
			 text_format(c->arena, "%.*s%.*s%.*s", TEXT_ARGS(lines), TEXT_ARGS(nl), TEXT_ARGS(lead)));
		break;
	case OPERATION_REPLACE: edit_add(c, out, text, p.span.to, lines); break;
	case OPERATION_INSERT: put_lines(c, n, is_item ? item_end(n, p) : p.own_end, content, out); break;
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
		/* Keep the blank lines around the section's text. */
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

static bool plan_edit(struct call *c, const struct note *n, const struct section_edit *e, struct edits *out)
{
	struct place p = {0};
	struct text content = lines_like(c->arena, n, without_blank_lines(e->content));
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

bool section_change(struct call *c, const struct note *n, const struct section_edit *e, struct edits *out)
{
	struct note after;

	if (!plan_edit(c, n, e, out))
		return false;
	/* A note may begin with a rule (---). A second rule would turn the lines between them into front matter. */
	note_read(c->arena, splice_apply(c->arena, n->bytes, out->items, out->n), &after);
	if (after.has_front == n->has_front && !after.malformed == !n->malformed)
		return true;
	return fail(
		c, FAULT_ARGUMENT,
		"the note begins with ---, and with this text the lines below would become front matter; write *** for "
		"a rule");
}
