/* separator.h: clauses that are two paragraphs to the file and one to a reader.
 *
 * Word's style separator is a paragraph mark that is hidden (w:specVanish): the heading before it has a style and a
 * number of its own, and the text behind it goes on in the same line. Many agreements have all their clauses so. A new
 * clause beside such a one stands beside both parts, and is written in two parts too where it has a heading. */
#ifndef QUIRE_KINDS_DOCX_EDIT_SEPARATOR_H
#define QUIRE_KINDS_DOCX_EDIT_SEPARATOR_H
#include "kinds/docx/story/story.h"

/* The first and the last part of the clause that p belongs to; p itself where its line is its own. */
uint32_t separator_first(struct call *c, const struct story *s, uint32_t p);
uint32_t separator_last(struct call *c, const struct story *s, uint32_t p);

#endif
