#include "kinds/hnpx/bible/mention.h"
#include "base/utf8.h"
#include "kinds/hnpx/story/cast.h"
#include "kinds/hnpx/story/loose.h"

bool is_title_word(struct text loose)
{
	static const char *const words[] = {
		"mr",        "mrs",     "ms",       "miss",       "mister",       "dr",        "doctor",    "prof",
		"professor", "sir",     "dame",     "lady",       "lord",         "captain",   "aunt",      "auntie",
		"uncle",     "father",  "mother",   "brother",    "sister",       "king",      "queen",     "prince",
		"princess",  "duke",    "duchess",  "count",      "countess",     "baron",     "general",   "colonel",
		"major",     "admiral", "sergeant", "lieutenant", "corporal",     "inspector", "detective", "officer",
		"constable", "judge",   "nurse",    "saint",      "st",           "reverend",  "pastor",    "rabbi",
		"sheikh",    "master",  "madam",    "madame",     "mademoiselle", "monsieur",  "herr",      "frau",
		"fraulein",  "senor",   "senora",   "signor",     "signora",      "don",       "dona",      "pan",
		"pani",      "old",     "young",    "little",     "the",          "a",         "an",        "of",
		"von",       "van",     "de",       "der",        "da",           "di",        "la",        "le",
		"el",        "al",      "and",      "president",  "grandma",      "grandpa",   "granny",
	};

	for (size_t i = 0; i < ARRAY_COUNT(words); i++)
		if (text_is(loose, words[i]))
			return true;
	return false;
}

enum { NAME_PART_MIN = 3 };

/* The words of a name that begin with a capital letter, each a name of its own. */
static void name_parts(struct arena *a, struct text name, struct texts *to)
{
	for (size_t n = 0, words = utf8_words(name); n < words; n++) {
		size_t from = utf8_word_at(name, n), at = from;
		uint32_t first = utf8_next(name, &at);
		while (at < name.len) {
			size_t next = at;
			if (!utf8_is_word(utf8_next(name, &next)))
				break;
			at = next;
		}
		struct text loose = loose_text(a, text_slice(name, from, at));
		if (utf8_lower(first) != first && loose.len >= NAME_PART_MIN && !is_title_word(loose))
			to->items[to->n++] = loose;
	}
}

struct texts bible_names(struct arena *a, const struct bible *b, const struct bible_entry *e)
{
	size_t words = utf8_words(e->name), bracket = text_find(e->name, TEXT(" ("), 0);
	struct texts names = {arena_array(a, e->aliases.n + words + 2, sizeof *names.items), 0};
	struct text name = bracket == SIZE_MAX ? e->name : text_slice(e->name, 0, bracket);

	names.items[names.n++] = loose_text(a, text_trim(name));
	for (size_t i = 0; i < e->aliases.n; i++)
		names.items[names.n++] = loose_text(a, e->aliases.items[i]);
	if (words > 1 && e->section != BIBLE_NONE && b->sections.items[e->section].known == SECTION_CHARACTERS)
		name_parts(a, name, &names);
	return names;
}

bool names_stand_in(struct texts names, struct text loose)
{
	for (size_t i = 0; i < names.n; i++)
		if (name_find(loose, names.items[i], 0) != SIZE_MAX)
			return true;
	return false;
}
