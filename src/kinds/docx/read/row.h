/* row.h: one paragraph as read_file shows it: label, header, style, text.
 *
 * Columns never lose characters: label, header with its terminator, and text together are the paragraph's text. Looks
 * are the effective ones, not only those written in the run. */
#ifndef QUIRE_KINDS_DOCX_READ_ROW_H
#define QUIRE_KINDS_DOCX_READ_ROW_H
#include "kinds/docx/session/session.h"
#include "kinds/docx/style/numbering.h"

struct row_run {
	uint32_t from, to; /* bytes of the text */
	struct run_properties look;
	struct text link; /* target of a hyperlink; absent: none */
};

struct row_note {
	uint32_t at; /* byte of the text */
	int32_t number;
};

struct row {
	struct story *story;
	uint32_t paragraph;
	struct atoms atoms;
	struct text all;      /* the whole visible text */
	struct text label;    /* empty: none */
	enum label_type type; /* of the label */
	bool is_typed;        /* the label is text, not a list's number */
	bool is_numbered;     /* `item` is set */
	struct list_item item;
	struct text header; /* empty: none */
	bool header_bold, header_italic, header_underline;
	uint32_t header_from, header_to; /* bytes of `all`, terminator included */
	uint32_t body;                   /* where the text after label and header begins */
	struct row_run *runs;            /* cover `all`, in order */
	size_t runs_n;
	struct row_note *notes; /* footnote references */
	size_t notes_n;
	struct paragraph_properties properties; /* in effect */
	struct run_properties look;             /* of the run with most text after the header */
};

/* `item` is NULL if the paragraph has no number. Its label is already computed. */
bool row_read(struct call *c, struct session *s, struct story *story, uint32_t p, const struct list_item *item,
	      struct text label, struct row *out);

/* The text after label and header. With tags where looks differ from `base` (bits of enum toggle that are plain
 * here). */
struct text row_text(struct arena *a, const struct row *r, bool with_tags, uint8_t base);
/* The fingerprint that a style's name stands for: equal looks give equal bytes, in any document. */
struct text row_fingerprint(struct arena *a, const struct session *s, const struct row *r);
struct text row_style_base(const struct session *s, const struct row *r); /* body, section, level_3_roman ... */
/* The length of a typed label at the start of a text, with the white space after it; 0: none. */
size_t typed_label(struct text t, struct text *label, enum label_type *type);
struct text row_plain_style(const struct session *s, const struct row *r, bool is_name); /* id or name of the style */

#endif
