/* revisions.h: the tracked changes of one paragraph, one by one. */
#ifndef QUIRE_KINDS_DOCX_TRACK_REVISIONS_H
#define QUIRE_KINDS_DOCX_TRACK_REVISIONS_H
#include "base/array.h"
#include "kinds/docx/text/names.h"

struct revision_entry {
	const char *type;               /* INSERTION, DELETION, MOVE_FROM, MOVE_TO, FORMAT_CHANGE, PARAGRAPH_INSERTED,
					   PARAGRAPH_DELETED */
	struct text id;                 /* its w:id; absent: none */
	struct text author, date, text; /* text: the affected words; empty for format and paragraph marks */
};
struct revision_entries {
	ARRAY(struct revision_entry) list;
};

/* Returns false if not well-formed. */
bool revisions_list(struct arena *a, struct text fragment, const struct names *names, struct revision_entries *out);

#endif
