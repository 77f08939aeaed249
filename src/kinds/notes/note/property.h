/* property.h: the front matter's keys and values, as a person sees them in a table. */
#ifndef QUIRE_KINDS_NOTES_NOTE_PROPERTY_H
#define QUIRE_KINDS_NOTES_NOTE_PROPERTY_H
#include "format/json.h"
#include "kinds/notes/note/note.h"

/* One value. A list has one of these for each item; a key without a value has one without text. */
struct property {
	struct text name, value;
};

enum {
	PROPERTIES_MAX = 64,     /* values of one note that conditions can compare */
	PROPERTY_VALUE_MAX = 200 /* bytes of a value; a longer one is compared by its beginning */
};

/* At most PROPERTIES_MAX, in the bytes of the note or the arena. */
size_t properties_of(const struct note *n, struct property out[PROPERTIES_MAX]);

/* All of them as an object: texts, numbers, booleans, null, and lists of these. A nested value is its YAML as text.
 * NULL: there are none. */
struct json *properties_json(struct arena *a, const struct note *n);

#endif
