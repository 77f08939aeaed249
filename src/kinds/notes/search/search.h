/* search.h: finds notes by their words and by their meaning.
 *
 *	search_open(c, &options, &search)         at the kind's first use; reads no note
 *	search_put(search, &note)                 for each note, at its first sight and after each change
 *	search_complete(search)                   once, after the first sight of all
 *	search_remove(search, path)
 *	search_find(c, search, &query, &found)    paths and scores, best first
 *	search_snippet(c, search, words, text)    the part of a note that matched
 *	search_rarity(search, words)              how rare a word is
 *	search_close(search)
 *
 * The engine keeps an inverted index of words and one vector for each note, not the notes' text. A score is absolute, 0
 * to 1. The words' half is BM25 divided by the highest score that the query could reach. The meaning's half is the
 * cosine of the two vectors. A thread of the engine computes vectors and keeps them in a file below the state folder.
 * That file may be deleted at any time. A note without a vector yet is ranked only by its words; search_count() says
 * how many notes have vectors.
 *
 * Every function may be called from any thread at any time until search_close(). search_put() costs about 25 ms for
 * each megabyte of text. To keep other calls fast, a kind puts its notes at the first search. No function waits for the
 * vectors of notes. But search_find() computes the query's vector: a few milliseconds, or one request to the embedding
 * service. */
#ifndef QUIRE_KINDS_NOTES_SEARCH_SEARCH_H
#define QUIRE_KINDS_NOTES_SEARCH_SEARCH_H
#include "base/call.h"

struct search;

struct search_options {
	struct text embed;        /* absent or empty: the built-in model; "none"; or a service's base URL */
	struct text embed_model;  /* name of the model, sent to the service */
	struct text embed_key;    /* sent to the service as a bearer token; absent: none */
	struct text query_prefix; /* put before a query's text for the service ("search_query: ") */
	struct text note_prefix;  /* put before a note's text for the service ("search_document: ") */
	int state;                /* open folder for the cache of vectors; -1: no cache. The engine duplicates it */
	struct text vault;        /* names the vault within that folder, such as its absolute path */
};

/* Why search by meaning is not available with these options: one sentence that says what to do. NULL if it is
 * available. */
const char *search_absence(const struct search_options *options);

/* On failure c->error says what is wrong with the options. Opens only the cache. Without a model ("none", or a build
 * without one) the engine still finds by words. SEARCH_MEANING and SEARCH_BLEND are refused with "none"; in a build
 * without a model they are SEARCH_WORDS, and `absence` of the result says so. */
bool search_open(struct call *c, const struct search_options *options, struct search **out);
void search_close(struct search *s); /* NULL is fine; waits for the thread, which stops quickly */

struct search_note {
	struct text path;  /* the note's id */
	struct text title; /* its words count five times as much as those of the text */
	struct texts tags;
	struct text text; /* without the front matter; malformed UTF-8 is harmless */
	int64_t priority; /* vectors are computed in this order, highest first; for example the time of change */
};

/* Adds the note or replaces the one with that path. Copies the texts. */
void search_put(struct search *s, const struct search_note *note);
bool search_remove(struct search *s, struct text path); /* false: there was none */
bool search_has(struct search *s, struct text path);
/* Says that every note of the vault was put. From now on, cached vectors that no note uses may be deleted. */
void search_complete(struct search *s);

struct search_count {
	size_t notes;
	size_t vectors;      /* notes that have one */
	const char *problem; /* why no more vectors are computed, in the caller's arena; NULL: no error */
};
struct search_count search_count(struct search *s, struct arena *a);
/* Waits until every note has a vector, the time has passed, or there is no more progress. For tests and tools that
 * prepare a vault. Returns false if some vectors are missing. */
bool search_settle(struct search *s, int64_t ms);

enum search_mode {
	SEARCH_BLEND,  /* half words, half meaning */
	SEARCH_WORDS,  /* needs no model */
	SEARCH_MEANING /* vectors only */
};

struct search_query {
	struct text words;
	enum search_mode mode;
	double threshold;  /* the lowest score of a hit; 0: anything that matches */
	struct texts tags; /* only notes with one of these tags, or with one below it: a/b is below a */
	struct text path;  /* only this note, or notes below this folder; absent or empty: all */
	size_t limit;      /* at least 1 */
	/* A filter, used for grants: only notes for which it returns true; NULL: all. It must not call the engine. */
	bool (*may)(const void *context, struct text path);
	const void *context;
};

struct search_hit {
	struct text path;
	double score;          /* 0 to 1 */
	double words, meaning; /* the two halves, each 0 to 1; 0 if the mode does not use it */
};

struct search_found {
	struct search_hit *items; /* best first, then by path; in the call's arena */
	size_t n;
	size_t total;          /* hits before the limit */
	size_t notes, vectors; /* of the whole vault, when the query ran: "semantic index 12 of 40" */
	const char *problem;   /* why vectors are missing, if the last try failed; empty: they are being computed */
	const char *absence;   /* why there is no model, so that only words were compared; NULL: as asked */
};

/* Fails with c->error set for an empty query, a mode that is switched off, or a failed service (PROVIDER_ERROR). */
bool search_find(struct call *c, struct search *s, const struct search_query *query, struct search_found *out);

/* The notes nearest in meaning to this one, without the note itself. Ignores `words` and `mode`. A note without a
 * vector has no neighbours yet. */
bool search_similar(struct call *c, struct search *s, struct text path, const struct search_query *query,
		    struct search_found *out);

/* How rare the rarest of these words is in the vault, 0 to 1. Returns 0 if all are stop words or in no note. */
double search_rarity(struct search *s, struct text words);

/* The part of `text` that contains most of the query's words, or the beginning if it contains none. At most `most` code
 * points, including the marks "..." at cut ends. Line breaks stay. The result is in the call's arena or in `text`. */
struct text search_snippet(struct call *c, struct search *s, struct text words, struct text text, size_t most);

#endif
