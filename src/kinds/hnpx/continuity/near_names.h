/* near_names.h: are two names two spellings of one name?
 *
 * Katherine and Katharine, Philip and Phillip. Not Guard 1 and Guard 2, not Mira and Mara, not Mr. and Mrs. Long. */
#ifndef QUIRE_KINDS_HNPX_CONTINUITY_NEAR_NAMES_H
#define QUIRE_KINDS_HNPX_CONTINUITY_NEAR_NAMES_H
#include "base/text.h"

enum nearness {
	NAMES_APART,
	NAMES_NEAR, /* one letter differs: probably one name if one form is rare */
	NAMES_ALIKE /* they sound the same */
};
enum nearness names_near(struct arena *a, struct text x, struct text y); /* in loose form */

#endif
