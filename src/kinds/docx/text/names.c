#include "kinds/docx/text/names.h"

#include "base/array.h"
#include "base/ascii.h"
#include "format/xml.h"

#include <string.h>

static const struct {
	const char *uri;
	enum space space;
	bool is_strict;
} known[] = {
	{"http://schemas.openxmlformats.org/wordprocessingml/2006/main", SPACE_W, false},
	{"http://purl.oclc.org/ooxml/wordprocessingml/main", SPACE_W, true},
	{"http://schemas.microsoft.com/office/word/2010/wordml", SPACE_W14, false},
	{"http://schemas.microsoft.com/office/word/2012/wordml", SPACE_W15, false},
	{"http://schemas.openxmlformats.org/markup-compatibility/2006", SPACE_MC, false},
	{"http://schemas.openxmlformats.org/officeDocument/2006/relationships", SPACE_R, false},
	{"http://purl.oclc.org/ooxml/officeDocument/relationships", SPACE_R, true},
	{"http://schemas.openxmlformats.org/officeDocument/2006/math", SPACE_M, false},
	{"http://purl.oclc.org/ooxml/officeDocument/math", SPACE_M, true},
	{"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing", SPACE_WP, false},
	{"http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing", SPACE_WP, true},
};

static struct binding bind(struct text prefix, struct text uri)
{
	struct binding b = {prefix, uri, SPACE_OTHER};

	for (size_t i = 0; i < ARRAY_COUNT(known); i++)
		if (text_is(uri, known[i].uri))
			b.space = known[i].space;
	return b;
}

/* The next attribute of a start tag; false at its end. */
static bool next_attribute(struct text tag, size_t *at, struct text *name, struct text *value)
{
	size_t i = *at;

	while (i < tag.len && is_space(tag.at[i]))
		i++;
	size_t from = i;
	while (i < tag.len && tag.at[i] != '=' && tag.at[i] != '>' && tag.at[i] != '/' && !is_space(tag.at[i]))
		i++;
	*name = text_slice(tag, from, i);
	while (i < tag.len && is_space(tag.at[i]))
		i++;
	if (i >= tag.len || tag.at[i] != '=')
		return false;
	for (i++; i < tag.len && is_space(tag.at[i]);)
		i++;
	if (i >= tag.len || (tag.at[i] != '"' && tag.at[i] != '\''))
		return false;
	const char *end = memchr(tag.at + i + 1, tag.at[i], tag.len - i - 1);
	if (!end)
		return false;
	*value = (struct text){tag.at + i + 1, (size_t)(end - tag.at) - i - 1};
	*at = (size_t)(end - tag.at) + 1;
	return true;
}

const struct names *names_read(struct arena *a, const struct names *outer, struct text tag)
{
	static const struct names none;
	size_t at = 1;
	struct text name, value;
	ARRAY(struct binding) list = {0};

	while (at < tag.len && !is_space(tag.at[at]) && tag.at[at] != '>' && tag.at[at] != '/')
		at++;
	while (next_attribute(tag, &at, &name, &value)) {
		if (!text_starts(name, "xmlns") || (name.len > 5 && name.at[5] != ':'))
			continue;
		size_t around = list.n || !outer ? 0 : outer->n;
		for (size_t i = 0; i < around; i++)
			*ARRAY_PUSH(a, &list) = outer->items[i];
		*ARRAY_PUSH(a, &list) = bind(name.len > 5 ? text_slice(name, 6, name.len) : TEXT(""), value);
	}
	if (!list.n)
		return outer ? outer : &none;
	struct names *s = arena_new(a, struct names);
	s->items = list.items;
	s->n = list.n;
	s->w = names_prefix(s, SPACE_W, true);
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < ARRAY_COUNT(known); k++)
			s->is_strict |= known[k].is_strict && known[k].space == SPACE_W &&
					text_is(s->items[i].uri, known[k].uri);
	return s;
}

enum space names_space(const struct names *s, struct text prefix)
{
	if (text_is(prefix, "xml"))
		return SPACE_XML;
	for (size_t i = s->n; i-- > 0;)
		if (text_same(s->items[i].prefix, prefix))
			return s->items[i].space;
	return prefix.len ? SPACE_OTHER : SPACE_NONE;
}

enum space names_split(const struct names *s, struct text name, bool is_attribute, struct text *local)
{
	/* Nearly every name of a document has this prefix. */
	if (s->w.at && name.len > s->w.len && name.at[s->w.len] == ':' && name.at[0] == s->w.at[0] &&
	    (s->w.len == 1 || !memcmp(name.at, s->w.at, s->w.len))) {
		*local = (struct text){name.at + s->w.len + 1, name.len - s->w.len - 1};
		return SPACE_W;
	}
	const char *colon = memchr(name.at, ':', name.len);
	size_t n = colon ? (size_t)(colon - name.at) : 0;
	*local = colon ? text_slice(name, n + 1, name.len) : name;
	if (!colon && is_attribute)
		return SPACE_NONE;
	return names_space(s, text_slice(name, 0, n));
}

struct text names_prefix(const struct names *s, enum space space, bool for_attribute)
{
	for (size_t i = s->n; i-- > 0;) {
		const struct binding *b = &s->items[i];
		if (b->space == space && (b->prefix.len || !for_attribute) && names_space(s, b->prefix) == space)
			return b->prefix;
	}
	return (struct text){0};
}

static struct text w_uri(const struct names *s)
{
	for (size_t i = s->n; i-- > 0;)
		if (s->items[i].space == SPACE_W)
			return s->items[i].uri;
	return text_of(known[0].uri);
}

void names_open(struct buffer *to, const struct names *s, const char *local)
{
	buffer_byte(to, '<');
	buffer_add(to, s->w.at ? s->w : TEXT("w"));
	buffer_byte(to, ':');
	buffer_put(to, local);
	if (s->w.at)
		return;
	buffer_put(to, " xmlns:w=\"");
	buffer_add(to, w_uri(s));
	buffer_byte(to, '"');
}

void names_attribute(struct buffer *to, const struct names *s, const char *local, struct text value)
{
	buffer_byte(to, ' ');
	buffer_add(to, s->w.at ? s->w : TEXT("w"));
	buffer_byte(to, ':');
	buffer_put(to, local);
	buffer_put(to, "=\"");
	xml_escape(to, value, true);
	buffer_byte(to, '"');
}

void names_close(struct buffer *to, const struct names *s, const char *local)
{
	buffer_put(to, "</");
	buffer_add(to, s->w.at ? s->w : TEXT("w"));
	buffer_byte(to, ':');
	buffer_put(to, local);
	buffer_byte(to, '>');
}
