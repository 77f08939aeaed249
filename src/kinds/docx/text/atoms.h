/* atoms.h: the visible text of one paragraph, and the origin of each character.
 *
 * A paragraph's fragment becomes a sequence of atoms in document order. An atom is the text of one w:t, a single
 * character (tab, line break, hyphen, symbol), or something without width between characters. Each has its element, its
 * run, its container (link, content control, insertion ...) and its field. `text` is the visible text; offsets are code
 * points. A field may begin in one paragraph and end in a later one, so the state of open fields is passed in and out.
 *
 *	struct atoms p;
 *	if (!atoms_read(a, fragment_bytes, names, fields, &p)) ... not well-formed
 *	use p.text; fields = p.fields_after;
 *
 * Text boxes inside the paragraph are not part of its text: they have their own paragraphs. */
#ifndef QUIRE_KINDS_DOCX_TEXT_ATOMS_H
#define QUIRE_KINDS_DOCX_TEXT_ATOMS_H
#include "kinds/docx/text/fragment.h"

enum { ATOMS_NONE = UINT32_MAX };

enum atom_kind {
	ATOM_TEXT,   /* w:t */
	ATOM_TAB,    /* w:tab, w:ptab: TAB */
	ATOM_BREAK,  /* a line break: LF */
	ATOM_HYPHEN, /* w:noBreakHyphen: U+2011 */
	ATOM_SYMBOL, /* w:sym: its character, or U+FFFC; a barrier */
	/* Without width from here on. */
	ATOM_SOFT,   /* w:softHyphen */
	ATOM_LAID,   /* proofErr, lastRenderedPageBreak: may be removed when the text around it changes */
	ATOM_MARK,   /* bookmark, comment, move and permission range marks: always kept */
	ATOM_OBJECT, /* note references, drawings, page breaks, math, unknown elements: always kept */
	ATOM_CODE,   /* fldChar, instrText */
	ATOM_GONE,   /* a whole w:del or w:moveFrom, w:delText */
	ATOM_HIDDEN  /* text of a run that is not shown (w:vanish) */
};

struct atom {
	uint8_t kind;
	uint32_t at, len;     /* code points of the visible text */
	uint32_t byte, bytes; /* the same in bytes of atoms.text; ATOM_HIDDEN: of atoms.hidden */
	uint32_t node;        /* its element */
	uint32_t run;         /* ATOMS_NONE: between runs */
	uint32_t container;   /* innermost, or ATOMS_NONE */
	uint32_t field;       /* innermost, or ATOMS_NONE */
};

struct atom_run {
	uint32_t node;
	uint32_t rpr; /* XML_NONE: none */
	uint32_t container;
	uint32_t field;   /* the innermost field open at its start */
	uint32_t atom, n; /* its atoms */
	bool is_hidden;
};

struct container {
	uint32_t node;
	uint8_t tag;     /* TAG_HYPERLINK, TAG_INS, TAG_SDT ... */
	uint32_t parent; /* ATOMS_NONE: the paragraph */
	bool is_locked;  /* a content control whose content may not change */
	bool is_bound;   /* a content control filled from data */
};

struct field_span {
	uint32_t begin, separate, end; /* nodes: w:fldChar, or w:fldSimple in begin; XML_NONE: not in this paragraph */
	uint32_t parent;               /* field around it, or ATOMS_NONE */
	struct text code;              /* the instruction, trimmed; empty if it is in an earlier paragraph */
	uint32_t at, to;               /* its result in the visible text */
	bool is_simple;
	bool in_result; /* after separate: while reading, and for fields that stay open */
};

/* Open fields between two paragraphs, outermost in bit 0. */
struct field_state {
	uint32_t depth;
	uint64_t in_result; /* bit i: the field at depth i is after its separate mark */
};

/* Looks of a run that do not come from its own rPr. May be NULL. */
struct atom_styles {
	/* Is a run hidden by its styles? `run_style` is absent if it names none. */
	bool (*is_hidden)(const struct atom_styles *, struct text run_style);
};

struct atoms {
	struct fragment fragment;
	const struct atom_styles *styles; /* as given */
	struct text text;                 /* visible */
	uint32_t len;                     /* code points of it */
	struct text hidden;               /* text of hidden runs, joined; absent: none */
	struct atom *atoms;
	uint32_t n;
	struct atom_run *runs; /* without deleted ones */
	uint32_t runs_n;
	struct container *containers;
	uint32_t containers_n;
	struct field_span *fields; /* fields open from before come first */
	uint32_t fields_n;
	struct field_state fields_before, fields_after;
	uint32_t ppr;          /* w:pPr, or XML_NONE */
	bool has_section;      /* pPr contains a sectPr */
	bool mark_is_deleted;  /* the paragraph mark is deleted or moved away (pPr/rPr/del) */
	bool mark_is_inserted; /* ... inserted */
};

/* Returns false if the bytes are not well-formed (see fragment.h). `styles` may be NULL. */
bool atoms_read(struct arena *a, struct text fragment, const struct names *names, struct field_state before,
		const struct atom_styles *styles, struct atoms *out);

/* Reads only the visible text, for passes over whole documents. Fails as above. */
bool atoms_text(struct arena *a, struct text fragment, const struct names *names, struct field_state *fields,
		const struct atom_styles *styles, struct text *out);

/* The same for a plain paragraph (PARAGRAPH_IS_PLAIN in story/story.h), in one fast pass. */
struct text plain_text(struct arena *a, struct text fragment, const struct names *names);

/* The character of a w:sym, or U+FFFC. */
uint32_t symbol_character(struct text font, struct text hex);

#endif
