/* reader.h: the one pass over a part; story's own. */
#ifndef QUIRE_KINDS_DOCX_STORY_READER_H
#define QUIRE_KINDS_DOCX_STORY_READER_H
#include "kinds/docx/story/story.h"

/* Depth and size of what is read; honest documents stay far below. */
extern const struct xml_limits story_limits;

/* Fills in what a changed paragraph's bytes say: text, style, numbering, ids. */
void story_reread(struct story *s, uint32_t p);

/* Finds the `place`th paragraph inside the boxes of a host's bytes. False: there is none. */
bool story_box(struct arena *a, struct text host, const struct names *names, uint32_t place, uint32_t *from,
	       uint32_t *to);

#endif
