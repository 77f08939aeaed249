/* mention.h: which entries of the bible a text names.
 *
 * Names and aliases are compared as whole words, without case and accents. A part of a character's name is enough:
 * "Mira" or "Valen" for Mira Valen. A title or an article alone is not.
 *
 * In prose one word with a capital that names a character ("Long", "Rose") is found only with a capital. At the start
 * of a sentence it may be an ordinary word; such a mention is doubtful. A longer name hides the shorter ones in it, and
 * "Mr. Long" or "Ada Long" is not Mrs. Long.
 *
 *	struct mentions *m = mentions_new(a, bible);
 *	words_split(&words, a, text);
 *	mentions_read(m, text, &words);
 *	for (size_t i = 0; i < m->found.n; i++) ... */
#ifndef QUIRE_KINDS_HNPX_BIBLE_MENTION_H
#define QUIRE_KINDS_HNPX_BIBLE_MENTION_H
#include "base/map.h"
#include "kinds/hnpx/bible/bible.h"
#include "kinds/hnpx/prose/words.h"

/* For names in attributes and headings. */
struct texts bible_names(struct arena *a, const struct bible *b, const struct bible_entry *e); /* in loose form */
bool names_stand_in(struct texts names, struct text loose);

/* Mr, Captain, Aunt, the, of: words before names that are not names themselves. In loose form. */
extern const char title_words[]; /* blanks between them */
bool is_title_word(struct text loose);
/* May the two titles stand before the name of one person? Mr and Mrs may not, Mr and Captain may. In loose form. */
bool titles_agree(struct text a, struct text b);
bool is_character(const struct bible *b, const struct bible_entry *e);

struct mention {
	uint32_t entry, from, to;
	bool is_doubtful; /* it may be an ordinary word at the start of a sentence */
	bool is_shared;   /* a part of several names */
	uint32_t small;   /* the name's index in small_words */
};
struct mention_name {
	uint32_t entry, next; /* another name of the same words; BIBLE_NONE: none */
	bool is_part;         /* of a character's name */
	bool needs_capital;
	bool is_last;      /* a part that ends the name: a family name */
	struct text title; /* before the name in its heading; loose */
};
struct mentions {
	struct arena *arena;
	const struct bible *bible;
	struct map first_word; /* maps it to the largest number of words of a name that begins with it */
	struct map whole;      /* maps names, with single blanks, to the list */
	ARRAY(struct mention_name) names;
	struct word_filter begins;
	ARRAY(struct mention) found; /* in the text that was read last */
	ARRAY(uint32_t) small_words; /* for each name: how often its words occurred with a small letter */
};

struct mentions *mentions_new(struct arena *a, const struct bible *b);
void mentions_read(struct mentions *m, struct text t, const struct words *words);

#endif
