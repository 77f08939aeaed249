/* ascii.h: classes of ASCII characters, for bytes and for code points: no byte of a longer character is in one.
 *
 * Formats that count other characters to a class (a word of a language, the white space of Word) have their own. */
#ifndef QUIRE_BASE_ASCII_H
#define QUIRE_BASE_ASCII_H
#include <stdbool.h>
#include <stdint.h>

static inline bool is_digit(uint32_t c) { return c - '0' < 10; }
static inline bool is_upper(uint32_t c) { return c - 'A' < 26; }
static inline bool is_lower(uint32_t c) { return c - 'a' < 26; }
static inline bool is_letter(uint32_t c) { return is_lower(c | 32); }
static inline bool is_blank(uint32_t c) { return c == ' ' || c == '\t'; }                 /* within a line */
static inline bool is_space(uint32_t c) { return is_blank(c) || c == '\n' || c == '\r'; } /* XML's white space too */

#endif
