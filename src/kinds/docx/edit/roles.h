/* roles.h: finds the looks of headers and defined terms in the document.
 *
 * Paragraphs are searched by their distance from the place of the edit, the paragraph itself first, above before
 * below. */
#ifndef QUIRE_KINDS_DOCX_EDIT_ROLES_H
#define QUIRE_KINDS_DOCX_EDIT_ROLES_H
#include "kinds/docx/surgeon/definition.h"
#include "kinds/docx/story/story.h"

/* A run-in header: bold or underlined words at the start that end in a period or colon, with text after them. */
struct header_span {
	uint32_t from, to;   /* its words, without terminator; from skips an opening quote */
	uint32_t end;        /* after the terminator */
	uint32_t terminator; /* the character; 0: none */
	bool is_outside;     /* the terminator is not bold or underlined */
};
bool header_of(struct call *c, const struct story *s, uint32_t p, const struct atoms *atoms, struct header_span *out);

struct header_model {
	struct look look;
	uint32_t terminator;
	bool is_outside; /* the terminator has the look of the body */
};

bool roles_definition(struct call *c, const struct story *s, uint32_t p, struct definition_model *out);
void roles_header(struct call *c, const struct story *s, uint32_t p, struct header_model *out); /* none found: bold */

/* Applies the roles of a text: quotes and styles terms, styles headers and adds their terminator. `changes` says
 * whether a range of the text is new, for terms that the caller did not mark; NULL: all of it is new. */
void roles_quote(struct call *c, const struct story *s, uint32_t p, struct markup *m);
void roles_style(struct call *c, const struct story *s, uint32_t p, struct markup *m,
		 bool (*changes)(const void *, uint32_t, uint32_t), const void *of);

#endif
