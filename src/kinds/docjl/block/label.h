/* label.h: the label of a block: PREFIX:ID.
 *
 * The first colon splits. An ID that is a number or numbers joined by dots (4, 4.2, 4.2.7) is numeric; a numeric one
 * with a dot is dotted, and its stem is the part before the last dot. */
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

bool label_parse(struct text t, struct label *out); /* false: not a label */
struct text label_id(struct text label);            /* the part after the first colon */
/* Makes a caller's text storable: PostgreSQL accepts every character except U+0000. */
struct text storable(struct arena *a, struct text t);

#endif
