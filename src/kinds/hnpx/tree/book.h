/* book.h: an HNPX document as a table of nodes over its bytes.
 *
 * HNPX is XML with five fixed levels: book > chapter > sequence > beat > paragraph. A node is one such element. Nodes
 * are in document order, so a subtree is the range [i, nodes[i].after). The depth is fixed, so the order of levels
 * determines the tree: book_settle() derives parent, after and children; no other code sets them. Attributes, summaries
 * and prose are read from the bytes on demand (reading.h).
 *
 * A returned book is valid: it follows every rule of the format. It never changes; an edit makes a new book
 * (edits.h). */
#ifndef QUIRE_KINDS_HNPX_TREE_BOOK_H
#define QUIRE_KINDS_HNPX_TREE_BOOK_H
#include "base/array.h"
#include "base/error.h"
#include "base/text.h"

enum level { LEVEL_BOOK, LEVEL_CHAPTER, LEVEL_SEQUENCE, LEVEL_BEAT, LEVEL_PARAGRAPH, LEVELS };

enum { BOOK_NONE = UINT32_MAX };

enum node_flags {
	NODE_LOCATION = 1,  /* a sequence with `location` instead of `loc`, as in later files */
	NODE_TEXT_FIRST = 2 /* a paragraph with its prose before its summary, as the first program wrote it */
};

struct node {
	uint32_t from, to;            /* the element, including its end tag */
	uint32_t inner, inner_to;     /* between its tags; both at `to` when written <a/> */
	uint32_t summary, summary_to; /* its <summary> element; equal: it has none */
	uint32_t parent;              /* BOOK_NONE for the book */
	uint32_t after;               /* first node after its subtree */
	uint32_t children;            /* direct ones */
	uint32_t id;                  /* packed: id_pack() */
	uint8_t level, flags;
};

struct node_id {
	uint32_t id, node;
};

/* The layout of a file: its line ends, its indentation per level, and the frame around prose. It comes from bytes that
 * no edit changes: the line of the book's own summary, and the lines above the book. */
struct layout {
	struct text newline; /* LF or CRLF */
	struct text indent;
	struct text frame_open, frame_close; /* a line for a paragraph's inside, a line for its end tag */
};

struct book {
	struct text bytes; /* borrowed; they must live as long as the book */
	struct layout layout;
	struct node *nodes;
	uint32_t n;
	struct node_id *ids;                   /* sorted by id */
	uint32_t first_empty[LEVEL_PARAGRAPH]; /* the first container of each level without children, or BOOK_NONE */
	uint32_t count[LEVELS];
	uint32_t summarised; /* paragraphs that have a summary */
	uint32_t located;    /* sequences with NODE_LOCATION */
	uint32_t text_first; /* paragraphs with NODE_TEXT_FIRST */
	/* The first paragraph without prose, computed on first use (export/pages.h): its number + 1, or BOOK_NONE; 0:
	 * not known yet. Threads that share the book compute the same value. */
	_Atomic uint32_t unwritten;
};

extern const char *const level_names[LEVELS + 1]; /* "book", ... ; NULL-terminated */
extern const char *const level_titles[LEVELS];    /* "Book", ... */
extern const char *const level_plurals[LEVELS];   /* "books", "chapters", ... */

/* An id is six of a-z and 0-9: a number below 36^6, which fits 32 bits. */
enum { ID_LEN = 6 };
bool id_pack(struct text id, uint32_t *out); /* false: not an id */
struct text id_text(struct arena *a, uint32_t id);

uint32_t book_find(const struct book *b, uint32_t id);     /* the node's index, or BOOK_NONE */
uint32_t book_named(const struct book *b, struct text id); /* the same by its text; "book" is the root */
uint32_t book_place(const struct book *b, uint32_t node);  /* its index among its siblings */
struct text book_id(struct arena *a, const struct book *b, uint32_t node);

/* Files of the later dialect have paragraphs without summaries. In a file without paragraphs, the sequences show the
 * dialect. */
bool book_drops_summaries(const struct book *b);
bool book_writes_location(const struct book *b);
bool book_writes_text_first(const struct book *b);

/* The first container without children in the order of levels, within the subtree of `top`; BOOK_NONE: none. */
uint32_t book_next_empty(const struct book *b, uint32_t top);

struct layout layout_copy(struct arena *a, const struct layout *l);
/* Derives the tree and the counts from the order of levels, and the layout and `ids` if they are not set yet. */
void book_settle(struct book *b, struct arena *a);
bool book_same(const struct book *a, const struct book *b); /* every derived and stored number is equal */

/* One problem of a document. */
struct problem {
	uint32_t line;
	uint32_t id; /* of the node it is about, packed; BOOK_NONE: none known */
	const char *sentence;
};
enum { PROBLEMS_SHOWN = 20 }; /* in the details of a refusal */
struct problems {
	ARRAY(struct problem) list; /* the first of them, in order of lines */
	size_t total;
};

/* Returns the book, or NULL with an error: INVALID_XML says why the bytes are not XML; NOT_HNPX comes with the problems
 * in order of lines. `problems` may be NULL. Everything is allocated in the arena. */
struct book *book_parse(struct arena *a, struct text bytes, struct problems *problems, struct error *error);
/* The same, but also returns a document with problems, as far as it can be parsed. Misplaced elements are left out.
 * Nodes may lack ids, attributes and summaries, or share an id. Such a book may be read but never edited. Returns NULL
 * if the bytes are not XML, or if the root is not a book. */
struct book *book_parse_broken(struct arena *a, struct text bytes, struct problems *problems, struct error *error);

#endif
