#include "format/xml_scan.h"

#include "base/ascii.h"
#include "base/budget.h"
#include "base/utf8.h"

#include <string.h>
#include <strings.h>

/* Classes of bytes, so that the inner loops read one table. */
enum { PLAIN = 0, MARK = 1, WIDE = 2, BAD = 3 };
enum { NAME_START = 1, NAME_PART = 2 };

/* clang-format off */
#define RANGE8(c) c, c, c, c, c, c, c, c
#define RANGE64(c) RANGE8(c), RANGE8(c), RANGE8(c), RANGE8(c), RANGE8(c), RANGE8(c), RANGE8(c), RANGE8(c)
static const uint8_t text_class[256] = {
	BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, PLAIN, PLAIN, BAD, BAD, MARK, BAD, BAD,
	RANGE8(BAD), RANGE8(BAD),
	['&'] = MARK, ['<'] = MARK, [']'] = MARK,
	[128] = RANGE64(WIDE), RANGE64(WIDE),
};
static const uint8_t value_class[256] = {
	BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD, PLAIN, PLAIN, BAD, BAD, PLAIN, BAD, BAD,
	RANGE8(BAD), RANGE8(BAD),
	['&'] = MARK, ['<'] = MARK, ['"'] = MARK, ['\''] = MARK,
	[128] = RANGE64(WIDE), RANGE64(WIDE),
};
static const uint8_t name_class[256] = {
	['a'] = 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
	['A'] = 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
	['0'] = 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, ['_'] = 3, [':'] = 3, ['-'] = 2, ['.'] = 2,
	[128] = RANGE64(3), RANGE64(3),
};
/* clang-format on */

static bool refuse(struct xml_scan *s, enum fault fault, const char *at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static bool refuse(struct xml_scan *s, enum fault fault, const char *at, const char *format, ...)
{
	struct xml x = {.bytes = s->bytes};
	va_list ap;

	va_start(ap, format);
	*s->err = (struct error){.fault = fault, .message = text_vformat(s->arena, format, ap).at};
	va_end(ap);
	s->err->line = xml_line(&x, (uint32_t)(at - s->bytes.at), &s->err->column);
	s->is_bad = true;
	return false;
}

static bool not_formed(struct xml_scan *s, const char *at, const char *why)
{
	return refuse(s, FAULT_ARGUMENT, at, "the XML is not well-formed: %s", why);
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && is_space(*p))
		p++;
	return p;
}

static bool starts(const struct xml_scan *s, const char *p, const char *with)
{
	size_t n = strlen(with);

	return (size_t)(s->end - p) >= n && !memcmp(p, with, n);
}

/* Checks the multi-byte character at p; NULL: not UTF-8, or a character that XML cannot represent. */
static const char *wide(struct xml_scan *s, const char *p)
{
	int n = utf8_len(p, s->end);

	if (!n)
		refuse(s, FAULT_ARGUMENT, p, "the XML is not valid UTF-8: byte 0x%02x", (unsigned char)*p);
	else if ((unsigned char)p[0] == 0xEF && (unsigned char)p[1] == 0xBF && (unsigned char)p[2] >= 0xBE)
		not_formed(s, p, "this character is not allowed here");
	return s->is_bad ? NULL : p + n;
}

static const char *bad_byte(struct xml_scan *s, const char *p)
{
	refuse(s, FAULT_ARGUMENT, p, "the XML contains the control character 0x%02x, which XML does not allow",
	       (unsigned char)*p);
	return NULL;
}

static bool is_character(uint32_t c)
{
	return c == 9 || c == 10 || c == 13 || (c >= 0x20 && c <= 0xD7FF) || (c >= 0xE000 && c <= 0xFFFD) ||
	       (c >= 0x10000 && c <= 0x10FFFF);
}

/* The reference whose ampersand is at p; returns the position after it, or NULL. */
static const char *reference(struct xml_scan *s, const char *p)
{
	static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};

	if (starts(s, p, "&#")) {
		bool is_hex = p + 2 < s->end && p[2] == 'x';
		const char *first = p + (is_hex ? 3 : 2), *q = first;
		uint32_t c = 0;
		for (; q < s->end && *q != ';'; q++) {
			unsigned digit = *q >= '0' && *q <= '9'   ? (unsigned)(*q - '0')
					 : *q >= 'a' && *q <= 'f' ? (unsigned)(*q - 'a' + 10)
					 : *q >= 'A' && *q <= 'F' ? (unsigned)(*q - 'A' + 10)
								  : 99;
			if (digit >= (is_hex ? 16u : 10u))
				return not_formed(s, p, "a reference is malformed"), NULL;
			c = c > 0x10FFFF ? c : c * (is_hex ? 16 : 10) + digit;
		}
		if (q == s->end || q == first || !is_character(c))
			return not_formed(s, p, "a reference names a character that XML does not allow"), NULL;
		return q + 1;
	}
	for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
		if (starts(s, p, entities[i]))
			return p + strlen(entities[i]);
	not_formed(s, p, "an entity is not defined; only amp, lt, gt, quot and apos are");
	return NULL;
}

/* The name at p; returns the position after it, or NULL. */
static const char *name_end(struct xml_scan *s, const char *p)
{
	const char *q = p;

	if (p == s->end || !(name_class[(unsigned char)*p] & NAME_START)) {
		if (p < s->end && (unsigned char)*p < 0x20 && !is_space(*p))
			return bad_byte(s, p);
		return not_formed(s, p, p == s->end ? "it ends inside a tag or a reference" : "expected a name"), NULL;
	}
	while (q < s->end && name_class[(unsigned char)*q] & NAME_PART) {
		if ((unsigned char)*q < 0x80)
			q++;
		else if (!(q = wide(s, q)))
			return NULL;
	}
	return q;
}

/* The value whose opening quote is at p; returns the position after the closing quote, or NULL. */
static const char *value_end(struct xml_scan *s, const char *p)
{
	char quote = *p++;

	while (p < s->end) {
		switch (value_class[(unsigned char)*p]) {
		case PLAIN: p++; break;
		case WIDE: p = wide(s, p); break;
		case BAD: return bad_byte(s, p);
		default:
			if (*p == quote)
				return p + 1;
			if (*p == '<')
				return not_formed(s, p, "an attribute's value contains <; write &lt;"), NULL;
			p = *p == '&' ? reference(s, p) : p + 1;
		}
		if (!p)
			return NULL;
	}
	not_formed(s, p, "it ends inside a tag or a reference");
	return NULL;
}

static const char *attribute(struct xml_scan *s, const char *p)
{
	if (s->n == s->limits->attributes || s->n == XML_SCAN_ATTRIBUTES_MAX) {
		refuse(s, FAULT_TOO_LARGE, s->bytes.at + s->from, "an element has more than %u attributes", s->n);
		return NULL;
	}
	const char *end = name_end(s, p);
	if (!end)
		return NULL;
	struct text name = {p, (size_t)(end - p)};
	p = skip_blanks(end, s->end);
	if (p == s->end || *p != '=')
		return not_formed(s, p, "an attribute has no value"), NULL;
	p = skip_blanks(p + 1, s->end);
	if (p == s->end || (*p != '"' && *p != '\''))
		return not_formed(s, p, "an attribute's value has no quotes"), NULL;
	const char *close = value_end(s, p);
	if (!close)
		return NULL;
	for (uint32_t i = 0; i < s->n; i++)
		if (s->attributes[i].name.len == name.len && !memcmp(s->attributes[i].name.at, name.at, name.len))
			return not_formed(s, name.at, "an attribute is given twice in one tag"), NULL;
	s->attributes[s->n++] = (struct xml_scan_attribute){name, {p + 1, (size_t)(close - p - 2)}};
	return close;
}

static void push(struct xml_scan *s)
{
	if (s->depth == s->stack_cap) {
		size_t cap = s->stack_cap ? s->stack_cap * 2 : 64;
		s->stack = arena_grow(s->arena, s->stack, s->stack_cap * sizeof *s->stack, cap * sizeof *s->stack);
		s->stack_cap = cap;
	}
	s->stack[s->depth++] = s->name;
}

static bool open_tag(struct xml_scan *s, const char *p)
{
	const char *end = name_end(s, p + 1);

	if (!end)
		return false;
	if (!s->depth && s->has_root)
		return not_formed(s, p, "there is content after the root element");
	s->name = (struct text){p + 1, (size_t)(end - p - 1)};
	s->n = 0;
	s->is_empty = false;
	for (;;) {
		const char *next = skip_blanks(end, s->end);
		if (next == s->end)
			return not_formed(s, next, "it ends inside a tag or a reference");
		if (*next == '>') {
			end = next + 1;
			break;
		}
		if (*next == '/') {
			if (next + 1 == s->end || next[1] != '>')
				return not_formed(s, next, "this character is not allowed here");
			s->is_empty = true;
			end = next + 2;
			break;
		}
		if (next == end)
			return not_formed(s, next, "this character is not allowed here");
		if (!(end = attribute(s, next)))
			return false;
	}
	if (s->depth >= s->limits->depth)
		return refuse(s, FAULT_TOO_LARGE, p, "elements are nested more than %u deep", s->limits->depth);
	push(s);
	s->has_root = true;
	s->is_closing = s->is_empty;
	s->token = XML_SCAN_OPEN;
	s->at = end;
	return true;
}

static bool close_tag(struct xml_scan *s, const char *p)
{
	const char *end = name_end(s, p + 2);

	if (!end)
		return false;
	s->name = (struct text){p + 2, (size_t)(end - p - 2)};
	struct text open = s->depth ? s->stack[s->depth - 1] : (struct text){0};
	if (!s->depth || open.len != s->name.len || memcmp(open.at, s->name.at, open.len)) {
		open.len = open.len > 60 ? utf8_cut(open, 60) : open.len;
		return s->depth ? refuse(s, FAULT_ARGUMENT, p,
					 "the XML is not well-formed: this end tag should be </%.*s>", TEXT_ARGS(open))
				: not_formed(s, p, "an end tag has no start tag");
	}
	end = skip_blanks(end, s->end);
	if (end == s->end || *end != '>')
		return not_formed(s, end, "an end tag is not closed");
	s->token = XML_SCAN_CLOSE;
	s->at = end + 1;
	return true;
}

/* Skips to the closing mark and checks that all bytes before it are XML characters. */
static bool until(struct xml_scan *s, const char *p, const char *mark, const char *why)
{
	size_t n = strlen(mark);

	while (p < s->end) {
		unsigned char c = (unsigned char)*p;
		if (*p == *mark && (size_t)(s->end - p) >= n && !memcmp(p, mark, n)) {
			s->at = p + n;
			return true;
		}
		if (c >= 0x80) {
			if (!(p = wide(s, p)))
				return false;
		} else if (c < 0x20 && !is_space(*p)) {
			return bad_byte(s, p), false;
		} else {
			p++;
		}
	}
	return not_formed(s, p, why);
}

static bool comment(struct xml_scan *s, const char *p)
{
	if (!until(s, p + 4, "--", "a comment is not closed"))
		return false;
	if (s->at == s->end || *s->at != '>')
		return not_formed(s, s->at, "a comment contains --");
	s->at++;
	s->token = XML_SCAN_OTHER;
	return true;
}

/* The declaration: version, then the optional encoding and standalone. Only UTF-8 is accepted. */
static bool declaration(struct xml_scan *s, const char *p)
{
	static const char *const names[] = {"version", "encoding", "standalone"};
	size_t next = 0;

	s->n = 0;
	for (const char *at = p + 5;;) {
		const char *to = skip_blanks(at, s->end);
		if (starts(s, to, "?>")) {
			s->at = to + 2;
			break;
		}
		if (to == at || !(at = attribute(s, to)))
			return s->is_bad ? false : not_formed(s, to, "the XML declaration is malformed");
	}
	for (uint32_t i = 0; i < s->n; i++) {
		struct xml_scan_attribute *a = &s->attributes[i];
		while (next < 3 && !text_is(a->name, names[next]))
			next++;
		bool is_fine = next < 3 && (i || !next);
		for (size_t k = 0; k < a->value.len; k++)
			is_fine = is_fine && name_class[(unsigned char)a->value.at[k]] && a->value.at[k] != ':' &&
				  (unsigned char)a->value.at[k] < 0x80;
		if (is_fine && next == 2)
			is_fine = text_is(a->value, "yes") || text_is(a->value, "no");
		if (!is_fine)
			return not_formed(s, a->name.at, "the XML declaration is malformed");
		if (next++ == 1 && (a->value.len != 5 || strncasecmp(a->value.at, "UTF-8", 5))) {
			struct text shown = {a->value.at, a->value.len < 40 ? a->value.len : utf8_cut(a->value, 40)};
			return refuse(s, FAULT_ARGUMENT, p,
				      "the XML declares the encoding %.*s; save the document as UTF-8",
				      TEXT_ARGS(shown));
		}
	}
	s->token = XML_SCAN_OTHER;
	return s->n ? true : not_formed(s, p, "the XML declaration is malformed");
}

static bool instruction(struct xml_scan *s, const char *p)
{
	const char *end = name_end(s, p + 2);

	if (!end)
		return false;
	if (end - p == 5 && !strncasecmp(p + 2, "xml", 3)) {
		size_t bom = s->bytes.len >= 3 && !memcmp(s->bytes.at, "\xEF\xBB\xBF", 3) ? 3 : 0;
		if (p != s->bytes.at + bom || memcmp(p + 2, "xml", 3))
			return not_formed(s, p, "the XML declaration must be the first thing in the document");
		return declaration(s, p);
	}
	if (end < s->end && !is_space(*end) && !starts(s, end, "?>"))
		return not_formed(s, end, "this character is not allowed here");
	s->token = XML_SCAN_OTHER;
	return until(s, end, "?>", "an instruction is not closed");
}

/* Text up to the next tag, comment or instruction: characters, references and CDATA sections. */
static bool text(struct xml_scan *s, const char *p)
{
	s->is_plain = true;
	while (p < s->end) {
		switch (text_class[(unsigned char)*p]) {
		case PLAIN: p++; continue;
		case WIDE:
			if (!(p = wide(s, p)))
				return false;
			continue;
		case BAD: return bad_byte(s, p), false;
		default: break;
		}
		if (*p == ']') {
			if (starts(s, p, "]]>"))
				return not_formed(s, p, "]]> is not allowed outside a CDATA section");
			p++;
		} else if (*p == '\r') {
			s->is_plain = false;
			p++;
		} else if (*p == '&') {
			s->is_plain = false;
			if (!(p = reference(s, p)))
				return false;
		} else if (starts(s, p, "<![CDATA[")) {
			s->is_plain = false;
			if (!until(s, p + 9, "]]>", "a CDATA section is not closed"))
				return false;
			p = s->at;
		} else {
			break;
		}
	}
	s->at = p;
	s->token = XML_SCAN_TEXT;
	return true;
}

/* Before the root element and after it: only blanks are allowed. */
static bool around(struct xml_scan *s)
{
	s->at = skip_blanks(s->at, s->end);
	if (s->at == s->end)
		return s->has_root || not_formed(s, s->at, "it ends before its root element does");
	if (*s->at != '<')
		return not_formed(s, s->at, "only a root element, comments and instructions are allowed here");
	if (starts(s, s->at, "<![CDATA["))
		return not_formed(s, s->at, "only a root element, comments and instructions are allowed here");
	return true;
}

static bool markup(struct xml_scan *s)
{
	const char *p = s->at;

	if (p + 1 == s->end)
		return not_formed(s, p, "it ends inside a tag or a reference");
	if (p[1] == '/')
		return close_tag(s, p);
	if (p[1] == '?')
		return instruction(s, p);
	if (starts(s, p, "<!--"))
		return comment(s, p);
	if (starts(s, p, "<!DOCTYPE"))
		return refuse(s, FAULT_ARGUMENT, p, "the XML has a DOCTYPE, which is not supported; remove it");
	if (p[1] == '!')
		return not_formed(s, p, "this character is not allowed here");
	return open_tag(s, p);
}

static bool step(struct xml_scan *s)
{
	if (s->token == XML_SCAN_CLOSE && !s->is_bad)
		s->depth--;
	if (s->is_closing) {
		s->is_closing = false;
		s->from = s->to = (uint32_t)(s->at - s->bytes.at);
		s->token = XML_SCAN_CLOSE;
		return true;
	}
	if (!s->depth) {
		/* The previous token may have been an empty text. */
		if (!around(s))
			return false;
		if (s->at == s->end) {
			s->token = XML_SCAN_END;
			s->from = s->to = (uint32_t)s->bytes.len;
			return true;
		}
	} else if (s->at == s->end) {
		return not_formed(s, s->at, "it ends before its root element does");
	}
	s->from = (uint32_t)(s->at - s->bytes.at);
	budget_step();
	if (s->nodes++ >= s->limits->nodes)
		return refuse(s, FAULT_TOO_LARGE, s->at, "the document has more than %u elements, texts and comments",
			      s->limits->nodes);
	bool is_text = s->depth && (*s->at != '<' || starts(s, s->at, "<![CDATA["));
	if (!(is_text ? text(s, s->at) : markup(s)))
		return false;
	s->to = (uint32_t)(s->at - s->bytes.at);
	return true;
}

void xml_scan_begin(struct xml_scan *s, struct arena *a, struct text bytes, const struct xml_limits *limits,
		    struct error *err)
{
	s->bytes = bytes.at ? bytes : TEXT("");
	s->at = s->bytes.at;
	s->end = s->at + s->bytes.len;
	s->arena = a;
	s->err = err;
	s->limits = limits;
	s->token = XML_SCAN_OTHER;
	s->from = s->to = s->n = s->depth = s->nodes = 0;
	s->stack = NULL;
	s->stack_cap = 0;
	s->has_root = s->is_closing = s->is_bad = s->is_empty = s->is_plain = false;
	s->name = (struct text){0};
	if (s->bytes.len >= 3 && !memcmp(s->at, "\xEF\xBB\xBF", 3))
		s->at += 3;
	if (s->bytes.len > INT32_MAX)
		refuse(s, FAULT_TOO_LARGE, s->at, "the document is over 2 GB");
}

enum xml_token xml_scan_next(struct xml_scan *s)
{
	if (s->is_bad || !step(s))
		s->token = XML_SCAN_END;
	return s->token;
}

struct text xml_scan_attribute(const struct xml_scan *s, const char *name)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (text_is(s->attributes[i].name, name))
			return s->attributes[i].value;
	return (struct text){0};
}
