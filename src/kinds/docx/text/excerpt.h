/* excerpt.h: long texts in answers, which stay below 60,000 characters whatever the document holds. */
#ifndef QUIRE_KINDS_DOCX_TEXT_EXCERPT_H
#define QUIRE_KINDS_DOCX_TEXT_EXCERPT_H
#include "base/text.h"

enum {
	EXCERPT_MAX = 12000, /* bytes of one text, */
	ANSWER_ROOM = 40000  /* and of all texts of a list */
};

/* The text; of one that is too long the part around the byte `at`, with "..." where it was cut. */
struct text excerpt(struct arena *a, struct text t, size_t at);
/* Its beginning, of a text that is one of several about a paragraph. */
struct text excerpt_short(struct arena *a, struct text t);
/* Where two texts begin to differ. */
size_t excerpt_difference(struct text one, struct text other);

#endif
