/* Decodes the bytes: references, CDATA, line ends, attributes; and encodes them. expat or xml_scan has checked the
 * bytes before, so nothing is checked again here. */
#include "format/xml_scan.h"

#include "base/array.h"
#include "base/ascii.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	char c;
} entities[] = {{"amp;", '&'}, {"lt;", '<'}, {"gt;", '>'}, {"quot;", '"'}, {"apos;", '\''}};

/* Decodes the reference whose ampersand is at p; returns the position after it. */
static const char *put_reference(char **w, const char *p, const char *end)
{
	struct text rest = {p + 1, (size_t)(end - p - 1)};

	if (text_starts(rest, "#")) {
		bool is_hex = text_starts(rest, "#x");
		char *behind;
		*w += utf8_put(*w, (uint32_t)strtoul(rest.at + (is_hex ? 2 : 1), &behind, is_hex ? 16 : 10));
		return behind + 1;
	}
	for (size_t i = 0; i < ARRAY_COUNT(entities); i++) {
		if (text_starts(rest, entities[i].name)) {
			*(*w)++ = entities[i].c;
			return rest.at + strlen(entities[i].name);
		}
	}
	*(*w)++ = '&';
	return p + 1;
}

/* Every form of line end becomes LF. In an attribute, line ends and tabs become spaces. */
static const char *put_plain(char **w, const char *p, const char *end, bool in_attribute)
{
	char c = *p++;

	if (c == '\r') {
		p += p < end && *p == '\n';
		c = '\n';
	}
	*(*w)++ = in_attribute && (c == '\n' || c == '\t') ? ' ' : c;
	return p;
}

static bool is_special(char c, bool in_attribute)
{
	return c == '&' || c == '\r' || (in_attribute ? c == '\n' || c == '\t' : c == '<');
}

static struct text decoded(struct arena *a, struct text t, bool in_attribute)
{
	static const struct text opening = {"<![CDATA[", 9}, closing = {"]]>", 3};
	const char *p = t.at, *end = p + t.len;

	while (p < end && !is_special(*p, in_attribute))
		p++;
	if (p == end)
		return t;
	/* Decoding never makes text longer. */
	char *out = arena_alloc(a, t.len + 1), *w = out + (p - t.at);
	memcpy(out, t.at, (size_t)(p - t.at));
	while (p < end) {
		if (*p == '&') {
			p = put_reference(&w, p, end);
		} else if (*p == '<') {
			const char *close = t.at + text_find(t, closing, (size_t)(p - t.at));
			for (p += opening.len; p < close;)
				p = put_plain(&w, p, close, false);
			p = close + closing.len;
		} else {
			p = put_plain(&w, p, end, in_attribute);
		}
	}
	*w = 0;
	return (struct text){out, (size_t)(w - out)};
}

struct text xml_value(struct arena *a, struct text written, bool in_attribute)
{
	return written.at ? decoded(a, written, in_attribute) : written;
}

struct text xml_decoded(struct arena *a, const struct xml *x, uint32_t text_node)
{
	return decoded(a, text_slice(x->bytes, x->nodes[text_node].from, x->nodes[text_node].to), false);
}

static const char *skip_blanks(const char *p)
{
	while (is_space(*p))
		p++;
	return p;
}

/* Finds the attribute that begins after p, with its value as written; false: the tag ends first. Every tag ends in '>',
 * which stops each loop. */
static bool next_attribute(const struct xml *x, const char **p, struct xml_attribute *found)
{
	const char *name = skip_blanks(*p), *end = name;

	if (*name == '/' || *name == '>')
		return false;
	while (*end != '=' && !is_space(*end))
		end++;
	const char *quote = skip_blanks(skip_blanks(end) + 1), *value = quote + 1, *close = value;
	while (*close != *quote)
		close++;
	*p = close + 1;
	*found = (struct xml_attribute){
		.name = {name, (size_t)(end - name)},
		.value = {value, (size_t)(close - value)},
		.from = (uint32_t)(name - x->bytes.at),
		.to = (uint32_t)(close + 1 - x->bytes.at),
		.value_from = (uint32_t)(value - x->bytes.at),
		.value_to = (uint32_t)(close - x->bytes.at),
	};
	return true;
}

size_t xml_attributes(struct arena *a, const struct xml *x, uint32_t element, struct xml_attribute **out)
{
	const char *p = x->bytes.at + x->nodes[element].name + x->nodes[element].name_len;
	ARRAY(struct xml_attribute) list = {0};
	struct xml_attribute found;

	while (next_attribute(x, &p, &found)) {
		found.value = decoded(a, found.value, true);
		*ARRAY_PUSH(a, &list) = found;
	}
	*out = list.items;
	return list.n;
}

struct text xml_attribute(struct arena *a, const struct xml *x, uint32_t element, const char *name)
{
	const char *p = x->bytes.at + x->nodes[element].name + x->nodes[element].name_len;
	struct xml_attribute found;

	while (next_attribute(x, &p, &found))
		if (text_is(found.name, name))
			return decoded(a, found.value, true);
	return (struct text){0};
}

static const char *const escapes[128] = {
	['&'] = "&amp;",  ['<'] = "&lt;",   ['>'] = "&gt;",  ['\r'] = "&#13;",
	['"'] = "&quot;", ['\n'] = "&#10;", ['\t'] = "&#9;",
};

static const char *escape_of(unsigned char c, bool in_attribute)
{
	bool only_in_attribute = c == '"' || c == '\n' || c == '\t';

	return c < 128 && (in_attribute || !only_in_attribute) ? escapes[c] : NULL;
}

/* Length of the character at p if XML can represent it, else 0. */
static int writable(const char *p, const char *end)
{
	unsigned char c = (unsigned char)*p;

	if (c < 0x80)
		return c >= 0x20 || c == '\t' || c == '\n' || c == '\r';
	/* U+FFFE and U+FFFF */
	if (c == 0xEF && end - p >= 3 && (unsigned char)p[1] == 0xBF && (unsigned char)p[2] >= 0xBE)
		return 0;
	return utf8_len(p, end);
}

size_t xml_unwritable(struct text t)
{
	const char *p = t.at, *end = p + t.len;

	for (int n; p < end && (n = writable(p, end)); p += n)
		;
	return (size_t)(p - t.at);
}

size_t xml_escape(struct buffer *to, struct text t, bool in_attribute)
{
	size_t until = xml_unwritable(t), from = 0;

	for (size_t i = 0; i < until; i++) {
		const char *escape = escape_of((unsigned char)t.at[i], in_attribute);
		if (!escape)
			continue;
		buffer_add(to, text_slice(t, from, i));
		buffer_put(to, escape);
		from = i + 1;
	}
	buffer_add(to, text_slice(t, from, until));
	return until;
}
