/* properties.h: the properties in one rPr or pPr of a run, a paragraph, a style or a numbering level, as written.
 *
 * A property is given or not given; styles.h computes the effective look. Only properties that reading shows are kept;
 * all others stay in the bytes. */
#ifndef QUIRE_KINDS_DOCX_STYLE_PROPERTIES_H
#define QUIRE_KINDS_DOCX_STYLE_PROPERTIES_H
#include "format/xml_scan.h"
#include "kinds/docx/text/names.h"

enum toggle { TOGGLE_BOLD, TOGGLE_ITALIC, TOGGLE_CAPS, TOGGLE_VANISH, TOGGLE_UNDERLINE };

struct run_properties {
	uint8_t said, on; /* bits of enum toggle. Underline is not a toggle of the file format: it never cancels out */
	bool has_style;
	struct text style;     /* rStyle */
	struct text color;     /* hex or auto; absent: not given */
	struct text highlight; /* "none": off; absent: not given */
	struct text font;      /* rFonts ascii or hAnsi */
	int32_t size;          /* half-points; 0: not given */
};

enum alignment { ALIGN_UNSAID, ALIGN_LEFT, ALIGN_CENTER, ALIGN_RIGHT, ALIGN_JUSTIFY };
enum { INDENT_LEFT, INDENT_RIGHT, INDENT_FIRST, INDENTS }; /* FIRST: hanging is negative */

struct paragraph_properties {
	struct text style; /* pStyle; absent: not given */
	int32_t num_id;    /* -1: not said */
	int32_t level;     /* ilvl; -1: not given */
	int32_t outline;   /* outlineLvl; -1: not given */
	uint8_t alignment;
	uint8_t indents_said;     /* bits */
	int32_t indents[INDENTS]; /* twips */
};

void paragraph_properties_clear(struct paragraph_properties *p);

/* Reads one child of rPr or pPr (or of numPr); its tag is the scanner's token. Texts that must be decoded are copied
 * into the arena; others point into the source. */
void run_property(struct arena *a, const struct xml_scan *s, const struct names *names, struct text local,
		  struct run_properties *into);
void paragraph_property(struct arena *a, const struct xml_scan *s, const struct names *names, struct text local,
			struct paragraph_properties *into);

/* A scanner's attribute of namespace W; absent: none. As written. */
struct text scan_value(const struct xml_scan *s, const struct names *names, const char *local);
bool value_is_on(struct text value);                        /* absent means on; 0, false and off mean off */
int32_t value_number(struct text value, int32_t otherwise); /* a whole number as written */
/* Puts `over` on top of `base`: properties given in `over` take precedence. */
void run_properties_over(struct run_properties *base, const struct run_properties *over);
void paragraph_properties_over(struct paragraph_properties *base, const struct paragraph_properties *over);

#endif
