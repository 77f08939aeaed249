/* wreck.h: the id of a message that cannot be read.
 *
 * A client that sends a broken message (a lone surrogate, a key twice, too deep, too long) waits for an answer with its
 * id. This reads just enough of the bytes to find it, wherever it stands: some clients write it last. It takes bytes
 * piece by piece, so a message too long to keep can still be searched. Only a request has an id worth answering: one of
 * a message without a method would be taken for the answer to something else. */
#ifndef QUIRE_MCP_WRECK_H
#define QUIRE_MCP_WRECK_H
#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>

enum { WRECK_ID_MAX = 200 };

struct wreck {
	size_t depth;
	bool begun, is_object; /* the first character was a brace */
	bool in_string, escaped;
	bool wants_key, wants_value; /* at depth 1 */
	bool captures, is_key;
	char key[8];
	size_t key_len; /* beyond the array: not one of ours */
	char id[WRECK_ID_MAX];
	size_t id_len;
	char now[WRECK_ID_MAX]; /* the value of an id being read */
	size_t now_len;
	bool has_method, has_id, is_ambiguous;
};

void wreck_feed(struct wreck *w, struct text bytes);
/* The id as its source text, checked to be a string or an integer; absent: none was found. */
struct text wreck_id(struct wreck *w, struct arena *a);

#endif
