/* level.h: the children and attributes of each of the five levels: one table for reading, checking and writing. */
#ifndef QUIRE_KINDS_HNPX_TREE_LEVEL_H
#define QUIRE_KINDS_HNPX_TREE_LEVEL_H
#include "kinds/hnpx/tree/book.h"

struct level_rule {
	const char *const *attributes; /* without id, in the order in which they are written; NULL-terminated */
	const char *listed;            /* the same for messages */
	const char *holds;             /* a sentence */
	const char *parent;            /* "Parent must be a book element", for nodes with a wrong parent */
};
extern const struct level_rule level_rules[LEVELS];

enum mode { MODE_NARRATION, MODE_DIALOGUE, MODE_INTERNAL, MODES };
extern const char *const mode_names[MODES + 1];

int level_named(struct text element);                /* -1: not a level */
bool level_allows(int level, struct text attribute); /* does not include id */
int mode_named(struct text mode);                    /* -1: not a mode */

#endif
