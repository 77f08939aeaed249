/* wreck.h: the id of a message that cannot be read.
 *
 * A client that sends a broken message (a lone surrogate, a duplicate key, too deep, too long) waits for a response
 * with its id. This code reads just enough of the bytes to find the id at any position: some clients write it last. It
 * reads the bytes piece by piece, so it also works for a message that is too long to keep. Only a request's id is used.
 * A message without a method may be a response, and an error with its id would look like a response to another request.
 */
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
	bool wants_key, wants_value; /* at depth 1: a key or a value comes next */
	bool captures, is_key;
	char key[8];
	size_t key_len; /* longer than the array: not one of ours */
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
