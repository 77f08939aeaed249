#include "mcp/http/pool.h"
#include "base/arena.h"
#include "base/mutex.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

/* Parsers and drawing recurse, though to a bounded depth; only what is used of it is ever resident. */
enum { STACK_BYTES = 2 << 20 };

struct pool {
	pthread_mutex_t lock;
	pthread_cond_t arrived;
	struct pool_job *first, **end;
	void (*run)(struct pool_job *);
	bool closing;
	unsigned threads;
	pthread_t thread[];
};

static void *work(void *of)
{
	struct pool *p = of;

	mutex_lock(&p->lock);
	for (;;) {
		struct pool_job *job = p->first;

		if (job) {
			p->first = job->next;
			if (!p->first)
				p->end = &p->first;
			mutex_unlock(&p->lock);
			p->run(job);
			mutex_lock(&p->lock);
		} else if (p->closing) {
			break;
		} else {
			pthread_cond_wait(&p->arrived, &p->lock);
		}
	}
	mutex_unlock(&p->lock);
	return NULL;
}

struct pool *pool_open(unsigned threads, void (*run)(struct pool_job *))
{
	struct pool *p = calloc(1, sizeof *p + threads * sizeof p->thread[0]);
	pthread_attr_t attributes;

	if (!p)
		out_of_memory();
	p->run = run;
	p->end = &p->first;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->arrived, NULL);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	while (p->threads < threads && !pthread_create(&p->thread[p->threads], &attributes, work, p))
		p->threads++;
	pthread_attr_destroy(&attributes);
	if (p->threads)
		return p;
	pool_close(p);
	return NULL;
}

void pool_push(struct pool *p, struct pool_job *job)
{
	job->next = NULL;
	mutex_lock(&p->lock);
	*p->end = job;
	p->end = &job->next;
	mutex_unlock(&p->lock);
	pthread_cond_signal(&p->arrived);
}

void pool_close(struct pool *p)
{
	mutex_lock(&p->lock);
	p->closing = true;
	pthread_cond_broadcast(&p->arrived);
	mutex_unlock(&p->lock);
	for (unsigned i = 0; i < p->threads; i++)
		pthread_join(p->thread[i], NULL);
	pthread_cond_destroy(&p->arrived);
	pthread_mutex_destroy(&p->lock);
	free(p);
}
