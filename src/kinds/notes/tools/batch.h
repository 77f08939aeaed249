/* batch.h: the same change to many notes, in one commit. */
#ifndef QUIRE_KINDS_NOTES_TOOLS_BATCH_H
#define QUIRE_KINDS_NOTES_TOOLS_BATCH_H
#include "kinds/notes/notes.h"

enum { BATCH_MAX = 5000, BATCH_SHOWN = 10 };

struct batch {
	struct texts paths;
	/* Called under the locks with the note's bytes. */
	bool (*change)(struct call *c, const void *context, struct text path, struct text bytes, struct text *out);
	const void *context;
	const char *summary;
};

/* What a batch returns: how many notes changed, and the first of them. */
struct batch_answer {
	int64_t changed;
	struct texts ids;
};
extern const struct field batch_out[];

bool batch_apply(struct call *c, const struct batch *b, struct batch_answer *out);

#endif
