/* text.h: a piece of text is a pointer and a length.
 *
 * It need not end in a NUL byte and may contain one. A text with a NULL pointer is absent, which is not the same as
 * empty. A text never owns its bytes: they belong to an arena, a document or the program. */
#ifndef QUIRE_BASE_TEXT_H
#define QUIRE_BASE_TEXT_H
#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
	const char *at;
	size_t len;
};

struct texts {
	struct text *items; /* NULL: absent; an empty list that was given has a pointer and n = 0 */
	size_t n;
};

#define TEXT(literal) ((struct text){"" literal, sizeof(literal) - 1})
/* For printf: "%.*s" takes TEXT_ARGS(t). Only for our own text; a caller's text goes through shown(). */
#define TEXT_ARGS(t) (int)(t).len, (t).at ? (t).at : ""

struct text text_of(const char *s); /* NULL makes an absent text */
bool text_same(struct text a, struct text b);
bool text_is(struct text t, const char *s);
int text_order(struct text a, struct text b); /* by bytes */
bool text_starts(struct text t, const char *prefix);
bool text_ends(struct text t, const char *suffix);
/* Does it end in one of these suffixes? They are separated by spaces: ".md .markdown". ASCII case is ignored. "" fits
 * every text. */
bool text_ends_in(struct text t, const char *suffixes);
struct text text_slice(struct text t, size_t from, size_t to); /* clamped */
struct text text_trim(struct text t);                          /* without blanks (space, tab, CR, LF) at both ends */
bool text_is_blank(struct text t);
size_t text_find(struct text t, struct text what, size_t from); /* offset, or SIZE_MAX */
bool text_has_nul(struct text t);

struct text text_copy(struct arena *a, struct text t);   /* the copy also ends in a NUL byte */
const char *text_string(struct arena *a, struct text t); /* as a C string */
struct text text_format(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct text text_vformat(struct arena *a, const char *format, va_list ap) __attribute__((format(printf, 2, 0)));
/* One word for a POSIX shell, safe to print and to paste: quotes are escaped, and so are control characters. */
struct text text_shell(struct arena *a, struct text word);

/* Edit distance between two words, at most `cap` + 1; for "did you mean". */
unsigned text_distance(struct text a, struct text b, unsigned cap);

/* The one of `words` (NULL-terminated) nearest to the typed word, or NULL if none is near. */
const char *text_nearest(struct text typed, const char *const *words);

/* 64-bit hash with a key drawn when the program starts: a caller cannot make keys collide. */
uint64_t text_hash(struct text t);

#endif
