#include "kinds/hnpx/export/manuscript.h"
#include "base/buffer.h"
#include "base/utf8.h"
#include "kinds/hnpx/tree/pages.h"
#include "kinds/hnpx/tree/reading.h"

#include <strings.h>

struct text one_line(struct arena *a, struct text title)
{
	struct buffer out = {.arena = a};
	bool blank = false;

	title = text_trim(title);
	for (size_t i = 0; i < title.len; i++) {
		bool space = title.at[i] == ' ' || title.at[i] == '\n' || title.at[i] == '\t' || title.at[i] == '\r';
		if (space && blank)
			continue;
		buffer_byte(&out, space ? ' ' : title.at[i]);
		blank = space;
	}
	return buffer_text(&out);
}

/* One to nine hundred ninety-nine in English. */
static void put_number_words(struct buffer *to, uint32_t n)
{
	static const char *const small[] = {"",        "One",     "Two",       "Three",    "Four",
					    "Five",    "Six",     "Seven",     "Eight",    "Nine",
					    "Ten",     "Eleven",  "Twelve",    "Thirteen", "Fourteen",
					    "Fifteen", "Sixteen", "Seventeen", "Eighteen", "Nineteen"};
	static const char *const tens[] = {"",      "",      "Twenty",  "Thirty", "Forty",
					   "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"};

	if (n >= 1000) {
		buffer_format(to, "%u", n);
		return;
	}
	if (n >= 100) {
		buffer_format(to, "%s Hundred%s", small[n / 100], n % 100 ? " " : "");
		n %= 100;
	}
	if (n >= 20)
		buffer_format(to, "%s%s%s", tens[n / 10], n % 10 ? "-" : "", small[n % 10]);
	else
		buffer_put(to, small[n]);
}

/* "Chapter 3" and "3. The Storm" already have a number. */
static bool is_numbered(struct text title)
{
	return title.len &&
	       ((title.at[0] >= '0' && title.at[0] <= '9') || (title.len >= 7 && !strncasecmp(title.at, "chapter", 7)));
}

struct text manuscript_heading(struct arena *a, const struct manuscript *m, uint32_t chapter)
{
	struct text title = one_line(a, node_attribute(a, m->book, chapter, "title"));
	uint32_t number = book_place(m->book, chapter) + 1;
	struct buffer out = {.arena = a};

	if (m->numbers == NUMBERS_NONE || is_numbered(title))
		return title;
	if (m->numbers == NUMBERS_WORDS) {
		buffer_put(&out, "Chapter ");
		put_number_words(&out, number);
		buffer_put(&out, title.len ? ": " : "");
	} else {
		buffer_format(&out, title.len ? "%u. " : "%u", number);
	}
	buffer_add(&out, title);
	return buffer_text(&out);
}

bool manuscript_has(const struct manuscript *m, uint32_t chapter)
{
	return m->marks_unwritten || subtree_is_written(m->book, chapter);
}

void manuscript_walk(struct arena *a, const struct manuscript *m, uint32_t top, const struct form *form, void *to)
{
	struct quotes quotes = quotes_of(m->language);
	struct pages pages;
	uint32_t node;

	pages_begin(&pages, m->book, top, m->marks_unwritten);
	for (enum page_event e; (e = pages_next(&pages, &node)) != PAGE_END;) {
		struct type_blocks blocks = {0};
		if (e == PAGE_CHAPTER && manuscript_has(m, node))
			form->chapter(to, node, manuscript_heading(a, m, node));
		if (e == PAGE_BREAK)
			form->scene_break(to);
		if (e == PAGE_UNWRITTEN)
			form->unwritten(to, one_line(a, node_summary(a, m->book, node)));
		if (e != PAGE_PARAGRAPH)
			continue;
		typeset(a, node_shown_prose(a, m->book, node), (enum voice)node_mode(a, m->book, node), &quotes,
			&blocks);
		for (size_t i = 0; i < blocks.list.n; i++)
			form->block(to, &blocks.list.items[i]);
	}
}

size_t manuscript_words(const struct book *b)
{
	struct arena scratch = {0};
	size_t words = 0;

	for (uint32_t i = 0; i < b->n; i++)
		if (b->nodes[i].level == LEVEL_PARAGRAPH)
			words += utf8_words(node_shown_prose(&scratch, b, i));
	arena_free(&scratch);
	return words;
}

const char *cover_name(const struct manuscript *m)
{
	return text_is(text_of(m->picture.mime), "image/png") ? "cover.png" : "cover.jpg";
}
