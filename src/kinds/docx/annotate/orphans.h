/* orphans.h: removes notes whose reference was deleted with the text around it.
 *
 * No reader can reach such a note. LibreOffice pairs the n-th reference with the note that has the n-th lowest id, so a
 * leftover note would shift all later ones.
 *
 *	struct note_ids were = {0};
 *	note_ids_add(c, story, p, &were);
 *	... delete ...
 *	orphans_remove(c, s, &were, true); */
#ifndef QUIRE_KINDS_DOCX_ANNOTATE_ORPHANS_H
#define QUIRE_KINDS_DOCX_ANNOTATE_ORPHANS_H
#include "kinds/docx/session/session.h"

struct note_ids {
	ARRAY(int32_t) of[2]; /* footnotes, endnotes */
};

void note_ids_add(struct call *c, const struct story *s, uint32_t p, struct note_ids *to);
void note_ids_all(struct call *c, const struct story *body, struct note_ids *to);
/* Removes the notes that nothing refers to any more. `is_tracked`: a redline keeps them, because it still has the
 * references, tracked as deleted. */
bool orphans_remove(struct call *c, struct session *s, const struct note_ids *were, bool is_tracked);

#endif
