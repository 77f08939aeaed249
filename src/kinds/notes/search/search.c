#include "kinds/notes/search/engine.h"

#include "kinds/notes/search/heap.h"

#include <string.h>

enum { TITLE_WEIGHT = 5, TAG_WEIGHT = 2 };

const char *search_absence(const struct search_options *options)
{
	return text_is(options->embed, "none")
		       ? "search is switched off by --embed none; start the server without it"
		       : "this program was built without its sentence model; start it with --embed URL";
}

bool search_open(struct call *c, const struct search_options *options, struct search **out)
{
	struct search *s = heap_array(NULL, 1, sizeof *s);

	(void)c;
	*s = (struct search){.absence = search_absence(options)};
	pthread_rwlock_init(&s->lock, NULL);
	*out = s;
	return true;
}

static void note_clear(struct note *n)
{
	free(n->path);
	free(n->tags);
	*n = (struct note){0};
}

void search_close(struct search *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->n; i++)
		note_clear(&s->notes[i]);
	lexicon_free(&s->lexicon);
	slots_free(&s->by_path);
	free(s->notes);
	free(s->free_numbers);
	free(s->note_of);
	pthread_rwlock_destroy(&s->lock);
	free(s);
}

static uint32_t path_hash(struct text path) { return (uint32_t)text_hash(path); }

uint32_t note_find(const struct search *s, struct text path)
{
	uint32_t hash = path_hash(path);

	for (uint32_t at = slots_first(&s->by_path, hash), n; (n = slots_at(&s->by_path, &at, hash)) != SLOTS_NONE;)
		if (text_same(note_path(&s->notes[n]), path))
			return n;
	return SLOTS_NONE;
}

static void note_name(struct search *s, uint32_t number, struct text path)
{
	struct note *n = &s->notes[number];

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
	s->notes[number] = (struct note){0};
	note_name(s, number, path);
	s->alive++;
	return number;
}

/* The documents of the lexicon got new numbers. */
static void renumber(struct search *s)
{
	uint32_t *numbers;

	lexicon_compact(&s->lexicon, &numbers);
	for (uint32_t i = 0; i < s->n; i++) {
		if (!s->notes[i].path)
			continue;
		s->notes[i].document = numbers[s->notes[i].document];
		s->note_of[s->notes[i].document] = i;
	}
	free(numbers);
}

static void note_index(struct search *s, uint32_t number, const struct search_note *note)
{
	struct lexicon *l = &s->lexicon;

	lexicon_add(l, note->title, TITLE_WEIGHT, true);
	for (size_t i = 0; i < note->tags.n; i++)
		lexicon_add(l, note->tags.items[i], TAG_WEIGHT, true);
	lexicon_add(l, note->text, 1, false);
	uint32_t document = lexicon_end(l);
	if (document >= s->note_of_cap) {
		s->note_of_cap = (uint32_t)heap_room(s->note_of_cap, document + 64u);
		s->note_of = heap_array(s->note_of, s->note_of_cap, sizeof *s->note_of);
	}
	s->note_of[document] = number;
	s->notes[number].document = document;
}

void search_put(struct search *s, const struct search_note *note)
{
	pthread_rwlock_wrlock(&s->lock);
	uint32_t number = note_find(s, note->path);
	if (number == SLOTS_NONE)
		number = note_new(s, note->path);
	else
		lexicon_kill(&s->lexicon, s->notes[number].document);
	struct note *n = &s->notes[number];
	free(n->tags);
	n->tags = tags_joined(note->tags);
	n->priority = note->priority;
	note_index(s, number, note);
	if (lexicon_is_stale(&s->lexicon))
		renumber(s);
	pthread_rwlock_unlock(&s->lock);
}

static void note_remove(struct search *s, uint32_t number)
{
	slots_remove(&s->by_path, s->notes[number].path_hash, number);
	lexicon_kill(&s->lexicon, s->notes[number].document);
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
	pthread_rwlock_wrlock(&s->lock);
	uint32_t number = note_find(s, path);
	if (number != SLOTS_NONE)
		note_remove(s, number);
	pthread_rwlock_unlock(&s->lock);
	return number != SLOTS_NONE;
}

bool search_rename(struct search *s, struct text from, struct text to)
{
	pthread_rwlock_wrlock(&s->lock);
	uint32_t number = note_find(s, from), taken = note_find(s, to);
	if (number != SLOTS_NONE && number != taken) {
		if (taken != SLOTS_NONE)
			note_remove(s, taken);
		slots_remove(&s->by_path, s->notes[number].path_hash, number);
		note_name(s, number, to);
	}
	pthread_rwlock_unlock(&s->lock);
	return number != SLOTS_NONE;
}

bool search_has(struct search *s, struct text path)
{
	pthread_rwlock_rdlock(&s->lock);
	bool has = note_find(s, path) != SLOTS_NONE;
	pthread_rwlock_unlock(&s->lock);
	return has;
}

struct search_count search_count(struct search *s, struct arena *a)
{
	(void)a;
	pthread_rwlock_rdlock(&s->lock);
	struct search_count count = {s->alive, 0, s->absence};
	pthread_rwlock_unlock(&s->lock);
	return count;
}

bool search_settle(struct search *s, int64_t ms)
{
	(void)ms;
	return !s->alive;
}

static bool is_sound(struct call *c, const struct search *s, const struct search_query *q)
{
	struct query_terms terms;

	if (text_is_blank(q->words))
		return fail(c, FAULT_ARGUMENT, "the query is empty; say what to look for");
	query_terms(&terms, q->words);
	if (!terms.n && q->mode == SEARCH_WORDS)
		return fail(c, FAULT_ARGUMENT, "the query %s has no letters or digits; say what to look for in words",
			    shown(c, q->words));
	if (q->mode != SEARCH_WORDS && s->absence)
		return fail_as(c, "PROVIDER_ERROR", "%s, or search by words only", s->absence);
	return true;
}

bool search_find(struct call *c, struct search *s, const struct search_query *query, struct search_found *out)
{
	*out = (struct search_found){0};
	if (!is_sound(c, s, query))
		return false;
	pthread_rwlock_rdlock(&s->lock);
	float *words = arena_array(c->arena, s->lexicon.documents + 1u, sizeof *words);
	lexicon_score(&s->lexicon, query->words, words);
	rank(c, s, query, words, NULL, out);
	out->notes = s->alive;
	pthread_rwlock_unlock(&s->lock);
	return true;
}

bool search_similar(struct call *c, struct search *s, struct text path, const struct search_query *query,
		    struct search_found *out)
{
	(void)path, (void)query;
	*out = (struct search_found){0};
	return fail_as(c, "PROVIDER_ERROR", "%s", s->absence);
}
