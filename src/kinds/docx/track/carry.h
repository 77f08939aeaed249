/* carry.h: makes pictures, links and charts of one package's text work in another package.
 *
 * An element refers to a target by a relationship's id, which means nothing in another package. Each id is replaced by
 * one with the same target there: an existing relationship, or a new one. For a new one the part is copied, with its
 * content type and the parts that it refers to (a chart's workbook, colours and style, a header's pictures). A part is
 * copied byte for byte, under a free name. External addresses are copied unchanged, but only of links and pictures;
 * nothing is fetched. Not copied are diagrams, linked objects, parts with macros, and notes, comments and bookmarks in
 * a text box. (Notes and comments of the text itself: notes.h.) */
#ifndef QUIRE_KINDS_DOCX_TRACK_CARRY_H
#define QUIRE_KINDS_DOCX_TRACK_CARRY_H
#include "kinds/docx/package/package.h"
#include "kinds/docx/text/names.h"

/* A part whose elements are copied, and the part that they are copied to: the main parts, or those of notes. */
struct carry_text {
	struct text to; /* its name in the other package; absent: it will be made, and has no relationships yet */
	struct relationships from_relations, to_relations;
	struct map known;       /* maps ids in `from` to indices in `ids` */
	ARRAY(struct text) ids; /* ids in `to`; absent: cannot be copied */
	uint32_t made;
	struct buffer rows; /* new relationships */
};

struct carry {
	struct call *c;
	struct package *from, *to; /* if they are the same, ids are not changed */
	uint32_t next_drawing;     /* number for the next drawing, above all in `to` */
	struct carry_text main;
	uint32_t parts_made;
	struct map copied; /* maps names of parts in `from` to indices in `copies` */
	ARRAY(struct text) copies;
	struct buffer types;            /* new content types */
	ARRAY(struct zip_change) parts; /* new ones */
};

/* The highest number below `limit` in an attribute named id. One of the characters `before` is in front of its name:
 * ":" for w:id, blanks for the ids of drawings. */
int64_t carry_highest_id(struct text part, const char *before, int64_t limit);
void carry_begin(struct carry *k, struct call *c, struct package *from, struct package *to);
/* Starts copying from a part other than the main one. Its names in both packages are absent if there is none. */
bool carry_text_begin(struct carry *k, struct text from, struct text to, struct carry_text *out);
/* Writes the element with the ids of the other package, in the given arena. Returns false if one of its targets cannot
 * be copied. */
bool carry_element(struct carry *k, struct carry_text *t, struct arena *a, struct text element,
		   const struct names *names, struct text *out);
/* Writes an element that is new in the other package. Its drawings get new numbers. Returns false if it is not valid
 * there. */
bool carry_new(struct carry *k, struct arena *a, struct text element, const struct names *names, struct text *out);
bool carry_numbered(struct carry *k, struct arena *a, struct text element, const struct names *names, struct text *out);
/* Adds a new part to the other package, next to its main part, with its relationship. Returns its name. */
struct text carry_part(struct carry *k, struct text type, const char *name, const char *content_type,
		       struct text bytes);
/* Adds the relationships of a part other than the main one to `parts`. On failure it returns false and sets the
 * error. */
bool carry_text_end(struct carry *k, const struct carry_text *t, struct text name);
/* Adds the relationships of the main part, and the content types. */
bool carry_end(struct carry *k);

/* copies.c */

/* Do they have the same target: the same address, or parts with the same bytes whose relationships have the same
 * targets? */
bool copies_alike(struct carry *k, const struct relationship *a, const struct relationship *b);
/* Copies the part that a relationship refers to, with all parts that it refers to. Returns false if it cannot be
 * copied. */
bool copies_make(struct carry *k, const struct relationship *r, struct text *name);
/* May a relationship of this type have an external target? */
bool copies_may_leave(struct text type);
/* A free name next to the main part: "media/compared" and ".png" become "word/media/compared1.png". Without `numbered`,
 * the number is left out if the name is free without it. */
struct text copies_name(struct carry *k, struct text stem, struct text end, bool numbered);
void copies_put_type(struct carry *k, struct text name, struct text type);
/* Writes a relationship of the part called `of`. */
void copies_put_row(struct arena *a, struct buffer *to, struct text prefix, struct text of, struct text id,
		    struct text type, struct text target, bool is_external);
extern const struct text copies_no_relations; /* relationships part without rows */

#endif
