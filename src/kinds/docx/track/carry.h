/* carry.h: pictures, links and charts of one package's text, made to work in another package.
 *
 * An element names what it leads to by a relationship's id, which means nothing in another package. Here each id is
 * replaced by one that leads to the same thing there: a relationship that it has already, or a new one, with a copy of
 * the part, of its content type, and of the parts that this one leads to (a chart's workbook, colours and style, a
 * header's pictures). A part is copied byte for byte, under a name that is free. Addresses outside are copied as they
 * are written, of links and pictures only; nothing is fetched. Diagrams, objects that are linked and not embedded, and
 * what holds macros cannot come along, nor can notes, comments and bookmarks in a text box. (Notes and comments of the
 * text itself: notes.h.) */
#ifndef QUIRE_KINDS_DOCX_TRACK_CARRY_H
#define QUIRE_KINDS_DOCX_TRACK_CARRY_H
#include "kinds/docx/package/package.h"
#include "kinds/docx/text/names.h"

/* A part whose elements come along, and the one they go to: the main parts, or those of notes. */
struct carry_text {
	struct text to; /* its name in the other package; absent: it is made, and has no relationships yet */
	struct relationships from_relations, to_relations;
	struct map known;       /* ids in `from`: index in `ids` */
	ARRAY(struct text) ids; /* in `to`; absent: it cannot come along */
	uint32_t made;
	struct buffer rows; /* new relationships */
};

struct carry {
	struct call *c;
	struct package *from, *to; /* the same: every id stays */
	uint32_t next_drawing;     /* number of a drawing, above all that `to` has */
	struct carry_text main;
	uint32_t parts_made;
	struct map copied; /* names of parts of `from`: index in `copies` */
	ARRAY(struct text) copies;
	struct buffer types;            /* new content types */
	ARRAY(struct zip_change) parts; /* new ones */
};

void carry_begin(struct carry *k, struct call *c, struct package *from, struct package *to);
/* Another part than the main one: its names in both packages, absent where there is none. */
bool carry_text_begin(struct carry *k, struct text from, struct text to, struct carry_text *out);
/* The element with the ids of the other package, in the arena given. False: it leads to what cannot come along. */
bool carry_element(struct carry *k, struct carry_text *t, struct arena *a, struct text element,
		   const struct names *names, struct text *out);
/* An element that is new in the other package: its drawings get numbers of their own. False: it cannot stand there. */
bool carry_new(struct carry *k, struct arena *a, struct text element, const struct names *names, struct text *out);
bool carry_numbered(struct carry *k, struct arena *a, struct text element, const struct names *names, struct text *out);
/* A new part of the other package beside its main part, with its relationship; its name. */
struct text carry_part(struct carry *k, struct text type, const char *name, const char *content_type,
		       struct text bytes);
/* Adds the relationships of a part that is not the main one to `parts`. False: the error is set. */
bool carry_text_end(struct carry *k, const struct carry_text *t, struct text name);
/* Adds the relationships of the main part, and content types. */
bool carry_end(struct carry *k);

/* copies.c */

/* Do they lead to the same: the same address, or parts with the same bytes that lead to the same in turn? */
bool copies_alike(struct carry *k, const struct relationship *a, const struct relationship *b);
/* The name of a copy of the part that a relationship leads to, with all that it leads to. False: it cannot come along.
 */
bool copies_make(struct carry *k, const struct relationship *r, struct text *name);
/* May a relationship of this type lead outside? */
bool copies_may_leave(struct text type);
/* A free name beside the main part: "media/compared" and ".png" become "word/media/compared1.png", or without a number
 * where that will do. */
struct text copies_name(struct carry *k, struct text stem, struct text end, bool numbered);
void copies_put_type(struct carry *k, struct text name, struct text type);
/* A row of relationships, as a part called `of` has it. */
void copies_put_row(struct arena *a, struct buffer *to, struct text prefix, struct text of, struct text id,
		    struct text type, struct text target, bool is_external);
extern const struct text copies_no_relations; /* a part of none */

#endif
