/* cast.h: the list of everybody in char and pov, and that of the sequences. */
#ifndef QUIRE_KINDS_HNPX_STORY_CAST_H
#define QUIRE_KINDS_HNPX_STORY_CAST_H
#include "kinds/hnpx/hnpx.h"

/* A part of a long list. */
struct page {
	int64_t offset, limit;
};
struct listed {
	int64_t total;
	struct objects items;
};
extern const struct shape character_shape, scene_shape;

/* Everybody in char and pov below a node: spellings, how often they speak, where they occur. Both functions return
 * false only if the call was cancelled. */
bool cast_list(struct call *c, const struct book *b, uint32_t top, struct page page, struct listed *out);
/* The sequences below a node in order: time, place, point of view, characters. */
bool scenes_list(struct call *c, const struct book *b, uint32_t top, struct page page, struct listed *out);

#endif
