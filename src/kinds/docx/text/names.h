/* names.h: XML namespaces of WordprocessingML, by address, never by prefix.
 *
 * A part's root binds prefixes to addresses. The two sets of addresses (transitional and strict) are treated alike. A
 * scope is immutable: names_read() returns the outer one if a start tag declares nothing, or else a longer copy. New
 * elements are written with the prefix of the scope, so no edit adds a declaration. */
#ifndef QUIRE_KINDS_DOCX_TEXT_NAMES_H
#define QUIRE_KINDS_DOCX_TEXT_NAMES_H
#include "base/buffer.h"

enum space {
	SPACE_OTHER, /* an unknown address */
	SPACE_NONE,  /* no namespace: an attribute without prefix */
	SPACE_W,     /* wordprocessingml main */
	SPACE_W14,
	SPACE_W15,
	SPACE_MC, /* markup compatibility */
	SPACE_R,  /* relationships in a document */
	SPACE_M,  /* math */
	SPACE_WP, /* drawings in a document */
	SPACE_XML
};

struct binding {
	struct text prefix; /* empty: the default namespace */
	struct text uri;
	enum space space;
};

struct names {
	const struct binding *items; /* outermost first; the last one of a prefix is valid */
	size_t n;
	struct text w;  /* the prefix of SPACE_W; absent: SPACE_W is only the default namespace, or not bound */
	bool is_strict; /* the strict set of addresses */
};

/* The scope inside an element, from the scope around it (NULL: none) and the bytes of its start tag, which begin with
 * `<`. Texts point into the tag. */
const struct names *names_read(struct arena *a, const struct names *outer, struct text tag);

enum space names_space(const struct names *s, struct text prefix); /* of an element's prefix; empty: the default */
/* Splits a name as written into namespace and local name. An attribute without prefix has SPACE_NONE. */
enum space names_split(const struct names *s, struct text name, bool is_attribute, struct text *local);
/* A prefix bound to the namespace; absent: none. Never the empty one with `for_attribute`. */
struct text names_prefix(const struct names *s, enum space space, bool for_attribute);

/* Writing. An element: `<w:t`, to be followed by attributes and `>`. If the scope has no prefix that attributes can
 * use, the element declares one. */
void names_open(struct buffer *to, const struct names *s, const char *local);
void names_attribute(struct buffer *to, const struct names *s, const char *local, struct text value); /* ` w:val="x"` */
void names_close(struct buffer *to, const struct names *s, const char *local);                        /* `</w:t>` */

#endif
