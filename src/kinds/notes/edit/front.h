/* front.h: title and tags of a note's front matter, changed by splices.
 *
 * Only the value that changes is written, in the style it had; a key that is missing gets a line; a note without front
 * matter gets a block. Malformed front matter, and values of an unexpected kind, are refused, never repaired. */
#ifndef QUIRE_KINDS_NOTES_EDIT_FRONT_H
#define QUIRE_KINDS_NOTES_EDIT_FRONT_H
#include "base/call.h"
#include "format/splice.h"
#include "kinds/notes/note/note.h"

struct edits {
	struct splice *items;
	size_t n, cap;
};

void edit_add(struct call *c, struct edits *e, size_t from, size_t to, struct text with);

/* An absent title, and tags without a pointer, stay as they are. */
bool front_change(struct call *c, const struct note *n, struct text title, struct texts tags, struct edits *out);

struct text newline_of(const struct note *n);
/* The line break that the last line of the front matter lacks, if the file ends there. */
struct text front_gap(const struct note *n);
/* Without blank lines at both ends; the first line keeps its indentation. */
struct text without_blank_lines(struct text text);
/* With the note's own line ends. */
struct text lines_like(struct arena *a, const struct note *n, struct text text);

#endif
