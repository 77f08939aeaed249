/* numbering.h: the numbering part, and the labels that lists print.
 *
 * A paragraph names a num, directly or by its style. A num is an abstract list with a few replaced levels. Counters
 * belong to the abstract list, so all its nums share one count. Labels are computed by walking the story from its
 * start:
 *
 *	struct counters *k = counters_new(arena, numbering);
 *	for each paragraph in order: if (counters_step(k, story, p, &item)) label = counters_label(arena, k, &item);
 *
 * A step is cheap. The label's text is made only on request, before the next step. */
#ifndef QUIRE_KINDS_DOCX_STYLE_NUMBERING_H
#define QUIRE_KINDS_DOCX_STYLE_NUMBERING_H
#include "kinds/docx/story/story.h"

enum { LEVELS = 9 };

enum label_type { LABEL_NONE, LABEL_ARTICLE, LABEL_SECTION, LABEL_NUMBER, LABEL_LETTER, LABEL_ROMAN, LABEL_BULLET };
extern const char *const label_type_names[]; /* "ARTICLE" ... */

enum number_format {
	FORMAT_DECIMAL,
	FORMAT_DECIMAL_ZERO,
	FORMAT_LOWER_LETTER,
	FORMAT_UPPER_LETTER,
	FORMAT_LOWER_ROMAN,
	FORMAT_UPPER_ROMAN,
	FORMAT_ORDINAL,
	FORMAT_CARDINAL_TEXT,
	FORMAT_ORDINAL_TEXT,
	FORMAT_BULLET,
	FORMAT_NONE,
	FORMAT_HEX,
	FORMAT_CHICAGO
};

struct level {
	bool is_defined, is_legal, has_picture;
	enum number_format format;
	int32_t start;
	int32_t restart; /* -1: after any higher level; 0: never; r: after levels below r only */
	struct text text;
	struct text style; /* the paragraph style linked with it */
	struct paragraph_properties paragraph;
};

struct abstract {
	int32_t id;
	struct text style_link, num_style_link;
	struct level levels[LEVELS];
};

struct num {
	int32_t id;
	uint32_t abstract; /* index, links followed; UINT32_MAX: none */
	int32_t abstract_id;
	struct level *levels[LEVELS]; /* instead of the abstract list's; NULL: none */
	int32_t starts[LEVELS];       /* startOverride; -1: none */
};

struct numbering {
	ARRAY(struct abstract) abstracts;
	ARRAY(struct num) nums; /* by id */
	const struct styles *styles;
};

/* Returns NULL only with the error set. A document without the part has empty lists. */
struct numbering *numbering_read(struct call *c, struct package *p, const struct styles *styles);

/* The place of a paragraph in a list. */
struct list_item {
	const struct num *num;
	uint8_t level;
	const struct level *definition;
	int32_t value;
};
/* Finds the list by the paragraph's and its style's properties, without counting. Returns false if it is in no list. */
bool numbering_item(const struct numbering *n, const struct story *s, uint32_t p, struct list_item *out);

struct counters;
struct counters *counters_new(struct arena *a, const struct numbering *n);
/* Counts the paragraph if it is numbered. Returns false if it has no number. */
bool counters_step(struct counters *k, const struct story *s, uint32_t p, struct list_item *out);
struct text counters_label(struct arena *a, const struct counters *k, const struct list_item *item);
enum label_type label_type_of(const struct list_item *item, struct text label);

/* A number as a format prints it. */
void number_put(struct buffer *to, enum number_format format, int32_t n);

#endif
