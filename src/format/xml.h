/* xml.h: an XML document as a table of spans.
 *
 * expat reads the bytes; only positions are kept. A node is an element, a run of text, a comment or a processing
 * instruction. Nodes are in document order, so a subtree is the range [i, nodes[i].after). Names and attribute values
 * are read from the bytes on demand. Edits are splices on the same bytes, so all other bytes stay as they are.
 *
 * Refused at the first byte that shows it: any DOCTYPE (so only the five predefined entities exist), an encoding other
 * than UTF-8, depth and size beyond the limits. */
#ifndef QUIRE_FORMAT_XML_H
#define QUIRE_FORMAT_XML_H
#include "base/error.h"
#include "base/buffer.h"

enum xml_type { XML_ELEMENT, XML_TEXT, XML_COMMENT, XML_INSTRUCTION };
enum { XML_NONE = UINT32_MAX };

struct xml_node {
	uint32_t from, to;        /* the whole node in the bytes, end tag included */
	uint32_t inner, inner_to; /* element: the range between the tags; empty and at `to` for <a/> */
	uint32_t parent;          /* XML_NONE at the top */
	uint32_t after;           /* first node after the subtree */
	uint32_t name, name_len;  /* element: its name in the bytes */
	uint8_t type;
	bool is_empty_tag; /* written <a/> */
};

struct xml {
	struct text bytes; /* borrowed; offsets count from its start, a BOM included */
	struct xml_node *nodes;
	uint32_t n;
	uint32_t root; /* the document element */
};

struct xml_limits {
	unsigned depth;      /* nested elements */
	uint32_t attributes; /* attributes of one element */
	uint32_t nodes;
};

/* NULL: the error has message, line and column. Its fault is FAULT_TOO_LARGE if a limit was exceeded, FAULT_ARGUMENT if
 * the XML is not accepted. */
struct xml *xml_parse(struct arena *a, struct text bytes, const struct xml_limits *limits, struct error *err);

struct text xml_name(const struct xml *x, uint32_t element);
uint32_t xml_first(const struct xml *x, uint32_t element); /* first child node, or XML_NONE */
uint32_t xml_next(const struct xml *x, uint32_t node);     /* next sibling, or XML_NONE */

struct xml_attribute {
	struct text name;
	struct text value;             /* decoded */
	uint32_t from, to;             /* name to closing quote, in the bytes */
	uint32_t value_from, value_to; /* between the quotes */
};
size_t xml_attributes(struct arena *a, const struct xml *x, uint32_t element, struct xml_attribute **out);
struct text xml_attribute(struct arena *a, const struct xml *x, uint32_t element, const char *name); /* absent: none */

/* References and CDATA are resolved, CRLF becomes LF. Borrowed from the bytes if nothing had to be resolved. */
struct text xml_decoded(struct arena *a, const struct xml *x, uint32_t text_node);
uint32_t xml_line(const struct xml *x, uint32_t offset, uint32_t *column); /* both from 1; column in bytes */

/* Writing: escapes `& < >` and CR (as &#13;), in attributes also `"`, LF and tab. Returns the offset of the first
 * character that XML cannot represent, or t.len when all was written. */
size_t xml_escape(struct buffer *to, struct text t, bool in_attribute);
size_t xml_unwritable(struct text t); /* the same check without writing */

#endif
