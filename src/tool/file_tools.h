/* file_tools.h: the parts of the core's own tools that the shell uses too. */
#ifndef QUIRE_TOOL_FILE_TOOLS_H
#define QUIRE_TOOL_FILE_TOOLS_H
#include "tool/field.h"
#include "work/history/history.h"

/* The result of file_history; `quire history --json` prints the same. */
struct history_answer {
	struct objects commits;
	struct maybe_int next;
};
extern const struct field history_out[];
struct objects commit_rows(struct call *c, const struct history_entry *entries, size_t n);

#endif
