/* comparing.h: what the files of one comparison share. Blocks are found (blocks), those that moved are paired (moves),
 * paragraphs of the revised document are written as they can stand in the original (portable). */
#ifndef QUIRE_KINDS_DOCX_TRACK_COMPARING_H
#define QUIRE_KINDS_DOCX_TRACK_COMPARING_H
#include "base/array.h"
#include "base/map.h"
#include "format/splice.h"
#include "kinds/docx/text/fragment.h"
#include "kinds/docx/track/compare.h"
#include "kinds/docx/track/notes.h"

/* A paragraph, table, content control or row, with what is needed to find its partner. */
struct block {
	uint32_t node;
	uint8_t tag;
	uint32_t cells;  /* of a row */
	uint64_t grid;   /* of a table: equal for equal columns; 0: none */
	uint32_t key;    /* equal for equal blocks */
	size_t len;      /* of its text */
	uint32_t *words; /* hashes, sorted */
	size_t words_n;
};
struct blocks {
	ARRAY(struct block) list;
};

enum { ALIKE_PERCENT = 35 }; /* blocks with less in common are not compared with each other */

struct pairing;

struct side {
	struct fragment f;
	struct text bytes;
};

struct comparing {
	struct call *c;
	struct side old, new;
	struct map keys;
	struct carry *carry;
	struct notes *notes;
	struct text relation_mark; /* how an attribute begins that is a relationship's id */
	struct stamp *stamp;
	struct comparison *counts;
	bool is_survey;                  /* only finds out which paragraphs come and go */
	ARRAY(struct pairing *) matches; /* what the survey found, in the order in which it went */
	size_t matches_used;             /* by the second pass, which goes the same way */
	struct blocks gone, come;        /* whole blocks, without a partner */
	struct map moved_from, moved_to; /* nodes, as text: the number of the move */
	ARRAY(struct splice) edits;      /* on old.bytes */
};

struct text bytes_of(const struct side *s, uint32_t node);
/* The paragraphs, tables and content controls, or the rows, right below a node. */
void blocks_of(struct comparing *k, const struct side *s, uint32_t parent, bool rows, struct blocks *out);
/* Shared words by all words. A table with the same columns is the same table, filled in otherwise. */
double similarity(const struct block *a, const struct block *b);

/* Pairs what goes with what comes, by the second pass's node numbers. */
void moves_find(struct comparing *k);
const uint32_t *move_of(struct comparing *k, uint32_t node, bool inserted); /* the number of its move; NULL: none */
/* The paragraph with its content between the marks of the move: the first inside of it, the second behind it. */
struct text move_marked(struct comparing *k, struct text paragraph, const struct names *names, bool inserted,
			uint32_t move);

/* A paragraph of the revised document as it can stand in the original, whose paragraph is `old` (absent: none). */
struct text portable(struct comparing *k, struct text fragment, const struct names *names, struct text old);

#endif
