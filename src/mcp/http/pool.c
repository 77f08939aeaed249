#include "mcp/http/pool.h"
#include "base/arena.h"
#include "base/mutex.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

/* Parsers and drawing recurse to a bounded depth. Only the used part of a stack is resident. */
enum { STACK_BYTES = 2 << 20 };

struct at_work {
	uint64_t owner;
	bool runs;
};

struct pool {
	pthread_mutex_t lock;
	pthread_cond_t arrived;
	struct pool_job *first, **end;
	void (*run)(struct pool_job *);
	bool closing;
	unsigned threads, started, numbers;
	struct at_work *owners; /* one for each thread: the owner of its running job */
	pthread_t thread[];
};

static bool has_its_share(const struct pool *p, uint64_t owner)
{
	unsigned running = 0;

	for (unsigned i = 0; i < p->started; i++)
		running += p->owners[i].runs && p->owners[i].owner == owner;
	return running >= (p->started + 1) / 2;
}

/* The first job whose owner may use another thread. While closing, every job runs. */
static struct pool_job *next_job(struct pool *p)
{
	for (struct pool_job **at = &p->first; *at; at = &(*at)->next) {
		struct pool_job *job = *at;

		if (!p->closing && has_its_share(p, job->owner))
			continue;
		*at = job->next;
		if (!*at)
			p->end = at;
		return job;
	}
	return NULL;
}

static void *work(void *of)
{
	struct pool *p = of;

	mutex_lock(&p->lock);
	unsigned mine = p->numbers++;
	for (;;) {
		struct pool_job *job = next_job(p);

		if (job) {
			p->owners[mine] = (struct at_work){job->owner, true};
			mutex_unlock(&p->lock);
			p->run(job);
			mutex_lock(&p->lock);
			p->owners[mine].runs = false;
			/* A job that waited for its owner's share can run now. */
			if (p->first)
				pthread_cond_signal(&p->arrived);
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
	struct pool *p = budget_zero(1, sizeof *p + threads * sizeof p->thread[0]);
	pthread_attr_t attributes;

	p->owners = budget_zero(threads, sizeof *p->owners);
	p->started = threads;
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
	free(p->owners);
	free(p);
}
