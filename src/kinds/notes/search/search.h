/* search.h: finds notes by their words and by their meaning.
 *
 *	search_open(c, &options, &search)         at the kind's first use; reads no note
 *	search_put(search, &note)                 for each note, at its first sight and after each change
 *	search_complete(search)                   once, after the first sight of all
 *	search_remove(search, path)
 *	search_find(c, search, &query, &found)    paths and scores, best first
 *	search_snippet(c, search, words, text)    the part of a note that matched
 *	search_rarity(search, words)              how much a word tells
 *	search_close(search)
 *
 * The engine keeps an inverted index of words and one vector for each note, not the notes' text. A score is absolute,
 * 0 to 1: the words' half is BM25 divided by the most that the query could reach, the meaning's half is the cosine of
 * the two vectors. Vectors are computed by a thread of the engine's own, and kept in a file below the state folder
 * that may be deleted at any time. A note whose vector is missing yet counts by its words alone; search_count() says
 * how many there are.
 *
 * Every function may be called from any thread at any time until search_close(). search_put() costs about 25 ms for
 * each megabyte of text. A kind that wants to answer other calls quickly puts its notes at the first search. No
 * function waits for the vectors of notes, but search_find() computes the query's own: a few milliseconds, or one
 * request to the embedding service. */
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

/* Why there is no search with these options: one sentence that says what to do. NULL: there is. */
const char *search_absence(const struct search_options *options);

/* False: c->error says what is wrong with the options. Opens nothing but the cache. Without a model ("none", or a build
 * without one) the engine still finds by words; SEARCH_MEANING and SEARCH_BLEND are then refused. */
bool search_open(struct call *c, const struct search_options *options, struct search **out);
void search_close(struct search *s); /* NULL is fine; waits for the thread, which stops within moments */

struct search_note {
	struct text path;  /* the note's id */
	struct text title; /* found five times as easily as a word of the text */
	struct texts tags;
	struct text text; /* without the front matter; malformed UTF-8 is harmless */
	int64_t priority; /* vectors are computed in this order, highest first: the time of change, say */
};

/* Adds the note or replaces the one of that path. The texts are copied. */
void search_put(struct search *s, const struct search_note *note);
bool search_remove(struct search *s, struct text path); /* false: there was none */
bool search_has(struct search *s, struct text path);
/* Says that every note of the vault was put: from now on kept vectors that no note uses may be deleted. */
void search_complete(struct search *s);

struct search_count {
	size_t notes;
	size_t vectors;      /* notes that have one */
	const char *problem; /* why vectors do not get more, in the caller's arena; NULL: nothing is wrong */
};
struct search_count search_count(struct search *s, struct arena *a);
/* Waits until every note has a vector, or the time has passed, or nothing gets better. For tests and tools that
 * prepare a vault; false: some are missing. */
bool search_settle(struct search *s, int64_t ms);

enum search_mode {
	SEARCH_BLEND,  /* half words, half meaning */
	SEARCH_WORDS,  /* needs no model */
	SEARCH_MEANING /* vectors only */
};

struct search_query {
	struct text words;
	enum search_mode mode;
	double threshold;  /* the least score of a hit; 0: whatever matches at all */
	struct texts tags; /* only notes with one of these tags, or with one below it: a/b is below a */
	struct text path;  /* only this note, or notes below this folder; absent or empty: all */
	size_t limit;      /* at least 1 */
	/* Only notes it says yes to, for grants and the like; NULL: all. Must not call the engine. */
	bool (*may)(const void *context, struct text path);
	const void *context;
};

struct search_hit {
	struct text path;
	double score;          /* 0 to 1 */
	double words, meaning; /* the two halves, each 0 to 1; 0 when the mode does not ask for it */
};

struct search_found {
	struct search_hit *items; /* best first, then by path; in the call's arena */
	size_t n;
	size_t total;          /* hits before the limit */
	size_t notes, vectors; /* of the whole vault, when the query ran: "semantic index 12 of 40" */
	const char *problem;   /* why vectors are missing, if the last try failed; empty: they are on their way */
};

/* False: c->error says why: an empty query, a mode without a model, a service that failed (PROVIDER_ERROR). */
bool search_find(struct call *c, struct search *s, const struct search_query *query, struct search_found *out);

/* The notes nearest in meaning to this one, itself left out. `words` and `mode` are ignored. A note without a vector
 * yet has no neighbours. */
bool search_similar(struct call *c, struct search *s, struct text path, const struct search_query *query,
		    struct search_found *out);

/* How rare the rarest of these words is in the vault, 0 to 1; 0: they are stop words, or in no note. */
double search_rarity(struct search *s, struct text words);

/* The stretch of `text`, at most `most` code points with the marks "..." at cut ends, that holds most of the query's
 * words; the beginning when it holds none. Line breaks stay. Lives in the call's arena or in `text`. */
struct text search_snippet(struct call *c, struct search *s, struct text words, struct text text, size_t most);

#endif
