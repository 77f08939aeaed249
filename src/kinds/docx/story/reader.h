/* reader.h: the single pass over a part. Used only by story. */
#ifndef QUIRE_KINDS_DOCX_STORY_READER_H
#define QUIRE_KINDS_DOCX_STORY_READER_H
#include "kinds/docx/story/story.h"

/* Limits of depth and size. Real documents are far below. */
extern const struct xml_limits story_limits;

/* Fills the facts of a changed paragraph from its bytes: text, style, numbering, ids. */
void story_reread(struct story *s, uint32_t p);

/* Finds paragraph number `place` inside the boxes of a host's bytes. Returns false if there is none. */
bool story_box(struct arena *a, struct text host, const struct names *names, uint32_t place, uint32_t *from,
	       uint32_t *to);

#endif
