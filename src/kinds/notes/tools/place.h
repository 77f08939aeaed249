/* place.h: where a note may be written. */
#ifndef QUIRE_KINDS_NOTES_TOOLS_PLACE_H
#define QUIRE_KINDS_NOTES_TOOLS_PLACE_H
#include "kinds/notes/notes.h"

/* A folder as a caller names it: relative, without .. and hidden names; one that exists in another case is taken. */
bool place_folder(struct call *c, struct vault *v, struct text given, struct text *out);
struct text place_in(struct call *c, struct text folder, struct text name);
/* False: the path is excluded from the notes, or a note has it, in whatever case; `but` is the note that may. Under the
 * exclusive lock. */
bool place_free(struct call *c, struct vault *v, struct text path, uint32_t but);
/* A refusal of the core's in this kind's words; returns false. */
bool place_refused(struct call *c, struct text path);

/* Tags as written by a caller, each once, behind those of `first`; the list has a pointer. */
struct texts tags_given(struct call *c, struct texts tags, struct texts first);

#endif
