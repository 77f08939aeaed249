/* styles.h: the styles part, and how a run and a paragraph look in the end.
 *
 * Per property: what a run says itself wins over its character style, that over the paragraph style, that over the
 * table style, that over the document's defaults; a style inherits from the one it is based on. Bold, italic, capitals
 * and hidden are toggles: set in both the paragraph's and the character's style they cancel out. Properties of the
 * paragraph mark (pPr/rPr) are the mark's alone. */
#ifndef QUIRE_KINDS_DOCX_STYLE_STYLES_H
#define QUIRE_KINDS_DOCX_STYLE_STYLES_H
#include "base/array.h"
#include "base/map.h"
#include "kinds/docx/package/package.h"
#include "kinds/docx/style/properties.h"

enum { STYLE_NONE = UINT32_MAX };
enum style_type { STYLE_PARAGRAPH, STYLE_CHARACTER, STYLE_TABLE, STYLE_NUMBERING };

struct style {
	struct text id, name;
	enum style_type type;
	uint32_t based_on; /* STYLE_NONE: none */
	bool is_heading;   /* its name, or one it is based on, has heading or title in it */
	bool is_quote;
	struct text based_on_id;
	struct run_properties run;             /* its own */
	struct paragraph_properties paragraph; /* its own */
	struct run_properties all_run;         /* with what it inherits */
	struct paragraph_properties all_paragraph;
};

struct styles {
	ARRAY(struct style) items;
	struct map ids;
	uint32_t default_paragraph; /* STYLE_NONE: none */
	struct run_properties run;  /* docDefaults */
	struct paragraph_properties paragraph;
	bool hides; /* some style, or the defaults, hide text (w:vanish) */
};

/* Never NULL: a document without styles has an empty list. NULL only with the error set. */
struct styles *styles_read(struct call *c, struct package *p);
uint32_t styles_find(const struct styles *s, struct text id, enum style_type type); /* STYLE_NONE: none */
/* The style of a paragraph that names this one (STYLE_NONE: names none, or one that is not there). */
uint32_t styles_of_paragraph(const struct styles *s, uint32_t named);

/* How a run looks: `direct` is its own rPr, `table` the table's style or STYLE_NONE. */
struct run_properties styles_run(const struct styles *s, uint32_t paragraph_style, uint32_t table,
				 const struct run_properties *direct);
/* Is a run hidden that says nothing about it itself? `run_style` is absent where it names none. */
bool styles_hide(const struct styles *s, uint32_t paragraph_style, uint32_t table, struct text run_style);

#endif
