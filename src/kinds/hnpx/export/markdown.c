/* markdown.c: a book as Markdown, and as plain text. */
#include "base/buffer.h"
#include "kinds/hnpx/export/manuscript.h"
#include "kinds/hnpx/prose/markup.h"

struct sheet {
	struct buffer out;
	bool escapes; /* Markdown; else plain text */
};

static void put_words(struct sheet *s, struct text words, bool starts_line)
{
	if (s->escapes)
		markup_escape(&s->out, words, starts_line);
	else
		buffer_add(&s->out, words);
}

/* Lines of one paragraph have no indentation, because it would make a code block. */
static void put_block(void *to, const struct type_block *b)
{
	struct sheet *s = to;
	struct arena scratch = {0};
	struct buffer words = {.arena = &scratch}, looks = {.arena = &scratch};

	for (size_t i = 0; i < b->runs.n; i++) {
		const struct type_run *run = &b->runs.items[i];
		char look = (char)((run->is_italic ? LOOK_ITALIC : 0) | (run->is_bold ? LOOK_BOLD : 0));
		buffer_add(&words, run->words);
		buffer_fill(&looks, look, run->words.len);
		if (run->ends_line) {
			/* Lines with the same emphasis share one pair of stars. */
			buffer_byte(&words, '\n');
			buffer_byte(&looks, look);
		}
	}
	struct looks all = {buffer_text(&words), (uint8_t *)buffer_text(&looks).at};
	markup_put(&s->out, &scratch, &all, s->escapes ? MARKUP_MARKDOWN : MARKUP_TEXT);
	buffer_put(&s->out, "\n\n");
	arena_free(&scratch);
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
