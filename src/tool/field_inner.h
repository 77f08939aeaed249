/* field_inner.h: shared by the field files: words for types and limits, and recursive shapes.
 *
 * Other rooms must not use it. */
#ifndef QUIRE_TOOL_FIELD_INNER_H
#define QUIRE_TOOL_FIELD_INNER_H
#include "tool/field.h"

/* The names of a type, and the memory layout of its values. */
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

/* Recursive shapes and unions, found by walking a table once. Only these have names in $defs: one on each cycle is
 * enough to make a schema finite. */
enum { SHAPES_MAX = 64 };
struct shape_node {
	const void *key;         /* the field table, or the list of variants */
	const struct field *row; /* a row that refers to it */
	const char *name;        /* as in the table; two shapes may have the same */
	unsigned twin;           /* 0, or a number that distinguishes it from an earlier one of the same name */
	bool is_open, is_recursive;
};
struct shapes {
	struct shape_node nodes[SHAPES_MAX];
	size_t n;
};
void shapes_collect(struct shapes *s, const struct field *table);
const struct shape_node *shapes_find(const struct shapes *s, const void *key); /* NULL: not recursive */

/* The identity of a row's shape; NULL for plain rows. */
const void *field_shape_key(const struct field *f);

#endif
