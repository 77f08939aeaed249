/* package.h: the parts of a Word file and the relationships between them.
 *
 * Parts are found through relationships, never by fixed names. The package's relationships lead to the main part; the
 * main part's lead to styles, numbering, notes and the rest. Both families of addresses (transitional and strict) are
 * treated alike. A part is unpacked on first use and kept; its readers check that it is well-formed. If a session
 * changes a whole part (for example creates a comments part), the new bytes are a layer over the original bytes, which
 * stay. */
#ifndef QUIRE_KINDS_DOCX_PACKAGE_PACKAGE_H
#define QUIRE_KINDS_DOCX_PACKAGE_PACKAGE_H
#include "base/array.h"
#include "base/call.h"
#include "format/zip.h"

enum relation {
	RELATION_OTHER,
	RELATION_DOCUMENT,
	RELATION_STYLES,
	RELATION_NUMBERING,
	RELATION_SETTINGS,
	RELATION_FOOTNOTES,
	RELATION_ENDNOTES,
	RELATION_COMMENTS,
	RELATION_COMMENTS_EXTENDED,
	RELATION_PEOPLE,
	RELATION_HEADER,
	RELATION_FOOTER,
	RELATION_HYPERLINK,
	RELATION_THEME
};

struct relationship {
	struct text id;
	enum relation relation;
	struct text type;   /* its address */
	struct text target; /* a part's name without leading slash; as written if is_external */
	bool is_external;
};

struct relationships {
	struct relationship *items;
	size_t n;
};

struct part {
	struct text name;    /* without leading slash */
	uint32_t member;     /* ZIP_NONE: created by the session */
	struct text bytes;   /* the original as UTF-8; absent: not unpacked yet, or created by the session */
	struct text now;     /* the layer over the whole part; absent: none */
	bool was_transcoded; /* the original is UTF-16: a change writes it as UTF-8 */
};

struct package {
	struct arena *arena; /* of the session */
	struct zip *zip;
	ARRAY(struct part *) parts; /* those used so far */
	struct part *main;
	struct relationships relations; /* of the main part */
};

/* The bytes must outlive the package. Fails with the specification's codes for archives. */
bool package_open(struct call *c, struct arena *a, struct text bytes, const struct zip_limits *limits,
		  struct package **out);

/* Finds a part by name, ignoring case, and unpacks it. *out is NULL if there is none. Fails if it cannot be read. */
bool package_part(struct call *c, struct package *p, struct text name, struct part **out);
struct text part_now(const struct part *part); /* its bytes, or the layer over them */
/* The relationships of a part, possibly an empty list. `part` is its name; absent: those of the package. */
bool package_relations(struct call *c, struct package *p, struct text part, struct relationships *out);
struct text package_relations_name(struct arena *a, struct text part); /* word/_rels/document.xml.rels */
/* The content type of a part, by its name or its extension; absent: none. */
bool package_content_type(struct call *c, struct package *p, struct text part, struct text *out);
/* The first of the main part's relationships of that kind, or NULL. */
const struct relationship *package_find(const struct package *p, enum relation relation);
const struct relationship *relationship_by_id(const struct relationships *r, struct text id);
/* The part of that name, not unpacked. Created if there is none. */
struct part *package_named(struct package *p, struct text name);

/* Is this a Word file in which every part can be unpacked and every XML part is well-formed? */
bool package_holds(struct arena *a, struct text bytes, const struct zip_limits *limits);

/* Fails with INVALID_DOCX_ARCHIVE and the name of the part that cannot be read. */
bool package_refuse(struct call *c, struct text part, const struct error *why);

/* The kind of a relationship, from the last component of its type's address. */
enum relation relation_of(struct text type);

#endif
