/* comparing.h: what the files of one comparison share. Blocks are found (blocks), those that moved are paired (moves),
 * paragraphs of the revised document are written as they can stand in the original (portable).
 *
 * Neither version is kept as a tree: a block is a stretch of its part's bytes. What a block says is read when its
 * partner is looked for, and forgotten. So a comparison needs the two parts, the result, and little for each block. */
#ifndef QUIRE_KINDS_DOCX_TRACK_COMPARING_H
#define QUIRE_KINDS_DOCX_TRACK_COMPARING_H
#include "base/array.h"
#include "base/map.h"
#include "format/splice.h"
#include "kinds/docx/track/compare.h"
#include "kinds/docx/track/notes.h"
#include "kinds/docx/track/pass.h"

/* What is needed to find a block's partner among others. */
struct likeness {
	uint32_t *words; /* hashes, sorted */
	size_t words_n;
	uint32_t cells; /* of a row */
	uint64_t grid;  /* of a table: equal for equal columns; 0: none */
};

/* A paragraph, table, content control or row. */
struct block {
	uint32_t from, to;
	uint64_t hash; /* equal for equal words in equal cells */
	uint32_t len;  /* of its text */
	uint8_t tag;
	struct likeness *like; /* NULL: not asked for yet */
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
	bool is_survey;                  /* only finds out which paragraphs come and go */
	bool is_broken;                  /* something is not well-formed */
	ARRAY(struct pairing *) matches; /* what the survey found, in the order in which it went */
	size_t matches_used;             /* by the second pass, which goes the same way */
	struct blocks gone, come;        /* whole blocks, without a partner */
	struct map moved_from, moved_to; /* places, as text: the number of the move */
	ARRAY(struct splice) edits;      /* on the old part */
};

/* The paragraphs, tables and content controls, or the rows, right below an element. */
void blocks_of(struct comparing *k, struct text part, struct place parent, bool rows, struct blocks *out);
/* Fills in what the blocks from `from` on, before `to`, are like. */
void blocks_liken(struct comparing *k, struct text part, struct blocks *b, uint32_t from, uint32_t to);
/* Shared words by all words. A table with the same columns is the same table, filled in otherwise. */
double similarity(const struct block *a, const struct block *b);

/* Pairs what goes with what comes, by their places. */
void moves_find(struct comparing *k);
const uint32_t *move_of(const struct comparing *k, uint32_t from, bool inserted); /* number of its move; NULL: none */
/* The paragraph with its content between the marks of the move: the first inside of it, the second behind it. */
struct text move_marked(struct comparing *k, struct arena *a, struct text paragraph, const struct names *names,
			bool inserted, uint32_t move);

/* A paragraph of the revised document as it can stand in the original, whose paragraph is `old` (absent: none). */
struct text portable(struct comparing *k, struct arena *a, struct text fragment, const struct names *names,
		     struct text old);

#endif
