/* quotes.h: the quotation marks of languages.
 *
 * The values are those of the Unicode CLDR, release 48 (quotationStart, quotationEnd, alternateQuotationStart,
 * alternateQuotationEnd). CLDR has no spaces inside the marks; French typography puts a no-break space there. */
#ifndef QUIRE_KINDS_HNPX_PROSE_QUOTES_H
#define QUIRE_KINDS_HNPX_PROSE_QUOTES_H
#include "base/text.h"

struct quotes {
	const char *open, *close;             /* around speech */
	const char *inner_open, *inner_close; /* around a quotation inside speech */
};

/* Uses the longest known part of a language tag: de-CH, or else de. An unknown language gets the English marks. */
struct quotes quotes_of(struct text language);

#endif
