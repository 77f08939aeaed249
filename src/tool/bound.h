/* bound.h: keeps every result over the protocol within a length that a model can afford.
 *
 * A handler that lists rows stops at answer_room() (reply.h) and says how to go on. A result that is longer all the
 * same is cut here, so no kind can forget it. A text is cut at a line, and its last block says how long the whole is
 * and which call returns the rest. A result that also has structuredContent must stay valid, so its longest lists are
 * shortened, and its `_warnings` say how many items each list has. */
#ifndef QUIRE_TOOL_BOUND_H
#define QUIRE_TOOL_BOUND_H
#include "tool/tool.h"

/* The arguments that every tool takes for this. They are documented once and not listed. */
struct bound_arguments {
	int64_t from;
	bool whole;
};
extern const struct field bound_in[];

/* The result's object, shortened to its half of the room. The same text if it is short enough. */
struct text bound_object(struct call *c, struct text object);
/* Cuts the text blocks to what is left beside a structuredContent of this length. `is_final`: the call changed
 * something, so it cannot be repeated for the rest. False: there is no such part. */
bool bound_text(struct call *c, const struct tool *t, struct bound_arguments args, size_t beside, bool is_final);

#endif
