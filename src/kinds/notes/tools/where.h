/* where.h: conditions on notes, as texts: "status = open", "due < 2026-12-01", "priority is missing".
 *
 *	NAME = VALUE    also != < <= > >=, and ~ for "contains"
 *	NAME is missing, NAME is present
 *	links to NOTE, linked from NOTE
 *
 * A NAME is a property of the front matter, or one of the words that condition_words lists (tag, folder, name ...). A
 * property with such a name is written in quotes: "tag" = x. Case does not matter. Numbers compare as numbers, all else
 *as text, so dates in the order of their digits compare as dates. */
#ifndef QUIRE_KINDS_NOTES_TOOLS_WHERE_H
#define QUIRE_KINDS_NOTES_TOOLS_WHERE_H
#include "kinds/notes/notes.h"

enum { WHERE_MAX = 20 };

enum subject {
	SUBJECT_TAG,
	SUBJECT_FOLDER,
	SUBJECT_NAME,
	SUBJECT_ID,
	SUBJECT_TITLE,
	SUBJECT_MODIFIED,
	SUBJECT_SIZE,
	SUBJECT_INCOMING,
	SUBJECT_OUTGOING,
	SUBJECT_LINKS_TO,
	SUBJECT_LINKED_FROM,
	SUBJECT_PROPERTY
};

struct condition {
	enum subject subject;
	struct text name;  /* of a property, folded */
	int how;           /* an index into the operators */
	struct text value; /* folded */
	uint32_t node;     /* of a link */
};

struct where {
	struct condition items[WHERE_MAX];
	size_t n;
};

/* Called under the vault's lock. False: a condition cannot be read, or names what is not there; the error shows it. */
bool where_read(struct call *c, struct vault *v, struct texts conditions, struct where *out);
bool where_holds(struct call *c, struct vault *v, const struct where *w, uint32_t node);

/* What notes can be sorted by: "modified", or a property. */
struct sort_key {
	enum subject subject;
	struct text name;
	bool falls;
};
bool sort_read(struct call *c, struct vault *v, struct text given, struct sort_key *out);
void sort_nodes(struct call *c, struct vault *v, const struct sort_key *key, uint32_t *nodes, size_t n);

#endif
