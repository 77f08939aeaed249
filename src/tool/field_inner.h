/* field_inner.h: what the files behind field.h share: words for types and limits, and the shapes that refer to
 * themselves.
 *
 * Nothing here is for other rooms. */
#ifndef QUIRE_TOOL_FIELD_INNER_H
#define QUIRE_TOOL_FIELD_INNER_H
#include "tool/field.h"

/* What a type is called, and how its values lie in memory. */
struct field_words {
	const char *one;   /* in messages, "limit must be ...": "an integer" */
	const char *brief; /* in docs: "integer" */
	bool is_list;
};
extern const struct field_words field_words[FIELD_ANY + 1];

bool field_is_listed(const struct field *f); /* part of schema and docs */
bool field_is_optional(const struct field *f);

/* "1 to 100", "at least 1", "at most 100"; without limits "". */
enum { LIMITS_WORDS_MAX = 96 };
/* NULL: no limits, and no words. */
const char *limits_words(char to[static LIMITS_WORDS_MAX], const struct limits *l);
bool limits_hold(const struct limits *l, double n);

/* Shapes and unions that hold themselves, found by walking a table once. Only these are named in $defs: one on each
 * cycle is enough to make a schema finite. */
enum { SHAPES_MAX = 64 };
struct shape_node {
	const void *key;         /* the field table, or the list of variants */
	const struct field *row; /* a row that refers to it */
	const char *name;        /* as the table has it; two may share one */
	unsigned twin;           /* 0, or a number that distinguishes it from an earlier one of the same name */
	bool is_open, is_recursive;
};
struct shapes {
	struct shape_node nodes[SHAPES_MAX];
	size_t n;
};
void shapes_collect(struct shapes *s, const struct field *table);
const struct shape_node *shapes_find(const struct shapes *s, const void *key); /* NULL: not recursive */

/* What identifies the shape behind a row; NULL for plain rows. */
const void *field_shape_key(const struct field *f);

#endif
