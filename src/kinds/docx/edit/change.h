/* change.h: the edits of a story: change, insert, delete.
 *
 * Each plans first and touches the story last, so a refused one changes nothing. */
#ifndef QUIRE_KINDS_DOCX_EDIT_CHANGE_H
#define QUIRE_KINDS_DOCX_EDIT_CHANGE_H
#include "kinds/docx/surgeon/match.h"
#include "kinds/docx/story/story.h"

struct change_text {
	struct text old_string, new_string;
	int64_t occurrence; /* from 1; 0: there may be only one */
	bool replace_all, allow_field_result;
};

struct changed {
	struct text before, after; /* visible texts; after is absent when the paragraph went */
	enum match_mode mode;
	uint32_t count;
};

bool change_text(struct call *c, struct story *s, uint32_t p, const struct change_text *how, struct changed *out);

struct inserted {
	uint32_t *items; /* the new paragraphs, in order */
	size_t n;
	struct text text; /* visible, joined by blank lines */
};

/* `like`: the paragraph whose style the new ones take. `mint` gives a w14:paraId that is not in use, the same at each
 * replay; it is asked where the document has such ids. */
struct minting {
	struct text (*id)(struct call *c, void *of);
	void *of;
};
bool change_insert(struct call *c, struct story *s, uint32_t anchor, bool behind, uint32_t like, struct text new_string,
		   const struct minting *mint, struct inserted *out);

/* Takes a paragraph away; its bookmarks and comment marks move to a neighbour. */
bool change_delete(struct call *c, struct story *s, uint32_t p);
/* Could it go and take nothing with it but text? Else it is emptied only. May leave an error. */
bool change_may_delete(struct call *c, const struct story *s, uint32_t p);

#endif
