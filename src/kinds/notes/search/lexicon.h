/* lexicon.h: which documents contain which terms.
 *
 * An inverted index. Each term has the list of its documents in the order of their numbers, stored as differences and
 * counts in bytes of seven bits. Lists only grow at their end. A new version of a document is a new document with the
 * next number. The old one is dead: its entries stay in the lists until lexicon_compact() rewrites them. Most lists are
 * short and are stored in the term itself.
 *
 * Does no locking; the engine does. */
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
	uint16_t pending;  /* count in the new document */
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
	uint32_t *lengths; /* words of each document, by number - 1; 0: dead */
	uint32_t documents, document_cap;
	uint32_t alive;
	uint64_t words;    /* sum over the live documents */
	uint32_t *touched; /* terms of the new document */
	uint32_t touched_n, touched_cap;
};

/* Adds words to the new document. Each counts `weight` times. Stop words are left out unless `stops` is set: a title
 * may consist only of them. */
void lexicon_add(struct lexicon *l, struct text t, unsigned weight, bool stops);
uint32_t lexicon_end(struct lexicon *l); /* ends the document and returns its number, from 0 */
void lexicon_kill(struct lexicon *l, uint32_t document);

/* True if enough documents are dead to make lexicon_compact() worth its cost. */
bool lexicon_is_stale(const struct lexicon *l);
/* Removes dead documents. (*renumbered)[old] is the new number, or UINT32_MAX. The caller frees the array. */
void lexicon_compact(struct lexicon *l, uint32_t **renumbered);
void lexicon_free(struct lexicon *l);

/* Adds the BM25 score of each document to scores[0 .. documents), divided by the highest possible score: 0 to 1.
 * Returns the number of query terms. */
size_t lexicon_score(const struct lexicon *l, struct text query, float *scores);
/* The weight of a term, for choosing a snippet; 0 if it is in no document. */
double lexicon_weight(const struct lexicon *l, struct text term);

/* The same, from 0 to 1; 1 if only one document has the term. */
double lexicon_rarity(const struct lexicon *l, struct text term);

/* The distinct terms of a query. Stop words are left out if there are other words. */
enum { QUERY_TERMS_MAX = 64 };
struct query_terms {
	struct text items[QUERY_TERMS_MAX];
	size_t n;
	char bytes[QUERY_TERMS_MAX * 64];
};
void query_terms(struct query_terms *q, struct text query);

#endif
