#include "kinds/hnpx/tree/sprout.h"
#include "format/xml.h"
#include "kinds/hnpx/tree/reading.h"

bool sprout_needs_frame(const struct book *b, bool has_summary, bool text_first, struct text prose)
{
	struct buffer raw = {0};

	if (has_summary)
		return !text_first;
	sprout_words(&raw, b, prose);
	bool seems_framed = prose_is_framed(b, buffer_text(&raw));
	buffer_free(&raw);
	return seems_framed;
}

void sprout_line(struct buffer *to, const struct book *b, int level)
{
	buffer_add(to, b->layout.newline);
	for (; level; level--)
		buffer_add(to, b->layout.indent);
}

/* A CR of the text is escaped. A line end of the text is written as the file's line end; readers see LF. */
void sprout_words(struct buffer *to, const struct book *b, struct text words)
{
	for (size_t from = 0; from <= words.len;) {
		size_t end = text_find(words, TEXT("\n"), from);
		xml_escape(to, text_slice(words, from, end), false);
		if (end == SIZE_MAX)
			return;
		buffer_add(to, b->layout.newline);
		from = end + 1;
	}
}

static void attribute(struct buffer *to, const char *name, struct text value)
{
	if (!value.at)
		return;
	buffer_format(to, " %s=\"", name);
	xml_escape(to, value, true);
	buffer_byte(to, '"');
}

static void write_summary(struct buffer *to, const struct book *b, const struct sprout *s, struct node *node)
{
	node->summary = (uint32_t)to->len;
	buffer_put(to, "<summary>");
	sprout_words(to, b, s->summary);
	buffer_put(to, "</summary>");
	node->summary_to = (uint32_t)to->len;
}

static void write_inside(struct buffer *to, const struct book *b, const struct sprout *s, struct node *node)
{
	bool text_first = s->level == LEVEL_PARAGRAPH && book_writes_text_first(b);
	bool framed = s->level == LEVEL_PARAGRAPH && sprout_needs_frame(b, s->summary.at, text_first, s->text);

	if (text_first) {
		sprout_words(to, b, s->text);
		node->flags |= NODE_TEXT_FIRST;
	}
	if (s->summary.at) {
		if (!text_first)
			sprout_line(to, b, s->level + 1);
		write_summary(to, b, s, node);
	}
	if (s->level == LEVEL_PARAGRAPH && !text_first) {
		buffer_add(to, framed ? b->layout.frame_open : TEXT(""));
		sprout_words(to, b, s->text);
		buffer_add(to, framed ? b->layout.frame_close : TEXT(""));
	}
}

void sprout_write(struct buffer *to, const struct book *b, const struct sprout *s, struct sprouted *nodes)
{
	bool later = book_writes_location(b);
	size_t place = nodes->list.n;
	struct node node = {.from = (uint32_t)to->len, .level = (uint8_t)s->level, .id = s->id};

	(void)ARRAY_PUSH(nodes->arena, &nodes->list);
	buffer_format(to, "<%s", level_names[s->level]);
	attribute(to, "id", id_text(nodes->arena, s->id));
	attribute(to, "title", s->title);
	attribute(to, later ? "location" : "loc", s->location);
	attribute(to, "time", s->time);
	attribute(to, "pov", s->pov);
	attribute(to, "mode", s->mode);
	attribute(to, "char", s->character);
	buffer_byte(to, '>');
	if (s->level == LEVEL_SEQUENCE && later)
		node.flags |= NODE_LOCATION;
	node.inner = (uint32_t)to->len;
	write_inside(to, b, s, &node);
	for (size_t i = 0; i < s->n; i++) {
		sprout_line(to, b, s->level + 1);
		sprout_write(to, b, &s->children[i], nodes);
	}
	if (s->level != LEVEL_PARAGRAPH)
		sprout_line(to, b, s->level);
	node.inner_to = (uint32_t)to->len;
	buffer_format(to, "</%s>", level_names[s->level]);
	node.to = (uint32_t)to->len;
	nodes->list.items[place] = node;
}
