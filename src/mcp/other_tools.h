/* other_tools.h: the tool that names, describes and runs the tools that are not listed.
 *
 * A call that names a tool is the same as a direct call of that tool: the same grant, limit, log and refusals. So
 * other_tools needs no grant of its own, and its annotations are those of the strongest tool behind it. */
#ifndef QUIRE_MCP_OTHER_TOOLS_H
#define QUIRE_MCP_OTHER_TOOLS_H
#include "mcp/offer.h"

extern const struct tool other_tools[];

bool is_other_tools(const struct served_tool *t);
/* The row as this client sees it: its description names the kinds that it has tools of. */
struct tool other_tools_for(struct arena *a, const struct offer *o);
/* A call of other_tools that names a tool becomes a call of that tool: replaces all three. False: the error is in the
 * call of the exchange. */
bool other_tools_aim(struct exchange *x, const struct served_tool **t, const struct json **arguments);

#endif
