/* toml_scan.h: the tokens of TOML: blanks, comments, strings, numbers, dates; for toml.c only.
 *
 * Every function moves the reader past what it read. If it refuses, it records the position and returns false or
 * NULL. */
#ifndef QUIRE_FORMAT_TOML_SCAN_H
#define QUIRE_FORMAT_TOML_SCAN_H
#include "format/json.h"

struct toml_reader {
	struct arena *arena;
	const char *text, *at, *end;
	struct json_error *err; /* may be NULL */
	unsigned depth;
};

bool toml_refuse(struct toml_reader *r, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));

bool toml_at(const struct toml_reader *r, char c);
bool toml_sees(const struct toml_reader *r, const char *word);

bool toml_begin(struct toml_reader *r);       /* checks the encoding, skips a byte order mark */
void toml_skip_blanks(struct toml_reader *r); /* spaces and tabs */
bool toml_skip_lines(struct toml_reader *r);  /* blanks, newlines and comments */
bool toml_line_end(struct toml_reader *r);    /* blanks, a comment, and the end of the line or the document */

bool toml_string(struct toml_reader *r, struct text *out); /* any of the four sorts */
struct json *toml_scalar(struct toml_reader *r);           /* boolean, number, date or time */

#endif
