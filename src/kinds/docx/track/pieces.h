/* pieces.h: splits a paragraph into the smallest parts that can be inserted or deleted.
 *
 * A piece is a word, a blank or a sign of a w:t, any other child of a run, or a node between runs (a bookmark, another
 * author's deletion). Each has its run and its holders: the links, content controls and insertions around it. Two
 * pieces are equal if they have the same content inside the same holders; their look does not count. */
#ifndef QUIRE_KINDS_DOCX_TRACK_PIECES_H
#define QUIRE_KINDS_DOCX_TRACK_PIECES_H
#include "base/array.h"
#include "base/map.h"
#include "kinds/docx/text/fragment.h"

enum { PIECES_NONE = UINT32_MAX };

enum piece_kind { PIECE_WORD, PIECE_CHILD, PIECE_NODE };

struct track_piece {
	uint8_t kind;
	bool is_blank;       /* a word of white space only */
	struct text content; /* a word's characters, or the bytes of the node */
	uint32_t run;        /* PIECES_NONE: between runs */
	uint32_t holder;     /* innermost; PIECES_NONE: the paragraph itself */
	uint8_t tag;         /* of the node */
};

struct track_run {
	struct text attributes; /* as written, with the blank before them */
	struct text rpr;        /* the element; empty: none */
};

struct track_holder {
	struct text open, close; /* the bytes around its content */
	uint32_t parent;
	uint32_t chain;  /* equal if this holder and all around it have the same bytes */
	bool is_tracked; /* it is an insertion or a move, by any author */
	struct text id;  /* its w:id, as a slice of `open`; absent: none */
};

struct track_pieces {
	struct fragment fragment;
	ARRAY(struct track_piece) list;
	ARRAY(struct track_run) runs;
	ARRAY(struct track_holder) holders;
	struct text start; /* the paragraph's start tag, never the short form */
	struct text ppr;   /* the element; empty: none */
};

/* `chains` gives equal holders the same number in all paragraphs that share it. Returns false if not well-formed. */
bool pieces_read(struct arena *a, struct text fragment, const struct names *names, struct map *chains,
		 struct track_pieces *out);

#endif
