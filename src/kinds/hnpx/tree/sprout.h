/* sprout.h: writes new nodes as XML, in the dialect and the layout of their book. */
#ifndef QUIRE_KINDS_HNPX_TREE_SPROUT_H
#define QUIRE_KINDS_HNPX_TREE_SPROUT_H
#include "base/buffer.h"
#include "kinds/hnpx/tree/edits.h"

struct sprouted {
	struct arena *arena;
	ARRAY(struct node) list; /* offsets from the start of the buffer */
};

/* Writes the element and its children, from `<` to the last `>`. The lines inside are indented for its level. */
void sprout_write(struct buffer *to, const struct book *b, const struct sprout *s, struct sprouted *nodes);

/* Prose is written inline if the file has no summaries or has them last, unless it would then be read as a frame. */
bool sprout_needs_frame(const struct book *b, bool has_summary, bool text_first, struct text prose);

/* Begins a line of that level. sprout_words() escapes words and uses the line ends of the file. */
void sprout_line(struct buffer *to, const struct book *b, int level);
void sprout_words(struct buffer *to, const struct book *b, struct text words);

#endif
