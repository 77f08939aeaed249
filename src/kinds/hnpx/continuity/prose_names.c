#include "kinds/hnpx/continuity/prose_names.h"
#include "base/utf8.h"
#include "kinds/hnpx/bible/mention.h"
#include "kinds/hnpx/prose/loose.h"
#include "kinds/hnpx/tree/reading.h"

#include <string.h>

/* What a word tells about the name next to it. */
enum verb {
	VERB_BEHIND = 1,  /* "Jonas nodded": only people do it */
	VERB_BEFORE = 2,  /* "said Jonas", "met Jonas" */
	VERB_PLACE = 4,   /* "in Lisbon" */
	VERB_ARTICLE = 8, /* "the Board": not the name of a person */
	VERB_NONE = 16,   /* a word that may begin a sentence and is not a name */
	VERB_TITLE = 32   /* Mr, Captain, the: see mention.h */
};

static const struct {
	uint32_t says;
	const char *words;
} table[] = {
	{VERB_BEHIND | VERB_BEFORE,
	 "said asked replied answered whispered murmured muttered shouted cried yelled added agreed admitted demanded "
	 "echoed exclaimed explained insisted interrupted mumbled observed promised protested remarked repeated snapped "
	 "suggested urged warned wondered says asks replies answers whispers"},
	{VERB_BEHIND,
	 "nodded shrugged smiled grinned laughed frowned sighed chuckled giggled blinked winced swallowed hesitated "
	 "stared glanced gazed watched listened walked knelt crouched sat thought remembered forgot hoped wished "
	 "decided believed sobbed wept coughed sneezed yawned stammered stuttered pointed gestured bowed called "
	 "nods shrugs smiles grins laughs frowns sighs stares glances watches listens walks sits thinks"},
	{VERB_BEFORE, "met told thanked kissed hugged married helped"},
	{VERB_PLACE, "in at to from near into through across toward towards outside inside beyond over on of around "
		     "via past"},
	{VERB_ARTICLE | VERB_NONE,
	 "the a an this that these those my your his her its our their every each no some any "
	 "another one first last whose"},
	{VERB_NONE,
	 "and but for nor yet she him they them you ours there here who what when where why how which while until since "
	 "because although though then than now not never always nobody somebody anybody everybody everyone someone "
	 "anyone noone none two three both neither either all many most few several other others nothing something "
	 "anything everything people men women children boys girls guests soldiers guards students teachers voices heads "
	 "eyes hands faces doors windows rain thunder lightning wind silence darkness light smoke snow waves time death "
	 "love god heaven christ jesus lord mother father mum mom mama papa dad daddy grandmother grandfather grandma "
	 "grandpa aunt uncle sister brother captain doctor sir madam miss mister please yes well okay perhaps maybe only "
	 "even just still again once with without monday tuesday wednesday thursday friday saturday sunday january "
	 "february march april may june july august september october november december christmas easter english french "
	 "german italian spanish russian latin american british listen look come wait oh ah hello hey hush thanks goodbye "
	 "see think hurry stop"},
};

static void verbs_add(struct names *n, const char *words, uint32_t says)
{
	while (*words) {
		size_t len = strcspn(words, " ");
		*map_at(&n->verbs, (struct text){words, len}, 0, NULL) |= says;
		word_filter_add(&n->verb_filter, (struct text){words, len});
		words += len + (words[len] == ' ');
	}
}

static void verbs_load(struct names *n)
{
	n->verbs.arena = n->arena;
	for (size_t i = 0; i < ARRAY_COUNT(table); i++)
		verbs_add(n, table[i].words, table[i].says);
	verbs_add(n, title_words, VERB_TITLE);
}

static uint32_t said_by(const struct names *n, struct text loose)
{
	const uint32_t *says = word_filter_may_hold(&n->verb_filter, loose) ? map_find(&n->verbs, loose) : NULL;

	return says ? *says : 0;
}

static void know_word(struct names *n, struct text word, bool is_person, bool is_place)
{
	struct text loose = loose_text(n->arena, word);
	bool was;
	uint32_t at = *map_at(&n->known_at, loose, (uint32_t)n->known.n, &was);
	word_filter_add(&n->known_filter, loose);

	if (!was)
		*ARRAY_PUSH(n->arena, &n->known) =
			(struct known_word){.written = word, .loose = loose, .folded = utf8_fold(n->arena, word)};
	struct known_word *k = &n->known.items[at];
	k->is_person |= is_person;
	k->is_place |= is_place;
	k->count += is_person;
	k->has_forms |= was && !text_same(k->folded, utf8_fold(n->arena, word));
}

void prose_names_know(struct names *n, struct text name, bool is_person, bool is_place)
{
	struct words words = {0};

	n->known_at.arena = n->met_at.arena = n->arena;
	words_split(&words, n->arena, name);
	for (size_t i = 0; i < words.list.n; i++) {
		struct text word = text_slice(name, words.list.items[i].from, words.list.items[i].to);
		/* Mr. Bennet makes no other "Mr." known. */
		if (!is_title_word(loose_text(n->arena, word)))
			know_word(n, word, is_person, is_place && words.list.items[i].is_capital);
	}
}

static struct known_word *known_of(struct names *n, struct text loose)
{
	const uint32_t *at = word_filter_may_hold(&n->known_filter, loose) ? map_find(&n->known_at, loose) : NULL;

	return at ? &n->known.items[*at] : NULL;
}

/* Counts a known name in the prose, and whether its accents differ. */
static void meet_known(struct names *n, struct known_word *k, struct text word, bool is_plain, uint32_t node)
{
	k->count++;
	if (k->has_forms || (is_plain && k->folded.len == word.len))
		return;
	if (text_same(utf8_fold(n->arena, word), k->folded))
		return;
	if (!k->other++) {
		k->other_at = node;
		k->other_form = text_copy(n->arena, word);
	}
}

enum { NAME_MIN = 3 };

static struct met_name *met_at(struct names *n, struct text written, struct text loose, uint32_t node)
{
	bool was;
	const uint32_t *found = map_find(&n->met_at, loose);

	if (!found) {
		struct text key = text_copy(n->arena, loose);
		map_at(&n->met_at, key, (uint32_t)n->met.n, &was);
		*ARRAY_PUSH(n->arena, &n->met) =
			(struct met_name){.written = text_copy(n->arena, written), .loose = key};
		found = map_find(&n->met_at, loose);
	}
	struct met_name *m = &n->met.items[*found];
	if (m->shown < NAME_NODES && (!m->shown || m->nodes[m->shown - 1] != node))
		m->nodes[m->shown++] = node;
	return m;
}

static struct met_name *meet(struct names *n, struct text written, struct text loose, uint32_t node)
{
	struct met_name *m = met_at(n, written, loose, node);

	m->count++;
	return m;
}

struct reading {
	struct names *n;
	struct text prose;
	uint32_t node;
	bool is_dialogue;
};

static const struct word *word_at(const struct reading *r, size_t i)
{
	return i < r->n->words->list.n ? &r->n->words->list.items[i] : NULL;
}

static uint32_t says_at(const struct reading *r, size_t i)
{
	char room[WORD_ROOM];
	const struct word *w = word_at(r, i);

	return w && !w->is_capital ? said_by(r->n, word_loose(r->n->arena, r->prose, w, room)) : 0;
}

/* "Mary, John, ...": but not "Listen, John, ..." */
static bool may_be_name(const struct reading *r, size_t i)
{
	char room[WORD_ROOM];
	const struct word *w = word_at(r, i);

	return w->is_capital &&
	       (word_is_inside(w) || !(said_by(r->n, word_loose(r->n->arena, r->prose, w, room)) & VERB_NONE));
}

/* Is the place inside speech with quotation marks? A straight mark opens and closes in turn. */
static bool is_quoted(struct text prose, size_t at)
{
	static const char *const opening[] = {"\u201c", "\u201e", "\u00ab"}, *const closing[] = {"\u201d", "\u00bb"};
	size_t straight = 0;

	while (at-- > 0) {
		struct text rest = text_slice(prose, at, prose.len);
		straight += prose.at[at] == '"';
		for (size_t i = 0; i < ARRAY_COUNT(opening); i++)
			if (text_starts(rest, opening[i]))
				return true;
		for (size_t i = 0; i < ARRAY_COUNT(closing); i++)
			if (text_starts(rest, closing[i]))
				return false;
	}
	return straight % 2;
}

/* Is somebody addressed by name in speech, between commas or at the end: "Listen, Jonas, ..."? Not in a list of
 * names. */
static bool is_called(const struct reading *r, size_t from, size_t to)
{
	const struct word *first = word_at(r, from), *last = word_at(r, to - 1), *next = word_at(r, to);

	if (!from || first->before != GAP_COMMA || may_be_name(r, from - 1))
		return false;
	if (!r->is_dialogue && !is_quoted(r->prose, first->from))
		return false;
	if (last->behind & GAP_QUOTE)
		return true;
	return last->behind & (GAP_COMMA | GAP_STOP) && (!next || last->behind & GAP_STOP || !next->is_capital);
}

/* The first word of a speech, before a comma: "Jonas, listen." It may be no name: "However, ..." */
static bool is_first_called(const struct reading *r, size_t from, size_t to)
{
	uint8_t before = word_at(r, from)->before;
	const struct word *next = word_at(r, to);

	return (before & GAP_QUOTE || (r->is_dialogue && before & GAP_START)) &&
	       word_at(r, to - 1)->behind == GAP_COMMA && (!next || !next->is_capital);
}

/* A run of words with capitals, [from, to), none of them known. The titles before it begin at `start`. */
static void meet_run(const struct reading *r, size_t start, size_t from, size_t to, bool has_title)
{
	struct names *n = r->n;
	const struct word *first = word_at(r, from);
	bool inside = word_is_inside(first) || has_title;
	uint32_t behind = word_at(r, to - 1)->behind ? 0 : says_at(r, to),
		 before = start && !word_at(r, start)->before ? says_at(r, start - 1) : 0;
	/* A title is not enough: Miss Arden may have any family name, and Queen Mab need not be a character of the
	 * story. */
	bool is_person =
		!(before & VERB_ARTICLE) && (behind & VERB_BEHIND || before & VERB_BEFORE || is_called(r, start, to));
	char room[WORD_ROOM];
	struct text written = text_slice(r->prose, first->from, word_at(r, to - 1)->to);
	struct text loose =
		to - from == 1 ? word_loose(n->arena, r->prose, first, room) : loose_text(n->arena, written);

	if (loose.len < NAME_MIN || (to - from == 1 && said_by(n, loose) & VERB_NONE))
		return;
	if (!inside && !(behind & VERB_BEHIND)) {
		struct met_name *m = met_at(n, written, loose, r->node);
		m->starts++;
		m->calls += is_first_called(r, start, to);
		return;
	}
	struct met_name *m = meet(n, written, loose, r->node);
	m->inside += inside;
	n->capitals += inside && !is_person ? (uint32_t)(to - from) : 0;
	m->persons += is_person;
	m->calls += is_first_called(r, start, to);
	m->is_titled |= has_title;
	m->places += (before & (VERB_PLACE | VERB_ARTICLE)) != 0;
}

/* Mr, Captain: but not "The" and "Old". */
static bool is_address(const struct reading *r, size_t i)
{
	char room[WORD_ROOM];
	struct text word = word_loose(r->n->arena, r->prose, word_at(r, i), room);

	return !(said_by(r->n, word) & VERB_ARTICLE) && !text_is(word, "old") && !text_is(word, "young") &&
	       !text_is(word, "little") && word.len > 1;
}

static bool is_article(const struct reading *r, size_t i)
{
	char room[WORD_ROOM];

	return said_by(r->n, word_loose(r->n->arena, r->prose, word_at(r, i), room)) & VERB_ARTICLE;
}

static size_t past_titles(const struct reading *r, size_t from, size_t to)
{
	char room[WORD_ROOM];

	while (from < to && said_by(r->n, word_loose(r->n->arena, r->prose, word_at(r, from), room)) & VERB_TITLE)
		from++;
	return from;
}

/* Words beside a known name: the family name in "Tom Pike" if only Tom is known. */
static void join_run(const struct reading *r, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		char room[WORD_ROOM];
		const struct word *w = word_at(r, i);
		struct text loose = word_loose(r->n->arena, r->prose, w, room);
		if ((i == from && !word_is_inside(w)) || loose.len < NAME_MIN || known_of(r->n, loose) ||
		    said_by(r->n, loose) & (VERB_NONE | VERB_TITLE))
			continue;
		struct met_name *m = met_at(r->n, text_slice(r->prose, w->from, w->to), loose, r->node);
		m->is_joined = true;
		m->starts++;
	}
}

/* Reads the words with capitals from `from` on, and returns where they end. */
static size_t read_run(const struct reading *r, size_t from)
{
	struct names *n = r->n;
	size_t to = from + 1;
	bool is_known = false, has_title = false;

	for (const struct word *w; (w = word_at(r, to)) && w->is_capital && to - from < 6; to++) {
		char room[WORD_ROOM];
		const struct word *last = word_at(r, to - 1);
		bool is_title = said_by(n, word_loose(n->arena, r->prose, last, room)) & VERB_TITLE;
		if (w->before && !(is_title && w->before == GAP_STOP))
			break;
	}
	for (size_t i = from; i < to; i++) {
		char room[WORD_ROOM];
		const struct word *w = word_at(r, i);
		struct text loose = word_loose(n->arena, r->prose, w, room);
		struct known_word *k = known_of(n, loose);
		if (k) {
			is_known = true;
			meet_known(n, k, text_slice(r->prose, w->from, w->to), w->is_plain, r->node);
		}
	}
	if (is_known) {
		join_run(r, from, to);
		return to;
	}
	size_t start = from;
	/* The first word of a sentence always has a capital, so it may not be part of the name. */
	size_t name = past_titles(r, from, to);
	if (name == from && to - from > 1 && !word_is_inside(word_at(r, from)))
		name = past_titles(r, start = ++from, to);
	has_title = name > from && name < to && is_address(r, name - 1);
	if (name > start && name < to && is_article(r, start)) /* "The Board said no." */
		return to;
	if (name < to)
		meet_run(r, has_title ? start : name, name, to, has_title);
	return to;
}

void prose_names_read(struct names *n, uint32_t paragraph, struct text prose, const struct words *words,
		      bool is_dialogue)
{
	struct reading r = {n, prose, paragraph, is_dialogue};

	if (!n->verbs.n)
		verbs_load(n);
	n->words = words;
	n->inside += (uint32_t)words->list.n;
	for (size_t i = 0; i < words->list.n;)
		i = words->list.items[i].is_capital ? read_run(&r, i) : i + 1;
}

enum { OFTEN = 8 };

static void look_for_common(struct names *n, struct arena *scratch, struct text prose, struct words *words,
			    const struct word_filter *filter)
{
	words_split(words, n->arena, prose);
	for (size_t i = 0; i < words->list.n; i++) {
		const struct word *w = &words->list.items[i];
		char room[WORD_ROOM];
		if (w->is_capital || (w->is_plain && !word_filter_may_hold(filter, text_slice(prose, w->from, w->to))))
			continue;
		const uint32_t *at = map_find(&n->met_at, word_loose(scratch, prose, w, room));
		if (at)
			n->met.items[*at].is_common = true;
	}
}

void prose_names_settle(struct names *n)
{
	struct word_filter filter = {{0}};
	struct words words = {0};
	bool any = false;

	for (size_t i = 0; i < n->met.n; i++)
		if (name_is_nobodys(n, &n->met.items[i]) || name_slip(n, &n->met.items[i])) {
			word_filter_add(&filter, n->met.items[i].loose);
			any = true;
		}
	for (uint32_t i = 0; any && i < n->book->n; i++) {
		if (n->book->nodes[i].level != LEVEL_PARAGRAPH)
			continue;
		struct arena scratch = {0};
		look_for_common(n, &scratch, node_shown_prose(&scratch, n->book, i), &words, &filter);
		arena_free(&scratch);
	}
}

/* Apart from names of people, at most one in twenty English words has a capital; in German it is one in four. */
bool prose_names_are_told_by_capitals(const struct names *n) { return n->capitals * 6 < n->inside; }

/* Does the name occur often, or one of its words? For example John Bildad, where Bildad is frequent. */
static bool is_often(const struct names *n, const struct met_name *m)
{
	if (m->count >= OFTEN)
		return true;
	for (size_t from = 0, to; from < m->loose.len; from = to + 1) {
		to = text_find(m->loose, TEXT(" "), from);
		to = to == SIZE_MAX ? m->loose.len : to;
		const uint32_t *at = map_find(&n->met_at, text_slice(m->loose, from, to));
		if (at && n->met.items[*at].count >= OFTEN)
			return true;
	}
	return false;
}

bool name_is_nobodys(const struct names *n, const struct met_name *m)
{
	uint32_t persons = m->persons + (m->inside ? m->calls : 0);

	return prose_names_are_told_by_capitals(n) && persons > m->places && !is_often(n, m) && !m->is_common &&
	       !m->is_joined;
}

static bool differs_in_ending(struct text a, struct text b)
{
	size_t same = 0, longer = a.len > b.len ? a.len : b.len;

	while (same < a.len && same < b.len && a.at[same] == b.at[same])
		same++;
	/* "Smiths" is a plural. In scripts with two bytes per letter, the last two letters may be an inflection. */
	return ((unsigned char)a.at[0] >= 0xc4 && same + 5 > longer) ||
	       (same == b.len &&
		(text_is(text_slice(a, same, a.len), "s") || text_is(text_slice(a, same, a.len), "es")));
}

enum { SLIP_MIN = 4 };

static bool is_swapped(struct text a, struct text b)
{
	size_t differ = 0;

	for (size_t i = 0; i < a.len && i < b.len; i++)
		differ += a.at[i] != b.at[i];
	return differ == 2;
}

const struct known_word *name_slip(const struct names *n, const struct met_name *m)
{
	uint32_t count = m->count + m->starts;

	if (count > 2 || m->is_common || m->loose.len < SLIP_MIN || !prose_names_are_told_by_capitals(n))
		return NULL;
	for (size_t i = 0; i < n->known.n; i++) {
		const struct known_word *k = &n->known.items[i];
		unsigned cap = (unsigned char)m->loose.at[0] >= 0xc4 ? 2 : 1;
		/* Short names that differ in one letter are often two different names: Mira, Mara. */
		bool is_risky = m->loose.len == SLIP_MIN && k->loose.len == SLIP_MIN && !is_swapped(m->loose, k->loose);
		bool fits = k->is_person || (k->is_place && !m->is_titled && !m->persons);
		if (fits && !is_risky && k->count > 2 * count && k->loose.len >= SLIP_MIN &&
		    k->loose.at[0] == m->loose.at[0] && text_distance(m->loose, k->loose, cap) <= cap &&
		    !differs_in_ending(m->loose, k->loose) && !differs_in_ending(k->loose, m->loose))
			return k;
	}
	return NULL;
}
