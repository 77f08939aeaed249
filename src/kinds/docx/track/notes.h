/* notes.h: footnotes, endnotes and comments in a comparison.
 *
 * A note is in a part of its own. Its id may mean another note in the other file. If the original paragraph already
 * refers to a note with the same words, or has as many references as the revised one, the two notes are a pair: the
 * reference stays, and stories.c compares the notes' text. Any other note is copied into the original's part under a
 * new id. If the original has no such part, one is made, with the lines that separate notes from the text. Links and
 * pictures in a note are copied with it (carry.h). A note is left out if something in it cannot be copied. */
#ifndef QUIRE_KINDS_DOCX_TRACK_NOTES_H
#define QUIRE_KINDS_DOCX_TRACK_NOTES_H
#include "kinds/docx/annotate/parts.h"
#include "kinds/docx/track/carry.h"

/* The same note in both versions. */
struct note_pair {
	uint32_t old, new; /* nodes */
};

/* One part in both versions. */
struct note_part {
	struct text was, now; /* bytes, original and revised; absent: there is none */
	struct fragment old, new;
	struct map old_places, new_places; /* map ids to nodes of notes */
	struct map carried;                /* maps ids of the revised part to indices in `ids` */
	ARRAY(int32_t) ids;                /* in the redline; INT32_MIN: cannot be copied */
	struct buffer rows;                /* new notes */
	struct carry_text text;            /* targets of their links and pictures */
	int32_t next;
	ARRAY(struct note_pair) pairs;
	struct map paired_old, paired_new; /* ids of notes in `pairs` */
	ARRAY(struct splice) edits;        /* on `was` */
};

struct notes {
	struct call *c;
	struct carry *carry;
	struct note_part parts[ANNOTATIONS];
};

int32_t note_id(struct arena *a, const struct fragment *f, uint32_t node); /* of a note, a mark or a reference */
/* Is it a reference to a note or comment, and of which part? */
bool notes_of(uint8_t tag, enum annotation *out);
/* Reads the parts of both packages. */
bool notes_begin(struct notes *n, struct call *c, struct carry *k);
/* Do both ids mean a note with the same words, and of the same author? */
bool notes_same(struct notes *n, enum annotation which, int32_t old, int32_t new);
/* Are both ids those of a note, or neither? */
bool notes_are_there(struct notes *n, enum annotation which, int32_t old, int32_t new);
/* Records that a reference stays, so the two notes are versions of one. Does nothing if one of them has a partner. */
void notes_pair(struct notes *n, enum annotation which, int32_t old, int32_t new);
/* The id of the revised document's note in the redline. Returns false if it cannot be copied. */
bool notes_carry(struct notes *n, enum annotation which, int32_t new, int32_t *out);
/* Adds the parts with their new notes to the carry. */
bool notes_end(struct notes *n);

#endif
