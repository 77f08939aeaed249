/* yaml_quick.c: reads plain front matter without libyaml, and writes single values.
 *
 * It reads lines of `key: value`, `key: [a, b]` and `key:` with dashed items below, comments and blank lines.
 * Everything that may have another meaning in YAML (anchors, escapes, values over several lines, nested collections) is
 * left to libyaml: a wrong guess would lead to a wrong splice. */
#include "base/buffer.h"
#include "format/yaml.h"

#include <string.h>

struct quick {
	struct arena *arena;
	struct text b;
	struct yaml *out;
	ARRAY(struct yaml_scalar) items;
};

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_blank(char c) { return c == ' '; }

/* Bytes without a special meaning inside a plain scalar that began with a word. YAML has its own rules for printable
 * characters beyond ASCII, so only ASCII is plain here. */
static bool is_plain(char c) { return is_word(c) || (c && strchr(" -./+()=@~;?!$%^&*<>_'\"", c)); }

static struct yaml_scalar scalar(struct quick *q, size_t from, size_t to, enum yaml_quote quote)
{
	struct text raw = {q->b.at + from, to - from};

	return (struct yaml_scalar){.value = text_copy(q->arena, quote ? text_slice(raw, 1, raw.len - 1) : raw),
				    .from = (uint32_t)from,
				    .to = (uint32_t)to,
				    .quote = quote};
}

/* One scalar at `at`; it ends at a byte of `ends` or at `end`. Returns the position after it; 0: not plain enough. */
static size_t take_scalar(struct quick *q, size_t at, size_t end, const char *ends)
{
	char c = q->b.at[at];
	size_t p = at;

	if (c == '"' || c == '\'') {
		for (p++; p < end && q->b.at[p] != c; p++)
			if (q->b.at[p] == '\\' || q->b.at[p] < ' ' || q->b.at[p] > '~')
				return 0;
		if (p >= end || (p + 1 < end && q->b.at[p + 1] == c))
			return 0;
		*ARRAY_PUSH(q->arena, &q->items) = scalar(q, at, p + 1, c == '"' ? YAML_DOUBLE : YAML_SINGLE);
		return p + 1;
	}
	if (!is_word(c))
		return 0;
	while (p < end && !strchr(ends, q->b.at[p]) && is_plain(q->b.at[p]))
		p++;
	/* A colon is part of the text unless a blank or the end follows. libyaml decides that. */
	if (p < end && !strchr(ends, q->b.at[p]))
		return 0;
	size_t to = p;
	while (to > at && is_blank(q->b.at[to - 1]))
		to--;
	*ARRAY_PUSH(q->arena, &q->items) = scalar(q, at, to, YAML_PLAIN);
	return p;
}

static size_t skip(struct quick *q, size_t at, size_t end)
{
	while (at < end && is_blank(q->b.at[at]))
		at++;
	return at;
}

static bool flow_list(struct quick *q, size_t at, size_t end, struct yaml_entry *e)
{
	size_t p = skip(q, at + 1, end);

	e->type = YAML_FLOW_LIST;
	e->from = (uint32_t)at;
	while (p < end && q->b.at[p] != ']') {
		p = take_scalar(q, p, end, ",]");
		if (!p)
			return false;
		p = skip(q, p, end);
		if (p < end && q->b.at[p] == ',') {
			p = skip(q, p + 1, end);
			if (p < end && q->b.at[p] == ']')
				return false;
		} else if (p >= end || q->b.at[p] != ']') {
			return false;
		}
	}
	e->to = (uint32_t)p + 1;
	return p < end && skip(q, p + 1, end) == end;
}

static size_t line_end(struct quick *q, size_t at, size_t *next)
{
	const char *newline = memchr(q->b.at + at, '\n', q->b.len - at);
	size_t end = newline ? (size_t)(newline - q->b.at) : q->b.len;

	*next = newline ? end + 1 : end;
	return end > at && q->b.at[end - 1] == '\r' ? end - 1 : end;
}

/* `- item` lines with the same indentation. Returns where they end; 0: not plain enough. */
static size_t block_list(struct quick *q, size_t at, struct yaml_entry *e)
{
	size_t next, indent = SIZE_MAX;

	for (; at < q->b.len; at = next) {
		size_t end = line_end(q, at, &next), p = skip(q, at, end);
		if (p >= end || q->b.at[p] != '-')
			return indent == SIZE_MAX || p == at ? at : 0;
		if (p + 1 >= end || !is_blank(q->b.at[p + 1]) || (indent != SIZE_MAX && p - at != indent))
			return 0;
		indent = p - at;
		if (!e->n)
			e->from = (uint32_t)p;
		e->n++;
		p = skip(q, p + 1, end);
		if (p >= end || !(p = take_scalar(q, p, end, "")) || skip(q, p, end) < end)
			return 0;
	}
	return at;
}

/* `key: ...`, with the lines of its list. Returns the position after it; 0: not plain enough. */
static size_t entry(struct quick *q, size_t at, size_t end, size_t next)
{
	size_t p = at;
	struct yaml_entry e = {.all_scalars = true};

	while (p < end && (is_word(q->b.at[p]) || q->b.at[p] == '-'))
		p++;
	if (p == at || !is_word(q->b.at[at]) || p >= end || q->b.at[p] != ':' ||
	    (p + 1 < end && !is_blank(q->b.at[p + 1])))
		return 0;
	e.key = scalar(q, at, p, YAML_PLAIN);
	memset(&q->items, 0, sizeof q->items);
	p = skip(q, p + 1, end);
	if (p >= end) {
		e.type = YAML_BLOCK_LIST;
		next = block_list(q, next, &e);
		/* A key without a value is null. Its position is the one that libyaml reports. */
		if (!next || !e.n)
			return 0;
		e.to = q->items.items[q->items.n - 1].to;
	} else if (q->b.at[p] == '[') {
		if (!flow_list(q, p, end, &e))
			return 0;
	} else {
		size_t behind = take_scalar(q, p, end, "");
		if (!behind || skip(q, behind, end) < end)
			return 0;
		e.type = YAML_SCALAR;
		e.from = q->items.items[0].from;
		e.to = q->items.items[0].to;
	}
	e.items = q->items.items;
	e.n = q->items.n;
	*ARRAY_PUSH(q->arena, &q->out->entries) = e;
	for (size_t i = 0; i < e.n; i++)
		*ARRAY_PUSH(q->arena, &q->out->scalars) = e.items[i];
	return next;
}

struct yaml *yaml_quick(struct arena *a, struct text bytes)
{
	struct quick q = {.arena = a, .b = bytes, .out = arena_new(a, struct yaml)};

	if (bytes.len > YAML_MAX)
		return NULL;
	for (size_t at = 0, next; at < bytes.len; at = next) {
		size_t end = line_end(&q, at, &next);
		if (at == end)
			continue;
		if (bytes.at[at] == '#') {
			for (size_t i = at; i < end; i++)
				if ((bytes.at[i] < ' ' && bytes.at[i] != '\t') || bytes.at[i] > '~')
					return NULL;
			continue;
		}
		next = entry(&q, at, end, next);
		if (!next)
			return NULL;
	}
	return q.out;
}

/* Words that other YAML readers do not read as strings. */
static bool is_special(struct text t)
{
	static const char *const words[] = {"true", "false", "yes", "no", "on", "off", "null", "y", "n", NULL};
	bool is_number = t.len > 0;

	for (size_t i = 0; i < t.len; i++)
		is_number &= (t.at[i] >= '0' && t.at[i] <= '9') || strchr("+-._:exoabcdefEXOABCDEF", t.at[i]);
	if (is_number && t.at[0] >= '0' && t.at[0] <= '9')
		return true;
	for (size_t i = 0; words[i]; i++)
		if (t.len == strlen(words[i]) && !strncasecmp(t.at, words[i], t.len))
			return true;
	return false;
}

struct text yaml_quoted(struct arena *a, struct text value)
{
	bool plain = value.len && (is_word(value.at[0]) || value.at[0] & 0x80) && value.at[value.len - 1] != ' ' &&
		     !is_special(value);
	struct buffer b = {.arena = a};

	/* Letters of other scripts are plain as well. But the no-break space, line separators and the byte order mark
	 * begin with these bytes, so text with them is quoted. */
	for (size_t i = 0; i < value.len && plain; i++) {
		unsigned char c = (unsigned char)value.at[i];
		plain = c < 0x80 ? is_word((char)c) || strchr(" -./", c) : c != 0xc2 && c != 0xe2 && c != 0xef;
		plain &= c != 0;
	}
	if (plain)
		return value;
	buffer_byte(&b, '"');
	for (size_t i = 0; i < value.len; i++) {
		unsigned char c = (unsigned char)value.at[i];
		if (c == '"' || c == '\\')
			buffer_byte(&b, '\\');
		if (c < ' ' || c == 0x7f)
			buffer_format(&b, "\\x%02X", c);
		else
			buffer_byte(&b, (char)c);
	}
	buffer_byte(&b, '"');
	return buffer_text(&b);
}
