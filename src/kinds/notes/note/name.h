/* name.h: names of notes: folding, titles from paths, file names from titles, texts cut to a length. */
#ifndef QUIRE_KINDS_NOTES_NOTE_NAME_H
#define QUIRE_KINDS_NOTES_NOTE_NAME_H
#include "base/text.h"

#define NOTE_SUFFIXES ".md .markdown"
#define CONTENT_MARK "... [truncated]" /* ends a text that is cut */

enum {
	TEXT_PRIMARY = 10000, /* code points of the requested note */
	TEXT_LIST = 500,      /* of each note in a list */
	TEXT_NEIGHBOR = 200   /* of each neighbour beside a note */
};

struct text name_fold(struct arena *a, struct text t); /* for comparing without case and width */
/* Without case only, as other programs compare file names. Equal results fold equally. */
struct text name_lower(struct arena *a, struct text t);

struct text id_folder(struct text path); /* "" for a note at the root */
struct text id_name(struct text path);   /* the last component */
struct text id_bare(struct text path);   /* without .md or .markdown */
bool id_is_note(struct text path);
uint32_t id_units(struct text path); /* its length in UTF-16 units, by which Obsidian compares paths */
/* Resolves `path` relative to `folder`, including . and .. components. Absent if it leads above the root. */
struct text id_join(struct arena *a, struct text folder, struct text path);
/* The relative path from a folder to a path (both given from the root): ../b/c.md */
struct text id_between(struct arena *a, struct text folder, struct text path);
/* An extension has 1 to 4 letters or digits, at least one of them a letter. Absent: none. */
struct text id_extension(struct text path);

/* weekly-plan.md: weekly plan; but Well-Known.md and 2024-01-15-meeting.md are their own titles. */
struct text title_of(struct arena *a, struct text path);
struct text slug_of(struct arena *a, struct text title); /* without .md; at most 252 bytes */
/* The same with the title's own blanks and capitals. */
struct text name_of(struct arena *a, struct text title);

/* Cuts to at most `most` code points, including the mark "... [truncated]", never inside a character. */
struct text content_cut(struct arena *a, struct text t, size_t most);
/* Where the character with this number begins; t.len: there are fewer. */
size_t content_at(struct text t, size_t number);

#endif
