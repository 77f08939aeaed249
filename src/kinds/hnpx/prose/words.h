/* words.h: splits prose into words and the gaps between them, in one fast pass. */
#ifndef QUIRE_KINDS_HNPX_PROSE_WORDS_H
#define QUIRE_KINDS_HNPX_PROSE_WORDS_H
#include "base/array.h"
#include "base/text.h"

enum gap {
	GAP_STOP = 1,  /* . ! ? : ; … and line ends */
	GAP_QUOTE = 2, /* quotation marks and brackets */
	GAP_COMMA = 4,
	GAP_DASH = 8,
	GAP_START = 16 /* the text begins here */
};

struct word {
	uint32_t from, to; /* includes an apostrophe inside the word, but not a final 's */
	uint8_t before;    /* the gap before this word */
	uint8_t behind;    /* the gap after it */
	bool is_capital;   /* a capital letter, then a small one */
	bool is_plain;     /* ASCII letters only */
};
struct words {
	ARRAY(struct word) list;
};

void words_split(struct words *to, struct arena *a, struct text t); /* replaces the content of `to` */

/* Is the word in the middle of a sentence, where only names have capitals? */
static inline bool word_is_inside(const struct word *w)
{
	return !(w->before & (GAP_STOP | GAP_QUOTE | GAP_DASH | GAP_START));
}

/* The word without case and accents. Short plain words are written to the given room, others to the arena. */
enum { WORD_ROOM = 48 };
struct text word_loose(struct arena *a, struct text t, const struct word *w, char room[WORD_ROOM]);

/* A filter by the first two letters of some words, to exclude other words quickly. */
struct word_filter {
	uint32_t rows[32];
};

static inline uint32_t word_filter_bit(struct text loose) { return loose.len > 1 ? 1u << (loose.at[1] & 31) : 1u; }

static inline void word_filter_add(struct word_filter *f, struct text loose)
{
	f->rows[loose.len ? loose.at[0] & 31 : 0] |= word_filter_bit(loose);
}

static inline bool word_filter_may_hold(const struct word_filter *f, struct text loose)
{
	return f->rows[loose.len ? loose.at[0] & 31 : 0] & word_filter_bit(loose);
}

#endif
