/* moving.h: what the tools that rename share once the plan is made. */
#ifndef QUIRE_KINDS_NOTES_TOOLS_MOVING_H
#define QUIRE_KINDS_NOTES_TOOLS_MOVING_H
#include "kinds/notes/edit/rename.h"
#include "kinds/notes/notes.h"

enum { MOVING_RUNS = 3 }; /* plans before the call gives up against a program that keeps writing */

const char *moving_summary(struct call *c, const struct move_plan *plan, const char *verb);
/* Tells the graph what the commit wrote. `bytes` is what the first note holds now; absent: it is read again. */
void moving_written(struct call *c, const struct move_plan *plan, struct text bytes);
/* The same, then the note at `path` with these bytes as the answer. */
void moving_done(struct call *c, const struct move_plan *plan, struct text path, struct text bytes,
		 struct node_answer *out);
/* Before the next plan: drops the locks and the refusal. */
void moving_again(struct call *c);
bool moving_conflict(struct call *c, struct text id); /* CONFLICT; false */

#endif
