/* json_number.h: a number's decimal digits in its text; for the json files only.
 *
 * The value is 0.d1d2d3... times ten to the exponent. d1 and the last digit are not zero. Nothing is rounded, so
 * comparison and conversion to integers are exact for any number of digits. */
#ifndef QUIRE_FORMAT_JSON_NUMBER_H
#define QUIRE_FORMAT_JSON_NUMBER_H
#include "format/json_write.h"

struct decimal {
	const char *first, *last; /* from the first nonzero digit to after the last; NULL, NULL: zero */
	int64_t exponent;
	bool negative;
};

struct decimal decimal_of(struct text source);
bool decimal_same(struct decimal a, struct decimal b);
bool decimal_integer(struct decimal d, int64_t *out); /* false: not whole, or beyond 64 bits */

#endif
