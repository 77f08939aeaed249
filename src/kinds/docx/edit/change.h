/* change.h: the edits of a story: change, insert, delete.
 *
 * Each one plans first and changes the story last, so a refused edit changes nothing. */
#ifndef QUIRE_KINDS_DOCX_EDIT_CHANGE_H
#define QUIRE_KINDS_DOCX_EDIT_CHANGE_H
#include "kinds/docx/surgeon/match.h"
#include "kinds/docx/story/story.h"

struct change_text {
	struct text old_string, new_string;
	int64_t occurrence; /* from 1; 0: there must be only one */
	bool replace_all, allow_field_result;
};

struct changed {
	struct text before, after; /* visible texts; after is absent if the paragraph was deleted */
	enum match_mode mode;
	uint32_t count;
};

bool change_text(struct call *c, struct story *s, uint32_t p, const struct change_text *how, struct changed *out);

struct inserted {
	uint32_t *items; /* the new paragraphs, in order */
	size_t n;
	struct text text; /* visible, joined by blank lines */
};

/* `like`: the paragraph whose style the new ones get. `mint` returns an unused w14:paraId, the same at each replay. It
 * is called if the document has such ids. */
struct minting {
	struct text (*id)(struct call *c, void *of);
	void *of;
};
bool change_insert(struct call *c, struct story *s, uint32_t anchor, bool behind, uint32_t like, struct text new_string,
		   const struct minting *mint, struct inserted *out);

/* Deletes a paragraph. Its bookmarks and comment marks move to a neighbour. The only paragraph of a content control is
 * emptied instead, because Word requires one there. */
bool change_delete(struct call *c, struct story *s, uint32_t p);
/* Can the paragraph be deleted without losing anything except text? If not, it is only emptied. May set an error. */
bool change_may_delete(struct call *c, const struct story *s, uint32_t p);

#endif
