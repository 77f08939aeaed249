/* prose_names.h: finds names in a book's prose, and which of them are unknown.
 *
 * Names in the book and its bible are known: char, pov, places, titles, entries and their aliases. An unknown name is a
 * word with a capital letter inside a sentence that is used for a person: it speaks, acts, is met or is spoken to.
 * English verbs and titles show this, and in every language the form of address in speech. A false alarm is worse than
 * a missed name, so doubtful cases are left out: places, common words, names that the book uses often, and languages
 * that give every noun a capital. */
#ifndef QUIRE_KINDS_HNPX_CONTINUITY_PROSE_NAMES_H
#define QUIRE_KINDS_HNPX_CONTINUITY_PROSE_NAMES_H
#include "base/map.h"
#include "kinds/hnpx/bible/bible.h"
#include "kinds/hnpx/prose/words.h"

enum { NAME_NODES = 5 }; /* number of ids shown for a finding */

struct known_word {
	struct text written, loose, folded; /* folded: with its accents */
	bool is_person;
	bool is_place;            /* of the bible */
	bool has_forms;           /* it is also known with other accents */
	uint32_t count;           /* in the prose, and as char or pov */
	uint32_t other, other_at; /* how often the prose has it with other accents, and the first place */
	struct text other_form;
};

struct met_name {
	struct text written, loose;
	uint32_t count, inside, persons, places;
	uint32_t starts; /* first word of a sentence, without a sign that it is a name */
	uint32_t calls;  /* first word of a speech, before a comma: a name or an interjection */
	bool is_titled;  /* a title stood before it */
	bool is_joined;  /* it stood beside the name of a known person: Pike in Tom Pike */
	uint32_t nodes[NAME_NODES], shown;
	bool is_common; /* it also occurs with a small letter */
};

struct names {
	struct arena *arena;
	const struct book *book;
	struct map known_at, met_at, verbs;
	struct word_filter known_filter, verb_filter;
	ARRAY(struct known_word) known;
	ARRAY(struct met_name) met;
	const struct words *words; /* of the current paragraph */
	uint32_t inside, capitals; /* words inside sentences; those with a capital that name no person */
};

/* Every word of it but titles. */
void prose_names_know(struct names *n, struct text name, bool is_person, bool is_place);
/* `words` are those of the prose. */
void prose_names_read(struct names *n, uint32_t paragraph, struct text prose, const struct words *words,
		      bool is_dialogue);
void prose_names_settle(struct names *n); /* after the last paragraph: finds common words among the names */

bool prose_names_are_told_by_capitals(const struct names *n); /* false in German */
bool name_is_nobodys(const struct names *n, const struct met_name *m);
/* The known word that a name is probably a typing error of; NULL: none. */
const struct known_word *name_slip(const struct names *n, const struct met_name *m);

#endif
