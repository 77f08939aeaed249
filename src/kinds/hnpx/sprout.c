#include "kinds/hnpx/sprout.h"
#include "format/xml.h"
#include "kinds/hnpx/reading.h"

bool sprout_needs_frame(bool has_summary, bool text_first, struct text prose)
{
	if (has_summary)
		return !text_first;
	return text_starts(prose, FRAME_OPEN) && text_ends(prose, FRAME_CLOSE);
}

static void attribute(struct buffer *to, const char *name, struct text value)
{
	if (!value.at)
		return;
	buffer_format(to, " %s=\"", name);
	xml_escape(to, value, true);
	buffer_byte(to, '"');
}

static void new_line(struct buffer *to, int level)
{
	buffer_byte(to, '\n');
	buffer_fill(to, ' ', 2 * (size_t)level);
}

static void write_summary(struct buffer *to, const struct sprout *s, struct node *node)
{
	node->summary = (uint32_t)to->len;
	buffer_put(to, "<summary>");
	xml_escape(to, s->summary, false);
	buffer_put(to, "</summary>");
	node->summary_to = (uint32_t)to->len;
}

static void write_inside(struct buffer *to, const struct book *b, const struct sprout *s, struct node *node)
{
	bool text_first = s->level == LEVEL_PARAGRAPH && book_writes_text_first(b);
	bool framed = s->level == LEVEL_PARAGRAPH && sprout_needs_frame(s->summary.at, text_first, s->text);

	if (text_first) {
		xml_escape(to, s->text, false);
		node->flags |= NODE_TEXT_FIRST;
	}
	if (s->summary.at) {
		if (!text_first)
			new_line(to, s->level + 1);
		write_summary(to, s, node);
	}
	if (s->level == LEVEL_PARAGRAPH && !text_first) {
		buffer_put(to, framed ? FRAME_OPEN : "");
		xml_escape(to, s->text, false);
		buffer_put(to, framed ? FRAME_CLOSE : "");
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
		new_line(to, s->level + 1);
		sprout_write(to, b, &s->children[i], nodes);
	}
	if (s->level != LEVEL_PARAGRAPH)
		new_line(to, s->level);
	node.inner_to = (uint32_t)to->len;
	buffer_format(to, "</%s>", level_names[s->level]);
	node.to = (uint32_t)to->len;
	nodes->list.items[place] = node;
}
