/* fragment.h: one element of a part (usually a paragraph) as a table of spans.
 *
 * The bytes come from a part that expat has accepted, or from our own writers, so this reader only finds the spans. The
 * nodes are the same as those of format/xml (a fuzzer compares them), and xml_first(), xml_next(), xml_attributes() and
 * xml_decoded() work on `xml`. Every element has a tag that identifies the element of WordprocessingML, by namespace.
 * Bytes that are not well-formed are refused; nothing is read past their end. */
#ifndef QUIRE_KINDS_DOCX_TEXT_FRAGMENT_H
#define QUIRE_KINDS_DOCX_TEXT_FRAGMENT_H
#include "format/xml.h"
#include "kinds/docx/text/names.h"

enum tag {
	TAG_NOT_ELEMENT, /* text, comment, instruction */
	TAG_OTHER,       /* an element that does not matter here */
	TAG_P,
	TAG_PPR,
	TAG_R,
	TAG_RPR,
	TAG_T,
	TAG_TAB,
	TAG_PTAB,
	TAG_BR,
	TAG_CR,
	TAG_NO_BREAK_HYPHEN,
	TAG_SOFT_HYPHEN,
	TAG_SYM,
	TAG_DEL_TEXT,
	TAG_INSTR_TEXT,
	TAG_DEL_INSTR_TEXT,
	TAG_FLD_CHAR,
	TAG_FLD_SIMPLE,
	TAG_INS,
	TAG_DEL,
	TAG_MOVE_FROM,
	TAG_MOVE_TO,
	TAG_HYPERLINK,
	TAG_SMART_TAG,
	TAG_CUSTOM_XML,
	TAG_SDT,
	TAG_SDT_PR,
	TAG_SDT_CONTENT,
	TAG_BDO,
	TAG_DIR,
	TAG_BOOKMARK_START,
	TAG_BOOKMARK_END,
	TAG_COMMENT_START,
	TAG_COMMENT_END,
	TAG_RANGE_MARK, /* move, permission and custom XML range marks */
	TAG_PROOF_ERR,
	TAG_LAST_PAGE_BREAK,
	TAG_FOOTNOTE_REFERENCE,
	TAG_ENDNOTE_REFERENCE,
	TAG_COMMENT_REFERENCE,
	TAG_ANNOTATION_REF,
	TAG_DRAWING,
	TAG_OBJECT,
	TAG_PICT,
	TAG_ALTERNATE_CONTENT,
	TAG_MATH,
	TAG_SECT_PR,
	TAG_NUM_PR,
	TAG_P_STYLE,
	TAG_R_STYLE,
	TAG_PPR_CHANGE,
	TAG_RPR_CHANGE,
	TAG_VANISH,
	TAG_LOCK,
	TAG_DATA_BINDING,
	TAG_TBL,
	TAG_TR,
	TAG_TC,
	TAG_TXBX_CONTENT,
	TAG_BODY,
	TAGS
};

struct fragment {
	struct xml xml; /* root is node 0 */
	uint8_t *tags;  /* enum tag of each node */
	const struct names *names;
	/* Inner elements that declare their own prefixes, in document order. Few documents have any. */
	struct fragment_scope {
		uint32_t node;
		const struct names *names;
	} * scopes;
	size_t scopes_n;
};

enum { FRAGMENT_DEPTH_MAX = 512 };

/* `names` is the scope around the fragment. Returns false if it is not well-formed, or deeper than
 * FRAGMENT_DEPTH_MAX. */
bool fragment_parse(struct arena *a, struct text bytes, const struct names *names, struct fragment *out);

/* The same without the content of paragraphs. For whole parts: a node for each tag would need several times the memory
 * of the bytes. */
bool fragment_outline(struct arena *a, struct text bytes, const struct names *names, struct fragment *out);

/* The document element of a whole part, without declaration, comments and blanks around it. */
struct text fragment_root(struct text part);

enum tag fragment_tag(enum space space, struct text local);
const struct names *fragment_names(const struct fragment *f, uint32_t node); /* in scope at the node's start tag */
/* An attribute's value, decoded; absent: none. */
struct text fragment_attribute(struct arena *a, const struct fragment *f, uint32_t node, enum space space,
			       const char *local);
struct text fragment_local(const struct fragment *f, uint32_t node, enum space *space); /* an element's local name */
bool fragment_is_fallback(const struct fragment *f, uint32_t node); /* is it the copy for old readers (mc:Fallback)? */
uint32_t fragment_child(const struct fragment *f, uint32_t node, enum tag tag); /* the first such child, or XML_NONE */
struct text fragment_bytes(const struct fragment *f, uint32_t node);            /* the whole element */
struct text fragment_id(const struct fragment *f, uint32_t node); /* the w:id, as a slice of the bytes; absent: none */
/* A boolean property (w:b, w:vanish): true when the element is there and its val is not 0, false or off. */
bool fragment_is_on(struct arena *a, const struct fragment *f, uint32_t element);

#endif
