/* engine.h: shared by the files of this room: the engine and its notes.
 *
 * One reader-writer lock guards everything except the filler, which has its own mutex. A note keeps its number until it
 * is removed; its vector has the same number. In the lexicon each version of a note is a new document with a new
 * number. */
#ifndef QUIRE_KINDS_NOTES_SEARCH_ENGINE_H
#define QUIRE_KINDS_NOTES_SEARCH_ENGINE_H
#include "kinds/notes/search/vector_file.h"
#include "kinds/notes/search/embedder.h"
#include "kinds/notes/search/lexicon.h"
#include "kinds/notes/search/search.h"
#include "kinds/notes/search/vectors.h"

#include <pthread.h>

struct known {
	char *path; /* NULL: this number is free */
	uint32_t path_len, path_hash;
	char *tags; /* folded, each between line feeds: "\na/b\nc\n" */
	uint32_t document;
	bool has_vector;
	uint32_t excerpt_len;
	char *excerpt; /* text still to embed; NULL: it is embedded, or there is no embedder */
	struct revision key;
	int64_t priority;
};

/* The thread that computes vectors. */
struct filler {
	pthread_t thread;
	bool is_running;
	pthread_mutex_t lock;
	pthread_cond_t changed; /* work was added or removed, or the thread must stop */
	uint64_t changes;       /* counts these events, so that none is missed */
	atomic_bool stopping;
	char problem[400]; /* error of the last try; empty: it succeeded */
	size_t most;       /* notes in the next try; used only by the thread */
};

struct search {
	pthread_rwlock_t lock;
	struct lexicon lexicon;
	struct known *notes;
	uint32_t n, cap; /* numbers in use */
	uint32_t alive;
	uint32_t waiting; /* notes with an excerpt to embed */
	bool is_complete; /* every note of the vault is known */
	uint32_t *free_numbers;
	uint32_t free_n, free_cap;
	struct slots by_path;
	struct vectors vectors;
	const char *absence; /* why there is no embedder; NULL: there is */
	bool is_off;         /* by the user: --embed none */
	struct embedder *embedder;
	struct vector_file *file; /* NULL: none */
	struct filler filler;
};

uint32_t known_find(const struct search *s, struct text path); /* SLOTS_NONE: there is none */
static inline struct text known_path(const struct known *n) { return (struct text){n->path, n->path_len}; }
/* Sets the excerpt of a note. Keeps its vector, takes it from the cache, or leaves it to the thread. */
void known_means(struct search *s, uint32_t number, struct text excerpt);
void known_forget(struct search *s, uint32_t number); /* drops its vector and its excerpt */

void filler_start(struct search *s);  /* once, when there is an embedder */
void filler_notify(struct search *s); /* after notes were added that need vectors */
void filler_stop(struct search *s);
bool filler_wait(struct search *s, int64_t ms);
const char *filler_problem(struct search *s, struct arena *a); /* empty: none */

/* Finds the best notes by two arrays of scores: by document, and by note. Either may be NULL. */
void hits_rank(struct call *c, const struct search *s, const struct search_query *q, const float *words,
	       const float *meaning, struct search_found *out);
/* Tags in the form of struct known, on the heap. */
char *known_tags(struct texts tags);

#endif
