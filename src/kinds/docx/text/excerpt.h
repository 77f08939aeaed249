/* excerpt.h: shortens long texts, so that every response stays below 60,000 characters. */
#ifndef QUIRE_KINDS_DOCX_TEXT_EXCERPT_H
#define QUIRE_KINDS_DOCX_TEXT_EXCERPT_H
#include "base/call.h"

enum {
	EXCERPT_MAX = 12000, /* bytes of one text */
	LIST_ROOM = 40000    /* bytes of all texts in a list */
};

/* The bytes that all texts of a list may have in this answer. */
size_t list_room(const struct call *c);
/* The text. If it is too long: the part around the byte `at`, with "..." where it was cut. */
struct text excerpt(struct arena *a, struct text t, size_t at);
/* The beginning of a text that is one of several about a paragraph. */
struct text excerpt_short(struct arena *a, struct text t);
/* The first byte at which two texts differ. */
size_t excerpt_difference(struct text one, struct text other);

#endif
