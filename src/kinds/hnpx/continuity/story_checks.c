/* story_checks.c: a character in two places at one time, a point of view that changes, facts without their evidence,
 * threads that are never named again. */
#include "base/map.h"
#include "base/utf8.h"
#include "kinds/hnpx/bible/mention.h"
#include "kinds/hnpx/continuity/checks.h"
#include "kinds/hnpx/continuity/words.h"
#include "kinds/hnpx/story/cast.h"
#include "kinds/hnpx/story/loose.h"
#include "kinds/hnpx/story/step.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"

/* --- a character in two places at one time --------------------------------------------------------------------------
 */

static bool is_one_of(struct text word, const char *const *list)
{
	for (; *list; list++)
		if (text_is(word, *list))
			return true;
	return false;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* What a time says: an instant (10:15, 9 pm, noon), whether with a date, or something vague. */
struct instant {
	bool is_clock, has_date, is_vague;
};

static struct instant instant_of(struct arena *a, struct text loose)
{
	static const char *const points[] = {"noon", "midday", "midnight", "sunrise", "sunset", NULL},
				 *const units[] = {"am",  "pm", "a",   "p",     "o'clock", "oclock",
						   "uhr", "h",  "hrs", "hours", NULL},
				 *const vague[] = {"about", "around",  "before", "after", "until", "till",   "later",
						   "past",  "towards", "toward", "to",    "circa", "nearly", NULL};
	struct words words = {0};
	struct instant i = {0};
	uint32_t numbers = 0, clock = 0;

	words_split(&words, a, loose);
	for (size_t k = 0; k < words.list.n; k++) {
		const struct word *w = &words.list.items[k];
		struct text word = text_slice(loose, w->from, w->to);
		bool is_number = is_digit(word.at[0]);
		i.is_vague |= is_one_of(word, vague);
		i.is_clock |= is_one_of(word, points);
		numbers += is_number;
		struct text next = k + 1 < words.list.n ? text_slice(loose, w[1].from, w[1].to) : TEXT("");
		/* 10:15 is two numbers with a colon between; 9pm is one word, "9 pm" two. */
		bool is_pair = is_number && next.len == 2 && is_digit(next.at[0]) && loose.at[w->to] == ':';
		size_t digits = 0;
		while (digits < word.len && is_digit(word.at[digits]))
			digits++;
		bool has_unit = is_number && (is_one_of(text_slice(word, digits, word.len), units) ||
					      (digits == word.len && !w->behind && is_one_of(next, units)));
		if (is_pair || has_unit) {
			i.is_clock = true;
			clock += 1 + is_pair;
		}
	}
	i.has_date = numbers > clock;
	return i;
}

/* "House, kitchen" is in "House", and two rooms of one house are near enough. */
static bool are_apart(struct arena *a, struct text x, struct text y)
{
	struct text one = loose_text(a, text_trim(x)), two = loose_text(a, text_trim(y));
	size_t c1 = text_find(one, TEXT(","), 0), c2 = text_find(two, TEXT(","), 0);

	if (name_find(one, two, 0) != SIZE_MAX || name_find(two, one, 0) != SIZE_MAX)
		return false;
	return !text_same(text_slice(one, 0, c1), text_slice(two, 0, c2));
}

static void be_there(struct findings *f, struct map *seen, struct text when, uint32_t sequence, struct text who)
{
	struct arena *a = f->c->arena;
	bool was;
	struct text loose = loose_text(a, text_trim(who));

	if (!loose.len)
		return;
	struct text key = text_format(a, "%.*s\n%.*s", TEXT_ARGS(when), TEXT_ARGS(loose));
	uint32_t first = *map_at(seen, key, sequence, &was);
	struct text here = node_place_name(a, f->book, sequence), there = node_place_name(a, f->book, first);
	if (!was || first == sequence || !are_apart(a, here, there))
		return;
	const uint32_t nodes[] = {first, sequence};
	finding_add(f, CHECK_PLACES, text_trim(who), nodes, 2, "%s is in %s and in %s at the same time, %s",
		    shown(f->c, text_trim(who)), shown(f->c, there), shown(f->c, here),
		    shown(f->c, node_attribute(a, f->book, sequence, "time")));
	*map_at(seen, key, sequence, NULL) = sequence;
}

void check_places(struct findings *f)
{
	struct arena *a = f->c->arena;
	const struct book *b = f->book;
	struct map seen = {.arena = a};

	for (uint32_t i = 0; i < b->n; i++) {
		if (b->nodes[i].level != LEVEL_SEQUENCE)
			continue;
		struct text when = loose_text(a, text_trim(node_attribute(a, b, i, "time")));
		struct instant at = instant_of(a, when);
		if (!at.is_clock || at.is_vague)
			continue;
		if (!at.has_date) /* ten o'clock of another chapter is another day */
			when = text_format(a, "%.*s\n%u", TEXT_ARGS(when), b->nodes[i].parent);
		be_there(f, &seen, when, i, node_pov(a, b, i));
		for (uint32_t k = i + 1; k < b->nodes[i].after; k++)
			if (b->nodes[k].level == LEVEL_PARAGRAPH)
				be_there(f, &seen, when, i, node_attribute(a, b, k, "char"));
	}
}

/* --- a point of view that changes inside a sequence ------------------------------------------------------------------
 */

enum { POV_NODES = 5 };

static void pov_of_sequence(struct findings *f, uint32_t sequence)
{
	struct arena *a = f->c->arena;
	const struct book *b = f->book;
	struct text pov = text_trim(node_pov(a, b, sequence)), other = {0};
	uint32_t nodes[POV_NODES], n = 0;

	for (uint32_t i = sequence + 1; i < b->nodes[sequence].after; i++) {
		if (b->nodes[i].level != LEVEL_PARAGRAPH || node_mode(a, b, i) != MODE_INTERNAL)
			continue;
		struct text who = text_trim(node_attribute(a, b, i, "char"));
		if (!who.len)
			continue;
		if (!pov.len)
			pov = who;
		if (same_person(f, who, pov))
			continue;
		other = other.at ? other : who;
		if (n < POV_NODES)
			nodes[n++] = i;
	}
	if (n)
		finding_add(f, CHECK_POV, other, nodes, n,
			    "The point of view is %s's, but %s thinks in this sequence too", shown(f->c, pov),
			    shown(f->c, other));
}

void check_pov(struct findings *f)
{
	for (uint32_t i = 0; i < f->book->n; i++)
		if (f->book->nodes[i].level == LEVEL_SEQUENCE)
			pov_of_sequence(f, i);
}

/* --- facts ----------------------------------------------------------------------------------------------------------
 */

void check_facts(struct findings *f)
{
	struct arena *a = f->c->arena;

	for (size_t i = 0; f->bible && i < f->bible->entries.n; i++) {
		const struct bible_entry *e = &f->bible->entries.items[i];
		for (uint32_t k = e->first_fact; k < e->first_fact + e->facts; k++) {
			const struct bible_fact *fact = &f->bible->facts.items[k];
			enum evidence state = bible_evidence(a, fact, f->book);
			if (state != EVIDENCE_CHANGED && state != EVIDENCE_GONE)
				continue;
			uint32_t node = book_find(f->book, fact->id);
			finding_add(
				f, CHECK_FACTS, e->name, &node, node == BOOK_NONE ? 0 : 1,
				state == EVIDENCE_GONE
					? "The fact \"%s\" cites %s, which is no paragraph of the book any more"
					: "The fact \"%s\" cites %s, which has changed since; edit_bible with add_facts "
					  "confirms it",
				shown(f->c, fact->text), id_text(a, fact->id).at);
		}
	}
}

/* --- threads --------------------------------------------------------------------------------------------------------
 */

/* An entry in the book: the first and last sequence that names it. */
struct thread {
	uint32_t first, last; /* BOOK_NONE: it was not met */
	uint32_t node;        /* the paragraph that names it first */
};
struct thread_name {
	struct text loose;
	uint32_t entry, next; /* of the names that begin with the same word; BIBLE_NONE: none */
};
struct threads {
	struct findings *f;
	struct map first_word;
	ARRAY(struct thread_name) names;
	struct thread *entries;
	struct words words;
	uint8_t begins[256]; /* first bytes of names, in small letters */
};

static struct text first_word_of(struct arena *a, struct text loose)
{
	struct words words = {0};

	words_split(&words, a, loose);
	return words.list.n ? text_slice(loose, words.list.items[0].from, words.list.items[0].to) : TEXT("");
}

static void threads_load(struct threads *t)
{
	struct arena *a = t->f->c->arena;
	const struct bible *b = t->f->bible;

	t->first_word.arena = a;
	t->entries = arena_array(a, b->entries.n + 1, sizeof *t->entries);
	for (uint32_t i = 0; i < b->entries.n; i++) {
		const struct bible_entry *e = &b->entries.items[i];
		int known = e->section == BIBLE_NONE ? -1 : b->sections.items[e->section].known;
		t->entries[i] = (struct thread){BOOK_NONE, BOOK_NONE, BOOK_NONE};
		if (known == SECTION_PLACES || known == SECTION_RULES)
			continue;
		struct texts names = bible_names(a, b, e);
		for (size_t k = 0; k < names.n; k++) {
			bool was;
			struct text first = first_word_of(a, names.items[k]);
			if (!first.len)
				continue;
			uint32_t *at = map_at(&t->first_word, first, BIBLE_NONE, &was);
			*ARRAY_PUSH(a, &t->names) = (struct thread_name){
				text_slice(names.items[k], (size_t)(first.at - names.items[k].at), names.items[k].len),
				i, *at};
			*at = (uint32_t)t->names.n - 1;
			t->begins[(unsigned char)first.at[0]] = 1;
		}
	}
}

static void thread_named(struct threads *t, uint32_t entry, uint32_t sequence, uint32_t node)
{
	struct thread *one = &t->entries[entry];
	bool is_prose = t->f->book->nodes[node].level == LEVEL_PARAGRAPH;

	if (one->first == BOOK_NONE && is_prose)
		*one = (struct thread){sequence, sequence, node};
	if (one->first != BOOK_NONE)
		one->last = sequence;
}

/* Names in a text; most words are passed over by their first letter. */
static void thread_text(struct threads *t, struct arena *scratch, struct text text, uint32_t sequence, uint32_t node)
{
	words_split(&t->words, t->f->c->arena, text);
	for (size_t i = 0; i < t->words.list.n; i++) {
		const struct word *w = &t->words.list.items[i];
		char room[WORD_ROOM];
		unsigned char c = (unsigned char)text.at[w->from];
		if (c < 0x80 && !t->begins[c >= 'A' && c <= 'Z' ? c | 32 : c])
			continue;
		const uint32_t *found = map_find(&t->first_word, word_loose(scratch, text, w, room));
		for (uint32_t k = found ? *found : BIBLE_NONE; k != BIBLE_NONE; k = t->names.items[k].next) {
			const struct thread_name *name = &t->names.items[k];
			struct text rest = text_slice(text, w->from, w->from + 4 * name->loose.len + 4);
			rest = text_slice(rest, 0, utf8_cut(rest, rest.len));
			if (name_find(loose_text(scratch, rest), name->loose, 0) == 0)
				thread_named(t, name->entry, sequence, node);
		}
	}
}

static bool threads_read(struct threads *t)
{
	const struct book *b = t->f->book;
	uint32_t sequence = BOOK_NONE;

	for (uint32_t i = 1; i < b->n; i++) {
		struct arena scratch = {0};
		int level = b->nodes[i].level;
		if (level == LEVEL_SEQUENCE)
			sequence = i;
		if (level == LEVEL_PARAGRAPH) {
			thread_text(t, &scratch, node_shown_prose(&scratch, b, i), sequence, i);
			thread_text(t, &scratch, node_attribute(&scratch, b, i, "char"), sequence, i);
		}
		/* A plan that names it again has not forgotten it. */
		uint32_t at = level == LEVEL_CHAPTER ? i : sequence;
		thread_text(t, &scratch, node_summary(&scratch, b, i), at, level == LEVEL_PARAGRAPH ? sequence : i);
		if (level == LEVEL_SEQUENCE) {
			thread_text(t, &scratch, node_place_name(&scratch, b, i), sequence, i);
			thread_text(t, &scratch, node_pov(&scratch, b, i), sequence, i);
		}
		arena_free(&scratch);
		if (!(i % 256) && !goes_on(t->f->c))
			return false;
	}
	return true;
}

static bool is_written(struct arena *a, const struct book *b, uint32_t node)
{
	for (uint32_t i = node; i < b->nodes[node].after; i++)
		if (b->nodes[i].level == LEVEL_PARAGRAPH && !text_is_blank(node_shown_prose(a, b, i)))
			return true;
	return false;
}

enum { GOES_ON = 5 }; /* written sequences of later chapters: more, and a thread that is not taken up is lost */

bool check_threads(struct findings *f)
{
	struct arena *a = f->c->arena;
	const struct book *b = f->book;
	struct threads t = {.f = f};

	if (!f->bible || !f->bible->entries.n)
		return true;
	threads_load(&t);
	if (!threads_read(&t))
		return false;
	uint32_t *later = arena_array(a, b->n + 1, sizeof *later), count = 0;
	bool is_done = book_next_empty(b, 0) == BOOK_NONE;
	for (uint32_t i = b->n; i-- > 0;) { /* written sequences behind each node */
		later[i] = count;
		if (b->nodes[i].level == LEVEL_SEQUENCE) {
			bool is = is_written(a, b, i);
			count += is;
			is_done &= is;
		}
	}
	for (uint32_t i = 0; i < f->bible->entries.n; i++) {
		const struct thread *one = &t.entries[i];
		if (one->first == BOOK_NONE || one->first != one->last)
			continue;
		uint32_t chapter = above_at(b, one->first, LEVEL_CHAPTER), end = b->nodes[chapter].after;
		uint32_t behind = end < b->n ? later[end] + 0 : 0;
		if (behind < (is_done ? 1 : GOES_ON))
			continue;
		const struct bible_entry *e = &f->bible->entries.items[i];
		finding_add(
			f, CHECK_THREADS, e->name, &one->node, 1,
			"%s is named in one sequence and never again; %u written sequences of later chapters follow",
			shown(f->c, e->name), behind);
	}
	return true;
}
