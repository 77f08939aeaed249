#include "kinds/notes/search/lexicon.h"

#include "kinds/notes/search/heap.h"
#include "kinds/notes/search/words.h"

#include <math.h>
#include <string.h>

/* The usual constants of BM25: how quickly repetition stops counting, and how much the document's length counts. */
static const double SATURATION = 1.2, LENGTH_WEIGHT = 0.75;

enum { DEAD_MIN = 256, VARINT_MAX = 5 };

static uint32_t spelling_hash(struct text t) { return (uint32_t)text_hash(t); }

static struct text spelling(const struct lexicon *l, uint32_t term)
{
	return (struct text){l->spellings + l->terms[term].spelling, l->terms[term].length};
}

static uint32_t term_find(const struct lexicon *l, struct text t, uint32_t hash)
{
	for (uint32_t at = slots_first(&l->by_spelling, hash), n;
	     (n = slots_at(&l->by_spelling, &at, hash)) != SLOTS_NONE;)
		if (l->terms[n].length == t.len && !memcmp(l->spellings + l->terms[n].spelling, t.at, t.len))
			return n;
	return SLOTS_NONE;
}

static uint32_t term_new(struct lexicon *l, struct text t, uint32_t hash)
{
	if (l->n == l->cap) {
		l->cap = (uint32_t)heap_room(l->cap, l->n + 256u);
		l->terms = heap_array(l->terms, l->cap, sizeof *l->terms);
	}
	if (!l->spellings || l->spelled + t.len > l->spell_cap) {
		l->spell_cap = heap_room(l->spell_cap, l->spelled + t.len + 4096);
		if (l->spell_cap > UINT32_MAX)
			arena_die("the index of words is larger than 4 GB");
		l->spellings = heap_array(l->spellings, l->spell_cap, 1);
	}
	memcpy(l->spellings + l->spelled, t.at, t.len);
	l->terms[l->n] = (struct term){.spelling = (uint32_t)l->spelled, .length = (uint16_t)t.len};
	l->spelled += t.len;
	slots_add(&l->by_spelling, hash, l->n);
	return l->n++;
}

static void touch(struct lexicon *l, uint32_t term)
{
	if (l->touched_n == l->touched_cap) {
		l->touched_cap = (uint32_t)heap_room(l->touched_cap, l->touched_n + 1024u);
		l->touched = heap_array(l->touched, l->touched_cap, sizeof *l->touched);
	}
	l->touched[l->touched_n++] = term;
}

/* The length of the new document is stored after those of the others. */
static uint32_t *length_now(struct lexicon *l)
{
	if (l->documents == l->document_cap) {
		l->document_cap = (uint32_t)heap_room(l->document_cap, l->documents + 64u);
		l->lengths = heap_array(l->lengths, l->document_cap, sizeof *l->lengths);
		memset(l->lengths + l->documents, 0, (l->document_cap - l->documents) * sizeof *l->lengths);
	}
	return &l->lengths[l->documents];
}

void lexicon_add(struct lexicon *l, struct text t, unsigned weight, bool stops)
{
	struct words words = words_of(t);
	struct word word;
	uint32_t *length = length_now(l);

	while (words_next(&words, &word)) {
		if (word.is_stop && !stops)
			continue;
		uint32_t hash = spelling_hash(word.term), term = term_find(l, word.term, hash);
		if (term == SLOTS_NONE)
			term = term_new(l, word.term, hash);
		if (!l->terms[term].pending)
			touch(l, term);
		unsigned count = l->terms[term].pending + weight;
		l->terms[term].pending = count > UINT16_MAX ? UINT16_MAX : (uint16_t)count;
		*length += *length < UINT32_MAX - weight ? weight : 0;
	}
}

static size_t put_number(uint8_t *to, uint32_t n)
{
	size_t i = 0;

	for (; n >= 128; n >>= 7)
		to[i++] = (uint8_t)(n | 128);
	to[i++] = (uint8_t)n;
	return i;
}

static uint32_t take_number(const uint8_t **at)
{
	uint32_t n = 0;

	for (int shift = 0;; shift += 7) {
		uint8_t byte = *(*at)++;
		n |= (uint32_t)(byte & 127) << shift;
		if (!(byte & 128))
			return n;
	}
}

static const uint8_t *list_of(const struct term *t) { return t->cap ? t->list.far : t->list.near; }

static void append(struct term *t, const uint8_t *bytes, size_t n)
{
	size_t want = t->len + n;

	if (want > UINT32_MAX / 2)
		arena_die("the list of notes with one word is larger than 2 GB");
	if (!t->cap && want > POSTINGS_INLINE) {
		uint8_t *far = heap_array(NULL, want * 2, 1);
		memcpy(far, t->list.near, t->len);
		t->list.far = far;
		t->cap = (uint32_t)(want * 2);
	} else if (t->cap && want > t->cap) {
		t->cap = (uint32_t)heap_room(t->cap, want);
		t->list.far = heap_array(t->list.far, t->cap, 1);
	}
	memcpy((t->cap ? t->list.far : t->list.near) + t->len, bytes, n);
	t->len = (uint32_t)want;
}

static void posting(struct term *t, uint32_t number, uint32_t count)
{
	uint8_t bytes[2 * VARINT_MAX];
	size_t n = put_number(bytes, number - t->last);

	n += put_number(bytes + n, count);
	append(t, bytes, n);
	t->last = number;
}

uint32_t lexicon_end(struct lexicon *l)
{
	uint32_t *length = length_now(l), document = l->documents++;

	/* A length of 0 marks a dead document, so a live document without words gets another length. */
	if (!*length)
		*length = 1;
	for (uint32_t i = 0; i < l->touched_n; i++) {
		struct term *t = &l->terms[l->touched[i]];
		posting(t, document + 1, t->pending);
		t->pending = 0;
	}
	l->touched_n = 0;
	l->alive++;
	l->words += *length;
	return document;
}

void lexicon_kill(struct lexicon *l, uint32_t document)
{
	l->words -= l->lengths[document];
	l->lengths[document] = 0;
	l->alive--;
}

bool lexicon_is_stale(const struct lexicon *l)
{
	uint32_t dead = l->documents - l->alive;

	return dead > DEAD_MIN && dead > l->alive / 2;
}

static void term_clear(struct term *t)
{
	if (t->cap)
		free(t->list.far);
	*t = (struct term){0};
}

/* Copies the old list to a new term, without dead documents and with the new numbers. */
static void renew(struct term *t, const struct term *old, const uint32_t *renumbered)
{
	const uint8_t *at = list_of(old), *end = at + old->len;

	for (uint32_t number = 0; at < end;) {
		number += take_number(&at);
		uint32_t count = take_number(&at);
		if (renumbered[number - 1] != UINT32_MAX)
			posting(t, renumbered[number - 1] + 1, count);
	}
}

static bool lives(const struct term *t, const uint32_t *renumbered)
{
	const uint8_t *at = list_of(t), *end = at + t->len;

	for (uint32_t number = 0; at < end;) {
		number += take_number(&at);
		take_number(&at);
		if (renumbered[number - 1] != UINT32_MAX)
			return true;
	}
	return false;
}

void lexicon_compact(struct lexicon *l, uint32_t **renumbered)
{
	uint32_t *numbers = heap_array(NULL, l->documents, sizeof *numbers), kept = 0;
	struct lexicon fresh = {0};

	for (uint32_t i = 0; i < l->documents; i++) {
		numbers[i] = l->lengths[i] ? kept : UINT32_MAX;
		if (l->lengths[i])
			l->lengths[kept++] = l->lengths[i];
	}
	for (uint32_t i = 0; i < l->n; i++) {
		if (!lives(&l->terms[i], numbers))
			continue;
		struct text spelled = spelling(l, i);
		uint32_t n = term_new(&fresh, spelled, spelling_hash(spelled));
		renew(&fresh.terms[n], &l->terms[i], numbers);
	}
	/* Clear the lengths after the kept documents: the next document must begin with length 0. */
	memset(l->lengths + kept, 0, (l->documents - kept) * sizeof *l->lengths);
	fresh.lengths = l->lengths;
	fresh.document_cap = l->document_cap;
	fresh.documents = fresh.alive = kept;
	fresh.words = l->words;
	l->lengths = NULL;
	lexicon_free(l);
	*l = fresh;
	*renumbered = numbers;
}

void lexicon_free(struct lexicon *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		term_clear(&l->terms[i]);
	slots_free(&l->by_spelling);
	free(l->terms);
	free(l->spellings);
	free(l->lengths);
	free(l->touched);
	*l = (struct lexicon){0};
}

static bool is_known(const struct query_terms *q, struct text term)
{
	for (size_t i = 0; i < q->n; i++)
		if (text_same(q->items[i], term))
			return true;
	return false;
}

static void take_terms(struct query_terms *q, struct text query, bool stops)
{
	struct words words = words_of(query);
	struct word word;
	char *to = q->bytes;

	words.is_query = true;
	while (q->n < QUERY_TERMS_MAX && words_next(&words, &word)) {
		if (word.is_stop != stops || is_known(q, word.term))
			continue;
		memcpy(to, word.term.at, word.term.len);
		q->items[q->n++] = (struct text){to, word.term.len};
		to += word.term.len;
	}
}

void query_terms(struct query_terms *q, struct text query)
{
	q->n = 0;
	take_terms(q, query, false);
	if (!q->n)
		take_terms(q, query, true);
}

/* Number of live documents in the term's list. */
static uint32_t term_documents(const struct lexicon *l, const struct term *t)
{
	const uint8_t *at = list_of(t), *end = at + t->len;
	uint32_t n = 0;

	for (uint32_t number = 0; at < end;) {
		number += take_number(&at);
		take_number(&at);
		n += l->lengths[number - 1] != 0;
	}
	return n;
}

static double inverse_frequency(const struct lexicon *l, uint32_t documents)
{
	return log(1 + (l->alive - documents + 0.5) / (documents + 0.5));
}

double lexicon_weight(const struct lexicon *l, struct text term)
{
	uint32_t n = term_find(l, term, spelling_hash(term));
	uint32_t documents = n == SLOTS_NONE ? 0 : term_documents(l, &l->terms[n]);

	return documents ? inverse_frequency(l, documents) : 0;
}

double lexicon_rarity(const struct lexicon *l, struct text term)
{
	return l->alive ? lexicon_weight(l, term) / inverse_frequency(l, 1) : 0;
}

static void score_term(const struct lexicon *l, const struct term *t, double share, float *scores)
{
	const uint8_t *at = list_of(t), *end = at + t->len;
	double mean = (double)l->words / l->alive;

	for (uint32_t number = 0; at < end;) {
		number += take_number(&at);
		double count = take_number(&at), length = l->lengths[number - 1];
		if (length <= 0)
			continue;
		double slack = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length / mean);
		scores[number - 1] += (float)(share * count / (count + slack));
	}
}

size_t lexicon_score(const struct lexicon *l, struct text query, float *scores)
{
	struct query_terms q;
	uint32_t terms[QUERY_TERMS_MAX];
	double frequency[QUERY_TERMS_MAX], ideal = 0;

	query_terms(&q, query);
	for (size_t i = 0; i < q.n; i++) {
		terms[i] = term_find(l, q.items[i], spelling_hash(q.items[i]));
		/* A term that is in no document still counts in the ideal score, because every document lacks it. */
		frequency[i] =
			inverse_frequency(l, terms[i] == SLOTS_NONE ? 0 : term_documents(l, &l->terms[terms[i]]));
		ideal += frequency[i];
	}
	for (size_t i = 0; i < q.n; i++)
		if (terms[i] != SLOTS_NONE && ideal > 0)
			score_term(l, &l->terms[terms[i]], frequency[i] / ideal, scores);
	return q.n;
}
