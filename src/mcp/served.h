/* served.h: what one address serves: the tools that can be called there, and the kinds behind them. */
#ifndef QUIRE_MCP_SERVED_H
#define QUIRE_MCP_SERVED_H
#include "mcp/exchange.h"

#include <stdatomic.h>

struct json_out;

struct served_tool {
	struct text name;
	const char *bare; /* the name without its kind: the tool's own or an alias */
	const struct kind *kind;
	const struct tool *tool;
	bool is_alias; /* accepted, but never listed */
};

/* An endpoint of server.h, with the data derived from it. */
struct served {
	struct endpoint endpoint;
	atomic_bool is_filled;     /* the rest */
	struct served_tool *tools; /* all that can be called, the core's first */
	size_t n_tools;
	bool hides; /* lists some of them only; other_tools has the rest */
	bool looks; /* lists only kinds that have documents */
	bool has_resources, has_prompts, subscribes, logs, lists_change, completes;
};
#define SERVED(x) ((struct served *)(void *)(x)->endpoint)

/* By its listed name, an alias, or a name without its kind if only one kind has it. */
const struct served_tool *tool_find(const struct served *p, struct text name);
/* May this client call it? */
bool served_may(const struct served *p, const struct key *key, const struct served_tool *t);
/* The tool of a kind (or the core's) that the client may call, by the name that the kind's prose uses; NULL: none. */
const struct served_tool *served_callable(const struct served *p, const struct key *key, const struct kind *k,
					  struct text bare);
/* What to do about a name that no tool has: "did you mean get_node?". */
const char *served_meant(struct exchange *x, struct text name);

#endif
