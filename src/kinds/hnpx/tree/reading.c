#include "kinds/hnpx/tree/reading.h"
#include "base/utf8.h"
#include "kinds/hnpx/tree/level.h"

#include <string.h>

#define FRAME_OPEN "\n          "
#define FRAME_CLOSE "\n        "

static const struct entity {
	const char *name;
	char c;
} entities[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};

/* Decodes a reference, given without its `&` and `;`. The document is well-formed, so the reference is valid. */
static void decode_reference(struct buffer *to, struct text name)
{
	if (name.len > 1 && name.at[0] == '#') {
		bool hex = name.at[1] == 'x';
		uint32_t c = 0;
		for (size_t i = hex ? 2 : 1; i < name.len; i++) {
			char digit = name.at[i];
			uint32_t value = digit <= '9' ? (uint32_t)(digit - '0') : (uint32_t)((digit | 32) - 'a' + 10);
			c = c * (hex ? 16 : 10) + value;
		}
		char *room = buffer_room(to, 4);
		to->len += utf8_put(room, c);
		return;
	}
	for (size_t i = 0; i < ARRAY_COUNT(entities); i++)
		if (text_is(name, entities[i].name))
			buffer_byte(to, entities[i].c);
}

static bool needs_decoding(struct text raw)
{
	return memchr(raw.at, '&', raw.len) || memchr(raw.at, '<', raw.len) || memchr(raw.at, '\r', raw.len);
}

/* The end of the comment, instruction or CDATA section that begins at `at`. */
static size_t markup_end(struct text raw, size_t at)
{
	struct text close = TEXT("?>");
	size_t inside = at + 2;

	if (text_starts(text_slice(raw, at, raw.len), "<!--"))
		close = TEXT("-->"), inside = at + 4;
	else if (text_starts(text_slice(raw, at, raw.len), "<![CDATA["))
		close = TEXT("]]>"), inside = at + 9;
	size_t end = text_find(raw, close, inside);
	return end == SIZE_MAX ? raw.len : end + close.len;
}

static void add_lines(struct buffer *to, struct text t)
{
	for (size_t i = 0; i < t.len; i++) {
		if (t.at[i] != '\r')
			buffer_byte(to, t.at[i]);
		else if (i + 1 == t.len || t.at[i + 1] != '\n')
			buffer_byte(to, '\n');
	}
}

void raw_decode(struct buffer *to, struct text raw)
{
	if (!raw.len)
		return;
	if (!needs_decoding(raw)) {
		buffer_add(to, raw);
		return;
	}
	for (size_t i = 0; i < raw.len;) {
		size_t plain = i;
		while (plain < raw.len && raw.at[plain] != '&' && raw.at[plain] != '<' && raw.at[plain] != '\r')
			plain++;
		buffer_add(to, text_slice(raw, i, plain));
		i = plain;
		if (i == raw.len)
			break;
		if (raw.at[i] == '&') {
			size_t end = text_find(raw, TEXT(";"), i);
			decode_reference(to, text_slice(raw, i + 1, end));
			i = end == SIZE_MAX ? raw.len : end + 1;
		} else if (raw.at[i] == '<') {
			size_t end = markup_end(raw, i);
			if (text_starts(text_slice(raw, i, end), "<![CDATA["))
				add_lines(to, text_slice(raw, i + 9, end - 3));
			i = end;
		} else {
			buffer_byte(to, '\n');
			i += i + 1 < raw.len && raw.at[i + 1] == '\n' ? 2 : 1;
		}
	}
}

struct text raw_text(struct arena *a, struct text raw)
{
	if (!raw.len || !needs_decoding(raw))
		return (struct text){raw.at ? raw.at : "", raw.len};
	struct buffer out = {.arena = a};
	raw_decode(&out, raw);
	return buffer_text(&out);
}

struct text raw_comments(struct arena *a, struct text raw)
{
	struct buffer out = {.arena = a};

	for (size_t i = 0; i < raw.len;) {
		const char *next = memchr(raw.at + i, '<', raw.len - i);
		if (!next)
			break;
		size_t from = (size_t)(next - raw.at), end = markup_end(raw, from);
		if (!text_starts(text_slice(raw, from, end), "<![CDATA["))
			buffer_add(&out, text_slice(raw, from, end));
		i = end;
	}
	return buffer_text(&out);
}

size_t node_attributes(struct arena *a, const struct book *b, uint32_t node, struct xml_attribute **out)
{
	const struct node *n = &b->nodes[node];
	/* The XML table exists only while parsing. One row of it is enough to read a tag. */
	struct xml_node row = {.from = n->from,
			       .to = n->to,
			       .inner = n->inner,
			       .inner_to = n->inner_to,
			       .parent = XML_NONE,
			       .after = 1,
			       .name = n->from + 1,
			       .name_len = (uint32_t)strlen(level_names[n->level]),
			       .type = XML_ELEMENT,
			       .is_empty_tag = n->inner == n->to};
	struct xml one = {.bytes = b->bytes, .nodes = &row, .n = 1, .root = 0};

	return xml_attributes(a, &one, 0, out);
}

/* The raw value of an attribute in the start tag, between its quotes; absent: there is none. The document is
 * well-formed, so the tag is too. */
static struct text raw_attribute(const struct book *b, const struct node *n, const char *name)
{
	struct text tag = text_slice(b->bytes, n->from, n->inner);
	size_t at = 1 + strlen(level_names[n->level]), len = strlen(name);

	for (;;) {
		while (at < tag.len && (tag.at[at] == ' ' || (tag.at[at] >= '\t' && tag.at[at] <= '\r')))
			at++;
		if (at >= tag.len || tag.at[at] == '>' || tag.at[at] == '/')
			return (struct text){0};
		size_t from = at;
		while (at < tag.len && tag.at[at] != '=' && tag.at[at] > ' ')
			at++;
		bool is_it = at - from == len && !memcmp(tag.at + from, name, len);
		while (at < tag.len && tag.at[at] != '"' && tag.at[at] != '\'')
			at++;
		if (at >= tag.len)
			return (struct text){0};
		const char *end = memchr(tag.at + at + 1, tag.at[at], tag.len - at - 1);
		if (!end)
			return (struct text){0};
		if (is_it)
			return text_slice(tag, at + 1, (size_t)(end - tag.at));
		at = (size_t)(end - tag.at) + 1;
	}
}

struct text node_attribute(struct arena *a, const struct book *b, uint32_t node, const char *name)
{
	struct xml_attribute *attributes;
	struct text raw = raw_attribute(b, &b->nodes[node], name);
	bool is_plain = true;

	for (size_t i = 0; i < raw.len; i++)
		is_plain &= raw.at[i] != '&' && (unsigned char)raw.at[i] >= ' ';
	if (is_plain)
		return raw;
	size_t n = node_attributes(a, b, node, &attributes);

	for (size_t i = 0; i < n; i++)
		if (text_is(attributes[i].name, name))
			return attributes[i].value;
	return (struct text){0};
}

struct text node_place_name(struct arena *a, const struct book *b, uint32_t sequence)
{
	return node_attribute(a, b, sequence, b->nodes[sequence].flags & NODE_LOCATION ? "location" : "loc");
}

struct text node_summary_raw(const struct book *b, uint32_t node)
{
	const struct node *n = &b->nodes[node];
	struct text element = text_slice(b->bytes, n->summary, n->summary_to);

	if (n->summary == n->summary_to)
		return (struct text){0};
	size_t from = text_find(element, TEXT(">"), 0) + 1, to = element.len;
	while (to > from && element.at[to - 1] != '<')
		to--;
	return text_slice(element, from, to - 1);
}

struct text node_summary(struct arena *a, const struct book *b, uint32_t node)
{
	struct text raw = node_summary_raw(b, node);

	return raw.at ? raw_text(a, raw) : raw;
}

/* The length of the frame at both ends. Returns false if there is none. */
static bool frame_of(const struct book *b, struct text raw, size_t *open, size_t *close)
{
	const struct text frames[][2] = {{b->layout.frame_open, b->layout.frame_close},
					 {TEXT(FRAME_OPEN), TEXT(FRAME_CLOSE)}};

	for (size_t i = 0; i < ARRAY_COUNT(frames); i++) {
		*open = frames[i][0].len;
		*close = frames[i][1].len;
		if (raw.len >= *open + *close && memcmp(raw.at, frames[i][0].at, *open) == 0 &&
		    memcmp(raw.at + raw.len - *close, frames[i][1].at, *close) == 0)
			return true;
	}
	return false;
}

bool prose_is_framed(const struct book *b, struct text raw)
{
	size_t open, close;

	return frame_of(b, raw, &open, &close);
}

struct prose node_prose(struct arena *a, const struct book *b, uint32_t paragraph)
{
	const struct node *n = &b->nodes[paragraph];
	bool has_summary = n->summary != n->summary_to;
	uint32_t from = has_summary ? n->summary_to : n->inner, to = n->inner_to;
	struct text before = has_summary ? raw_text(a, text_slice(b->bytes, n->inner, n->summary)) : TEXT("");
	struct text raw = text_slice(b->bytes, from, to);
	struct prose p = {0};
	size_t frame_open, frame_close;

	if (!text_is_blank(before)) {
		struct text after = raw_text(a, raw);
		if (text_is_blank(after)) {
			from = n->inner, to = n->summary;
			raw = text_slice(b->bytes, from, to);
		} else {
			struct buffer both = {.arena = a};
			buffer_add(&both, before);
			buffer_add(&both, after);
			return (struct prose){.text = buffer_text(&both)};
		}
	} else if (frame_of(b, raw, &frame_open, &frame_close)) {
		p.is_framed = true;
		from += (uint32_t)frame_open;
		to -= (uint32_t)frame_close;
		raw = text_slice(b->bytes, from, to);
	}
	p.is_plain = !raw.len || !needs_decoding(raw);
	p.text = p.is_plain ? (struct text){raw.at ? raw.at : "", raw.len} : raw_text(a, raw);
	p.from = from;
	p.to = to;
	return p;
}

struct text node_shown_prose(struct arena *a, const struct book *b, uint32_t paragraph)
{
	struct prose p = node_prose(a, b, paragraph);

	return p.is_framed ? p.text : text_trim(p.text);
}

int node_mode(struct arena *a, const struct book *b, uint32_t paragraph)
{
	int mode = mode_named(node_attribute(a, b, paragraph, "mode"));

	return mode < 0 ? MODE_NARRATION : mode;
}

struct text node_pov(struct arena *a, const struct book *b, uint32_t node)
{
	for (; node != BOOK_NONE; node = b->nodes[node].parent) {
		if (b->nodes[node].level != LEVEL_SEQUENCE && b->nodes[node].level != LEVEL_CHAPTER)
			continue;
		struct text pov = node_attribute(a, b, node, "pov");
		if (!text_is_blank(pov))
			return pov;
	}
	return (struct text){0};
}
