/* sprout.h: new nodes written as XML, in the dialect and the layout of the book they go into. */
#ifndef QUIRE_KINDS_HNPX_TREE_SPROUT_H
#define QUIRE_KINDS_HNPX_TREE_SPROUT_H
#include "base/buffer.h"
#include "kinds/hnpx/tree/edits.h"

struct sprouted {
	struct arena *arena;
	ARRAY(struct node) list; /* offsets from the start of the buffer */
};

/* Writes the element and its children, from `<` to the last `>`; the lines inside are indented for its level. */
void sprout_write(struct buffer *to, const struct book *b, const struct sprout *s, struct sprouted *nodes);

/* Prose stands inline where a file has no summaries or has them last, but for prose that would be read as a frame. */
bool sprout_needs_frame(const struct book *b, bool has_summary, bool text_first, struct text prose);

/* Begins a line of that level; words escaped, with the line ends of the file. */
void sprout_line(struct buffer *to, const struct book *b, int level);
void sprout_words(struct buffer *to, const struct book *b, struct text words);

#endif
