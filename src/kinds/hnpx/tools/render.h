/* render.h: a book as text for reading: the outline with ids, or only the prose. */
#ifndef QUIRE_KINDS_HNPX_RENDER_H
#define QUIRE_KINDS_HNPX_RENDER_H
#include "base/buffer.h"
#include "kinds/hnpx/tree/book.h"

struct render_options {
	bool ids, headings;
	bool is_plan;   /* the outline without prose, with the summaries of chapters and sequences */
	int deepest;    /* deepest level of a plan; 0: paragraphs */
	size_t room;    /* stop between nodes once the text is longer; 0: never */
	uint32_t start; /* continue at this node; BOOK_NONE: from the top */
};

/* Both return the node at which they stopped because the room was used up, or BOOK_NONE. */
uint32_t render_outline(struct buffer *to, struct arena *scratch, const struct book *b, uint32_t top,
			const struct render_options *options);
uint32_t render_prose(struct buffer *to, struct arena *scratch, const struct book *b, uint32_t top,
		      const struct render_options *options);

/* The prose of one paragraph as a reader sees it: dialogue in quotation marks, thoughts between stars. */
void render_paragraph(struct buffer *to, struct arena *scratch, const struct book *b, uint32_t paragraph, bool speaker);

#endif
