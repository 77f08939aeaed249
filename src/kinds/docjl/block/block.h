/* block.h: one block as JSON: its types, checks, words and references.
 *
 * A block is stored as JSON with all its keys in their order, so that a written document keeps that order. `label` and
 * `children` are stored as 0, because their values are stored elsewhere. The target of each reference is stored as its
 * index among the block's references. A reference is an object {"type":"ref","target":LABEL} anywhere in the block, and
 * the `target` of a block of type reference. */
#ifndef QUIRE_KINDS_DOCJL_BLOCK_BLOCK_H
#define QUIRE_KINDS_DOCJL_BLOCK_BLOCK_H
#include "base/array.h"
#include "format/json_write.h"

enum { BLOCK_DEPTH_MAX = 48 };

#define BLOCK_TYPES "paragraph, heading, section, table, list, image, code, reference" /* of the specification */

struct docjl_type {
	const char *name;
	const char *prefix; /* of new labels */
	bool holds;         /* may have children */
	bool is_extension;  /* not in the specification: stored, and reported as a warning */
};
const struct docjl_type *block_type_find(struct text name); /* NULL: unknown */
/* The prefix of new labels for blocks of that type. Unknown types have one too. */
struct text block_prefix(struct text type);
bool block_holds(struct text type, const struct json *block);

struct texts_list {
	ARRAY(struct text) items;
};

/* Converts what agents and real files write to the specification's shapes, including children: a string as content,
 * text for content, hyperref, list_ordered, code_block, nulls. `changed` gets one short line for each kind of
 * change. */
struct json *block_normal(struct arena *a, const struct json *block, struct texts_list *changed);

/* The same block in the specification's terms. Converts what agents write with only one possible meaning: para, h2, ul,
 * text for content, url for href, numbers in cells. `had`: the block that is updated; NULL: a new block. In strict mode
 * a block without a type stays without one. `said` gets a line for each conversion. */
const struct json *block_meant(struct arena *a, const struct json *block, const struct json *had, bool is_strict,
			       struct texts_list *said);
const char *block_type_fits(const struct json *block); /* by the keys of a block without a type; NULL: no type does */

#define UNKNOWN_FIELD "Unknown field " /* start of the warning about an unknown field */
/* The errors of a block without its children, as "path: rule" lines. In strict mode unknown types are errors. */
struct block_problems {
	struct arena *arena;
	ARRAY(struct text) errors, warnings;
};
void block_check(struct block_problems *p, const struct json *block, bool is_strict);

/* All words of a block without its children: inlines, title, cells, captions, items, code, note. */
void block_words(struct buffer *to, const struct json *block);
/* The same for comparing: a reference without words reads as [its target], and a row of a table is a line. */
void block_prose(struct buffer *to, struct arena *a, const struct json *block);
struct text block_folded(struct arena *a, const struct json *block); /* the same for searching */
struct text block_fold(struct arena *a, struct text words);          /* without case and accents */
struct text block_title(struct arena *a, const struct json *block);  /* of a heading or section */
bool block_has_note(const struct json *block);
/* The words of an inline. Real files also write `text` for the words and `url` for the address. */
struct text inline_text(const struct json *v);
struct text inline_address(const struct json *v);
bool is_inline(const struct json *v);                          /* an object of one of the inline types */
struct text value_text(struct arena *a, const struct json *v); /* a cell: its string, number or words */

/* Writes the stored form. `targets` gets the labels that the block's references name, in order. */
void block_store(struct buffer *to, const struct json *block, struct texts_list *targets);
/* For writing a stored block as JSON. An absent `label` leaves the key out. `children` is called where the children
 * belong; NULL leaves them out. */
struct block_filler {
	struct text label;
	const struct text *targets;
	size_t n;
	void (*children)(struct json_out *o, void *with);
	void *with;
	bool always_label; /* write a label even if the stored block has no key for it */
	int64_t omitted;   /* number of children left out, written as children_omitted */
	bool may_hold;     /* write children even if the stored block has no key for them */
};
void block_fill(struct json_out *o, const struct json *stored, const struct block_filler *f);

#endif
