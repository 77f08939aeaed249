/* progress.h: counts the nodes and words of a book or a part of it, by chapter, point of view and character. */
#ifndef QUIRE_KINDS_HNPX_PROGRESS_H
#define QUIRE_KINDS_HNPX_PROGRESS_H
#include "kinds/hnpx/hnpx.h"

struct progress {
	bool complete;
	int64_t words, empty_count, unwritten_count;
	struct text next_unwritten;
	const struct levels *nodes;
	struct objects empty, chapters, povs, characters;
	double dialogue_share;
	const struct gap *longest_gap;
	struct maybe_number target_percent;
};
extern const struct shape progress_shape;

/* Returns false only if the call was cancelled. */
bool book_progress(struct call *c, const struct book *b, uint32_t top, struct maybe_int target_words,
		   const struct progress **out);

#endif
