/* output.h: large results, encoded once and reference-counted.
 *
 * A resource of many megabytes is encoded once for all clients that read it at the same time, and each is sent the same
 * bytes. They are freed after the last client has them. Their total is bounded, so clients that do not read cannot make
 * the server keep more copies. */
#ifndef QUIRE_MCP_OUTPUT_H
#define QUIRE_MCP_OUTPUT_H
#include "base/arena.h"
#include "base/digest.h"
#include "base/text.h"

#include <pthread.h>

/* Smaller results are written into the message. OUTPUTS_MAX is the limit of all bytes waiting at the same time. */
enum { OUTPUT_LARGE = 256 << 10, OUTPUTS_MAX = 256 << 20 };

struct output {
	struct output *next;
	struct outputs *of; /* NULL: the bytes are part of the program, and nothing is counted or freed */
	struct text bytes;  /* as they are in the message, between the quotes */
	struct revision source;
	size_t source_len;
	bool is_base64;
	unsigned holders;
	struct arena arena;
};

struct outputs {
	pthread_mutex_t lock;
	struct output *first;
	size_t bytes;
};

/* The content of the text as a JSON string without its quotes, or its base64 form; with a reference for the caller.
 * NULL: too many bytes wait to be sent already. */
struct output *output_of(struct outputs *all, struct text bytes, bool as_base64);
void output_release(struct output *o);

#endif
