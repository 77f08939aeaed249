/* words.h: the words that an export adds to a manual's own: captions, cross-references, the title page.
 *
 * They follow metadata.language, such as "de" or "hu-HU". Languages without a row get English. */
#ifndef QUIRE_KINDS_DOCJL_EXPORT_WORDS_H
#define QUIRE_KINDS_DOCJL_EXPORT_WORDS_H
#include "base/buffer.h"

/* "#" stands for the number. Words for what a caption begins with are capitalised where the language does so. */
struct words {
	const char *language;
	const char *table, *figure, *listing, *equation, *section, *paragraph, *list, *block;
	const char *contents, *document, *version, *revision, *compliance, *missing;
	const char *page; /* two "#": the page and the number of pages */
};

const struct words *words_in(struct text language);
struct text words_with(struct arena *a, const char *pattern, struct text number); /* the first "#" replaced */

#endif
