/* written.h: tools as they are listed, and instructions, written when the program was built.
 *
 * What a list says of a tool depends on the tool's tables alone. So make links the program, lets it write every tool,
 * and links it again with that text (written.S). The first list of a fresh process is then copied together: writing it
 * from the tables costs more than all the rest of the start. A program without the text writes the same from the
 * tables.
 */
#ifndef QUIRE_MCP_WRITTEN_H
#define QUIRE_MCP_WRITTEN_H
#include "tool/kind.h"

/* The tool as clients since 2025-06-18 are sent it, by a server of this kind alone or of several; absent: not there. */
struct text written_tool(const struct kind *k, const struct tool *t, bool alone);
/* The kind's instructions as a server of several kinds sends them; absent: not there. */
struct text written_instructions(const struct kind *k);
/* All of them, for written.S. `several`: the kinds served, NULL-terminated. */
void written_make(struct buffer *to, struct arena *a, const struct kind *const *several);

#endif
