/* look.h: the look that an edit adds to a run's own properties.
 *
 * An absent property is unchanged. rpr_write() makes a w:rPr from an existing one and a look: unchanged children are
 * copied as bytes, new ones are inserted in the order of the schema. */
#ifndef QUIRE_KINDS_DOCX_SURGEON_LOOK_H
#define QUIRE_KINDS_DOCX_SURGEON_LOOK_H
#include "kinds/docx/text/atoms.h"

enum maybe { MAYBE_KEEP, MAYBE_ON, MAYBE_OFF };

struct look {
	enum maybe bold, italic, caps, small_caps;
	struct text underline; /* a value of w:u; absent: keep */
	struct text style;     /* a character style's id; empty: none; absent: keep */
	struct text highlight; /* a value of w:highlight; empty: none; absent: keep */
	struct text color;     /* hex digits, or auto */
	uint32_t half_points;  /* 0: keep */
	struct text face;
};

bool look_is_plain(const struct look *l); /* it changes nothing */
bool look_same(const struct look *a, const struct look *b);
void look_add(struct look *to, const struct look *on_top);

/* A run's own properties as a look, only the given ones. rpr may be XML_NONE. */
struct look look_of(struct arena *a, const struct fragment *f, uint32_t rpr);
/* The properties in which the first differs from the second; off where only the second has them. */
struct look look_difference(const struct look *of, const struct look *from);
/* Would writing the look change these properties? */
bool look_changes(struct arena *a, const struct fragment *f, uint32_t rpr, const struct look *l);

/* Writes a w:rPr: the existing one (XML_NONE: none) with the look on top. Writes nothing if it would be empty. `fresh`:
 * for a new run; tracked changes of the properties and of the run are left out. */
void rpr_write(struct arena *a, struct buffer *to, const struct fragment *f, uint32_t rpr, const struct look *l,
	       bool fresh);

#endif
