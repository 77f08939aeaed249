/* label.h: what a block is called: PREFIX:ID.
 *
 * The first colon splits. An ID that is a number or numbers joined by dots (4, 4.2, 4.2.7) is numeric; a numeric one
 * with a dot is dotted, and its stem is what stands before the last dot. */
#ifndef QUIRE_KINDS_DOCJL_BLOCK_LABEL_H
#define QUIRE_KINDS_DOCJL_BLOCK_LABEL_H
#include "base/text.h"

enum { LABEL_MAX = 200, LABEL_NUMBER_MAX = 999999999 };

struct label {
	struct text prefix, id;
	bool is_numeric, is_dotted;
	struct text stem; /* dotted: "4.2" of 4.2.7 */
	int64_t number;   /* numeric: 7 of 4.2.7 */
};

bool label_parse(struct text t, struct label *out); /* false: this is no label */
struct text label_id(struct text label);            /* what stands behind the first colon */
/* A caller's words for a column: PostgreSQL's texts hold every character but U+0000. */
struct text storable(struct arena *a, struct text t);

#endif
