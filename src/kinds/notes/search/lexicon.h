/* lexicon.h: which documents hold which terms.
 *
 * An inverted index. Each term has the list of its documents in the order of their numbers, as differences and counts
 * in bytes of seven bits; lists only grow at their end. A new version of a document is a new document with the next
 * number, and the old one is dead: its entries stay in the lists until lexicon_compact() writes them anew. Short
 * lists, which are most, stand in the term itself.
 *
 * Not locked: the engine is. */
#ifndef QUIRE_KINDS_NOTES_SEARCH_LEXICON_H
#define QUIRE_KINDS_NOTES_SEARCH_LEXICON_H
#include "base/text.h"
#include "kinds/notes/search/slots.h"

enum { POSTINGS_INLINE = 16 };

struct term {
	uint32_t spelling; /* offset into `spellings` */
	uint32_t last;     /* the number of the newest document in the list, from 1 */
	uint32_t len, cap; /* bytes of the list; cap 0: inline */
	uint16_t length;   /* of the spelling */
	uint16_t pending;  /* count in the document that is being added */
	union {
		uint8_t near[POSTINGS_INLINE];
		uint8_t *far;
	} list;
};

struct lexicon {
	struct slots by_spelling;
	struct term *terms;
	uint32_t n, cap;
	char *spellings;
	size_t spelled, spell_cap;
	uint32_t *lengths; /* of documents in words, by number - 1; 0: dead */
	uint32_t documents, document_cap;
	uint32_t alive;
	uint64_t words;    /* of those alive */
	uint32_t *touched; /* terms of the document that is being added */
	uint32_t touched_n, touched_cap;
};

/* Adds words to the document that is being added, each counting `weight` times. Stop words are left out, unless
 * `stops`: a title may consist of nothing else. */
void lexicon_add(struct lexicon *l, struct text t, unsigned weight, bool stops);
uint32_t lexicon_end(struct lexicon *l); /* ends the document and returns its number, from 0 */
void lexicon_kill(struct lexicon *l, uint32_t document);

/* True when so many are dead that lexicon_compact() is worth its cost. */
bool lexicon_is_stale(const struct lexicon *l);
/* Forgets the dead; *renumbered[old] is the new number, or UINT32_MAX. The caller frees it. */
void lexicon_compact(struct lexicon *l, uint32_t **renumbered);
void lexicon_free(struct lexicon *l);

/* The share of the query's information that each document has, 0 to 1: BM25 divided by the most it could be. Adds to
 * scores[0 .. documents). Returns the number of query terms. */
size_t lexicon_score(const struct lexicon *l, struct text query, float *scores);
/* How much a term tells, for choosing a snippet; 0: it is in no document. */
double lexicon_weight(const struct lexicon *l, struct text term);

/* The same, 0 to 1: 1 when a single document has it. */
double lexicon_rarity(const struct lexicon *l, struct text term);

/* The distinct terms of a query, stop words left out if others are there. */
enum { QUERY_TERMS_MAX = 64 };
struct query_terms {
	struct text items[QUERY_TERMS_MAX];
	size_t n;
	char bytes[QUERY_TERMS_MAX * 64];
};
void query_terms(struct query_terms *q, struct text query);

#endif
