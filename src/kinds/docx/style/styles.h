/* styles.h: the styles part, and the effective look of a run and a paragraph.
 *
 * The precedence of each property is: the run itself, its character style, the paragraph style, the table style, the
 * document's defaults. A style inherits from the one it is based on. Bold, italic, capitals and hidden are toggles: if
 * set in both the paragraph style and the character style, they cancel out. Properties of the paragraph mark (pPr/rPr)
 * apply only to the mark. */
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
	bool is_heading;   /* its name, or that of a style it is based on, contains heading or title */
	bool is_quote;
	struct text based_on_id;
	struct run_properties run;             /* its own */
	struct paragraph_properties paragraph; /* its own */
	struct run_properties all_run;         /* with inherited properties */
	struct paragraph_properties all_paragraph;
};

struct styles {
	ARRAY(struct style) items;
	struct map ids;
	uint32_t default_paragraph; /* STYLE_NONE: none */
	struct run_properties run;  /* docDefaults */
	struct paragraph_properties paragraph;
	bool hides; /* a style or the defaults hide text (w:vanish) */
};

/* Returns NULL only with the error set. A document without styles has an empty list. */
struct styles *styles_read(struct call *c, struct package *p);
uint32_t styles_find(const struct styles *s, struct text id, enum style_type type); /* STYLE_NONE: none */
/* The style of a paragraph that names this one (STYLE_NONE: it names none, or a missing one). */
uint32_t styles_of_paragraph(const struct styles *s, uint32_t named);

/* The look of a run: `direct` is its own rPr, `table` the table's style or STYLE_NONE. */
struct run_properties styles_run(const struct styles *s, uint32_t paragraph_style, uint32_t table,
				 const struct run_properties *direct);
/* Is a run hidden by its styles? `run_style` is absent if it names none. */
bool styles_hide(const struct styles *s, uint32_t paragraph_style, uint32_t table, struct text run_style);

#endif
