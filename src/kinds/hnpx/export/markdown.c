/* markdown.c: a book as Markdown, and as plain text. */
#include "base/buffer.h"
#include "base/utf8.h"
#include "kinds/hnpx/export/manuscript.h"

#include <string.h>

struct sheet {
	struct buffer out;
	bool escapes; /* Markdown; else plain text */
};

/* Escapes characters only where they would be markup: a hyphen inside a line is not escaped. */
static void put_markdown(struct buffer *to, struct text words, bool starts_line)
{
	size_t digits = 0;

	while (starts_line && digits < words.len && words.at[digits] >= '0' && words.at[digits] <= '9')
		digits++;
	for (size_t i = 0; i < words.len; i++) {
		char c = words.at[i], next = i + 1 < words.len ? words.at[i + 1] : ' ';
		bool inside = strchr("\\*_`[]<~|", c) && c;
		bool starts = starts_line && i == 0 && strchr("#>+-=", c) && c;
		bool numbers = digits && i == digits && (c == '.' || c == ')');
		bool refers = c == '&' && (next == '#' || (next | 32) >= 'a');
		if (inside || starts || numbers || refers)
			buffer_byte(to, '\\');
		buffer_byte(to, c);
	}
}

static void put_words(struct sheet *s, struct text words, bool starts_line)
{
	if (s->escapes)
		put_markdown(&s->out, words, starts_line);
	else
		buffer_add(&s->out, words);
}

/* Includes blanks that text_trim() does not handle, such as the one that begins a paragraph in Chinese. Stars next to a
 * blank are not emphasis. */
static bool is_wide_blank(uint32_t c)
{
	return c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x202f || c == 0x205f || c == 0x3000 ||
	       c == ' ' || c == '\t' || c == '\n' || c == 0x2028 || c == 0x2029 || c == 0x85;
}

/* Where the words begin and end, without blanks of any kind. */
static void words_within(struct text t, size_t *from, size_t *to)
{
	*from = *to = 0;
	for (size_t at = 0, start = 0; at < t.len; start = at)
		if (!is_wide_blank(utf8_next(t, &at))) {
			*from = *to ? *from : start;
			*to = at;
		}
}

static bool same_look(const struct type_run *a, const struct type_run *b)
{
	return a->is_italic == b->is_italic && a->is_bold == b->is_bold;
}

/* The end of the emphasis that begins at run `i`. Lines with the same emphasis share one pair of stars. */
static size_t look_end(const struct type_block *b, size_t i)
{
	size_t end = i + 1;

	while (end < b->runs.n && same_look(&b->runs.items[i], &b->runs.items[end]))
		end++;
	return end;
}

/* Lines of one paragraph end in a backslash, Markdown's hard break. Their indentation is dropped, because it would make
 * a code block. */
static void put_block(void *to, const struct type_block *b)
{
	struct sheet *s = to;
	bool starts_line = true;

	for (size_t i = 0; i < b->runs.n;) {
		size_t end = look_end(b, i);
		const struct type_run *first = &b->runs.items[i];
		const char *stars = first->is_bold ? (first->is_italic ? "***" : "**") : first->is_italic ? "*" : "";
		for (size_t k = i; k < end; k++) {
			const struct type_run *run = &b->runs.items[k];
			size_t from = 0, stop = run->words.len;
			if (*stars)
				words_within(run->words, &from, &stop);
			bool is_starred = *stars && from < stop;
			buffer_add(&s->out, text_slice(run->words, 0, from));
			if (is_starred && k == i)
				buffer_put(&s->out, stars);
			put_words(s, text_slice(run->words, from, stop), starts_line && !is_starred);
			if (is_starred && k + 1 == end)
				buffer_put(&s->out, stars);
			buffer_add(&s->out, text_slice(run->words, stop, run->words.len));
			starts_line = run->ends_line;
			if (run->ends_line)
				buffer_put(&s->out, s->escapes ? "\\\n" : "\n");
		}
		i = end;
	}
	buffer_put(&s->out, "\n\n");
}

static void put_chapter(void *to, uint32_t chapter, struct text heading)
{
	struct sheet *s = to;

	(void)chapter;
	buffer_put(&s->out, s->escapes ? "## " : "\n");
	put_words(s, heading, false);
	buffer_put(&s->out, "\n\n");
}

static void put_break(void *to) { buffer_put(&((struct sheet *)to)->out, "* * *\n\n"); }

static void put_unwritten(void *to, struct text summary)
{
	struct sheet *s = to;

	put_words(s, TEXT("[Unwritten: "), false);
	put_words(s, summary, false);
	put_words(s, TEXT("]"), false);
	buffer_put(&s->out, "\n\n");
}

static struct text manuscript_sheet(struct arena *a, const struct manuscript *m, bool escapes)
{
	static const struct form form = {put_chapter, put_break, put_block, put_unwritten};
	struct sheet s = {.out = {.arena = a}, .escapes = escapes};

	buffer_put(&s.out, escapes ? "# " : "");
	put_words(&s, one_line(a, m->title), false);
	buffer_put(&s.out, "\n\n");
	if (m->author.at) {
		put_words(&s, one_line(a, m->author), true);
		buffer_put(&s.out, "\n\n");
	}
	manuscript_walk(a, m, 0, &form, &s);
	while (s.out.len > 1 && s.out.at[s.out.len - 1] == '\n' && s.out.at[s.out.len - 2] == '\n')
		s.out.len--;
	return buffer_text(&s.out);
}

struct text manuscript_markdown(struct arena *a, const struct manuscript *m) { return manuscript_sheet(a, m, true); }
struct text manuscript_text(struct arena *a, const struct manuscript *m) { return manuscript_sheet(a, m, false); }
