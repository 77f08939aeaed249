/* engine.h: what the files of this room share: the engine and the notes it knows.
 *
 * One reader-writer lock guards everything. A note has a number that stays until it is removed; its row of the vectors
 * has the same number. The lexicon numbers documents anew with each version, so both directions are kept. */
#ifndef QUIRE_KINDS_NOTES_SEARCH_ENGINE_H
#define QUIRE_KINDS_NOTES_SEARCH_ENGINE_H
#include "kinds/notes/search/lexicon.h"
#include "kinds/notes/search/search.h"

#include <pthread.h>

struct note {
	char *path; /* NULL: this number is free */
	uint32_t path_len, path_hash;
	char *tags; /* folded, each between line feeds: "\na/b\nc\n" */
	uint32_t document;
	int64_t priority;
};

struct search {
	pthread_rwlock_t lock;
	struct lexicon lexicon;
	struct note *notes;
	uint32_t n, cap; /* numbers given out */
	uint32_t alive;
	uint32_t *free_numbers;
	uint32_t free_n, free_cap;
	struct slots by_path;
	uint32_t *note_of; /* by document number */
	uint32_t note_of_cap;
	const char *absence; /* why there are no vectors; NULL: there are */
};

uint32_t note_find(const struct search *s, struct text path); /* SLOTS_NONE: there is none */
static inline struct text note_path(const struct note *n) { return (struct text){n->path, n->path_len}; }

/* rank.c: the best of all notes by two arrays of scores, by document and by note; either may be NULL. */
void rank(struct call *c, const struct search *s, const struct search_query *q, const float *words,
	  const float *meaning, struct search_found *out);
/* Tags as notes keep them, on the heap. */
char *tags_joined(struct texts tags);

#endif
