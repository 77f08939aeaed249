/* stem.c: words without English endings.
 *
 * Deliberately light: plurals, -ing and -ed. Heavier stemming finds more notes but with more errors; the encoder covers
 * the rest. */
#include "kinds/notes/search/words.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT_MIN = 4 /* shorter words are not stemmed */ };

static bool is_vowel(char c)
{
	static const uint32_t vowels = 1u << ('a' & 31) | 1u << ('e' & 31) | 1u << ('i' & 31) | 1u << ('o' & 31) |
				       1u << ('u' & 31) | 1u << ('y' & 31);

	return vowels >> (c & 31) & 1;
}

static bool has_vowel(const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (is_vowel(word[i]))
			return true;
	return false;
}

/* Runs for every word of every note. A macro, so that the compiler knows the ending and its length. */
#define ENDS(word, len, ending)                                                                                        \
	((len) > sizeof(ending) - 1 && !memcmp((word) + (len) - (sizeof(ending) - 1), ending, sizeof(ending) - 1))

static int word_order(const void *a, const void *b)
{
	return text_order(*(const struct text *)a, *(const struct text *)b);
}

static bool is_among(struct text word, const struct text *sorted, size_t n)
{
	return bsearch(&word, sorted, n, sizeof *sorted, word_order);
}

/* Words whose -ing or -ed is not an ending. */
static bool is_whole(struct text word)
{
	static const struct text whole[] = {TEXT("anything"), TEXT("bring"),      TEXT("ceiling"),   TEXT("embed"),
					    TEXT("evening"),  TEXT("everything"), TEXT("hundred"),   TEXT("morning"),
					    TEXT("nothing"),  TEXT("sacred"),     TEXT("something"), TEXT("spring"),
					    TEXT("string"),   TEXT("thing"),      TEXT("wedding")};

	return is_among(word, whole, sizeof whole / sizeof *whole);
}

static size_t without_plural(char *word, size_t len)
{
	if (ENDS(word, len, "sses"))
		return len - 2;
	if (ENDS(word, len, "ies") && len > 4) {
		word[len - 3] = 'y';
		return len - 2;
	}
	if (ENDS(word, len, "xes") || ENDS(word, len, "ches") || ENDS(word, len, "shes") || ENDS(word, len, "zes"))
		return len - 2;
	if (ENDS(word, len, "s") && !ENDS(word, len, "ss") && !ENDS(word, len, "us") && !ENDS(word, len, "is"))
		return len - 1;
	return len;
}

/* Repairs the stem before -ing or -ed: "planning" is plan, "making" is make, "asked" is ask. */
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
	size_t n = ENDS(word, len, "ing") ? 3 : ENDS(word, len, "ed") ? 2 : 0;

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
	static const struct text stops[] = {
		TEXT("a"),    TEXT("about"),  TEXT("after"),  TEXT("all"),   TEXT("also"),   TEXT("am"),
		TEXT("an"),   TEXT("and"),    TEXT("any"),    TEXT("are"),   TEXT("arent"),  TEXT("as"),
		TEXT("at"),   TEXT("be"),     TEXT("been"),   TEXT("being"), TEXT("but"),    TEXT("by"),
		TEXT("can"),  TEXT("cannot"), TEXT("cant"),   TEXT("could"), TEXT("did"),    TEXT("didnt"),
		TEXT("do"),   TEXT("does"),   TEXT("doesnt"), TEXT("doing"), TEXT("dont"),   TEXT("for"),
		TEXT("from"), TEXT("had"),    TEXT("has"),    TEXT("have"),  TEXT("having"), TEXT("he"),
		TEXT("her"),  TEXT("here"),   TEXT("hers"),   TEXT("him"),   TEXT("his"),    TEXT("how"),
		TEXT("i"),    TEXT("if"),     TEXT("im"),     TEXT("in"),    TEXT("into"),   TEXT("is"),
		TEXT("isnt"), TEXT("it"),     TEXT("its"),    TEXT("ive"),   TEXT("just"),   TEXT("me"),
		TEXT("my"),   TEXT("no"),     TEXT("nor"),    TEXT("not"),   TEXT("of"),     TEXT("on"),
		TEXT("or"),   TEXT("our"),    TEXT("ours"),   TEXT("so"),    TEXT("some"),   TEXT("such"),
		TEXT("than"), TEXT("that"),   TEXT("the"),    TEXT("their"), TEXT("theirs"), TEXT("them"),
		TEXT("then"), TEXT("there"),  TEXT("these"),  TEXT("they"),  TEXT("this"),   TEXT("those"),
		TEXT("to"),   TEXT("too"),    TEXT("us"),     TEXT("very"),  TEXT("was"),    TEXT("we"),
		TEXT("were"), TEXT("what"),   TEXT("when"),   TEXT("where"), TEXT("which"),  TEXT("while"),
		TEXT("who"),  TEXT("whom"),   TEXT("why"),    TEXT("will"),  TEXT("with"),   TEXT("would"),
		TEXT("you"),  TEXT("your"),   TEXT("yours")};

	return folded.len <= 6 && is_among(folded, stops, sizeof stops / sizeof *stops);
}
