/* bible.h: the story bible of a book: a Markdown file beside it, NAME.bible.md, that a person reads and edits.
 *
 *	# Characters
 *	## Mira Valen
 *	Aliases: Mira, the keeper
 *	Prose of any form.
 *	- She left the key in the lamp room. [fxs2di:k4f2]
 *
 * A section is a heading of level 1, an entry a heading of level 2, a fact a list item inside an entry. A fact may end
 * in its evidence: the id of a paragraph, and the checksum of that paragraph's prose when the fact was noted. A file
 * whose level 1 is a title may have the four known sections at level 2 and entries at level 3.
 *
 * Any bytes can be read. Everything is a span of the bytes, so an edit is a splice (bible_edits.h). Other content of
 * the author stays as it is: comments, code, tables, other headings. */
#ifndef QUIRE_KINDS_HNPX_BIBLE_BIBLE_H
#define QUIRE_KINDS_HNPX_BIBLE_BIBLE_H
#include "format/markdown.h"
#include "kinds/hnpx/tree/book.h"

enum { BIBLE_NONE = UINT32_MAX, BIBLE_CHECK_LEN = 4 };

struct bible_fact {
	struct span lines;    /* the list item, with its newline */
	struct span evidence; /* with its brackets; empty: none */
	uint32_t words_to;    /* where its words end, before the evidence */
	struct text text;     /* its words on one line */
	uint32_t id;          /* of the paragraph, packed; BOOK_NONE: none */
	struct text check;    /* absent: there is none, so the evidence is not checked */
};

struct bible_entry {
	struct text name;
	uint32_t section;         /* BIBLE_NONE: it is before the first section */
	struct span all, heading; /* lines */
	struct span title;        /* the name in the heading, with its emphasis marks */
	struct span alias_line;   /* empty: there is none */
	struct span alias_list;   /* after the colon */
	struct texts aliases;
	uint32_t first_fact, facts;
};

struct bible_section {
	struct text name;
	struct span all, heading;
	int level;
	int known; /* index in bible_sections, or -1 */
};

struct bible {
	struct text bytes;
	struct text newline; /* LF or CRLF, like the end of the first line */
	ARRAY(struct bible_section) sections;
	ARRAY(struct bible_entry) entries;
	ARRAY(struct bible_fact) facts;
	ARRAY(struct span) comments; /* and code: not prose */
};

enum { SECTION_CHARACTERS, SECTION_PLACES, SECTION_THINGS, SECTION_RULES, SECTIONS };
extern const char *const bible_sections[SECTIONS + 1]; /* "Characters", ...; NULL-terminated */

struct bible *bible_read(struct arena *a, struct text bytes);

/* Finds an entry by name or alias, ignoring case and accents. A name takes precedence over an alias. An absent
 * `section` means all sections. Returns BIBLE_NONE if there is none. */
uint32_t bible_find(struct arena *a, const struct bible *b, struct text section, struct text name);
uint32_t bible_section_named(struct arena *a, const struct bible *b, struct text name); /* BIBLE_NONE */
/* The fact of an entry with these words, ignoring case, accents and blanks, or BIBLE_NONE. */
uint32_t bible_fact_said(struct arena *a, const struct bible *b, const struct bible_entry *e, struct text words);

/* The text of an entry without its heading, aliases and facts, trimmed. */
struct text bible_prose(struct arena *a, const struct bible *b, const struct bible_entry *e);

/* A checksum of a paragraph's prose: four letters or digits. Line breaks and indentation do not count. */
struct text bible_check(struct arena *a, const struct book *b, uint32_t paragraph);
struct text bible_check_prose(struct arena *a, struct text prose);

enum evidence { EVIDENCE_NONE, EVIDENCE_UNCHECKED, EVIDENCE_HOLDS, EVIDENCE_CHANGED, EVIDENCE_GONE };
extern const char *const evidence_names[]; /* "none", ... */
enum evidence bible_evidence(struct arena *a, const struct bible_fact *f, const struct book *b);

#endif
