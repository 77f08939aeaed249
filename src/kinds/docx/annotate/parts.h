/* parts.h: the parts that comments and footnotes live in, read as they are now, extended, or made.
 *
 * A document without comments has no comments part: making one takes the part, its relationship and its content type.
 * All of it is laid over the package, so that undo takes it back. A part that was there is changed through its story,
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
	struct part *part; /* NULL: there is no such part, or this call made it */
	struct text bytes; /* as they are now; absent: there is no such part */
	struct text root;  /* the document element in it */
	struct fragment f; /* of the root */
	const struct names *names;
};

/* The root of such a part. False: it is not well-formed, and the error is set. */
bool annotation_parse(struct call *c, struct text name, struct text bytes, struct fragment *out);
/* False: the error is set. */
bool annotations_read(struct call *c, struct session *s, enum annotation which, struct annotations *out);
/* Makes the part where there is none, with an empty root. */
bool annotations_make(struct call *c, struct session *s, struct annotations *a);
/* The part with `more` as the last children of its root. */
void annotations_append(struct call *c, struct session *s, struct annotations *a, struct text more);
/* The part without the element at `node`. */
void annotations_remove(struct call *c, struct session *s, struct annotations *a, uint32_t node);
/* The part with another element of the same id in its place: one paragraph of new words. */
void annotations_rewrite(struct call *c, struct session *s, struct annotations *a, uint32_t node, struct text element);
void annotations_lay(struct call *c, struct session *s, struct annotations *a, struct text bytes);

/* The child of the root whose w:id is this; XML_NONE: none. */
uint32_t annotation_find(struct call *c, const struct annotations *a, int64_t id);
int32_t annotation_id(struct call *c, const struct annotations *a, uint32_t node); /* INT32_MIN: it has none */
struct text annotation_text(struct call *c, const struct annotations *a, uint32_t node);
/* Above all ids below STORY_ID_LIMIT that such notes have, or that refer to one, be it missing. All stories are read.
 */
int32_t annotation_next_id(struct call *c, const struct session *s, const struct annotations *a);

#endif
