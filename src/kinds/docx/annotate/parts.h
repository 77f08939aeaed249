/* parts.h: the parts that comments and footnotes live in, read as they are now, extended, or made.
 *
 * A document without comments has no comments part: making one takes the part, its relationship and its content type.
 * All of it is laid over the package, so that undo takes it back. */
#ifndef QUIRE_KINDS_DOCX_ANNOTATE_PARTS_H
#define QUIRE_KINDS_DOCX_ANNOTATE_PARTS_H
#include "kinds/docx/session/session.h"
#include "kinds/docx/text/fragment.h"

enum annotation { ANNOTATION_COMMENTS, ANNOTATION_FOOTNOTES, ANNOTATION_COMMENTS_EXTENDED };

struct annotations {
	enum annotation which;
	struct text name;  /* of the part */
	struct text bytes; /* as they are now; absent: there is no such part */
	struct text root;  /* the document element in it */
	struct fragment f; /* of the root */
	const struct names *names;
};

/* False: the error is set. */
bool annotations_read(struct call *c, struct session *s, enum annotation which, struct annotations *out);
/* Makes the part where there is none, with an empty root. */
bool annotations_make(struct call *c, struct session *s, struct annotations *a);
/* Lays the part with `more` as the last children of its root. */
void annotations_append(struct call *c, struct session *s, struct annotations *a, struct text more);
/* Lays the part without the element at `node`. */
void annotations_remove(struct call *c, struct session *s, struct annotations *a, uint32_t node);
void annotations_lay(struct call *c, struct session *s, struct annotations *a, struct text bytes);

/* The child of the root whose w:id is this; XML_NONE: none. */
uint32_t annotation_find(struct call *c, const struct annotations *a, int32_t id);
int32_t annotation_id(struct call *c, const struct annotations *a, uint32_t node); /* INT32_MIN: it has none */
struct text annotation_text(struct call *c, const struct annotations *a, uint32_t node);
int32_t annotation_next_id(struct call *c, const struct annotations *a);

#endif
