/* property_edit.h: sets and removes single properties of the front matter.
 *
 * A text, a number, a checkbox, a date or a list of texts, in the old value's style; all other bytes stay. Null removes
 * the property with its lines. What cannot be changed safely is refused. */
#ifndef QUIRE_KINDS_NOTES_EDIT_PROPERTY_EDIT_H
#define QUIRE_KINDS_NOTES_EDIT_PROPERTY_EDIT_H
#include "format/json.h"
#include "kinds/notes/edit/front.h"

bool property_set(struct call *c, struct text bytes, struct text name, const struct json *value, struct text *out);

/* The note's bytes with `from`, and every tag below it, renamed to `to`: in the front matter and in the text. */
bool tag_rename(struct call *c, struct text bytes, struct text from, struct text to, struct text *out);

#endif
