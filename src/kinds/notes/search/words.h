/* words.h: the terms of a text, as the index knows them.
 *
 * A term is a word folded (compatibility forms, case and accents), without its English endings (stem.h), at most
 * TERM_MAX bytes. Scripts that put no blanks between words give each character, and each pair of neighbours. The same
 * rules serve notes and queries, so both meet. Any bytes are welcome: malformed UTF-8 separates words. */
#ifndef QUIRE_KINDS_NOTES_SEARCH_WORDS_H
#define QUIRE_KINDS_NOTES_SEARCH_WORDS_H
#include "base/text.h"

enum { TERM_MAX = 64 };

struct words {
	struct text text;
	bool is_query; /* pairs only, where a note gives single characters too */
	size_t at;
	/* within a run of a script without blanks: */
	size_t run_end, pair_from;
	bool run_is_long;
	char term[TERM_MAX + 4];
};

struct word {
	struct text term; /* valid until the next word */
	size_t from, to;  /* where it stands in the text */
	bool is_stop;     /* one of the words that say nothing: the, and, of ... */
};

static inline struct words words_of(struct text t) { return (struct words){.text = t}; }
bool words_next(struct words *w, struct word *out); /* false: there are no more */

/* Shortens a folded ASCII word in place, and returns its new length. */
size_t word_stem(char *word, size_t len);
bool word_is_stop(struct text folded);

#endif
