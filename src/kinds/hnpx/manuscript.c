/* manuscript.c: what all forms for readers share, and Markdown. */
#include "kinds/hnpx/manuscript.h"
#include "base/buffer.h"
#include "base/utf8.h"
#include "kinds/hnpx/level.h"
#include "kinds/hnpx/reading.h"
#include "kinds/hnpx/render.h"

/* --- passages ---------------------------------------------------------------------------------------------------- */

struct quotes {
	const char *open, *close;
};

static struct quotes quotes_for(struct text language)
{
	static const struct {
		const char *language;
		struct quotes quotes;
	} marks[] = {
		{"de", {"„", "“"}},
		{"cs", {"„", "“"}},
		{"pl", {"„", "”"}},
		{"ru", {"«", "»"}},
		{"uk", {"«", "»"}},
		{"es", {"«", "»"}},
		{"it", {"«", "»"}},
		{"pt", {"«", "»"}},
		{"el", {"«", "»"}},
		{"ja", {"「", "」"}},
		{"fr", {"«\u00a0", "\u00a0»"}}, /* no line ends inside of these */
	};

	for (size_t i = 0; i < ARRAY_COUNT(marks); i++)
		if (text_starts(language, marks[i].language) && (language.len == 2 || language.at[2] == '-'))
			return marks[i].quotes;
	return (struct quotes){"“", "”"};
}

/* Writers of plain text put stars around a thought; it is set in italics anyway. */
static struct text without_stars(struct text t)
{
	bool has_both = t.len > 2 && t.at[0] == '*' && t.at[t.len - 1] == '*';

	return has_both && text_find(t, TEXT("*"), 1) == t.len - 1 ? text_slice(t, 1, t.len - 1) : t;
}

struct passage passage_of(struct arena *a, const struct manuscript *m, uint32_t paragraph)
{
	struct passage p = {text_trim(node_shown_prose(a, m->book, paragraph)), "", "", false};
	int mode = node_mode(a, m->book, paragraph);

	if (mode == MODE_DIALOGUE && !opens_speech(p.rest)) {
		struct quotes quotes = quotes_for(m->language);
		p.open = quotes.open;
		p.close = quotes.close;
	}
	p.is_thought = mode == MODE_INTERNAL;
	if (p.is_thought)
		p.rest = without_stars(p.rest);
	return p;
}

bool line_next(struct text *part, struct text *line)
{
	if (!part->at)
		return false;
	size_t end = text_find(*part, TEXT("\n"), 0);
	*line = text_trim(text_slice(*part, 0, end));
	*part = end == SIZE_MAX ? (struct text){0} : text_slice(*part, end + 1, part->len);
	return true;
}

bool passage_next(struct passage *p, struct text *part)
{
	const char *from = NULL, *to = NULL;
	struct text line;

	while (line_next(&p->rest, &line)) {
		if (line.len) {
			from = from ? from : line.at;
			to = line.at + line.len;
		} else if (from) {
			break;
		}
	}
	if (!from)
		return false;
	*part = (struct text){from, (size_t)(to - from)};
	if (text_is_blank(p->rest))
		p->rest = (struct text){0};
	return true;
}

/* --- Markdown ---------------------------------------------------------------------------------------------------- */

static bool is_among(char c, const char *set)
{
	for (; *set; set++)
		if (c == *set)
			return true;
	return false;
}

/* Characters that would be markup are escaped; only where they could be: a hyphen inside a line is a hyphen. */
static void put_markdown(struct buffer *to, struct text line)
{
	size_t digits = 0;

	while (digits < line.len && line.at[digits] >= '0' && line.at[digits] <= '9')
		digits++;
	for (size_t i = 0; i < line.len; i++) {
		char c = line.at[i], next = i + 1 < line.len ? line.at[i + 1] : ' ';
		bool inside = is_among(c, "\\*_`[]<~|"), starts = i == 0 && is_among(c, "#>+-=");
		bool numbers = digits && i == digits && (c == '.' || c == ')');
		bool refers = c == '&' && (next == '#' || (next | 32) >= 'a');
		if (inside || starts || numbers || refers)
			buffer_byte(to, '\\');
		buffer_byte(to, c);
	}
}

/* A title stands on one line. */
static void put_heading(struct buffer *to, const char *mark, struct text title)
{
	struct text line;

	buffer_put(to, mark);
	for (bool first = true; line_next(&title, &line); first = false) {
		buffer_put(to, first || !line.len ? "" : " ");
		put_markdown(to, line);
	}
	buffer_put(to, "\n\n");
}

/* Blanks that text_trim() does not know, as the one that begins a paragraph in Chinese: stars next to one are no
 * emphasis. */
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

/* Lines of one paragraph end in a backslash, Markdown's hard break; their indentation would be a code block. */
static void put_lines(struct buffer *to, struct text part)
{
	struct text line;

	for (bool first = true; line_next(&part, &line); first = false) {
		buffer_put(to, first ? "" : "\\\n");
		put_markdown(to, line);
	}
}

static void put_paragraph(struct buffer *to, struct arena *a, const struct manuscript *m, uint32_t node)
{
	struct passage p = passage_of(a, m, node);
	struct text part;

	while (passage_next(&p, &part)) {
		size_t from = 0, end = part.len;
		bool starred = p.is_thought;
		if (starred)
			words_within(part, &from, &end);
		starred = starred && from < end;
		buffer_add(to, text_slice(part, 0, from));
		buffer_put(to, starred ? "*" : p.open);
		put_lines(to, text_slice(part, from, end));
		buffer_put(to, starred ? "*" : p.rest.at ? "" : p.close);
		buffer_add(to, text_slice(part, end, part.len));
		buffer_put(to, "\n\n");
	}
}

struct text manuscript_markdown(struct arena *a, const struct manuscript *m)
{
	const struct book *b = m->book;
	struct buffer out = {.arena = a};
	bool scene_open = false; /* the chapter has words already: a new sequence needs a break */
	bool break_due = false;

	put_heading(&out, "# ", m->title);
	if (m->author.at)
		put_heading(&out, "", m->author);
	for (uint32_t i = 1; i < b->n; i++) {
		if (b->nodes[i].level == LEVEL_CHAPTER) {
			put_heading(&out, "## ", text_trim(node_attribute(a, b, i, "title")));
			scene_open = break_due = false;
		}
		if (b->nodes[i].level == LEVEL_SEQUENCE)
			break_due = scene_open;
		if (b->nodes[i].level != LEVEL_PARAGRAPH)
			continue;
		if (break_due)
			buffer_put(&out, "* * *\n\n");
		break_due = false;
		scene_open = true;
		put_paragraph(&out, a, m, i);
	}
	while (out.len > 1 && out.at[out.len - 1] == '\n' && out.at[out.len - 2] == '\n')
		out.len--;
	return buffer_text(&out);
}
