/* story.h: the paragraphs of one part in document order, and the session's changes in them.
 *
 * A story is read in one pass over its part: each paragraph's span and the few facts for labels, ids and paging. The
 * details of a paragraph are read from its fragment (its bytes) when it is shown or edited (text/atoms.h).
 *
 *	uint32_t p = story_find(c, story, id);            by id, bookmark or paraId
 *	struct text was = story_fragment(story, p);       what it is now
 *	story_replace(story, p, new_bytes);               an edit: bytes in the session's arena
 *	uint32_t q = story_insert(story, p, true, bytes); a new paragraph behind p
 *	story_delete(story, p);
 *	story_splices(a, story, &n);                      the edits of the original part that make the current one
 *
 * A paragraph's index is its handle. It never changes, even if other paragraphs are inserted or deleted. `next` and
 * `prev` give the order; inserted paragraphs are at the end of the table and linked into place. Deleted ones stay
 * linked, with their flag. Every change is recorded in the journal, so that a refused or undone edit is reverted
 * exactly.
 *
 * Paragraphs of text boxes are inside their host's bytes. Their fragments are parts of the host's fragment. Replacing
 * one replaces the host's bytes, in both copies that the format has of a box. */
#ifndef QUIRE_KINDS_DOCX_STORY_STORY_H
#define QUIRE_KINDS_DOCX_STORY_STORY_H
#include "base/array.h"
#include "base/map.h"
#include "format/splice.h"
#include "kinds/docx/package/package.h"
#include "kinds/docx/style/styles.h"
#include "kinds/docx/text/atoms.h"

enum { STORY_NONE = UINT32_MAX };

enum story_kind {
	STORY_BODY,
	STORY_HEADER,
	STORY_FOOTER,
	STORY_FOOTNOTES,
	STORY_ENDNOTES,
	STORY_COMMENTS,
	STORY_KINDS
};

enum paragraph_flags {
	PARAGRAPH_DELETED = 1,       /* by the session */
	PARAGRAPH_INSERTED = 2,      /* by the session: it has no span */
	PARAGRAPH_HAS_TEXT = 4,      /* it has visible text */
	PARAGRAPH_MARK_DELETED = 8,  /* its mark is tracked as deleted, so it does not count in lists */
	PARAGRAPH_IN_BOX = 16,       /* in a text box; `host` is the paragraph with the box */
	PARAGRAPH_IS_TWIN = 32,      /* the copy of a box paragraph for old readers (mc:Fallback): never shown */
	PARAGRAPH_HAS_HIDDEN = 64,   /* text that is not printed (w:vanish) */
	PARAGRAPH_HAS_SECTION = 128, /* pPr contains a sectPr */
	PARAGRAPH_DROPPED = 256,     /* deleted by others and accepted by the session: not our change */
	PARAGRAPH_NOTE_GONE = 512,   /* of a deleted note or comment; a redline keeps it */
	PARAGRAPH_IS_PLAIN = 1024    /* its visible text is the content of its w:t, as written; see plain_text() */
};

struct paragraph {
	uint32_t from, to;   /* in the part's original bytes; STORY_NONE for inserted ones */
	uint32_t next, prev; /* document order; STORY_NONE at the ends */
	uint32_t cell;       /* of the outermost table, or STORY_NONE */
	uint32_t ancestors;  /* names of its ancestors: story->paths */
	uint32_t host;       /* in a box: the paragraph with the box; otherwise STORY_NONE */
	uint32_t box_place;  /* in a box: its index among the host's box paragraphs */
	uint32_t note;       /* of notes and comments: story->notes, else STORY_NONE */
	uint32_t hang;       /* inserted: the paragraph with a span next to which it is written */
	uint32_t style;      /* index of the style in pStyle, or STYLE_NONE */
	int32_t num_id;      /* direct; -1: not given */
	int8_t level;        /* direct ilvl; -1: not given */
	bool hangs_behind;   /* inserted: after `hang`, otherwise before it */
	uint16_t flags;
	struct text para_id;       /* w14:paraId as written; absent: none */
	struct text given_id;      /* name of a jr_para_ or _bk_ bookmark on it; absent: none */
	struct text now;           /* its bytes when they were changed or inserted; absent: the original span */
	struct text base;          /* the original after decisions about changes of others; absent: the span */
	struct field_state fields; /* open fields at its start */
	const struct names *names; /* the prefixes in scope around it */
	char id[24];               /* "": not computed yet; see story_id() */
	struct text long_id;       /* a given id that does not fit */
};

struct story_table {
	uint32_t first, last; /* paragraphs */
	uint32_t rows, cols;
	uint32_t style; /* STYLE_NONE: none */
};

struct story_cell {
	uint32_t table, row, col, span;
	uint32_t paragraphs; /* in it */
	uint32_t first;
};

struct story_bookmark {
	struct text name;   /* as written */
	uint32_t paragraph; /* the paragraph that contains or follows it */
	int32_t id;
};

/* A reference to a footnote, endnote or comment, in order. */
struct story_reference {
	enum story_kind to;
	int32_t id;
	uint32_t paragraph;
};

struct story_note {
	int32_t id;
	bool is_special; /* a separator, not a note */
	uint32_t first;  /* paragraph */
	uint32_t from, to;
};

/* Number of characters with a look, to find the plain look of this document. */
struct story_look {
	uint32_t paragraph_style, run_style;
	uint8_t said, on;
	uint64_t characters;
};

/* Bytes between paragraphs, such as a row's height, and their replacement. */
struct story_patch {
	uint32_t from, to; /* in the part's original bytes */
	struct text with;
	bool is_note; /* removed with a note; not in a redline */
};

/* The text of one paragraph as used in its id and its neighbours' ids. */
struct story_id_text {
	uint32_t paragraph;
	bool is_filled;
	struct buffer text;
};
enum { ID_TEXTS = 3 };

struct journal;

/* Ids from here on are ignored. New ids are above all other ids, so they never reach the highest possible id. */
enum { STORY_ID_LIMIT = 2000000000 };

struct story {
	enum story_kind kind;
	struct part *part;
	struct arena *arena; /* the session's */
	const struct styles *styles;
	struct journal *journal;
	const struct names *names;         /* at the part's root */
	const struct relationships *links; /* of its part, read on first use; the body uses those of the package */
	ARRAY(struct paragraph) paragraphs;
	uint32_t first, last; /* STORY_NONE: none */
	uint32_t original;    /* number of paragraphs that were read; the rest is inserted */
	uint32_t shown;       /* rows: see story_is_shown() */
	ARRAY(struct story_table) tables;
	ARRAY(struct story_cell) cells;
	ARRAY(struct story_bookmark) bookmarks;
	ARRAY(struct story_reference) references;
	ARRAY(struct story_note) notes;
	ARRAY(struct story_look) looks;
	ARRAY(struct story_patch) patches;
	bool patches_stray; /* the patches are not sorted by place */
	ARRAY(struct text) paths;
	struct map path_numbers;
	uint32_t revisions; /* tracked changes of any sort in the original */
	/* Faults of the original, which save reports. */
	uint32_t bookmark_starts, bookmark_ends;
	uint32_t loose_fields;   /* without end, or without begin */
	uint32_t bare_revisions; /* without id, author or date, or empty */
	int32_t max_id;          /* of bookmarks, comments and revisions (w:id), below STORY_ID_LIMIT */
	int32_t max_comment_id;  /* the highest id of comment marks in the original, below STORY_ID_LIMIT */
	bool uses_para_ids;
	/* Ids are computed from the start, as far as needed. */
	uint32_t ids_next; /* the first paragraph without one; `original`: all have one */
	uint32_t ids_last; /* the last one with one; STORY_NONE: none */
	struct story_id_text id_texts[ID_TEXTS];
	struct buffer id_seed; /* scratch */
	struct map ids;        /* to paragraphs */
	struct map salts;      /* of a seed: the next salt */
	uint32_t edits;        /* grows with every change, which invalidates results derived from the text */
};

/* Reads a part. NULL: the error is set. */
struct story *story_read(struct call *c, struct arena *a, struct part *part, enum story_kind kind,
			 const struct styles *styles, struct journal *journal);

/* Paragraphs. */

/* Finds a paragraph by any name: its id, another bookmark on it, its paraId. Returns STORY_NONE if there is none.
 * Deleted paragraphs are not found. */
uint32_t story_find(struct call *c, struct story *s, struct text name);
const char *story_id(struct call *c, struct story *s, uint32_t p);
/* Does it exist, and is it neither deleted nor in a box's second copy? */
bool story_is_there(const struct story *s, uint32_t p);
/* ... and is it a row of read_file: with text (even hidden), or in a cell? */
bool story_is_shown(const struct story *s, uint32_t p);
uint32_t story_next(const struct story *s, uint32_t p); /* the next existing one; of STORY_NONE: the first */
uint32_t story_previous(const struct story *s, uint32_t p);
struct text story_fragment(const struct story *s, uint32_t p); /* its bytes now */
struct text story_original(const struct story *s, uint32_t p); /* before all edits; absent: inserted */
bool story_is_dirty(const struct story *s, uint32_t p);
/* Its current atoms. Fails only if the bytes are broken, which is a bug. */
bool story_atoms(struct call *c, const struct story *s, uint32_t p, struct atoms *out);
struct text story_text(struct call *c, const struct story *s, uint32_t p); /* visible, in the call's arena */
uint32_t story_table_style(const struct story *s, uint32_t p);             /* of the table it is in, or STYLE_NONE */

/* Changes. */

/* The bytes are copied. They must be one well-formed element w:p, with prefixes of the scope. */
void story_replace(struct story *s, uint32_t p, struct text fragment);
/* Decides about changes of others in it: `base` is what the original becomes, from which our changes are tracked. */
void story_decide(struct story *s, uint32_t p, struct text fragment, struct text base);
struct text story_base(const struct story *s, uint32_t p); /* absent: inserted */
uint32_t story_insert(struct story *s, uint32_t anchor, bool behind, struct text fragment);
void story_delete(struct story *s, uint32_t p);
void story_drop(struct story *s, uint32_t p); /* the same for a deletion by others; a redline does not show it */
/* Replaces bytes of the original outside paragraphs. A second call with the same range replaces the first replacement.
 * Returns false, and does nothing, if the range overlaps another replaced range, for example of story_take_out(). */
bool story_patch(struct story *s, uint32_t from, uint32_t to, struct text with);
/* Removes a range of the original with its paragraphs: a row that others deleted, or a note or comment. A redline does
 * not have the row, but keeps the note, because it has the reference to the note, tracked as deleted. */
void story_take_out(struct story *s, uint32_t from, uint32_t to, bool is_note);
/* Was a part of this range removed already? */
bool story_is_taken_out(const struct story *s, uint32_t from, uint32_t to);
/* The current bytes: the original's, or their replacement. */
struct text story_patched(const struct story *s, uint32_t from, uint32_t to);
/* Can a new paragraph be inserted next to this one? Not in text boxes. */
bool story_takes_neighbours(const struct story *s, uint32_t p);
/* The edits on part->bytes; n = 0: none. */
struct splice *story_splices(struct arena *a, const struct story *s, size_t *n);
/* The same with other bytes for each changed paragraph, for redlines. `write` returns the bytes for p, which is
 * changed, inserted or deleted, or unchanged but selected by `touches`; absent: nothing. */
struct story_writer {
	struct text (*write)(void *of, const struct story *s, uint32_t p);
	bool (*touches)(void *of, const struct story *s, uint32_t p); /* NULL: none */
	/* The finished splices, if they are known already; NULL: they are written now. */
	struct splice *(*made)(void *of, const struct story *s, size_t *n);
	void *of;
	bool is_redline;
};
struct splice *story_splices_by(struct arena *a, const struct story *s, size_t *n, const struct story_writer *writer);

/* The same as story_splices(), with a bookmark around each paragraph that has its id as name. *number is the next free
 * w:id. */
struct splice *story_splices_marked(struct call *c, struct story *s, int32_t *number, size_t *n);

/* The journal. */

/* The old state of every change, newest last. Undo starts with the newest. */
struct journal_note {
	struct story *story;
	uint32_t paragraph;
	struct {
		struct text now, base, para_id;
		uint32_t style;
		int32_t num_id;
		int8_t level;
		uint16_t flags;
	} was; /* the fields that an edit of a paragraph changes */
	bool is_insert;
	bool is_patch;     /* `paragraph` is its number, `layer` the old bytes */
	struct part *part; /* a layer over a whole part */
	struct text layer;
};
struct journal {
	struct arena *arena;
	struct package *package;
	ARRAY(struct journal_note) notes;
	ARRAY(size_t) edits; /* where each applied edit begins */
};
/* Puts a layer over a whole part, and records it. */
void journal_lay(struct journal *j, struct text part, struct text bytes);
void journal_back(struct journal *j, size_t to); /* undoes everything that was recorded after `to` */

#endif
