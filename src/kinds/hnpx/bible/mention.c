#include "kinds/hnpx/bible/mention.h"
#include "base/utf8.h"
#include "kinds/hnpx/story/cast.h"
#include "kinds/hnpx/story/loose.h"

#include <string.h>

const char title_words[] =
	"a admiral al an and aunt auntie baron brother captain colonel constable corporal count countess da dame de "
	"der detective di doctor don dona dr duchess duke el father frau fraulein general grandma grandpa granny "
	"herr inspector judge king la lady le lieutenant little lord madam madame mademoiselle major master miss "
	"mister monsieur mother mr mrs ms nurse of officer old pan pani pastor president prince princess prof "
	"professor queen rabbi reverend saint senor senora sergeant sheikh signor signora sir sister st the uncle "
	"van von young";

bool is_title_word(struct text loose)
{
	for (const char *at = title_words; *at;) {
		const char *end = strchr(at, ' ');
		size_t len = end ? (size_t)(end - at) : strlen(at);
		if (loose.len == len && !memcmp(loose.at, at, len))
			return true;
		at += len + (end != NULL);
	}
	return false;
}

enum { NAME_PART_MIN = 3 };

/* Splits a name into its words with a capital letter. Each is a name by itself. */
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
