/* comparing.h: what the files of one comparison share. blocks.c finds blocks, moves.c pairs moved ones, and portable.c
 * writes paragraphs of the revised document in a form that is valid in the original.
 *
 * Neither version is kept as a tree: a block is a range of its part's bytes. The content of a block is read only while
 * its partner is searched. So a comparison needs memory for the two parts, the result, and a little for each block. */
#ifndef QUIRE_KINDS_DOCX_TRACK_COMPARING_H
#define QUIRE_KINDS_DOCX_TRACK_COMPARING_H
#include "base/array.h"
#include "base/map.h"
#include "format/splice.h"
#include "kinds/docx/track/compare.h"
#include "kinds/docx/track/notes.h"
#include "kinds/docx/track/pass.h"

/* The data to find a block's partner. */
struct likeness {
	uint32_t *words; /* hashes, sorted */
	size_t words_n;
	uint32_t cells; /* of a row */
	uint64_t grid;  /* of a table: equal if the columns are equal; 0: none */
};

/* A paragraph, table, row, cell, or an element around blocks: a content control, custom XML, alternate content. */
struct block {
	uint32_t from, to;
	uint64_t hash;             /* equal if the words and cells are equal */
	uint32_t len;              /* of its text */
	uint32_t kind;             /* blocks of different kinds are never compared */
	uint8_t tag;               /* TAG_OTHER: another element with paragraphs in it */
	const struct names *names; /* around it */
	struct likeness *like;     /* NULL: not computed yet */
};
struct blocks {
	ARRAY(struct block) list;
	const struct names *names; /* around them */
	uint32_t start;            /* where the content of their parent begins */
	uint32_t inner;            /* ... behind its properties */
};

/* Counts changes only once if the format has two copies of a text. */
struct tally {
	struct stamp stamp;
	struct comparison counts;
};

/* How finely a changed paragraph is written. */
enum written_level {
	LEVEL_WORDS,
	LEVEL_CONTENT, /* all its content is deleted, and the new content inserted */
	LEVEL_WHOLE    /* it is deleted, and a new paragraph inserted */
};

/* A changed paragraph in the list of edits, so that it can be written again at a coarser level. */
struct written {
	size_t edit;
	struct place old, new;
	struct tally before, after;
	uint8_t level;
};

enum { ALIKE_PERCENT = 35 }; /* less similar blocks are not compared with each other */

struct pairing;

struct comparing {
	struct call *c;
	struct text old, new;          /* the parts */
	const struct names *old_names; /* at the old root */
	struct carry *carry;
	struct carry_text *text; /* relationships of the two parts */
	struct notes *notes;
	struct text relation_mark; /* start of an attribute with a relationship's id */
	struct stamp *stamp;
	struct comparison *counts;
	bool is_survey;                  /* the first pass: only finds inserted and deleted paragraphs */
	bool is_broken;                  /* something is not well-formed */
	ARRAY(struct pairing *) matches; /* the matches of the survey, in its order */
	size_t matches_used;             /* by the second pass, which has the same order */
	struct blocks gone, come;        /* whole blocks without a partner */
	struct map moved_from, moved_to; /* map places, as text, to numbers of moves */
	ARRAY(struct splice) edits;      /* on the old part */
	ARRAY(struct written) written;
};

/* The blocks inside an element, in order: its children that hold paragraphs, or the rows of a table, or the cells of a
 * row. Content controls and other elements may be around rows and cells; they are looked through. */
enum block_level { LEVEL_BLOCKS, LEVEL_ROWS, LEVEL_CELLS };
void blocks_of(struct comparing *k, struct text part, struct place parent, enum block_level level, struct blocks *out);
/* Computes `like` of the blocks [from, to). */
void blocks_liken(struct comparing *k, struct text part, struct blocks *b, uint32_t from, uint32_t to);
/* The number of shared words, divided by all words. Tables with the same columns count as similar, whatever their
 * words. */
double similarity(const struct block *a, const struct block *b);

/* Begins the comparison of two parts. */
struct comparing compare_begin(struct call *c, struct text original, struct text revised, struct carry *carry,
			       struct carry_text *text, struct notes *notes, struct stamp *stamp,
			       struct comparison *counts);
/* Compares what is inside these elements. On failure it returns false and sets the error. */
struct place_pair {
	struct place old, new;
};
struct root {
	const struct names *names; /* in it */
	uint32_t inner;            /* where its content begins */
};
bool compare_places(struct comparing *k, const struct place_pair *pairs, size_t n, const struct root *old,
		    const struct root *new);

/* Proves the redline of each pair (proof.h), with coarser changes where it does not hold. `prefixes` are the
 * declarations that the old root lacks. On failure it returns false and sets the error. */
bool compare_proved(struct comparing *k, const struct place_pair *pairs, size_t n, const struct names *inside,
		    struct text prefixes);
/* Writes the paragraph of this edit again, one level coarser. Returns false if there is none. */
bool compare_coarser(struct comparing *k, size_t edit);

/* Compares what is inside two elements. */
void compare_inside(struct comparing *k, struct place old, struct place new, enum block_level level);

struct tally tally_begin(const struct comparing *k);
void tally_end(struct comparing *k, const struct tally *before); /* forgets what was counted since */

/* The text boxes of a paragraph that is in both versions: compared, and replaced by signs in its two forms. */
struct boxed {
	struct text was, now;
	struct text *contents; /* with tracked changes */
	size_t n;
};
/* Returns false if there are none, or not the same number in both; then a box is compared as one thing. */
bool boxes_compare(struct comparing *k, struct arena *a, struct place old, struct place new, struct boxed *out);
/* Puts the contents back. Returns false if a box was deleted or inserted as a whole. */
bool boxes_fill(struct arena *a, const struct boxed *boxes, struct text *paragraph);

/* Pairs deleted and inserted paragraphs that were moved. */
void moves_find(struct comparing *k);
const uint32_t *move_of(const struct comparing *k, uint32_t from, bool inserted); /* its number; NULL: not moved */
/* The paragraph with the marks of the move around its content. The first mark is inside it, the second after it. */
struct text move_marked(struct comparing *k, struct arena *a, struct text paragraph, const struct names *names,
			bool inserted, uint32_t move);

/* A paragraph of the revised document in a form that is valid in the original. `old` is its paragraph there; absent:
 * none. */
struct text portable(struct comparing *k, struct arena *a, struct text fragment, const struct names *names,
		     struct text old);

#endif
