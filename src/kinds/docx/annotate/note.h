/* note.h: how a new footnote is written. It looks like the existing notes. The first note of a document gets the styles
 * that Word would add, and the typeface of the words it is about. */
#ifndef QUIRE_KINDS_DOCX_ANNOTATE_NOTE_H
#define QUIRE_KINDS_DOCX_ANNOTATE_NOTE_H
#include "kinds/docx/annotate/parts.h"
#include "kinds/docx/text/atoms.h"

/* The bytes of elements; absent: none. */
struct note_look {
	struct text paragraph;   /* w:pPr */
	struct text mark, words; /* w:rPr of the number and of the text after it */
};

/* The look of the existing note at `node`. */
void note_look_of(struct call *c, const struct annotations *a, uint32_t node, struct note_look *out);
/* The look of a document's first note, about the character before `at`. Adds missing styles. */
bool note_look_new(struct call *c, struct session *s, const struct annotations *a, const struct atoms *about,
		   uint32_t at, struct note_look *out);

struct text note_element(struct call *c, const struct names *names, const struct note_look *look, int32_t id,
			 struct text words);
/* The reference to a note, placed after the character before `at`. It looks like that character, but is superscript. */
bool note_reference(struct call *c, struct session *s, const struct atoms *about, uint32_t at, int32_t id,
		    struct text *out);
/* The two lines that separate notes from the text. Word requires them. */
struct text note_separators(struct call *c, const struct names *names);

#endif
