/* reading.h: what a node says: its attributes, its summary, its prose, decoded from the book's bytes.
 *
 * Prose is all text of a paragraph outside of its summary. What quire writes stands in a frame that the fixed depth
 * and the file's layout determine: newline, five levels of indentation, PROSE, newline, four levels. Exactly that frame
 * is taken off again, so PROSE comes back byte for byte, its own blanks included. Any other layout is a person's: it
 * is kept as it is, and trimmed when shown. (The frame of the specification's layout, LF and two blanks a level, is
 * one in every file.) */
#ifndef QUIRE_KINDS_HNPX_TREE_READING_H
#define QUIRE_KINDS_HNPX_TREE_READING_H
#include "format/xml.h"
#include "kinds/hnpx/tree/book.h"

struct prose {
	struct text text; /* decoded; whole, when not framed */
	bool is_framed;
	bool is_plain;     /* the bytes hold the text as it is: no references, sections or comments */
	uint32_t from, to; /* where it stands, without the frame; plain prose in one place only, else equal */
};

/* Raw content (between tags) as text: references and CDATA resolved, comments and instructions left out, CRLF as LF. */
void raw_decode(struct buffer *to, struct text raw);
struct text raw_text(struct arena *a, struct text raw);     /* lent when nothing needs decoding */
struct text raw_comments(struct arena *a, struct text raw); /* the comments and instructions alone, as they stand */

size_t node_attributes(struct arena *a, const struct book *b, uint32_t node, struct xml_attribute **out);
struct text node_attribute(struct arena *a, const struct book *b, uint32_t node, const char *name); /* absent: none */
struct text node_place_name(struct arena *a, const struct book *b, uint32_t sequence); /* loc or location */
struct text node_summary_raw(const struct book *b, uint32_t node); /* between its tags; absent: it has none */
struct text node_summary(struct arena *a, const struct book *b, uint32_t node); /* decoded; absent: it has none */
struct prose node_prose(struct arena *a, const struct book *b, uint32_t paragraph);
bool prose_is_framed(const struct book *b, struct text raw); /* raw content that is PROSE in its frame */
struct text node_shown_prose(struct arena *a, const struct book *b, uint32_t paragraph); /* as rendered */
int node_mode(struct arena *a, const struct book *b, uint32_t paragraph);

/* The point of view that holds at a node: its sequence's own, else its chapter's; absent: none. */
struct text node_pov(struct arena *a, const struct book *b, uint32_t node);

#endif
