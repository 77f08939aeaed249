/* parts.h: reads the current parts of comments and footnotes, extends them, or creates them.
 *
 * A document without comments has no comments part. Creating it needs the part, its relationship and its content type.
 * All of these are layers over the package, so that undo removes them. An existing part is changed through its story,
 * so that the words of comments and notes can be edited in the same session. */
#ifndef QUIRE_KINDS_DOCX_ANNOTATE_PARTS_H
#define QUIRE_KINDS_DOCX_ANNOTATE_PARTS_H
#include "kinds/docx/session/session.h"
#include "kinds/docx/text/fragment.h"

enum annotation {
	ANNOTATION_COMMENTS,
	ANNOTATION_FOOTNOTES,
	ANNOTATION_ENDNOTES,
	ANNOTATION_COMMENTS_EXTENDED,
	ANNOTATIONS
};

struct annotation_kind {
	enum relation relation;
	const char *file, *relation_name, *content_type, *root, *relation_address;
};
extern const struct annotation_kind annotation_kinds[ANNOTATIONS];
struct text annotation_address(struct arena *a, enum annotation which, bool strict); /* of its relationship's type */

struct annotations {
	enum annotation which;
	struct text name;  /* of the part */
	struct part *part; /* NULL: there is no such part, or this call created it */
	struct text bytes; /* current bytes; absent: there is no such part */
	struct text root;  /* the document element in it */
	struct fragment f; /* of the root */
	const struct names *names;
};

/* Parses the root of such a part. Fails if it is not well-formed. */
bool annotation_parse(struct call *c, struct text name, struct text bytes, struct fragment *out);
/* Returns false with the error set. */
bool annotations_read(struct call *c, struct session *s, enum annotation which, struct annotations *out);
/* Creates the part with an empty root if there is none. */
bool annotations_make(struct call *c, struct session *s, struct annotations *a);
/* Appends `more` as the last children of the part's root. */
void annotations_append(struct call *c, struct session *s, struct annotations *a, struct text more);
/* Removes the element at `node` from the part. */
void annotations_remove(struct call *c, struct session *s, struct annotations *a, uint32_t node);
/* Replaces an element by another one with the same id: one paragraph of new words. */
void annotations_rewrite(struct call *c, struct session *s, struct annotations *a, uint32_t node, struct text element);
/* Gives the last paragraph of a comment, which has none, a w14:paraId. Returns false if it has no paragraph. */
bool annotations_give_id(struct call *c, struct session *s, struct annotations *a, uint32_t node, struct text id);
/* Writes the attribute w14:paraId, with the declaration of its prefix if the scope has none. */
void annotation_put_id(struct buffer *to, const struct names *names, struct text id);
void annotations_lay(struct call *c, struct session *s, struct annotations *a, struct text bytes);

/* The child of the root whose w:id is this; XML_NONE: none. */
uint32_t annotation_find(struct call *c, const struct annotations *a, int64_t id);
int32_t annotation_id(struct call *c, const struct annotations *a, uint32_t node); /* INT32_MIN: it has none */
struct text annotation_text(struct call *c, const struct annotations *a, uint32_t node);
/* An id above all ids of such notes and of references to them, even if the note is missing. Ids from STORY_ID_LIMIT on
 * are ignored. Reads all stories. */
int32_t annotation_next_id(struct call *c, const struct session *s, const struct annotations *a);

#endif
