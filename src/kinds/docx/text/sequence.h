/* sequence.h: the differences between two sequences. Unchanged items form few and heavy ranges.
 *
 * Items are equal if their words are. A heavy item (a long word) is a better anchor than a light one (a space). A hunk
 * replaces items [from, to) of the old sequence by [new_from, new_to) of the new one. Hunks are in order and do not
 * touch. The cost is bounded: two sequences that share nothing are one hunk. */
#ifndef QUIRE_KINDS_DOCX_TEXT_SEQUENCE_H
#define QUIRE_KINDS_DOCX_TEXT_SEQUENCE_H
#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

struct sequence_item {
	uint32_t word;   /* equal for equal items; small numbers, counted from 0 */
	uint32_t weight; /* at least 1 */
};

struct hunk {
	uint32_t from, to;
	uint32_t new_from, new_to;
};

struct hunks {
	struct hunk *items;
	size_t n;
};

struct hunks sequence_compare(struct arena *a, const struct sequence_item *old, uint32_t n,
			      const struct sequence_item *new, uint32_t m);

#endif
