/* reading.h: the state of the pass over a part, shared by its files.
 *
 * The scanner's tokens change a context: the open paragraph, hidden elements below it, its fields. Boxes nest, so
 * contexts are on a stack. */
#ifndef QUIRE_KINDS_DOCX_STORY_READING_H
#define QUIRE_KINDS_DOCX_STORY_READING_H
#include "kinds/docx/story/reader.h"

/* Declared prefixes of all elements together: documents declare them at the root and on drawings. */
enum { SCOPES_MAX = 1 << 21, LOOKS_MAX = 256, BOXES_MAX = 16, HEADER_MAX = 80, PARAGRAPHS_MAX = 1000000 };

/* Elements that text/fragment.h does not distinguish. */
enum own_tag {
	OWN_NUM_ID = TAGS + 1,
	OWN_LEVEL,
	OWN_GRID_SPAN,
	OWN_GRID_BEFORE,
	OWN_TBL_STYLE,
	OWN_TC_PR,
	OWN_TR_PR,
	OWN_TBL_PR,
	OWN_NOTE,
	OWN_FALLBACK,
	OWN_CHOICE,
	OWN_REVISION, /* *PrChange, cellIns and similar elements */
	OWN_TOGGLE    /* b, i, u */
};

struct cached_tag {
	struct text name;
	uint32_t scope; /* number of the scope it was found in */
	uint8_t tag;
};

/* One open paragraph, or the space between paragraphs. Kept on a stack: boxes nest. */
struct context {
	uint32_t paragraph; /* STORY_NONE: between paragraphs */
	unsigned depth;     /* of its element */
	unsigned gone;      /* depth of the element below which nothing is text; 0: none */
	struct field_state fields;
	unsigned run; /* depth of the open run; 0: none */
	unsigned run_properties;
	bool is_hidden, says_hidden; /* says_hidden: by its own w:vanish */
	uint8_t said, on;            /* looks of the run */
	struct text run_style;
	uint64_t lead; /* characters of bold or underlined runs at the start */
	struct story_look lead_look;
	bool leads, has_more;
	bool is_plain;       /* plain so far; see PARAGRAPH_IS_PLAIN */
	unsigned properties; /* depth of the open pPr or rPr; 0: none */
	uint32_t box_places; /* paragraphs seen in its boxes */
};

struct reader {
	struct arena *arena, *scratch;
	struct story *story;
	struct xml_scan scan;
	const struct names *names;
	uint32_t scope, scopes_made;
	size_t scopes_used;
	struct {
		unsigned depth;
		const struct names *outer;
		uint32_t outer_scope;
	} scopes[600];
	unsigned scopes_n;
	uint8_t tags[600]; /* of open elements, by depth */
	struct cached_tag cache[512];
	struct context context;
	struct context outer[BOXES_MAX];
	unsigned boxes; /* open boxes */
	unsigned box_depth[BOXES_MAX];
	unsigned fallback;    /* depth of the open mc:Fallback; 0: none */
	unsigned tables;      /* open tables outside boxes */
	uint32_t table, cell; /* outermost */
	uint32_t table_style; /* of a single paragraph that is read again */
	uint32_t row, col, grid;
	uint32_t note;
	size_t waiting; /* index of the first bookmark between paragraphs, which belongs to the next paragraph */
	struct text waiting_id;
	size_t last_look;
	bool is_reread; /* reads a single paragraph */
	bool is_too_wide, is_too_long;
	struct buffer path; /* scratch of path_now() */
};

static inline struct text value(const struct reader *r, const char *local)
{
	return scan_value(&r->scan, r->names, local);
}

static inline uint8_t parent_tag(const struct reader *r) { return r->scan.depth > 1 ? r->tags[r->scan.depth - 1] : 0; }

/* structure.c: boxes, tables, bookmarks, references and notes. The token is the element's. */
void reader_open_box(struct reader *r);
void reader_close_box(struct reader *r);
void reader_open_table(struct reader *r);
void reader_open_row(struct reader *r);
void reader_open_cell(struct reader *r);
void reader_close_cell(struct reader *r);
void reader_table_property(struct reader *r, uint8_t tag);
void reader_count_id(struct reader *r);
void reader_count_comment(struct reader *r);
void reader_bookmark_seen(struct reader *r);
void reader_reference_seen(struct reader *r, enum story_kind to);
void reader_open_note(struct reader *r);

#endif
