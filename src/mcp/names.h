/* names.h: the names of tools, in lists and in prose.
 *
 * Kinds write their prose with their tools' own names. If several kinds are served, each name begins with its kind. So
 * descriptions, instructions, prompts, errors and warnings are rewritten for the client: a model can call every name
 * that it reads. A sentence, or a part of one after a semicolon, that names a tool which this client cannot call is
 * left out. A name without an underscore may be an ordinary word, so it counts only in backticks. */
#ifndef QUIRE_MCP_NAMES_H
#define QUIRE_MCP_NAMES_H
#include "mcp/served.h"

/* Who reads it, and whose prose it is. */
struct view {
	const struct served *served;
	const struct key *key;
	const struct kind *kind;
};

struct text name_together(struct arena *a, const struct kind *k, const char *name); /* served with other kinds */
struct text names_told(struct arena *a, struct view v, struct text prose);
/* The same for the descriptions in JSON. */
void names_told_json(struct buffer *to, struct arena *a, struct view v, struct text json);
/* For struct call: the same for a format of printf, whose first part always stays. */
const char *names_called(struct call *c, const char *format);

#endif
