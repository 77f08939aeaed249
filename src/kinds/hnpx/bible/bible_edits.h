/* bible_edits.h: edits of a story bible as splices: what no edit names stays byte for byte.
 *
 *	struct bible_edits p = {.arena = a, .bible = b};
 *	bible_put_facts(&p, entry, facts, n);
 *	struct text after = splice_apply(a, b->bytes, p.splices.items, p.splices.n);
 *
 * What is written has the line ends of the file. Words that would not read back as what they were meant for (an alias
 * with a comma) are written all the same: the caller reads the result once more and compares. */
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

/* A new entry at the end of its section, which is made at the end of the file where there is none. */
void bible_put_entry(struct bible_edits *p, struct text section, struct text name, struct texts aliases,
		     const struct new_fact *facts, size_t n);
void bible_put_facts(struct bible_edits *p, uint32_t entry, const struct new_fact *facts, size_t n);
void bible_put_aliases(struct bible_edits *p, uint32_t entry, struct texts aliases); /* instead of those there are */
void bible_put_name(struct bible_edits *p, uint32_t entry, struct text name);
void bible_put_evidence(struct bible_edits *p, uint32_t fact, struct text id, struct text check);
/* Facts that a paragraph shows are shown by the paragraph `id` from now on, whose prose is `prose`. A fact whose
 * evidence had changed already stays so: its checksum is kept. */
void bible_move_evidence(struct bible_edits *p, const struct book *b, uint32_t paragraph, struct text id,
			 struct text prose);
/* Another name as whole words, in headings, aliases, facts and prose; comments and code stay. Returns how many. */
size_t bible_put_names(struct bible_edits *p, struct text old, struct text new);
void bible_drop_fact(struct bible_edits *p, uint32_t fact);
/* A comment right before the next heading belongs to that one, and stays. */
void bible_drop_entry(struct bible_edits *p, uint32_t entry);

#endif
