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

/* A paragraph, table, content control or row. */
struct block {
	uint32_t from, to;
	uint64_t hash; /* equal if the words and cells are equal */
	uint32_t len;  /* of its text */
	uint8_t tag;
	struct likeness *like; /* NULL: not computed yet */
};
struct blocks {
	ARRAY(struct block) list;
	const struct names *names; /* around them */
	uint32_t inner;            /* where the content of their parent begins */
};

enum { ALIKE_PERCENT = 35 }; /* less similar blocks are not compared with each other */

struct pairing;

struct comparing {
	struct call *c;
	struct text old, new; /* the parts */
	struct carry *carry;
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
};

/* The paragraphs, tables and content controls, or the rows, that are children of an element. */
void blocks_of(struct comparing *k, struct text part, struct place parent, bool rows, struct blocks *out);
/* Computes `like` of the blocks [from, to). */
void blocks_liken(struct comparing *k, struct text part, struct blocks *b, uint32_t from, uint32_t to);
/* The number of shared words, divided by all words. Tables with the same columns count as similar, whatever their
 * words. */
double similarity(const struct block *a, const struct block *b);

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
