/* cast_checks.c: names that no character has, and spellings that vary. */
#include "kinds/hnpx/bible/mention.h"
#include "kinds/hnpx/continuity/checks.h"
#include "kinds/hnpx/continuity/near_names.h"
#include "kinds/hnpx/continuity/prose_names.h"
#include "kinds/hnpx/prose/names.h"
#include "kinds/hnpx/prose/loose.h"
#include "kinds/hnpx/tree/level.h"
#include "kinds/hnpx/tree/reading.h"

/* One spelling of a name in attributes. */
struct form {
	struct text written, loose;
	uint32_t count, shown, nodes[NAME_NODES];
};
struct forms {
	struct map at;
	ARRAY(struct form) list;
};

static void form_add(struct forms *f, struct arena *a, struct text written, uint32_t node)
{
	bool was;

	written = text_trim(written);
	if (!written.len)
		return;
	f->at.arena = a;
	uint32_t at = *map_at(&f->at, written, (uint32_t)f->list.n, &was);
	if (!was)
		*ARRAY_PUSH(a, &f->list) = (struct form){.written = written, .loose = loose_text(a, written)};
	struct form *one = &f->list.items[at];
	one->count++;
	if (one->shown < NAME_NODES)
		one->nodes[one->shown++] = node;
}

static void know_bible(struct names *n, const struct bible *b)
{
	for (size_t i = 0; b && i < b->entries.n; i++) {
		const struct bible_entry *e = &b->entries.items[i];
		bool is_person = is_character(b, e);
		bool is_place = e->section != BIBLE_NONE && b->sections.items[e->section].known == SECTION_PLACES;
		prose_names_know(n, e->name, is_person, is_place);
		for (size_t k = 0; k < e->aliases.n; k++)
			prose_names_know(n, e->aliases.items[k], is_person, is_place);
	}
}

/* Collects names from the attributes of all nodes. Without a bible, names in summaries count too. */
static void know_book(struct findings *f, struct names *n, struct forms *people, struct forms *places)
{
	struct arena *a = f->c->arena;

	for (uint32_t i = 0; i < f->book->n; i++) {
		int level = f->book->nodes[i].level;
		struct text who = level == LEVEL_BOOK || level == LEVEL_BEAT
					  ? (struct text){0}
					  : node_attribute(a, f->book, i, level == LEVEL_PARAGRAPH ? "char" : "pov");
		form_add(people, a, who, i);
		if (level == LEVEL_CHAPTER)
			prose_names_know(n, node_attribute(a, f->book, i, "title"), false, false);
		if (level == LEVEL_SEQUENCE) {
			struct text place = node_place_name(a, f->book, i);
			form_add(places, a, place, i);
			prose_names_know(n, node_attribute(a, f->book, i, "time"), false, false);
		}
		if (!f->bible && level != LEVEL_PARAGRAPH)
			prose_names_know(n, node_summary(a, f->book, i), false, false);
	}
	for (size_t i = 0; i < places->list.n; i++)
		prose_names_know(n, places->list.items[i].written, false, false);
	for (size_t i = 0; i < people->list.n; i++)
		for (uint32_t k = 0; k < people->list.items[i].count && k < 8; k++)
			prose_names_know(n, people->list.items[i].written, true, false);
}

static bool has_characters(const struct bible *b)
{
	for (size_t i = 0; b && i < b->entries.n; i++)
		if (is_character(b, &b->entries.items[i]))
			return true;
	return false;
}

/* Finds speakers, thinkers and points of view that are not in the bible. */
static void find_strangers(struct findings *f, const struct forms *people)
{
	struct arena *a = f->c->arena;
	struct map told = {.arena = a};

	if (!has_characters(f->bible))
		return;
	for (size_t i = 0; i < people->list.n; i++) {
		const struct form *one = &people->list.items[i];
		bool is_known = false, was;
		for (size_t k = 0; k < f->bible->entries.n && !is_known; k++) {
			struct texts names = bible_names(a, f->bible, &f->bible->entries.items[k]);
			for (size_t m = 0; m < names.n && !is_known; m++)
				is_known = same_person(f, one->loose, names.items[m]);
		}
		map_at(&told, one->loose, 0, &was);
		if (!is_known && !was)
			finding_add(
				f, CHECK_NAMES, one->written, one->nodes, one->shown,
				"%s is in char or pov and is not in the bible; edit_bible adds an entry or an alias",
				shown(f->c, one->written));
	}
}

/* Finds names with several spellings and reports the rarer ones. */
static void find_forms(struct findings *f, const struct forms *forms, const char *attribute)
{
	struct map first = {.arena = f->c->arena};

	for (size_t i = 0; i < forms->list.n; i++) {
		uint32_t *at = map_at(&first, forms->list.items[i].loose, (uint32_t)i, NULL);
		if (forms->list.items[i].count > forms->list.items[*at].count)
			*at = (uint32_t)i;
	}
	for (size_t i = 0; i < forms->list.n; i++) {
		const struct form *one = &forms->list.items[i],
				  *main = &forms->list.items[*map_find(&first, one->loose)];
		if (one != main)
			finding_add(f, CHECK_SPELLING, one->written, one->nodes, one->shown,
				    "%s is written %s here and %s elsewhere (%u and %u times)", attribute,
				    shown(f->c, one->written), shown(f->c, main->written), one->count, main->count);
	}
}

/* Do both names belong to the bible, as different entries? */
static bool are_two_entries(struct findings *f, struct text x, struct text y)
{
	if (!f->bible)
		return false;
	uint32_t one = bible_find(f->c->arena, f->bible, (struct text){0}, x),
		 two = bible_find(f->c->arena, f->bible, (struct text){0}, y);
	return one != BIBLE_NONE && two != BIBLE_NONE;
}

/* One letter apart is a mistake if one form is rare. */
enum { RARER = 4 };

/* Finds one person under two names that are nearly the same. */
static void find_near_forms(struct findings *f, const struct forms *forms)
{
	for (size_t i = 0; i < forms->list.n; i++)
		for (size_t k = 0; k < i; k++) {
			const struct form *one = &forms->list.items[i], *main = &forms->list.items[k];
			if (one->count > main->count) {
				const struct form *other = one;
				one = main;
				main = other;
			}
			enum nearness near = names_near(f->c->arena, one->loose, main->loose);
			if (near == NAMES_APART || (near == NAMES_NEAR && one->count * RARER > main->count) ||
			    are_two_entries(f, one->written, main->written))
				continue;
			uint32_t nodes[] = {one->nodes[0], main->nodes[0]};
			finding_add(f, CHECK_SPELLING, one->written, nodes, 2,
				    "%s and %s may be one person under two spellings (%u and %u times)",
				    shown(f->c, one->written), shown(f->c, main->written), one->count, main->count);
		}
}

/* The entry of the bible that a place belongs to: "Harrow House, kitchen". */
static bool is_known_place(struct findings *f, struct text loose)
{
	for (size_t i = 0; i < f->bible->entries.n; i++) {
		const struct bible_entry *e = &f->bible->entries.items[i];
		if (e->section == BIBLE_NONE || f->bible->sections.items[e->section].known != SECTION_PLACES)
			continue;
		struct texts names = bible_names(f->c->arena, f->bible, e);
		for (size_t k = 0; k < names.n; k++)
			if (name_find(loose, names.items[k], 0) != SIZE_MAX ||
			    name_find(names.items[k], loose, 0) != SIZE_MAX)
				return true;
	}
	return false;
}

/* The name of a place of the bible that this one is nearly; absent: none. */
static struct text near_place(struct findings *f, struct text loose)
{
	for (size_t i = 0; i < f->bible->entries.n; i++) {
		const struct bible_entry *e = &f->bible->entries.items[i];
		if (e->section == BIBLE_NONE || f->bible->sections.items[e->section].known != SECTION_PLACES)
			continue;
		struct texts names = bible_names(f->c->arena, f->bible, e);
		struct text first = text_slice(loose, 0, text_find(loose, TEXT(","), 0));
		for (size_t k = 0; k < names.n; k++)
			if (names_near(f->c->arena, first, names.items[k]) != NAMES_APART)
				return e->name;
	}
	return (struct text){0};
}

enum { PLACES_MIN = 4 }; /* sequences, before the bible's list of places counts as complete */

/* Sequences at a place that the bible does not have: those that are nearly one of its places, and, if it has nearly all
 * places of the book, the others. */
static void find_places(struct findings *f, const struct forms *places, bool names, bool spelling)
{
	struct arena *a = f->c->arena;
	bool *is_known = arena_array(a, places->list.n + 1, sizeof *is_known);
	uint32_t known = 0, all = 0;

	for (size_t i = 0; f->bible && i < places->list.n; i++) {
		is_known[i] = is_known_place(f, places->list.items[i].loose);
		known += is_known[i] ? places->list.items[i].count : 0;
		all += places->list.items[i].count;
	}
	for (size_t i = 0; known && i < places->list.n; i++) {
		const struct form *one = &places->list.items[i];
		if (is_known[i])
			continue;
		struct text near = near_place(f, one->loose);
		if (near.at && spelling)
			finding_add(f, CHECK_SPELLING, one->written, one->nodes, one->shown,
				    "%s is nearly %s, a place of the bible: the same place?", shown(f->c, one->written),
				    shown(f->c, near));
		else if (!near.at && names && all >= PLACES_MIN && known * 4 >= all * 3)
			finding_add(f, CHECK_NAMES, one->written, one->nodes, one->shown,
				    "%s is the place of a sequence and is not in the bible, which has %u of %u; "
				    "edit_bible adds an entry or an alias",
				    shown(f->c, one->written), known, all);
	}
}

static void find_slips(struct findings *f, const struct names *n)
{
	for (size_t i = 0; i < n->known.n; i++) {
		const struct known_word *k = &n->known.items[i];
		if (k->other && k->is_person)
			finding_add(f, CHECK_SPELLING, k->other_form, &k->other_at, 1,
				    "%s in the prose is elsewhere %s, with other accents", shown(f->c, k->other_form),
				    shown(f->c, k->written));
	}
	for (size_t i = 0; i < n->met.n; i++) {
		const struct met_name *m = &n->met.items[i];
		const struct known_word *k = name_slip(n, m);
		if (k)
			finding_add(f, CHECK_SPELLING, m->written, m->nodes, m->shown,
				    "%s is nearly %s, which the book uses more often: the same name?",
				    shown(f->c, m->written), shown(f->c, k->written));
	}
}

static void find_nobodys(struct findings *f, const struct names *n)
{
	for (size_t i = 0; i < n->met.n; i++) {
		const struct met_name *m = &n->met.items[i];
		if (name_is_nobodys(n, m) && !name_slip(n, m))
			finding_add(
				f, CHECK_NAMES, m->written, m->nodes, m->shown,
				"%s acts or is spoken to in the prose, and is neither a char, a pov nor an entry of "
				"the bible",
				shown(f->c, m->written));
	}
}

struct cast_check {
	struct findings *f;
	struct names names;
	struct forms people, places;
};

struct cast_check *cast_check_new(struct findings *f)
{
	struct arena *a = f->c->arena;
	struct cast_check *k = arena_new(a, struct cast_check);

	k->f = f;
	k->names = (struct names){.arena = a, .book = f->book, .known_at = {.arena = a}, .met_at = {.arena = a}};
	know_book(f, &k->names, &k->people, &k->places);
	know_bible(&k->names, f->bible);
	/* Without a list of characters every name would be unknown, so skip this check. */
	f->left_names = !k->people.list.n && !has_characters(f->bible);
	return k;
}

void cast_check_read(struct cast_check *k, uint32_t paragraph, struct text prose, const struct words *words)
{
	struct arena scratch = {0};

	if (!k->f->left_names)
		prose_names_read(&k->names, paragraph, prose, words,
				 node_mode(&scratch, k->f->book, paragraph) == MODE_DIALOGUE);
	arena_free(&scratch);
}

void cast_check_tell(struct cast_check *k, bool names, bool spelling)
{
	struct findings *f = k->f;

	if (names)
		find_strangers(f, &k->people);
	if (spelling) {
		find_forms(f, &k->people, "A name");
		find_near_forms(f, &k->people);
		find_forms(f, &k->places, "A place");
	}
	find_places(f, &k->places, names, spelling);
	if (f->left_names)
		return;
	prose_names_settle(&k->names);
	f->left_names = !prose_names_are_told_by_capitals(&k->names);
	if (spelling)
		find_slips(f, &k->names);
	if (names)
		find_nobodys(f, &k->names);
}
