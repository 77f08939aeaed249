/* book.h: an HNPX document as a table of nodes over its bytes.
 *
 * HNPX is XML with five fixed levels: book > chapter > sequence > beat > paragraph. A node is one element of those;
 * they stand in document order, so a subtree is the range [i, nodes[i].after). Since the depth is fixed, the order of
 * levels alone gives the tree: parent, after and children are derived by book_settle(), never stored by hand.
 * Attributes, summaries and prose are read from the bytes when asked for (reading.h).
 *
 * A book that was handed out is valid: every rule of the format holds. It never changes; an edit makes a new one
 * (edits.h). */
#ifndef QUIRE_KINDS_HNPX_TREE_BOOK_H
#define QUIRE_KINDS_HNPX_TREE_BOOK_H
#include "base/array.h"
#include "base/error.h"
#include "base/text.h"

enum level { LEVEL_BOOK, LEVEL_CHAPTER, LEVEL_SEQUENCE, LEVEL_BEAT, LEVEL_PARAGRAPH, LEVELS };

enum { BOOK_NONE = UINT32_MAX };

enum node_flags {
	NODE_LOCATION = 1,  /* a sequence whose place is called `location`, as later files have it */
	NODE_TEXT_FIRST = 2 /* a paragraph whose prose stands before its summary, as the first program wrote it */
};

struct node {
	uint32_t from, to;            /* the element, end tag included */
	uint32_t inner, inner_to;     /* between its tags; both at `to` when written <a/> */
	uint32_t summary, summary_to; /* its <summary> element; equal: it has none */
	uint32_t parent;              /* BOOK_NONE for the book */
	uint32_t after;               /* first node behind its subtree */
	uint32_t children;            /* direct ones */
	uint32_t id;                  /* packed: id_pack() */
	uint8_t level, flags;
};

struct node_id {
	uint32_t id, node;
};

/* How a file is laid out: what ends its lines, what a level is indented by, and what stands around prose. It is read
 * off the bytes that no edit touches: the line in which the book's own summary stands, and those above the book. */
struct layout {
	struct text newline; /* LF or CRLF */
	struct text indent;
	struct text frame_open, frame_close; /* a line for a paragraph's inside, a line for its end tag */
};

struct book {
	struct text bytes; /* lent: they stay as long as the book */
	struct layout layout;
	struct node *nodes;
	uint32_t n;
	struct node_id *ids;                   /* sorted by id */
	uint32_t first_empty[LEVEL_PARAGRAPH]; /* of each level the first container without children, or BOOK_NONE */
	uint32_t count[LEVELS];
	uint32_t summarised; /* paragraphs that have a summary */
	uint32_t located;    /* sequences with NODE_LOCATION */
	uint32_t text_first; /* paragraphs with NODE_TEXT_FIRST */
	/* The first paragraph without prose, found when it is first asked for (export/pages.h): its number and 1, or
	 * BOOK_NONE; 0: not known yet. Threads that share the book find the same. */
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
uint32_t book_named(const struct book *b, struct text id); /* the same by its letters; "book" is the root */
uint32_t book_place(const struct book *b, uint32_t node);                /* its index among its siblings */
struct text book_id(struct arena *a, const struct book *b, uint32_t node);

/* Files of the later dialect have paragraphs without summaries; one without paragraphs is told by its sequences. */
bool book_drops_summaries(const struct book *b);
bool book_writes_location(const struct book *b);
bool book_writes_text_first(const struct book *b);

/* The first container without children in the order of levels, within the subtree of `top`; BOOK_NONE: none. */
uint32_t book_next_empty(const struct book *b, uint32_t top);

struct layout layout_copy(struct arena *a, const struct layout *l);
/* Derives the tree and the counts from the order of levels; the layout and `ids` too unless they are there. */
void book_settle(struct book *b, struct arena *a);
bool book_same(const struct book *a, const struct book *b); /* every derived and stored number is equal */

/* What is wrong with a document. */
struct problem {
	uint32_t line;
	uint32_t id; /* of the node it is about, packed; BOOK_NONE: none known */
	const char *sentence;
};
struct problems {
	ARRAY(struct problem) list; /* the first of them, in order of lines */
	size_t total;
};

/* The book, or NULL: then either the error says why the bytes are no XML (code INVALID_XML) or it is NOT_HNPX and the
 * problems, in order of lines, say what is wrong. `problems` may be NULL. All that is kept is in the arena. */
struct book *book_parse(struct arena *a, struct text bytes, struct problems *problems, struct error *error);
/* The same, but a document with problems gives what parses: misplaced elements are left out, and nodes may lack ids,
 * attributes and summaries, or share an id. Only to be read, never edited. NULL: no XML, or the root is no book. */
struct book *book_parse_broken(struct arena *a, struct text bytes, struct problems *problems, struct error *error);

#endif
