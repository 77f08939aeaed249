#include "kinds/hnpx/import/manuscript_read.h"
#include "base/buffer.h"
#include "kinds/hnpx/import/inline.h"

#include <string.h>
#include <strings.h>

struct line {
	struct text t; /* without its end */
	int heading;   /* 1 to 6; 0: none */
	struct text title;
	bool is_break, is_blank, is_code;
};
struct reading {
	struct arena *arena;
	bool is_markdown;
	ARRAY(struct line) lines;
	struct manuscript_parts out;
	int chapter; /* number of # signs of a chapter's heading */
	bool has_book_title;
	bool break_due;
};

static bool is_scene_break(struct text t)
{
	char sign = 0;
	size_t n = 0;

	t = text_trim(t);
	if (text_is(t, "#") || text_is(t, "⁂"))
		return true;
	for (size_t i = 0; i < t.len; i++) {
		if (t.at[i] == ' ')
			continue;
		if (!strchr("*-_#~", t.at[i]) || (sign && t.at[i] != sign))
			return false;
		sign = t.at[i];
		n++;
	}
	return n >= 3;
}

static int markdown_heading(struct text t, struct text *title)
{
	int n = 0;

	while (n < 7 && (size_t)n < t.len && t.at[n] == '#')
		n++;
	if (!n || n > 6 || (size_t)n == t.len || t.at[n] != ' ')
		return 0;
	*title = text_trim(text_slice(t, (size_t)n, t.len));
	size_t end = title->len;
	while (end && title->at[end - 1] == '#')
		end--;
	if (end && title->at[end - 1] == ' ')
		*title = text_trim(text_slice(*title, 0, end));
	return title->len ? n : 0;
}

/* In plain text only its name shows a chapter heading. */
static bool names_chapter(struct text t)
{
	t = text_trim(t);
	if (t.len > 80)
		return false;
	return (t.len >= 8 && strncasecmp(t.at, "chapter ", 8) == 0) ||
	       (t.len == 8 && (strncasecmp(t.at, "prologue", 8) == 0 || strncasecmp(t.at, "epilogue", 8) == 0));
}

static bool is_row_of(struct text t, char sign)
{
	t = text_trim(t);
	for (size_t i = 0; i < t.len; i++)
		if (t.at[i] != sign)
			return false;
	return t.len >= 2;
}

static void read_lines(struct reading *r, struct text source)
{
	bool in_code = false;

	for (size_t from = 0; from < source.len;) {
		size_t end = text_find(source, TEXT("\n"), from);
		end = end == SIZE_MAX ? source.len : end;
		struct text t = text_slice(source, from, end);
		from = end + 1;
		if (t.len && t.at[t.len - 1] == '\r')
			t.len--;
		struct line *l = ARRAY_PUSH(r->arena, &r->lines), *above = r->lines.n > 1 ? l - 1 : NULL;
		*l = (struct line){.t = t, .is_blank = text_is_blank(t)};
		bool is_fence =
			r->is_markdown && (text_starts(text_trim(t), "```") || text_starts(text_trim(t), "~~~"));
		l->is_code = in_code || is_fence;
		in_code ^= is_fence;
		if (l->is_code)
			continue;
		bool is_below_words = above && !above->is_blank && !above->heading && !above->is_break &&
				      !above->is_code && (r->lines.n < 3 || l[-2].is_blank || l[-2].heading);
		if (r->is_markdown && is_below_words && (is_row_of(t, '=') || is_row_of(t, '-'))) {
			above->heading = text_trim(t).at[0] == '=' ? 1 : 2;
			above->title = text_trim(above->t);
			l->is_blank = true; /* the line under a heading has no other content */
			continue;
		}
		l->is_break = is_scene_break(t);
		if (r->is_markdown && !l->is_break)
			l->heading = markdown_heading(t, &l->title);
		if (!r->is_markdown && (!above || above->is_blank) && names_chapter(t)) {
			l->heading = 1;
			l->title = text_trim(t);
		}
	}
}

/* Decides which heading level makes a chapter, and whether the first heading is the book's. */
static void rank_headings(struct reading *r)
{
	int least = 7, next = 7;
	size_t leasts = 0;
	bool is_first = false, seen = false;

	for (size_t i = 0; i < r->lines.n; i++) {
		int h = r->lines.items[i].heading;
		if (h && h < least) {
			next = least;
			least = h;
			leasts = 0;
			is_first = !seen;
		} else if (h > least && h < next) {
			next = h;
		}
		leasts += h && h == least;
		seen |= !r->lines.items[i].is_blank;
	}
	r->has_book_title = r->is_markdown && leasts == 1 && is_first && next < 7;
	r->chapter = r->has_book_title ? next : least;
}

/* Adds a part, and missing parts above it. */
static void add(struct reading *r, enum level level, struct text words)
{
	int last = r->out.list.items[r->out.list.n - 1].level;

	for (int between = last + 1; between < (int)level; between++)
		*ARRAY_PUSH(r->arena, &r->out.list) = (struct part){(enum level)between, {0}};
	*ARRAY_PUSH(r->arena, &r->out.list) = (struct part){level, words};
}

static bool is_kept_as_is(const struct reading *r, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		struct text t = r->lines.items[i].t;
		if (r->lines.items[i].is_code || (t.len && strchr(" \t>|+", t.at[0])))
			return true;
		if (t.len > 1 && (t.at[0] == '-' || t.at[0] == '*') && t.at[1] == ' ')
			return true;
		size_t digits = 0;
		while (digits < t.len && t.at[digits] >= '0' && t.at[digits] <= '9')
			digits++;
		if (digits && digits + 1 < t.len && (t.at[digits] == '.' || t.at[digits] == ')') &&
		    t.at[digits + 1] == ' ')
			return true;
	}
	return false;
}

/* Does the line end in a backslash, Markdown's hard break? An escaped one is not a break. */
static bool ends_in_break(struct text t)
{
	size_t n = 0;

	while (n < t.len && t.at[t.len - 1 - n] == '\\')
		n++;
	return n % 2;
}

/* The lines of one block. Wrapped lines are joined; verse and lists stay as they are. */
static struct text block(struct reading *r, size_t from, size_t to)
{
	struct buffer out = {.arena = r->arena};
	bool as_is = is_kept_as_is(r, from, to);

	for (size_t i = from; i < to; i++) {
		struct text t = r->lines.items[i].t;
		bool has_break = r->is_markdown && !r->lines.items[i].is_code && i + 1 < to && ends_in_break(t);
		bool is_hard = as_is || has_break || (r->is_markdown && text_ends(t, "  "));
		t.len -= has_break;
		buffer_add(&out, as_is ? t : text_trim(t));
		if (i + 1 < to)
			buffer_byte(&out, is_hard ? '\n' : ' ');
	}
	return r->is_markdown && !r->lines.items[from].is_code ? inline_prose(r->arena, buffer_text(&out))
							       : buffer_text(&out);
}

static bool goes_on_block(const struct line *l, bool in_code)
{
	if (in_code)
		return l->is_code;
	return !l->is_blank && !l->heading && !l->is_break && !l->is_code;
}

static void read_parts(struct reading *r)
{
	for (size_t i = 0; i < r->lines.n;) {
		struct line *l = &r->lines.items[i];
		size_t from = i++;
		if (l->heading) {
			if (r->is_markdown)
				l->title = inline_title(r->arena, l->title);
			int level = LEVEL_CHAPTER + l->heading - r->chapter;
			if (level > LEVEL_BEAT)
				level = LEVEL_BEAT;
			if (level < LEVEL_CHAPTER)
				r->out.list.items[0].words = l->title;
			else
				add(r, (enum level)level, l->title);
			r->break_due = false;
		} else if (l->is_break) {
			/* After a heading, or at the start, a break separates nothing. */
			r->break_due = r->out.list.items[r->out.list.n - 1].level == LEVEL_PARAGRAPH;
		} else if (!l->is_blank || l->is_code) {
			while (i < r->lines.n && goes_on_block(&r->lines.items[i], l->is_code))
				i++;
			if (r->break_due)
				add(r, LEVEL_SEQUENCE, (struct text){0});
			r->break_due = false;
			add(r, LEVEL_PARAGRAPH, block(r, from, i));
		}
	}
}

/* Front matter is between two lines of three hyphens at the very start. */
static struct text take_front(struct text *source)
{
	if (!text_starts(*source, "---\n") && !text_starts(*source, "---\r\n"))
		return (struct text){0};
	size_t end = text_find(*source, TEXT("\n---"), 3);
	if (end == SIZE_MAX)
		return (struct text){0};
	size_t behind = text_find(*source, TEXT("\n"), end + 1);
	if (!text_is_blank(text_slice(*source, end + 4, behind)))
		return (struct text){0};
	struct text front = text_trim(text_slice(*source, 3, end));
	*source = text_slice(*source, behind == SIZE_MAX ? source->len : behind + 1, source->len);
	return front;
}

struct manuscript_parts manuscript_read(struct arena *a, struct text source, bool is_markdown)
{
	struct reading r = {.arena = a, .is_markdown = is_markdown};

	if (text_starts(source, "\xef\xbb\xbf"))
		source = text_slice(source, 3, source.len);
	if (is_markdown)
		r.out.front = take_front(&source);
	*ARRAY_PUSH(a, &r.out.list) = (struct part){LEVEL_BOOK, {0}};
	read_lines(&r, source);
	rank_headings(&r);
	read_parts(&r);
	return r.out;
}
