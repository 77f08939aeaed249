/* typeset.h: the prose of a paragraph as a printer sets it.
 *
 * Authors type straight quotation marks and stars. Set prose has typographic quotes, apostrophes told from opening
 * quotes, *emphasis* in italics and **strong** words in bold. Speech that brings no quotation marks of its own gets
 * those of the language around it; where the prose already contains quoted speech, it stays as the author wrote it
 * apart from the form of the quotes. A thought is set in italics. Curly marks that the author typed are kept.
 *
 * A paragraph of the book becomes one block, or several where its prose has empty lines. A block is a list of runs;
 * the words of a run end at a line break where `ends_line` says so. */
#ifndef QUIRE_KINDS_HNPX_EXPORT_TYPESET_H
#define QUIRE_KINDS_HNPX_EXPORT_TYPESET_H
#include "base/array.h"
#include "base/text.h"
#include "kinds/hnpx/export/quotes.h"

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

/* Does the prose of a dialogue lack quotation marks of its own, so that a reader needs some around it? A dialogue dash
 * counts as a mark; an apostrophe does not. */
bool speech_is_bare(struct text prose);

#endif
