/* words.h: splits a text into the terms of the index.
 *
 * A term is a folded word (compatibility forms, case and accents) without its English ending (stem.c), at most TERM_MAX
 * bytes. In scripts without blanks between words, each character and each pair of neighbours is a term. Notes and
 * queries use the same rules. Any bytes are accepted; malformed UTF-8 separates words. */
#ifndef QUIRE_KINDS_NOTES_SEARCH_WORDS_H
#define QUIRE_KINDS_NOTES_SEARCH_WORDS_H
#include "base/text.h"

enum { TERM_MAX = 64 };

struct words {
	struct text text;
	bool is_query; /* only pairs, where a note also has single characters */
	size_t at;
	/* within a run of a script without blanks: */
	size_t run_end, pair_from;
	bool run_is_long;
	char term[TERM_MAX + 4];
};

struct word {
	struct text term; /* valid until the next word */
	size_t from, to;  /* its place in the text */
	bool is_stop;     /* a very common word: the, and, of ... */
};

static inline struct words words_of(struct text t) { return (struct words){.text = t}; }
bool words_next(struct words *w, struct word *out); /* false: there are no more */

/* Shortens a folded ASCII word in place, and returns its new length. */
size_t word_stem(char *word, size_t len);
bool word_is_stop(struct text folded);

#endif
