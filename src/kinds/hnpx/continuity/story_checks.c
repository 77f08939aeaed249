/* story_checks.c: finds characters in two places at one time, changing points of view, facts without valid evidence,
 * and entries that are never named again. */
#include "base/ascii.h"
#include "base/map.h"
#include "base/utf8.h"
#include "kinds/hnpx/bible/mention.h"
#include "kinds/hnpx/continuity/checks.h"
#include "kinds/hnpx/prose/words.h"
#include "kinds/hnpx/tree/pages.h"
#include "kinds/hnpx/prose/names.h"
#include "kinds/hnpx/prose/loose.h"
#include "kinds/hnpx/story/step.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"

static bool is_one_of(struct text word, const char *const *list)
{
	for (; *list; list++)
		if (text_is(word, *list))
			return true;
	return false;
}

/* A parsed time: an instant (10:15, 9 pm, noon) with or without a date, or something vague. */
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
		/* 10:15 is two numbers with a colon between them; 9pm is one word, "9 pm" two. */
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

/* "House, kitchen" is part of "House", and two rooms of one house count as the same place. */
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
		if (!at.has_date) /* the same time in another chapter may be another day */
			when = text_format(a, "%.*s\n%u", TEXT_ARGS(when), b->nodes[i].parent);
		be_there(f, &seen, when, i, node_pov(a, b, i));
		for (uint32_t k = i + 1; k < b->nodes[i].after; k++)
			if (b->nodes[k].level == LEVEL_PARAGRAPH)
				be_there(f, &seen, when, i, node_attribute(a, b, k, "char"));
	}
}

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

/* An entry in the book: the first and last sequence that names it. */
struct thread {
	uint32_t first, last; /* BOOK_NONE: not found */
	uint32_t node;        /* the paragraph that names it first */
};
struct doubt {
	uint32_t entry, sequence, node, small;
};
struct threads {
	struct findings *f;
	struct mentions *names;
	struct thread *entries;
	ARRAY(struct doubt) doubts; /* mentions that count only if the book never writes the word with a small letter */
	struct words words;
	uint32_t sequence; /* the current one */
};

static void thread_named(struct threads *t, uint32_t entry, uint32_t sequence, uint32_t node)
{
	struct thread *one = &t->entries[entry];
	bool is_prose = t->f->book->nodes[node].level == LEVEL_PARAGRAPH;

	if (is_prose && (one->first == BOOK_NONE || node < one->node)) {
		one->first = sequence;
		one->node = node;
	}
	if (one->first != BOOK_NONE && (one->last == BOOK_NONE || sequence > one->last))
		one->last = sequence;
}

/* Names in a text that was split into its words. Any entry that it may name counts. */
static void thread_words(struct threads *t, struct text text, const struct words *words, uint32_t sequence,
			 uint32_t node)
{
	mentions_read(t->names, text, words);
	for (size_t i = 0; i < t->names->found.n; i++) {
		const struct bible *b = t->f->bible;
		const struct mention *m = &t->names->found.items[i];
		uint32_t entry = m->entry, section = b->entries.items[entry].section;
		int known = section == BIBLE_NONE ? -1 : b->sections.items[section].known;
		if (known == SECTION_PLACES || known == SECTION_RULES)
			continue;
		if (m->is_doubtful)
			*ARRAY_PUSH(t->f->c->arena, &t->doubts) = (struct doubt){entry, sequence, node, m->small};
		else
			thread_named(t, entry, sequence, node);
	}
}

static void thread_text(struct threads *t, struct text text, uint32_t sequence, uint32_t node)
{
	words_split(&t->words, t->f->c->arena, text);
	thread_words(t, text, &t->words, sequence, node);
}

struct threads *threads_new(struct findings *f)
{
	struct threads *t = arena_new(f->c->arena, struct threads);

	t->f = f;
	t->sequence = BOOK_NONE;
	t->names = mentions_new(f->c->arena, f->bible);
	t->entries = arena_array(f->c->arena, f->bible->entries.n + 1, sizeof *t->entries);
	for (uint32_t i = 0; i < f->bible->entries.n; i++)
		t->entries[i] = (struct thread){BOOK_NONE, BOOK_NONE, BOOK_NONE};
	return t;
}

void threads_read(struct threads *t, uint32_t i, struct text prose, const struct words *words)
{
	const struct book *b = t->f->book;
	struct arena scratch = {0};
	int level = b->nodes[i].level;

	if (level == LEVEL_SEQUENCE)
		t->sequence = i;
	if (level == LEVEL_PARAGRAPH) {
		thread_words(t, prose, words, t->sequence, i);
		thread_text(t, node_attribute(&scratch, b, i, "char"), t->sequence, i);
	}
	/* A name in a plan counts as named again. */
	uint32_t at = level == LEVEL_CHAPTER || level == LEVEL_BOOK ? i : t->sequence;
	if (level != LEVEL_BOOK)
		thread_text(t, node_summary(&scratch, b, i), at, level == LEVEL_PARAGRAPH ? t->sequence : i);
	if (level == LEVEL_SEQUENCE) {
		thread_text(t, node_place_name(&scratch, b, i), t->sequence, i);
		thread_text(t, node_pov(&scratch, b, i), t->sequence, i);
	}
	arena_free(&scratch);
}

enum { GOES_ON = 5 }; /* a thread is forgotten if this many written sequences follow in later chapters */

void threads_tell(struct threads *t)
{
	struct findings *f = t->f;
	struct arena *a = f->c->arena;
	const struct book *b = f->book;
	uint32_t *later = arena_array(a, b->n + 1, sizeof *later), count = 0;
	for (size_t i = 0; i < t->doubts.n; i++) {
		const struct doubt *d = &t->doubts.items[i];
		if (!t->names->small_words.items[d->small])
			thread_named(t, d->entry, d->sequence, d->node);
	}
	bool is_done = book_next_empty(b, 0) == BOOK_NONE;
	for (uint32_t i = b->n; i-- > 0;) { /* number of written sequences after each node */
		later[i] = count;
		if (b->nodes[i].level == LEVEL_SEQUENCE) {
			bool is = subtree_is_written(b, i);
			count += is;
			is_done &= is;
		}
	}
	for (uint32_t i = 0; i < f->bible->entries.n; i++) {
		const struct thread *one = &t->entries[i];
		if (one->first == BOOK_NONE || one->first != one->last)
			continue;
		uint32_t chapter = above_at(b, one->first, LEVEL_CHAPTER), end = b->nodes[chapter].after;
		uint32_t behind = end < b->n ? later[end] : 0;
		if (behind < (is_done ? 1 : GOES_ON))
			continue;
		const struct bible_entry *e = &f->bible->entries.items[i];
		finding_add(
			f, CHECK_THREADS, e->name, &one->node, 1,
			"%s is named in one sequence and never again; %u written sequences of later chapters follow",
			shown(f->c, e->name), behind);
	}
}
