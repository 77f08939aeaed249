/* markup.h: writes words with italics and bold as prose of a book or as Markdown.
 *
 * What is written reads as it was meant: the result is read again, and if a delimiter beside punctuation would not
 * count, another form is taken. A mark of punctuation at the edge of the emphasis may move out of it. */
#ifndef QUIRE_KINDS_HNPX_PROSE_MARKUP_H
#define QUIRE_KINDS_HNPX_PROSE_MARKUP_H
#include "base/buffer.h"
#include "kinds/hnpx/prose/emphasis.h"

enum markup {
	MARKUP_PROSE,    /* stars, with \* and \_ only where they are needed */
	MARKUP_MARKDOWN, /* stars, or HTML tags where stars would not count; a line ends in a backslash */
	MARKUP_TEXT      /* stars for readers; nothing is escaped */
};

void markup_put(struct buffer *to, struct arena *a, const struct looks *words, enum markup form);
/* Words without emphasis, escaped for Markdown. */
void markup_escape(struct buffer *to, struct text words, bool starts_line);

#endif
