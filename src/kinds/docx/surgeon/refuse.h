/* refuse.h: the reasons for refusing a change, with the place, and with the part that can be changed instead.
 *
 * Each fails with the specification's code and returns false. refuse_place() returns true if there is no reason to
 * refuse. */
#ifndef QUIRE_KINDS_DOCX_SURGEON_REFUSE_H
#define QUIRE_KINDS_DOCX_SURGEON_REFUSE_H
#include "kinds/docx/surgeon/surgeon.h"

/* A change would begin in one container and end in another. */
bool refuse_border(struct call *c, const struct surgery *s, const struct hunk *h, uint32_t one, uint32_t other);
/* A change would cross a field's border, or is inside its result. */
bool refuse_field(struct call *c, const struct surgery *s, uint32_t field, bool crosses);
bool refuse_symbol(struct call *c, const struct surgery *s, uint32_t atom);
/* Returns false, with the error set, if a change in this container and field is not allowed. ATOMS_NONE: in none. */
bool refuse_place(struct call *c, const struct surgery *s, uint32_t container, uint32_t field);

#endif
