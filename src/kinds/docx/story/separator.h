/* separator.h: clauses that are two paragraphs in the file but look like one.
 *
 * Word's style separator is a hidden paragraph mark (w:specVanish). The heading before it has its own style and number,
 * and the text after it continues in the same line. Many agreements write all clauses like this. A new clause next to
 * such a clause is put before or after both parts. If it has a heading, it is written in two parts too. */
#ifndef QUIRE_KINDS_DOCX_STORY_SEPARATOR_H
#define QUIRE_KINDS_DOCX_STORY_SEPARATOR_H
#include "kinds/docx/story/story.h"

/* The first and the last part of the clause of p; p itself if it is a whole clause. */
uint32_t separator_first(struct call *c, const struct story *s, uint32_t p);
uint32_t separator_last(struct call *c, const struct story *s, uint32_t p);

#endif
