/* hidden.h: text that people do not see on the page, but that a model reads.
 *
 * White text on white, tiny text, characters without width, characters that reorder others, text outside of the page;
 * and runs marked as hidden, which are not shown to the model either. Reading tools say where it is, beside the text;
 * check_document lists it all. */
#ifndef QUIRE_KINDS_DOCX_READ_HIDDEN_H
#define QUIRE_KINDS_DOCX_READ_HIDDEN_H
#include "kinds/docx/read/row.h"

/* Calls `tell` for each sort of it in the row, with the words or, for characters, how many there are. `a` is scratch.
 */
void hidden_each(struct arena *a, const struct row *r, void (*tell)(void *to, const char *sort, struct text words),
		 void *to);

enum { HIDDEN_TOLD = 10 };

/* The places in the rows of one result. Runs marked as hidden are not among them, because they are not shown. */
struct hidden_places {
	const char *ids[HIDDEN_TOLD], *sorts[HIDDEN_TOLD];
	uint32_t n;
};
void hidden_note(struct call *c, struct hidden_places *places, const struct row *r);
void hidden_warn(struct call *c, const struct hidden_places *places); /* one warning for all; none if there are none */

#endif
