#include "kinds/hnpx/import/manuscript_book.h"
#include "base/digest.h"
#include "base/map.h"
#include "base/utf8.h"
#include "format/xml.h"

static struct text id_for(struct arena *a, struct map *taken)
{
	for (;;) {
		struct text id = id_text(a, random_below(36u * 36 * 36 * 36 * 36 * 36));
		bool was;
		map_at(taken, id, 0, &was);
		if (!was)
			return id;
	}
}

enum { SUMMARY_WORDS = 12 };

/* The first words of a paragraph. For a container: its heading, or its first words. */
static struct text summary_of(struct arena *a, const struct manuscript_parts *m, size_t at)
{
	const struct part *p = &m->list.items[at];
	struct text t = p->level == LEVEL_CHAPTER || p->level == LEVEL_SEQUENCE ? (struct text){0} : p->words;

	/* A heading is stored only here, so it is never cut. */
	if (p->level != LEVEL_PARAGRAPH && !text_is_blank(t))
		return t;
	for (size_t i = at + 1; !t.at && i < m->list.n && m->list.items[i].level > p->level; i++)
		if (m->list.items[i].level == LEVEL_PARAGRAPH)
			t = m->list.items[i].words;
	if (text_is_blank(t))
		return TEXT("To be written");
	size_t end = utf8_word_at(t, SUMMARY_WORDS);
	struct text words = text_trim(text_slice(t, 0, end));
	return end < t.len ? text_format(a, "%.*s…", TEXT_ARGS(words)) : words;
}

static void attribute(struct buffer *to, const char *name, struct text value, struct text otherwise)
{
	buffer_format(to, " %s=\"", name);
	xml_escape(to, text_is_blank(value) ? otherwise : value, true);
	buffer_byte(to, '"');
}

static void indent(struct buffer *to, int level) { buffer_fill(to, ' ', 2 * (size_t)level); }

static void close_down_to(struct buffer *to, int last, int level)
{
	for (; last >= level; last--) {
		indent(to, last);
		buffer_format(to, "</%s>\n", level_names[last]);
	}
}

static void write_front(struct buffer *to, struct text front)
{
	if (!front.len)
		return;
	buffer_put(to, "<!-- ");
	for (size_t i = 0; i < front.len; i++) {
		buffer_byte(to, front.at[i]);
		if (front.at[i] == '-' && i + 1 < front.len && front.at[i + 1] == '-')
			buffer_byte(to, ' ');
	}
	buffer_put(to, " -->\n");
}

struct text manuscript_book(struct arena *a, const struct manuscript_parts *m, struct text *root)
{
	struct buffer out = {.arena = a};
	struct map taken = {.arena = a};
	int last = -1;

	buffer_put(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	write_front(&out, m->front);
	for (size_t i = 0; i < m->list.n; i++) {
		const struct part *p = &m->list.items[i];
		struct text id = id_for(a, &taken);
		close_down_to(&out, last, p->level);
		last = p->level;
		if (!i)
			*root = id;
		indent(&out, p->level);
		buffer_format(&out, "<%s id=\"%s\"", level_names[p->level], id.at);
		if (p->level == LEVEL_CHAPTER)
			attribute(&out, "title", p->words, TEXT("Untitled"));
		if (p->level == LEVEL_SEQUENCE)
			attribute(&out, "loc", p->words, TEXT("unknown"));
		buffer_put(&out, ">\n");
		indent(&out, p->level + 1);
		buffer_put(&out, "<summary>");
		xml_escape(&out, summary_of(a, m, i), false);
		buffer_put(&out, "</summary>\n");
		if (p->level == LEVEL_PARAGRAPH) {
			indent(&out, p->level + 1);
			xml_escape(&out, p->words, false);
			buffer_byte(&out, '\n');
		}
	}
	close_down_to(&out, last, LEVEL_BOOK);
	return buffer_text(&out);
}
