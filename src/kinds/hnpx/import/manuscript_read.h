/* manuscript_read.h: reads Markdown or plain text as the parts of a book, in reading order.
 *
 * Each part belongs to a part of the level above; missing levels get default parts. The highest heading level makes
 * chapters, lower ones make sequences and beats. A single first heading above all others is the book's. */
#ifndef QUIRE_KINDS_HNPX_IMPORT_MANUSCRIPT_READ_H
#define QUIRE_KINDS_HNPX_IMPORT_MANUSCRIPT_READ_H
#include "base/array.h"
#include "kinds/hnpx/tree/book.h"

struct part {
	enum level level;
	struct text words; /* heading or prose; absent: a default part */
};
struct manuscript_parts {
	struct text front;       /* front matter; absent: none */
	ARRAY(struct part) list; /* the first is the book */
};

struct manuscript_parts manuscript_read(struct arena *a, struct text source, bool is_markdown);

#endif
