/* pool.h: a few worker threads for calls that may block.
 *
 * Jobs start in the order they came, but no owner uses more than half of the threads: while one key's calls wait for a
 * lock, another's continue. A job is a member of the object it works for, so pushing it allocates nothing. */
#ifndef QUIRE_MCP_HTTP_POOL_H
#define QUIRE_MCP_HTTP_POOL_H
#include <stdint.h>

struct pool;

struct pool_job {
	struct pool_job *next;
	uint64_t owner; /* the caller, as a number */
};

/* NULL: no thread could be started. */
struct pool *pool_open(unsigned threads, void (*run)(struct pool_job *));
void pool_push(struct pool *p, struct pool_job *job);
void pool_close(struct pool *p); /* runs the waiting jobs, then ends the threads */

#endif
