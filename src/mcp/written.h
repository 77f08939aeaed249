/* written.h: the entries of tools/list and the instructions, written when the program was built.
 *
 * An entry depends only on the tool's tables. So make links the program, lets it write every tool, and links it again
 * with that text (written.S). The first list of a new process is then copied from it: writing it from the tables would
 * cost more than the rest of the start. A program without this text writes the same list from the tables. */
#ifndef QUIRE_MCP_WRITTEN_H
#define QUIRE_MCP_WRITTEN_H
#include "tool/kind.h"

/* The tool as sent to clients since 2025-06-18, by a server of this kind alone or of several; absent: not in the
 * text. */
struct text written_tool(const struct kind *k, const struct tool *t, bool alone);
/* The kind's instructions as a server of several kinds sends them; absent: not in the text. */
struct text written_instructions(const struct kind *k);
/* All of them, for written.S. `several`: the kinds served, NULL-terminated. */
void written_make(struct buffer *to, struct arena *a, const struct kind *const *several);

#endif
