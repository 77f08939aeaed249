/* json_number.h: a number's decimal digits in its text; for the json files only.
 *
 * * The value is 0.d1d2d3... times ten to the exponent, d1 and the last digit not zero. Nothing is rounded, so values
 * are compared and turned into integers exactly, however many digits they have. */
#ifndef QUIRE_FORMAT_JSON_NUMBER_H
#define QUIRE_FORMAT_JSON_NUMBER_H
#include "format/json_write.h"

struct decimal {
	const char *first, *last; /* from the first digit that is not zero to behind the last; NULL, NULL: zero */
	int64_t exponent;
	bool negative;
};

struct decimal decimal_of(struct text source);
bool decimal_same(struct decimal a, struct decimal b);
bool decimal_integer(struct decimal d, int64_t *out); /* false: not whole, or beyond 64 bits */

#endif
