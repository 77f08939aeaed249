/* tell.h: warnings about notes, each reported once.
 *
 * Warnings are about broken and ambiguous links, duplicate tags and malformed front matter. They come with the first
 * result that shows this version of the note. If another program changed the note, they come with the next result of
 * any tool. The same holds for links that broke because another program removed or renamed a note. After the first read
 * of a vault there is only a summary. */
#ifndef QUIRE_KINDS_NOTES_VAULT_TELL_H
#define QUIRE_KINDS_NOTES_VAULT_TELL_H
#include "kinds/notes/vault/vault.h"

/* Adds pending warnings to the call. The first of `nodes` is the requested note; warnings about the others name them.
 * Called under the vault's lock. */
void vault_tell(struct call *c, struct vault *v, const uint32_t *nodes, size_t n);
/* The same for a list, where every warning names its note. */
void vault_tell_list(struct call *c, struct vault *v, const uint32_t *nodes, size_t n);

/* Does the target name a note that does not exist? */
bool target_is_broken(const struct target *t);
/* [[target]], or [...](target). */
struct text target_shown(struct arena *a, const struct target *t);

#endif
