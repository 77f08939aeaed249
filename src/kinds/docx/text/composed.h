/* composed.h: a text in composed form (NFC), with the place of each letter in the source.
 *
 * Files from macOS may write é as e and a combining accent. People and models write one character. A reader sees the
 * same letter. A search in the composed form finds both. A range of the composed form is mapped back to the bytes of
 * the source, and never separates a letter from its marks. */
#ifndef QUIRE_KINDS_DOCX_TEXT_COMPOSED_H
#define QUIRE_KINDS_DOCX_TEXT_COMPOSED_H
#include "base/text.h"

/* A letter that the source writes differently: its bytes in the composed text, and in the source. */
struct composed_letter {
	uint32_t at, to;
	uint32_t source_at, source_to;
};

struct composed {
	struct text text; /* the source itself if it has no such letter */
	struct composed_letter *letters;
	size_t n;
};

struct composed composed_of(struct arena *a, struct text source);
/* Converts a range of the composed text to the range of the source with the same letters. */
void composed_source(const struct composed *k, size_t *from, size_t *to);
/* The text with accents written as in `like`: as separate marks or inside characters. Unchanged if `like` has both or
 * none. */
struct text composed_like(struct arena *a, struct text t, struct text like);

#endif
