/* mention.h: which entries of the bible a text names.
 *
 * Names and aliases are compared as whole words, without case and accents. A part of a character's name is enough:
 * "Mira" or "Valen" for Mira Valen. A title or an article alone is not. */
#ifndef QUIRE_KINDS_HNPX_BIBLE_MENTION_H
#define QUIRE_KINDS_HNPX_BIBLE_MENTION_H
#include "kinds/hnpx/bible/bible.h"

struct texts bible_names(struct arena *a, const struct bible *b, const struct bible_entry *e); /* in loose form */
bool names_stand_in(struct texts names, struct text loose);

/* Mr, Captain, Aunt, the, of: words before names that are not names themselves. In loose form. */
extern const char title_words[]; /* blanks between them */
bool is_title_word(struct text loose);

#endif
