/* pages.h: a book in reading order, for every form that a reader sees.
 *
 * A walk yields chapters, scene breaks and paragraphs. A break is between two sequences of one chapter that both have
 * words, never at the end of a chapter and never twice. Unwritten parts (a container without children, a paragraph
 * without prose) are skipped, or yielded if the caller wants to mark them. */
#ifndef QUIRE_KINDS_HNPX_EXPORT_PAGES_H
#define QUIRE_KINDS_HNPX_EXPORT_PAGES_H
#include "kinds/hnpx/tree/book.h"

enum page_event { PAGE_CHAPTER, PAGE_BREAK, PAGE_PARAGRAPH, PAGE_UNWRITTEN, PAGE_END };

struct pages {
	const struct book *book;
	bool wants_unwritten;
	uint32_t at, end;
	bool has_words; /* the current chapter */
	bool break_due, is_paused;
};

void pages_begin(struct pages *p, const struct book *b, uint32_t top, bool wants_unwritten);
void pages_skip_to(struct pages *p, uint32_t node); /* continue there; a break may come before it */
enum page_event pages_next(struct pages *p, uint32_t *node);

bool paragraph_is_written(const struct book *b, uint32_t paragraph);
uint32_t book_first_unwritten(const struct book *b);         /* BOOK_NONE */
bool subtree_is_written(const struct book *b, uint32_t top); /* at least one paragraph with prose */

#endif
