/* utf8.h: UTF-8 characters.
 *
 * Text is checked where it enters (JSON, XML, files); inside the program it is UTF-8. Case folding and categories come
 * from utf8proc, which only utf8.c includes. */
#ifndef QUIRE_BASE_UTF8_H
#define QUIRE_BASE_UTF8_H
#include "base/text.h"

int utf8_len(const char *p, const char *end); /* bytes of the well-formed character at p, or 0 */
size_t utf8_bad(struct text t);               /* offset of the first malformed byte, or t.len */
size_t utf8_count(struct text t);             /* code points */
/* Code point at the offset, which is advanced; the text must be well-formed. */
uint32_t utf8_next(struct text t, size_t *offset);
size_t utf8_put(char *to, uint32_t c);          /* 1 to 4 bytes */
size_t utf8_cut(struct text t, size_t at_most); /* the largest character boundary <= at_most */

/* NFKC with case folded, for comparing; any length; its offsets differ from those of the source */
struct text utf8_fold(struct arena *a, struct text t);
/* The same, decomposed and without accents, for searching: at most `room` bytes, cut between characters. Returns the
 * length. */
size_t utf8_loose(struct text t, char *to, size_t room);
struct text utf8_nfc(struct arena *a, struct text t);
struct text utf8_nfkc(struct arena *a, struct text t);
enum { UTF8_PARTS_MAX = 4, UTF8_LETTER_MAX = 32 };
size_t utf8_decompose(uint32_t c, uint32_t parts[UTF8_PARTS_MAX]); /* canonical; returns the number of parts */
/* Converts a letter of up to UTF8_LETTER_MAX code points, with its marks, to NFC in place. Returns the new number of
 * code points; 0: they do not fit, and nothing was changed. */
size_t utf8_compose(uint32_t points[UTF8_LETTER_MAX], size_t n);
/* A well-formed copy with U+FFFD for each malformed byte, or the text itself if it is well-formed. */
struct text utf8_repaired(struct arena *a, struct text t);
bool utf8_is_word(uint32_t c); /* letter, mark or digit */
/* Counts words. A word is a run of word characters with apostrophes inside; each ideograph and kana is one word. */
size_t utf8_words(struct text t);
/* Where that word begins (words count from 0); t.len: there are fewer words. */
size_t utf8_word_at(struct text t, size_t number);
uint32_t utf8_lower(uint32_t c); /* of a single character, without context */
int utf8_width(uint32_t c);      /* terminal columns */
bool utf8_completes(uint32_t c); /* part of the letter before it: combining marks, Hangul vowels and finals */
bool utf8_joins(uint32_t c);     /* belongs to the character before it: combining marks, selectors, joiners */

#endif
