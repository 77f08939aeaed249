#include "kinds/notes/search/engine.h"

#include "base/mutex.h"
#include "base/utf8.h"
#include "kinds/notes/search/excerpt.h"
#include "kinds/notes/search/heap.h"

#include <stdio.h>
#include <string.h>

enum { TITLE_WEIGHT = 5, TAG_WEIGHT = 2 };

/* A file for each vault and model. */
static struct vector_file *vector_file_of(const struct search_options *o, const struct embedder *e)
{
	struct text pieces[] = {o->vault.at ? o->vault : TEXT(""), TEXT("\n"), e->name};
	struct revision name = revision_of_pieces(pieces, ARRAY_COUNT(pieces));
	char file[64];

	snprintf(file, sizeof file, "vectors-%s", name.chars);
	return o->state < 0 ? NULL : vector_file_open(o->state, file);
}

bool search_open(struct call *c, const struct search_options *options, struct search **out)
{
	const char *absence = search_absence(options);
	struct embedder *embedder = embedder_open(c, options);

	if (!embedder && !absence)
		return false;
	struct search *s = heap_array(NULL, 1, sizeof *s);
	*s = (struct search){.absence = absence, .is_off = text_is(options->embed, "none"), .embedder = embedder};
	pthread_rwlock_init(&s->lock, NULL);
	if (embedder) {
		s->file = vector_file_of(options, embedder);
		filler_start(s);
	}
	*out = s;
	return true;
}

static void note_clear(struct known *n)
{
	free(n->path);
	free(n->tags);
	free(n->excerpt);
	*n = (struct known){0};
}

void search_close(struct search *s)
{
	if (!s)
		return;
	if (s->embedder) {
		filler_stop(s);
		s->embedder->close(s->embedder);
	}
	vector_file_close(s->file);
	vectors_free(&s->vectors);
	for (uint32_t i = 0; i < s->n; i++)
		note_clear(&s->notes[i]);
	lexicon_free(&s->lexicon);
	slots_free(&s->by_path);
	free(s->notes);
	free(s->free_numbers);
	pthread_rwlock_destroy(&s->lock);
	free(s);
}

static uint32_t path_hash(struct text path) { return (uint32_t)text_hash(path); }

uint32_t known_find(const struct search *s, struct text path)
{
	uint32_t hash = path_hash(path);

	for (uint32_t at = slots_first(&s->by_path, hash), n; (n = slots_at(&s->by_path, &at, hash)) != SLOTS_NONE;)
		if (text_same(known_path(&s->notes[n]), path))
			return n;
	return SLOTS_NONE;
}

static void note_name(struct search *s, uint32_t number, struct text path)
{
	struct known *n = &s->notes[number];

	n->path = heap_array(n->path, path.len + 1, 1);
	if (path.len)
		memcpy(n->path, path.at, path.len);
	n->path[path.len] = 0;
	n->path_len = (uint32_t)path.len;
	n->path_hash = path_hash(path);
	slots_add(&s->by_path, n->path_hash, number);
}

static uint32_t note_new(struct search *s, struct text path)
{
	uint32_t number;

	if (s->free_n) {
		number = s->free_numbers[--s->free_n];
	} else {
		if (s->n == s->cap) {
			s->cap = (uint32_t)heap_room(s->cap, s->n + 64u);
			s->notes = heap_array(s->notes, s->cap, sizeof *s->notes);
		}
		number = s->n++;
	}
	s->notes[number] = (struct known){0};
	note_name(s, number, path);
	s->alive++;
	return number;
}

/* The documents of the lexicon got new numbers. */
static void renumber(struct search *s)
{
	uint32_t *numbers;

	lexicon_compact(&s->lexicon, &numbers);
	for (uint32_t i = 0; i < s->n; i++)
		if (s->notes[i].path)
			s->notes[i].document = numbers[s->notes[i].document];
	free(numbers);
}

static void note_index(struct search *s, uint32_t number, const struct search_note *note)
{
	struct lexicon *l = &s->lexicon;

	lexicon_add(l, note->title, TITLE_WEIGHT, true);
	for (size_t i = 0; i < note->tags.n; i++)
		lexicon_add(l, note->tags.items[i], TAG_WEIGHT, true);
	lexicon_add(l, note->text, 1, false);
	s->notes[number].document = lexicon_end(l);
}

void search_put(struct search *s, const struct search_note *note)
{
	struct arena a = {0};
	struct text excerpt = s->embedder ? excerpt_of(&a, note->title, note->text, s->embedder->words) : TEXT("");

	rwlock_write(&s->lock);
	uint32_t number = known_find(s, note->path);
	if (number == SLOTS_NONE)
		number = note_new(s, note->path);
	else
		lexicon_kill(&s->lexicon, s->notes[number].document);
	struct known *n = &s->notes[number];
	free(n->tags);
	n->tags = known_tags(note->tags);
	n->priority = note->priority;
	note_index(s, number, note);
	if (lexicon_is_stale(&s->lexicon))
		renumber(s);
	if (s->embedder)
		known_means(s, number, excerpt);
	bool waits = s->waiting;
	rwlock_unlock(&s->lock);
	if (waits)
		filler_notify(s);
	arena_free(&a);
}

static void note_remove(struct search *s, uint32_t number)
{
	slots_remove(&s->by_path, s->notes[number].path_hash, number);
	lexicon_kill(&s->lexicon, s->notes[number].document);
	known_forget(s, number);
	note_clear(&s->notes[number]);
	if (s->free_n == s->free_cap) {
		s->free_cap = (uint32_t)heap_room(s->free_cap, s->free_n + 16u);
		s->free_numbers = heap_array(s->free_numbers, s->free_cap, sizeof *s->free_numbers);
	}
	s->free_numbers[s->free_n++] = number;
	s->alive--;
}

bool search_remove(struct search *s, struct text path)
{
	rwlock_write(&s->lock);
	uint32_t number = known_find(s, path);
	if (number != SLOTS_NONE)
		note_remove(s, number);
	rwlock_unlock(&s->lock);
	return number != SLOTS_NONE;
}

bool search_has(struct search *s, struct text path)
{
	rwlock_read(&s->lock);
	bool has = known_find(s, path) != SLOTS_NONE;
	rwlock_unlock(&s->lock);
	return has;
}

double search_rarity(struct search *s, struct text words)
{
	struct query_terms terms;
	double most = 0;

	query_terms(&terms, words);
	pthread_rwlock_rdlock(&s->lock);
	for (size_t i = 0; i < terms.n; i++) {
		double rarity = lexicon_rarity(&s->lexicon, terms.items[i]);
		most = rarity > most ? rarity : most;
	}
	pthread_rwlock_unlock(&s->lock);
	return most;
}

void search_complete(struct search *s)
{
	rwlock_write(&s->lock);
	s->is_complete = true;
	rwlock_unlock(&s->lock);
	if (s->embedder)
		filler_notify(s);
}

struct search_count search_count(struct search *s, struct arena *a)
{
	struct search_count count = {.problem = s->absence};

	rwlock_read(&s->lock);
	count.notes = s->alive;
	count.vectors = s->embedder ? s->alive - s->waiting : 0;
	rwlock_unlock(&s->lock);
	if (!s->embedder)
		return count;
	mutex_lock(&s->filler.lock);
	count.problem = *s->filler.problem ? text_string(a, text_of(s->filler.problem)) : NULL;
	mutex_unlock(&s->filler.lock);
	return count;
}

bool search_settle(struct search *s, int64_t ms) { return s->embedder && filler_wait(s, ms); }

static bool is_sound(struct call *c, const struct search *s, const struct search_query *q)
{
	struct query_terms terms;

	if (text_is_blank(q->words))
		return fail(c, FAULT_ARGUMENT, "the query is empty; say what to look for");
	query_terms(&terms, q->words);
	if (!terms.n && q->mode == SEARCH_WORDS)
		return fail(c, FAULT_ARGUMENT, "the query %s has no letters or digits; say what to look for in words",
			    shown(c, q->words));
	if (q->mode != SEARCH_WORDS && s->is_off)
		return fail_as(c, "PROVIDER_ERROR", "%s", s->absence);
	return true;
}

/* A vector to compare with. */
struct probe {
	size_t dimension;
	int8_t *row;
	float scale;
};

static bool probe_of(struct call *c, struct search *s, struct text words, struct probe *out)
{
	enum { READ_MAX = 4096 /* more than any model reads */ };
	struct text t = text_slice(words, 0, utf8_cut(words, READ_MAX));
	float *vector = s->embedder->embed(c, s->embedder, &t, 1, true, &out->dimension);

	if (!vector)
		return false;
	out->row = arena_alloc(c->arena, out->dimension);
	out->scale = vector_packed(vector, out->dimension, out->row);
	return true;
}

/* Called under the lock. Returns NULL if the vectors have another size. */
static float *cosines(struct call *c, const struct search *s, const struct probe *p)
{
	float *out = arena_array(c->arena, s->n + 1u, sizeof *out);

	if (!s->vectors.dimension)
		return out;
	if (s->vectors.dimension != p->dimension) {
		fail_as(c, "PROVIDER_ERROR",
			"the embedding service returned a vector of %zu numbers, but those of the notes have %zu; delete the "
			"files that begin with \"vectors-\" in the state folder and start the server again",
			p->dimension, s->vectors.dimension);
		return NULL;
	}
	vectors_compare(&s->vectors, p->row, p->scale, s->n, out);
	return out;
}

/* Called under the lock. */
static bool find_best(struct call *c, struct search *s, const struct search_query *q, const struct probe *probe,
		      struct search_found *out)
{
	float *words = NULL, *meaning = NULL;

	if (q->mode != SEARCH_MEANING) {
		words = arena_array(c->arena, s->lexicon.documents + 1u, sizeof *words);
		lexicon_score(&s->lexicon, q->words, words);
	}
	if (q->mode != SEARCH_WORDS && !(meaning = cosines(c, s, probe)))
		return false;
	hits_rank(c, s, q, words, meaning, out);
	out->notes = s->alive;
	out->vectors = s->embedder ? s->alive - s->waiting : 0;
	out->problem = s->embedder && s->waiting ? filler_problem(s, c->arena) : "";
	return true;
}

bool search_find(struct call *c, struct search *s, const struct search_query *query, struct search_found *out)
{
	struct search_query q = *query;
	struct probe probe = {0};

	*out = (struct search_found){0};
	if (s->absence && !s->is_off && q.mode != SEARCH_WORDS) {
		q.mode = SEARCH_WORDS;
		out->absence = s->absence;
	}
	if (!is_sound(c, s, &q))
		return false;
	if (q.mode != SEARCH_WORDS && !probe_of(c, s, q.words, &probe))
		return false;
	rwlock_read(&s->lock);
	bool found = find_best(c, s, &q, &probe, out);
	rwlock_unlock(&s->lock);
	return found;
}

/* The filter of search_similar(): the caller's filter, without the note itself. */
struct others {
	const struct search_query *query;
	struct text path;
};

static bool is_another(const void *context, struct text path)
{
	const struct others *o = context;

	return !text_same(path, o->path) && (!o->query->may || o->query->may(o->query->context, path));
}

bool search_similar(struct call *c, struct search *s, struct text path, const struct search_query *query,
		    struct search_found *out)
{
	struct others others = {query, path};
	struct search_query q = *query;

	*out = (struct search_found){0};
	if (s->absence)
		return fail_as(c, "PROVIDER_ERROR", "%s", s->absence);
	q.mode = SEARCH_MEANING;
	q.may = is_another;
	q.context = &others;
	rwlock_read(&s->lock);
	uint32_t number = known_find(s, path);
	bool found = true;
	if (number != SLOTS_NONE && vectors_has(&s->vectors, number)) {
		size_t dimension = s->vectors.dimension;
		struct probe probe = {dimension, s->vectors.rows + number * dimension, s->vectors.scales[number]};
		found = find_best(c, s, &q, &probe, out);
	} else {
		out->notes = s->alive;
		out->vectors = s->alive - s->waiting;
	}
	rwlock_unlock(&s->lock);
	return found;
}
