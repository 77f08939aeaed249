#include "kinds/hnpx/bible/mention.h"
#include "base/buffer.h"
#include "base/utf8.h"
#include "kinds/hnpx/prose/names.h"
#include "kinds/hnpx/prose/loose.h"

#include <string.h>

const char title_words[] =
	"a admiral al an and aunt auntie baron brother captain colonel constable corporal count countess da dame de "
	"der detective di doctor don dona dr duchess duke el father frau fraulein general grandma grandpa granny "
	"herr inspector judge king la lady le lieutenant little lord madam madame mademoiselle major master miss "
	"mister monsieur mother mr mrs ms nurse of officer old pan pani pastor president prince princess prof "
	"professor queen rabbi reverend saint senor senora sergeant sheikh signor signora sir sister st the uncle "
	"van von young";

static bool is_among(struct text word, const char *list)
{
	for (const char *at = list; *at;) {
		const char *end = strchr(at, ' ');
		size_t len = end ? (size_t)(end - at) : strlen(at);
		if (word.len == len && !memcmp(word.at, at, len))
			return true;
		at += len + (end != NULL);
	}
	return false;
}

bool is_title_word(struct text loose) { return is_among(loose, title_words); }

bool titles_agree(struct text a, struct text b)
{
	static const char men[] =
		"mr mister sir monsieur herr senor don dom uncle father brother king prince duke count "
		"baron grandpa lord",
			  women[] = "mrs miss ms lady madame madam mademoiselle frau fraulein senora dona dame aunt "
				    "auntie mother sister queen princess duchess countess grandma granny signora pani",
			  wives[] = "mrs madame frau senora", girls[] = "miss mademoiselle fraulein";

	return !(is_among(a, men) && is_among(b, women)) && !(is_among(a, women) && is_among(b, men)) &&
	       !(is_among(a, wives) && is_among(b, girls)) && !(is_among(a, girls) && is_among(b, wives));
}

bool is_character(const struct bible *b, const struct bible_entry *e)
{
	return e->section != BIBLE_NONE && b->sections.items[e->section].known == SECTION_CHARACTERS;
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
	if (words > 1 && is_character(b, e))
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

/* Some words of a text in loose form with single blanks. Other characters between them are ignored. */
static struct text joined_words(struct buffer *to, struct arena *a, struct text t, const struct word *words, size_t n)
{
	to->len = 0;
	for (size_t i = 0; i < n; i++) {
		char room[WORD_ROOM];
		buffer_put(to, i ? " " : "");
		buffer_add(to, word_loose(a, t, &words[i], room));
	}
	return buffer_text(to);
}

static void name_add(struct mentions *m, struct text name, const struct word *words, size_t n, struct mention_name what)
{
	struct arena *a = m->arena;
	struct buffer whole = {.arena = a};

	if (!n)
		return;
	struct text key = joined_words(&whole, a, name, words, n);
	struct text first = loose_text(a, text_slice(name, words[0].from, words[0].to));
	uint32_t *most = map_at(&m->first_word, first, (uint32_t)n, NULL);
	*most = *most < n ? (uint32_t)n : *most;
	uint32_t *at = map_at(&m->whole, key, BIBLE_NONE, NULL);
	what.next = *at;
	*ARRAY_PUSH(a, &m->names) = what;
	*ARRAY_PUSH(a, &m->small_words) = 0;
	*at = (uint32_t)m->names.n - 1;
	word_filter_add(&m->begins, first);
}

static void names_of_entry(struct mentions *m, uint32_t entry, struct words *words)
{
	const struct bible_entry *e = &m->bible->entries.items[entry];
	size_t bracket = text_find(e->name, TEXT(" ("), 0);
	struct text name = bracket == SIZE_MAX ? e->name : text_slice(e->name, 0, bracket), title = {0};
	bool is_person = is_character(m->bible, e);

	for (size_t i = 0; i <= e->aliases.n; i++) {
		struct text one = i ? e->aliases.items[i - 1] : name;
		words_split(words, m->arena, one);
		bool is_single = words->list.n == 1 && words->list.items[0].is_capital;
		name_add(m, one, words->list.items, words->list.n,
			 (struct mention_name){.entry = entry, .needs_capital = is_person && is_single});
	}
	words_split(words, m->arena, name);
	for (size_t i = 0; is_person && words->list.n > 1 && i < words->list.n; i++) {
		struct text loose =
			loose_text(m->arena, text_slice(name, words->list.items[i].from, words->list.items[i].to));
		if (is_title_word(loose)) {
			title = i ? title : loose;
			continue;
		}
		const uint32_t *known = map_find(&m->whole, loose);
		for (uint32_t k = known ? *known : BIBLE_NONE; k != BIBLE_NONE; k = m->names.items[k].next)
			if (m->names.items[k].entry == entry)
				loose.len = 0; /* an alias already */
		if (words->list.items[i].is_capital && loose.len >= NAME_PART_MIN)
			name_add(m, name, &words->list.items[i], 1,
				 (struct mention_name){.entry = entry,
						       .is_part = true,
						       .needs_capital = true,
						       .is_last = i + 1 == words->list.n,
						       .title = title});
	}
}

struct mentions *mentions_new(struct arena *a, const struct bible *b)
{
	struct mentions *m = arena_new(a, struct mentions);
	struct words words = {0};

	*m = (struct mentions){.arena = a, .bible = b, .first_word.arena = a, .whole.arena = a};
	for (uint32_t i = 0; b && i < b->entries.n; i++)
		names_of_entry(m, i, &words);
	return m;
}

static struct text loose_at(struct mentions *m, struct text t, const struct word *w, char room[WORD_ROOM])
{
	return word_loose(m->arena, t, w, room);
}

/* Is this part of a name the name of somebody else: "Ada Long" or "Mr. Long" for Mrs. Long? */
static bool is_another(struct mentions *m, const struct mention_name *name, struct text t, const struct words *words,
		       size_t at)
{
	const struct word *w = &words->list.items[at];
	char room[WORD_ROOM];

	if (at && !(w->before & ~GAP_STOP) && w[-1].is_capital) {
		struct text before = loose_at(m, t, &w[-1], room);
		if (is_title_word(before))
			return name->title.len && !titles_agree(name->title, before);
		if (!w->before && name->is_last)
			return word_is_inside(&w[-1]);
	}
	return !name->is_last && at + 1 < words->list.n && !w[1].before && w[1].is_capital &&
	       !is_title_word(loose_at(m, t, &w[1], room));
}

/* At the start of a sentence, or behind its first word: "Long ago", "Ada Long" and "Then Long" look alike. */
static bool is_in_doubt(struct mentions *m, struct text t, const struct words *words, size_t at)
{
	const struct word *w = &words->list.items[at];
	char room[WORD_ROOM];

	if (at && w->before == GAP_STOP && w[-1].is_capital && is_title_word(loose_at(m, t, &w[-1], room)))
		return false; /* Mr. Long */
	return !word_is_inside(w) || (at && !w->before && w[-1].is_capital && !word_is_inside(&w[-1]));
}

/* Adds the entries that these words name. Returns false if there is none. */
static bool found_at(struct mentions *m, struct text t, const struct words *words, size_t at, size_t n,
		     struct buffer *key)
{
	const struct word *w = &words->list.items[at];
	const uint32_t *first = map_find(&m->whole, joined_words(key, m->arena, t, w, n));
	size_t before = m->found.n, parts = 0;
	bool has_whole = false;

	for (uint32_t k = first ? *first : BIBLE_NONE; k != BIBLE_NONE; k = m->names.items[k].next)
		has_whole |= !m->names.items[k].is_part;
	for (uint32_t k = first ? *first : BIBLE_NONE; k != BIBLE_NONE; k = m->names.items[k].next) {
		const struct mention_name *name = &m->names.items[k];
		if (has_whole && name->is_part)
			continue;
		if (name->needs_capital && !w->is_capital) {
			m->small_words.items[k]++;
			continue;
		}
		if (name->is_part && is_another(m, name, t, words, at))
			continue;
		parts += name->is_part;
		*ARRAY_PUSH(m->arena, &m->found) =
			(struct mention){.entry = name->entry,
					 .from = w->from,
					 .to = w[n - 1].to,
					 .is_doubtful = name->needs_capital && is_in_doubt(m, t, words, at),
					 .small = k};
	}
	for (size_t i = before; parts > 1 && i < m->found.n; i++)
		m->found.items[i].is_shared = true;
	return m->found.n > before;
}

void mentions_read(struct mentions *m, struct text t, const struct words *words)
{
	struct buffer key = {.arena = m->arena};

	m->found.n = 0;
	for (size_t i = 0; i < words->list.n; i++) {
		const struct word *w = &words->list.items[i];
		char room[WORD_ROOM];
		if (w->is_plain && !word_filter_may_hold(&m->begins, text_slice(t, w->from, w->to)))
			continue;
		const uint32_t *most = map_find(&m->first_word, word_loose(m->arena, t, w, room));
		size_t n = most && i + *most > words->list.n ? words->list.n - i : most ? *most : 0;
		while (n && !found_at(m, t, words, i, n, &key))
			n--;
		i += n ? n - 1 : 0;
	}
}
