/* story.h: the paragraphs of one part in document order, and what a session has changed in them.
 *
 * A story is read in one pass over its part: each paragraph's span and the few facts that labels, ids and paging need.
 * What a paragraph says in detail is read from its fragment (its bytes) when it is shown or edited (text/atoms.h).
 *
 *	uint32_t p = story_find(c, story, id);            by id, bookmark or paraId
 *	struct text was = story_fragment(story, p);       what it is now
 *	story_replace(story, p, new_bytes);               an edit: bytes in the session's arena
 *	uint32_t q = story_insert(story, p, true, bytes); a new paragraph behind p
 *	story_delete(story, p);
 *	story_splices(a, story, &n);                      the edits of the original part that make the current one
 *
 * A paragraph's index is its handle: it never changes, also when paragraphs come and go around it. Order is by `next`
 * and `prev`; inserted paragraphs are at the end of the table and linked into place. Deleted ones stay linked, with
 * their flag. Every change is noted in the journal, so that a refused or undone edit is taken back exactly.
 *
 * Paragraphs of text boxes stand inside their host's bytes. Their fragments are pieces of the host's, and replacing one
 * replaces the host's bytes, in both copies that the format keeps of a box. */
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
	PARAGRAPH_HAS_TEXT = 4,      /* something visible */
	PARAGRAPH_MARK_DELETED = 8,  /* its mark is tracked as deleted: it does not count in lists */
	PARAGRAPH_IN_BOX = 16,       /* of a text box; `host` is the paragraph that holds it */
	PARAGRAPH_IS_TWIN = 32,      /* the copy of a box paragraph for old readers (mc:Fallback): never shown */
	PARAGRAPH_HAS_HIDDEN = 64,   /* text that is not printed (w:vanish) */
	PARAGRAPH_HAS_SECTION = 128, /* pPr holds a sectPr */
	PARAGRAPH_DROPPED = 256,     /* deleted by others, which the session accepted: no change of ours */
	PARAGRAPH_NOTE_GONE = 512,   /* of a note or comment that was deleted: a redline keeps it */
	PARAGRAPH_IS_PLAIN = 1024    /* its visible text is what its w:t hold, as written: see plain_text() */
};

struct paragraph {
	uint32_t from, to;   /* in the part's original bytes; STORY_NONE for inserted ones */
	uint32_t next, prev; /* document order; STORY_NONE at the ends */
	uint32_t cell;       /* of the outermost table, or STORY_NONE */
	uint32_t ancestors;  /* names of what it stands in: story->paths */
	uint32_t host;       /* in a box: the paragraph that holds the box; else STORY_NONE */
	uint32_t box_place;  /* in a box: the how manyth paragraph inside the host, from 0 */
	uint32_t note;       /* of notes and comments: story->notes, else STORY_NONE */
	uint32_t hang;       /* inserted: the paragraph with a span beside which it is written */
	uint32_t style;      /* styles: what pStyle names, or STYLE_NONE */
	int32_t num_id;      /* direct; -1: not said */
	int8_t level;        /* direct ilvl; -1: not said */
	bool hangs_behind;   /* inserted: behind `hang`, else before it */
	uint16_t flags;
	struct text para_id;       /* w14:paraId as written; absent: none */
	struct text given_id;      /* name of a jr_para_ or _bk_ bookmark on it; absent: none */
	struct text now;           /* its bytes when they were changed or inserted; absent: the original span */
	struct field_state fields; /* open fields at its start */
	const struct names *names; /* the prefixes in scope around it */
	char id[24];               /* "": not made yet; see story_id() */
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
	uint32_t paragraph; /* it stands in, or before */
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

/* How many characters carry a look: for what counts as plain in this document. */
struct story_look {
	uint32_t paragraph_style, run_style;
	uint8_t said, on;
	uint64_t characters;
};

/* Bytes between paragraphs, such as a row's height, and what stands in their place now. */
struct story_patch {
	uint32_t from, to; /* in the part's original bytes */
	struct text with;
	bool is_note; /* taken out with a note: not in a redline */
};

/* The text of one paragraph as its id and its neighbours' are made of it. */
struct story_id_text {
	uint32_t paragraph;
	bool is_filled;
	struct buffer text;
};
enum { ID_TEXTS = 3 };

struct journal;

/* Ids from here on are left alone: new ones go above all others, and so never reach the highest there can be. */
enum { STORY_ID_LIMIT = 2000000000 };

struct story {
	enum story_kind kind;
	struct part *part;
	struct arena *arena; /* the session's */
	const struct styles *styles;
	struct journal *journal;
	const struct names *names;         /* at the part's root */
	const struct relationships *links; /* of its part, once asked for; the body has those of the package */
	ARRAY(struct paragraph) paragraphs;
	uint32_t first, last; /* STORY_NONE: none */
	uint32_t original;    /* paragraphs that were read; the rest is inserted */
	uint32_t shown;       /* rows: see story_is_shown() */
	ARRAY(struct story_table) tables;
	ARRAY(struct story_cell) cells;
	ARRAY(struct story_bookmark) bookmarks;
	ARRAY(struct story_reference) references;
	ARRAY(struct story_note) notes;
	ARRAY(struct story_look) looks;
	ARRAY(struct story_patch) patches;
	bool patches_stray; /* they do not stand in the order of their places */
	ARRAY(struct text) paths;
	struct map path_numbers;
	uint32_t revisions; /* tracked changes of any sort in the original */
	/* What is not well made in the original; save tells it. */
	uint32_t bookmark_starts, bookmark_ends;
	uint32_t loose_fields;   /* begun and not ended, or ended and not begun */
	uint32_t bare_revisions; /* without id, author or date, or around nothing */
	int32_t max_id;          /* of bookmarks, comments and revisions (w:id), below STORY_ID_LIMIT */
	int32_t max_comment_id;  /* of marks of comments in the original, below STORY_ID_LIMIT */
	bool uses_para_ids;
	/* Ids are made from the start as far as they are needed. */
	uint32_t ids_next; /* the first paragraph without one; `original`: all have theirs */
	uint32_t ids_last; /* the last one with one; STORY_NONE: none */
	struct story_id_text id_texts[ID_TEXTS];
	struct buffer id_seed; /* scratch */
	struct map ids;        /* to paragraphs */
	struct map salts;      /* of a seed: the next salt */
	uint32_t edits;        /* counts up with every change: what was derived from the text is stale */
};

/* Reads a part. NULL: the error is set. */
struct story *story_read(struct call *c, struct arena *a, struct part *part, enum story_kind kind,
			 const struct styles *styles, struct journal *journal);

/* Paragraphs. */

/* In any form a caller may name a paragraph: its id, another bookmark on it, its paraId. STORY_NONE: there is none.
 * Deleted paragraphs are not found. */
uint32_t story_find(struct call *c, struct story *s, struct text name);
const char *story_id(struct call *c, struct story *s, uint32_t p);
/* Is it there, and neither deleted nor a box's second copy? */
bool story_is_there(const struct story *s, uint32_t p);
/* ... and a row of read_file: with text, be it hidden, or in a cell. */
bool story_is_shown(const struct story *s, uint32_t p);
uint32_t story_next(const struct story *s, uint32_t p); /* the next one that is there; STORY_NONE: the first one's */
uint32_t story_previous(const struct story *s, uint32_t p);
struct text story_fragment(const struct story *s, uint32_t p); /* its bytes now */
struct text story_original(const struct story *s, uint32_t p); /* before all edits; absent: inserted */
bool story_is_dirty(const struct story *s, uint32_t p);
/* Its atoms now; false only if the bytes are broken, which is a bug: the error is set. */
bool story_atoms(struct call *c, const struct story *s, uint32_t p, struct atoms *out);
struct text story_text(struct call *c, const struct story *s, uint32_t p); /* visible, in the call's arena */
uint32_t story_table_style(const struct story *s, uint32_t p);             /* of the table it is in, or STYLE_NONE */

/* Changes. */

/* The bytes are copied. Each is one element w:p, well-formed, with prefixes of the scope. */
void story_replace(struct story *s, uint32_t p, struct text fragment);
uint32_t story_insert(struct story *s, uint32_t anchor, bool behind, struct text fragment);
void story_delete(struct story *s, uint32_t p);
void story_drop(struct story *s, uint32_t p); /* the same for what others deleted: a redline does not show it */
/* Replaces bytes of the original that no paragraph holds; the same range again replaces what was put there. False: the
 * range overlaps another one that was replaced, by story_take_out() say, and nothing is done. */
bool story_patch(struct story *s, uint32_t from, uint32_t to, struct text with);
/* Takes a stretch of the original out, with the paragraphs in it: a row that others deleted, or a note or comment. A
 * redline lacks the row, and keeps the note: what refers to it is there, tracked as deleted. */
void story_take_out(struct story *s, uint32_t from, uint32_t to, bool is_note);
/* Was something of this stretch taken out already? */
bool story_is_taken_out(const struct story *s, uint32_t from, uint32_t to);
/* What stands there now: the original's bytes, or what was put in their place. */
struct text story_patched(const struct story *s, uint32_t from, uint32_t to);
/* Is a new paragraph beside this one possible here? Not beside those of text boxes. */
bool story_takes_neighbours(const struct story *s, uint32_t p);
/* The edits on part->bytes; n = 0: none. */
struct splice *story_splices(struct arena *a, const struct story *s, size_t *n);
/* The same with other bytes in place of each changed paragraph's: for redlines. `write` returns what to write for p,
 * which is changed, inserted or deleted, or which it `touches` though it did not change; absent: nothing. */
struct story_writer {
	struct text (*write)(void *of, const struct story *s, uint32_t p);
	bool (*touches)(void *of, const struct story *s, uint32_t p); /* NULL: none */
	void *of;
	bool is_redline;
};
struct splice *story_splices_by(struct arena *a, const struct story *s, size_t *n, const struct story_writer *writer);

/* The same as story_splices(), with a bookmark around each paragraph that carries its id: *number is the next free
 * w:id. */
struct splice *story_splices_marked(struct call *c, struct story *s, int32_t *number, size_t *n);

/* The journal. */

/* What every change was before, newest last; taken back in that order. */
struct journal_note {
	struct story *story;
	uint32_t paragraph;
	struct {
		struct text now, para_id;
		uint32_t style;
		int32_t num_id;
		int8_t level;
		uint16_t flags;
	} was; /* what an edit of a paragraph changes */
	bool is_insert;
	bool is_patch;     /* `paragraph` is its number, `layer` what was there */
	struct part *part; /* a layer over a whole part */
	struct text layer;
};
struct journal {
	struct arena *arena;
	struct package *package;
	ARRAY(struct journal_note) notes;
	ARRAY(size_t) edits; /* where each edit in force begins */
};
/* Lays bytes over a whole part, noted. */
void journal_lay(struct journal *j, struct text part, struct text bytes);
void journal_back(struct journal *j, size_t to); /* takes back what was noted behind `to` */

#endif
