/* view.h: results of reading a session that are kept: style names, and the looks that count as plain.
 *
 * A style's name belongs to one fingerprint and never changes. Names are assigned in document order, as far as the
 * document was read. They are only added. */
#ifndef QUIRE_KINDS_DOCX_READ_VIEW_H
#define QUIRE_KINDS_DOCX_READ_VIEW_H
#include "kinds/docx/read/row.h"

/* The name of the row's style: body_1, section, level_2_letter ... */
struct text view_style(struct call *c, struct session *s, const struct row *r);
/* Toggles (bits) that most of the document's text has, so they get no tag. */
uint8_t view_base(struct call *c, struct session *s);

/* Walks the shown paragraphs of some stories, with their labels.
 *
 *	struct rows_walk w;
 *	rows_begin(c, s, scope, &w);
 *	while (rows_next(&w)) ... w.story, w.paragraph, w.number; rows_row(&w, &row)
 *
 * With `scratch` set, a row is allocated there and is valid only until the next one is read. So a page needs the memory
 * of one row. */
enum scope { SCOPE_BODY, SCOPE_HEADERS, SCOPE_FOOTERS, SCOPE_FOOTNOTES, SCOPE_ENDNOTES, SCOPE_COMMENTS, SCOPE_ALL };
extern const char *const scope_names[];

struct rows_walk {
	struct call *call;
	struct session *session;
	enum scope scope;
	size_t story_number; /* 0: the body */
	struct story *story;
	uint32_t paragraph;
	uint64_t number; /* from 1, over all stories of the scope */
	struct counters *counters;
	struct arena *scratch; /* NULL: rows live as long as the call */
	bool is_item;
	struct list_item item;
};
bool rows_begin(struct call *c, struct session *s, enum scope scope,
		struct rows_walk *w); /* fails if a story is broken */
bool rows_next(struct rows_walk *w);
struct text rows_label(struct rows_walk *w); /* the list's label; empty: none */
bool rows_row(struct rows_walk *w, struct row *out);
uint64_t rows_total(struct session *s, enum scope scope); /* total number of rows; after rows_begin() */

/* Writes a cell with escaped LF, TAB, CR and backslash, and | except in the last cell. */
void toon_cell(struct buffer *to, struct text t, bool is_last);

#endif
