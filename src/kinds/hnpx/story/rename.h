/* rename.h: gives a person another name everywhere: char, pov, prose, summaries and the story bible, whole words only.
 */
#ifndef QUIRE_KINDS_HNPX_STORY_RENAME_H
#define QUIRE_KINDS_HNPX_STORY_RENAME_H
#include "kinds/hnpx/hnpx.h"

struct renamed_name {
	struct text file_path, old, new;
	bool titles; /* in chapter titles too */
};
struct rename_counts {
	int64_t attributes, prose, summaries, titles, bible;
	struct objects staying, samples;
};
extern const struct shape staying_shape, sample_shape;

/* Opens the book and its bible, commits, and refuses like a tool. */
bool book_rename(struct call *c, const struct renamed_name *args, struct rename_counts *out);

#endif
