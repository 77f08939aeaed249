/* place.h: where a note may be written. */
#ifndef QUIRE_KINDS_NOTES_TOOLS_PLACE_H
#define QUIRE_KINDS_NOTES_TOOLS_PLACE_H
#include "kinds/notes/notes.h"

/* Checks a folder from a caller: relative, without .. and hidden names. If it exists with another case, that one is
 * used. */
bool place_folder(struct call *c, struct vault *v, struct text given, struct text *out);
struct text place_in(struct call *c, struct text folder, struct text name);
/* The name of a file for this title, without .md, in the way that the configuration chooses. */
struct text title_file(struct call *c, struct text title);
/* Refuses a path that is excluded, or that a note other than `but` already has in any case. Called under the exclusive
 * lock. */
bool place_free(struct call *c, struct vault *v, struct text path, uint32_t but);
/* Rewords an error of the core for this kind. Returns false. */
bool place_refused(struct call *c, struct text path);

/* Refuses tags that other programs do not take, unless the note has them already. */
bool tags_sound(struct call *c, struct texts tags, struct texts known);
/* The caller's tags, each once, after those of `first`. The list's pointer is never NULL. */
struct texts tags_given(struct call *c, struct texts tags, struct texts first);

#endif
