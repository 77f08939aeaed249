/* speech.h: whether the prose of a dialogue has its quotation marks already.
 *
 * An author may write only the words of the speech, or the whole sentence with its marks and a tag: Ada turned. "Leave
 * it," she said. Marks inside a speech that are not set off as speech belong to a quotation in it: My mother always
 * said "never trust a man with clean boots", and look. */
#ifndef QUIRE_KINDS_HNPX_PROSE_SPEECH_H
#define QUIRE_KINDS_HNPX_PROSE_SPEECH_H
#include "base/buffer.h"
#include "kinds/hnpx/prose/marks.h"

/* Are marks to be added around it? A dialogue dash counts as a mark; an apostrophe does not. The prose is trimmed, and
 * the marks are its marks. */
bool speech_is_bare(struct arena *a, struct text prose, const struct marks *marks);

/* The prose of a dialogue in straight quotation marks: its own ones, or added ones. */
void speech_put(struct buffer *to, struct arena *a, struct text prose);

#endif
