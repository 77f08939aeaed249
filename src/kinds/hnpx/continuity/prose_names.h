/* prose_names.h: the names in a book's prose, and which of them are nobody's.
 *
 * What the book and its bible call by name is known: char, pov, places, titles, entries and their aliases. An unknown
 * name is a word with a capital letter inside a sentence that is used of a person: it speaks, acts, is met or is spoken
 * to. This is told by English verbs and titles, and in every language by how speech calls somebody. A wrong alarm costs
 * more trust than a missed name, so what is doubtful is left out: places, common words, names that the book uses often,
 * and languages that give every noun a capital. */
#ifndef QUIRE_KINDS_HNPX_CONTINUITY_PROSE_NAMES_H
#define QUIRE_KINDS_HNPX_CONTINUITY_PROSE_NAMES_H
#include "base/map.h"
#include "kinds/hnpx/bible/bible.h"
#include "kinds/hnpx/continuity/words.h"

enum { NAME_NODES = 5 }; /* ids shown of a finding */

struct known_word {
	struct text written, loose, folded; /* folded: with its accents */
	bool is_person;
	bool has_forms;           /* it is known with other accents too */
	uint32_t count;           /* in the prose, and as char or pov */
	uint32_t other, other_at; /* times it stands in the prose with other accents; where first */
	struct text other_form;
};

struct met_name {
	struct text written, loose;
	uint32_t count, inside, persons, places;
	uint32_t nodes[NAME_NODES], shown;
	bool is_common; /* it stands somewhere with a small letter */
};

struct names {
	struct arena *arena;
	const struct book *book;
	struct map known_at, met_at, verbs;
	struct word_filter known_filter, verb_filter;
	ARRAY(struct known_word) known;
	ARRAY(struct met_name) met;
	const struct words *words; /* of the paragraph that is read */
	uint32_t inside, capitals; /* words; those with a capital inside a sentence that are used of no person */
};

void prose_names_know(struct names *n, struct text name, bool is_person); /* every word of it */
/* `words` are those of the prose. */
void prose_names_read(struct names *n, uint32_t paragraph, struct text prose, const struct words *words,
		      bool is_dialogue);
void prose_names_settle(struct names *n); /* after the last paragraph: looks for common words among the names met */

bool prose_names_are_told_by_capitals(const struct names *n); /* false in German */
bool name_is_nobodys(const struct names *n, const struct met_name *m);
/* The known word that a name met is a slip of; NULL: none. */
const struct known_word *name_slip(const struct names *n, const struct met_name *m);

#endif
