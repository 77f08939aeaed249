/* composed.h: a text with its letters composed, and where each of them comes from.
 *
 * Files from macOS may write é as e and an accent behind it; people and models write one character. Both are the same
 * letter to a reader. Here a text is written in the composed form (NFC), so that both are found by the same search; a
 * place in it leads back to the bytes of the source, and never between a letter and its marks. */
#ifndef QUIRE_KINDS_DOCX_TEXT_COMPOSED_H
#define QUIRE_KINDS_DOCX_TEXT_COMPOSED_H
#include "base/text.h"

/* A letter that the source writes in another way: bytes of the composed text, and of the source. */
struct composed_letter {
	uint32_t at, to;
	uint32_t source_at, source_to;
};

struct composed {
	struct text text; /* the source itself where it has no such letter */
	struct composed_letter *letters;
	size_t n;
};

struct composed composed_of(struct arena *a, struct text source);
/* A range of the composed text as the range of the source that holds it, whole letters only. */
void composed_source(const struct composed *k, size_t *from, size_t *to);
/* The text with accents as `like` writes them: behind their letters or in them. As it is where `like` has both or
 * none. */
struct text composed_like(struct arena *a, struct text t, struct text like);

#endif
