/* stem.c: words without English endings.
 *
 * Light on purpose: plurals, -ing and -ed. Heavier stemming finds more and means less; the encoder covers the rest. */
#include "kinds/notes/search/words.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT_MIN = 4 /* shorter words have no ending to lose */ };

static bool is_vowel(char c) { return c && strchr("aeiouy", c); }

static bool has_vowel(const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (is_vowel(word[i]))
			return true;
	return false;
}

static bool ends(const char *word, size_t len, const char *ending)
{
	size_t n = strlen(ending);

	return len > n && !memcmp(word + len - n, ending, n);
}

static int word_order(const void *a, const void *b)
{
	return text_order(*(const struct text *)a, text_of(*(const char *const *)b));
}

static bool is_among(struct text word, const char *const *sorted, size_t n)
{
	return bsearch(&word, sorted, n, sizeof *sorted, word_order);
}

/* -ing and -ed that are no endings. */
static bool is_whole(struct text word)
{
	static const char *const whole[] = {
		"anything", "bring",  "ceiling",   "embed",  "evening", "everything", "hundred", "morning",
		"nothing",  "sacred", "something", "spring", "string",  "thing",      "wedding",
	};

	return is_among(word, whole, sizeof whole / sizeof *whole);
}

static size_t without_plural(char *word, size_t len)
{
	if (ends(word, len, "sses"))
		return len - 2;
	if (ends(word, len, "ies") && len > 4) {
		word[len - 3] = 'y';
		return len - 2;
	}
	if (ends(word, len, "xes") || ends(word, len, "ches") || ends(word, len, "shes") || ends(word, len, "zes"))
		return len - 2;
	if (ends(word, len, "s") && !ends(word, len, "ss") && !ends(word, len, "us") && !ends(word, len, "is"))
		return len - 1;
	return len;
}

/* What stands before -ing or -ed: "planning" is plan, "making" is make, "asked" is ask. */
static size_t repaired(char *word, size_t len)
{
	char last = word[len - 1];

	if (last == word[len - 2] && !is_vowel(last) && !strchr("lsz", last))
		return len - 1;
	bool is_short = len <= 3 && !is_vowel(last) && !strchr("wx", last) && is_vowel(word[len - 2]);
	if (is_short)
		word[len++] = 'e';
	return len;
}

static size_t without_verb_ending(char *word, size_t len)
{
	size_t n = ends(word, len, "ing") ? 3 : ends(word, len, "ed") ? 2 : 0;

	if (!n || len - n < 2 || !has_vowel(word, len - n) || is_whole((struct text){word, len}))
		return len;
	/* "used" and "using" are use; "need" and "red" are themselves. */
	if (len - n == 2 && !(is_vowel(word[0]) && !is_vowel(word[1])))
		return len;
	return repaired(word, len - n);
}

size_t word_stem(char *word, size_t len)
{
	if (len < KEPT_MIN)
		return len;
	for (size_t i = 0; i < len; i++)
		if (word[i] < 'a' || word[i] > 'z')
			return len;
	len = without_plural(word, len);
	len = without_verb_ending(word, len);
	return len > KEPT_MIN && word[len - 1] == 'e' ? len - 1 : len;
}

bool word_is_stop(struct text folded)
{
	static const char *const stops[] = {
		"a",     "about",  "after", "all",   "also",   "am",    "an",   "and",   "any",    "are",  "arent",
		"as",    "at",     "be",    "been",  "being",  "but",   "by",   "can",   "cannot", "cant", "could",
		"did",   "didnt",  "do",    "does",  "doesnt", "doing", "dont", "for",   "from",   "had",  "has",
		"have",  "having", "he",    "her",   "here",   "hers",  "him",  "his",   "how",    "i",    "if",
		"im",    "in",     "into",  "is",    "isnt",   "it",    "its",  "ive",   "just",   "me",   "my",
		"no",    "nor",    "not",   "of",    "on",     "or",    "our",  "ours",  "so",     "some", "such",
		"than",  "that",   "the",   "their", "theirs", "them",  "then", "there", "these",  "they", "this",
		"those", "to",     "too",   "us",    "very",   "was",   "we",   "were",  "what",   "when", "where",
		"which", "while",  "who",   "whom",  "why",    "will",  "with", "would", "you",    "your", "yours",
	};

	return folded.len <= 6 && is_among(folded, stops, sizeof stops / sizeof *stops);
}
