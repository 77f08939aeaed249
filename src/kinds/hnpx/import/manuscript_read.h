/* manuscript_read.h: Markdown or plain text as the parts of a book, in reading order.
 *
 * Each part stands directly or by default parts in one of the level above. The topmost kind of heading makes chapters,
 * those below it sequences and beats; a single first heading above all others is the book's own. */
#ifndef QUIRE_KINDS_HNPX_IMPORT_MANUSCRIPT_READ_H
#define QUIRE_KINDS_HNPX_IMPORT_MANUSCRIPT_READ_H
#include "base/array.h"
#include "kinds/hnpx/tree/book.h"

struct part {
	enum level level;
	struct text words; /* heading or prose; absent: a part that only a lower one needs */
};
struct manuscript_parts {
	struct text front;       /* front matter; absent: none */
	ARRAY(struct part) list; /* the first is the book */
};

struct manuscript_parts manuscript_read(struct arena *a, struct text source, bool is_markdown);

#endif
