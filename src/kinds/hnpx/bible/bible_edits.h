/* bible_edits.h: edits of a story bible as splices. All other bytes stay unchanged.
 *
 *	struct bible_edits p = {.arena = a, .bible = b};
 *	bible_put_facts(&p, entry, facts, n);
 *	struct text after = splice_apply(a, b->bytes, p.splices.items, p.splices.n);
 *
 * New text has the line ends of the file. Words that would not read back correctly (an alias with a comma) are written
 * anyway: the caller reads the result again and compares. */
#ifndef QUIRE_KINDS_HNPX_BIBLE_BIBLE_EDITS_H
#define QUIRE_KINDS_HNPX_BIBLE_BIBLE_EDITS_H
#include "format/splice.h"
#include "kinds/hnpx/bible/bible.h"

struct bible_edits {
	struct arena *arena;
	const struct bible *bible;
	ARRAY(struct splice) splices;
};

struct new_fact {
	struct text text;
	struct text id, check; /* absent: no evidence */
};

/* Adds an entry at the end of its section. A missing section is created at the end of the file. */
void bible_put_entry(struct bible_edits *p, struct text section, struct text name, struct texts aliases,
		     const struct new_fact *facts, size_t n);
void bible_put_facts(struct bible_edits *p, uint32_t entry, const struct new_fact *facts, size_t n);
void bible_put_aliases(struct bible_edits *p, uint32_t entry, struct texts aliases); /* replaces the existing ones */
void bible_put_name(struct bible_edits *p, uint32_t entry, struct text name);
void bible_put_evidence(struct bible_edits *p, uint32_t fact, struct text id, struct text check);
/* Changes the evidence of facts from `paragraph` to the paragraph `id` with the prose `prose`. If the evidence of a
 * fact was already outdated, its checksum is kept, so that it stays outdated. */
void bible_move_evidence(struct bible_edits *p, const struct book *b, uint32_t paragraph, struct text id,
			 struct text prose);
/* Replaces a name as whole words in headings, aliases, facts and prose, not in comments and code. Returns the number of
 * replacements. */
size_t bible_put_names(struct bible_edits *p, struct text old, struct text new);
void bible_drop_fact(struct bible_edits *p, uint32_t fact);
/* Removes an entry. A comment directly before the next heading belongs to that heading and stays. */
void bible_drop_entry(struct bible_edits *p, uint32_t entry);

#endif
