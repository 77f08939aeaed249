/* moving.h: shared by the tools that rename, for the steps after the plan. */
#ifndef QUIRE_KINDS_NOTES_TOOLS_MOVING_H
#define QUIRE_KINDS_NOTES_TOOLS_MOVING_H
#include "kinds/notes/edit/rename.h"
#include "kinds/notes/notes.h"

enum { MOVING_RUNS = 3 }; /* plans before the call gives up because another program keeps writing */

const char *moving_summary(struct call *c, const struct move_plan *plan, const char *verb);
/* Updates the graph after the commit. `bytes` is the first note's new content; if absent, it is read again. */
void moving_written(struct call *c, const struct move_plan *plan, struct text bytes);
/* The same, then returns the note at `path` with these bytes. */
void moving_done(struct call *c, const struct move_plan *plan, struct text path, struct text bytes, bool brief,
		 struct node_answer *out);
/* Drops the locks and the error before the next plan. */
void moving_again(struct call *c);
bool moving_conflict(struct call *c, struct text id); /* fails with CONFLICT */

#endif
