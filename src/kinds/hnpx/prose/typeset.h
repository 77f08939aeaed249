/* typeset.h: the prose of a paragraph with typographic quotes and emphasis.
 *
 * Authors type straight quotation marks and stars. Typeset prose has typographic quotes and apostrophes, *emphasis* in
 * italics and **strong** words in bold. Speech without quotation marks gets those of the language, and
 * a quotation in it the inner ones. If the prose already contains quoted speech, only the form of the quotes changes. A
 * thought is set in italics. Curly marks that the author typed are kept.
 *
 * A paragraph of the book becomes one block, or several if its prose has empty lines. A block is a list of runs. A run
 * with `ends_line` ends at a line break. */
#ifndef QUIRE_KINDS_HNPX_PROSE_TYPESET_H
#define QUIRE_KINDS_HNPX_PROSE_TYPESET_H
#include "base/array.h"
#include "base/text.h"
#include "kinds/hnpx/prose/quotes.h"

struct type_run {
	struct text words;
	bool is_italic, is_bold;
	bool ends_line;
};
struct type_block {
	ARRAY(struct type_run) runs;
};
struct type_blocks {
	ARRAY(struct type_block) list;
};

enum voice { VOICE_NARRATION, VOICE_SPEECH, VOICE_THOUGHT }; /* in the order of enum mode */

void typeset(struct arena *a, struct text prose, enum voice voice, const struct quotes *quotes,
	     struct type_blocks *out);

#endif
