/* xml_scan.h: one pass over an XML document, token by token, without a tree.
 *
 * For documents too large to keep a node for each tag: the caller pulls tokens and keeps what it needs. It refuses
 * everything that xml_parse() refuses (a fuzzer compares the two). It is several times faster, because nothing is
 * copied or converted.
 *
 *	xml_scan_begin(&s, arena, bytes, limits, &err);
 *	while (xml_scan_next(&s) != XML_SCAN_END)
 *		use s.token, s.from, s.to, s.name, s.attributes;
 *	if (s.is_bad) ... err says why
 *
 * <a/> is two tokens: an open one with is_empty, and an empty close one after it. */
#ifndef QUIRE_FORMAT_XML_SCAN_H
#define QUIRE_FORMAT_XML_SCAN_H
#include "format/xml.h"

enum xml_token { XML_SCAN_OPEN, XML_SCAN_CLOSE, XML_SCAN_TEXT, XML_SCAN_OTHER, XML_SCAN_END };

enum { XML_SCAN_ATTRIBUTES_MAX = 128 };

struct xml_scan_attribute {
	struct text name;
	struct text value; /* between the quotes, as written: see xml_value() */
};

struct xml_scan {
	struct text bytes; /* borrowed */
	uint32_t from, to; /* the token */
	struct text name;  /* OPEN, CLOSE */
	enum xml_token token;
	bool is_empty;  /* OPEN: written <a/> */
	bool is_plain;  /* TEXT: has no references, CDATA or CR, so the bytes are the text */
	bool is_bad;    /* refused; the error is set */
	unsigned depth; /* open elements, the token's own included */
	uint32_t n;     /* OPEN: number of attributes */
	struct xml_scan_attribute attributes[XML_SCAN_ATTRIBUTES_MAX];

	/* Private. */
	const char *at, *end;
	struct arena *arena;
	struct error *err;
	const struct xml_limits *limits;
	struct text *stack;
	size_t stack_cap;
	uint32_t nodes;
	bool has_root, is_closing;
};

void xml_scan_begin(struct xml_scan *s, struct arena *a, struct text bytes, const struct xml_limits *limits,
		    struct error *err);
enum xml_token xml_scan_next(struct xml_scan *s);
/* The value, as written, of the attribute with exactly this name; absent: none. */
struct text xml_scan_attribute(const struct xml_scan *s, const char *name);

/* Decodes a text token or an attribute's value. The result is borrowed if decoding changes nothing. */
struct text xml_value(struct arena *a, struct text written, bool in_attribute);

#endif
