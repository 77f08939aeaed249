/* carry.h: pictures and links of one package's text, made to work in another package.
 *
 * An element names what it leads to by a relationship's id, which means nothing in another package. Here each id is
 * replaced by one that leads to the same thing there: a relationship that it has already, or a new one, with a copy of
 * the picture and its content type. Addresses outside are copied as they are written; nothing is fetched. Charts and
 * diagrams, which lead further, cannot come along, nor can notes, comments and bookmarks in a text box. (Notes and
 * comments of the text itself: notes.h.) */
#ifndef QUIRE_KINDS_DOCX_TRACK_CARRY_H
#define QUIRE_KINDS_DOCX_TRACK_CARRY_H
#include "kinds/docx/package/package.h"
#include "kinds/docx/text/names.h"

struct carry {
	struct call *c;
	struct package *from, *to; /* the same: every id stays */
	uint32_t next_drawing;     /* number of a drawing, above all that `to` has */
	struct map known;          /* ids in `from`: index in `ids` */
	ARRAY(struct text) ids;    /* in `to`; absent: it cannot come along */
	uint32_t relations_made, parts_made;
	struct buffer rows;             /* new relationships */
	struct buffer types;            /* new content types */
	ARRAY(struct zip_change) parts; /* new ones */
};

void carry_begin(struct carry *k, struct call *c, struct package *from, struct package *to);
/* The element with the ids of the other package, in the arena given. False: it leads to what cannot come along. */
bool carry_element(struct carry *k, struct arena *a, struct text element, const struct names *names, struct text *out);
/* An element that is new in the other package: its drawings get numbers of their own. False: it cannot stand there. */
bool carry_new(struct carry *k, struct arena *a, struct text element, const struct names *names, struct text *out);
/* A new part of the other package beside its main part, with its relationship. */
void carry_part(struct carry *k, struct text type, const char *name, const char *content_type, struct text bytes);
/* Adds the relationships and content types to `parts`. False: the error is set. */
bool carry_end(struct carry *k);

#endif
