/* note.h: how a new footnote is written: in the look of the notes there are; in a document without any, in the styles
 * that Word makes for its first one, with the typeface of the words it is about. */
#ifndef QUIRE_KINDS_DOCX_ANNOTATE_NOTE_H
#define QUIRE_KINDS_DOCX_ANNOTATE_NOTE_H
#include "kinds/docx/annotate/parts.h"
#include "kinds/docx/text/atoms.h"

/* Elements as bytes; absent: none. */
struct note_look {
	struct text paragraph;   /* w:pPr */
	struct text mark, words; /* w:rPr of the number and of the text behind it */
};

/* The look of the note at `node`. */
void note_look_of(struct call *c, const struct annotations *a, uint32_t node, struct note_look *out);
/* The look of a first note, about the character before `at`. Styles that are missing are made. */
bool note_look_new(struct call *c, struct session *s, const struct annotations *a, const struct atoms *about,
		   uint32_t at, struct note_look *out);

struct text note_element(struct call *c, const struct names *names, const struct note_look *look, int32_t id,
			 struct text words);
/* The reference behind the character before `at`, in that character's look but raised. */
bool note_reference(struct call *c, struct session *s, const struct atoms *about, uint32_t at, int32_t id,
		    struct text *out);
/* The two lines that separate notes from the text: Word wants them. */
struct text note_separators(struct call *c, const struct names *names);

#endif
