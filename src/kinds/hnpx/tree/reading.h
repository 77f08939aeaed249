/* reading.h: decodes the attributes, summary and prose of a node from the book's bytes.
 *
 * Prose is all text of a paragraph outside its summary. quire writes it in a frame that depends on the fixed depth and
 * the file's layout: newline, five levels of indentation, PROSE, newline, four levels. Reading removes exactly that
 * frame, so PROSE is the same byte for byte, including its own blanks. Any other layout is the author's: it is kept as
 * it is, and trimmed when shown. (The frame of the specification's layout, LF and two blanks per level, is recognised
 * in every file.) */
#ifndef QUIRE_KINDS_HNPX_TREE_READING_H
#define QUIRE_KINDS_HNPX_TREE_READING_H
#include "format/xml.h"
#include "kinds/hnpx/tree/book.h"

struct prose {
	struct text text; /* decoded; without a frame, the whole text */
	bool is_framed;
	bool is_plain;     /* the bytes are the text itself, without references, CDATA sections or comments */
	uint32_t from, to; /* its range without the frame, for plain prose in one place; otherwise equal */
};

/* Decodes raw content (between tags): resolves references and CDATA, drops comments and instructions, converts CRLF to
 * LF. */
void raw_decode(struct buffer *to, struct text raw);
struct text raw_text(struct arena *a, struct text raw);     /* not copied if nothing needs decoding */
struct text raw_comments(struct arena *a, struct text raw); /* only the comments and instructions, unchanged */

size_t node_attributes(struct arena *a, const struct book *b, uint32_t node, struct xml_attribute **out);
struct text node_attribute(struct arena *a, const struct book *b, uint32_t node, const char *name); /* absent: none */
struct text node_place_name(struct arena *a, const struct book *b, uint32_t sequence); /* loc or location */
struct text node_summary_raw(const struct book *b, uint32_t node);              /* between its tags; absent: none */
struct text node_summary(struct arena *a, const struct book *b, uint32_t node); /* decoded; absent: none */
struct prose node_prose(struct arena *a, const struct book *b, uint32_t paragraph);
bool prose_is_framed(const struct book *b, struct text raw); /* is this raw content PROSE in its frame? */
struct text node_shown_prose(struct arena *a, const struct book *b, uint32_t paragraph); /* as rendered */
int node_mode(struct arena *a, const struct book *b, uint32_t paragraph);

/* The point of view at a node: that of its sequence, or else of its chapter; absent: none. */
struct text node_pov(struct arena *a, const struct book *b, uint32_t node);

#endif
