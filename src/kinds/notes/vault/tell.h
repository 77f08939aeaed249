/* tell.h: warnings about notes, each told once.
 *
 * A note's broken and ambiguous links, duplicate tags and malformed front matter are told with the first answer that
 * shows this version of the note, or, when another program changed it, with the next answer of any tool; so are the
 * links that broke because another program removed or renamed a note. After the first reading of a vault the warning
 * is only a summary. */
#ifndef QUIRE_KINDS_NOTES_VAULT_TELL_H
#define QUIRE_KINDS_NOTES_VAULT_TELL_H
#include "kinds/notes/vault/vault.h"

/* Adds what is due to the call's warnings. The first of `nodes` is the one asked about; the others are named. Under the
 * vault's lock. */
void vault_tell(struct call *c, struct vault *v, const uint32_t *nodes, size_t n);
/* The same for a list, where each note is named. */
void vault_tell_list(struct call *c, struct vault *v, const uint32_t *nodes, size_t n);

/* Is the target a link to a note that is not there? */
bool target_is_broken(const struct target *t);
/* [[target]], or [...](target). */
struct text target_shown(struct arena *a, const struct target *t);

#endif
