/* front.h: title and tags of a note's front matter, changed by splices.
 *
 * Only the changed value is written, in its old style. A missing key gets a new line. A note without front matter gets
 * a new block. Malformed front matter and values of an unexpected type are refused, never repaired. */
#ifndef QUIRE_KINDS_NOTES_EDIT_FRONT_H
#define QUIRE_KINDS_NOTES_EDIT_FRONT_H
#include "base/call.h"
#include "format/splice.h"
#include "kinds/notes/note/note.h"

struct edits {
	struct splice *items;
	size_t n, cap;
};

void edit_add(struct call *c, struct edits *e, size_t from, size_t to, struct text with);

/* An absent title, and tags without a pointer, stay as they are. */
bool front_change(struct call *c, const struct note *n, struct text title, struct texts tags, struct edits *out);

/* A list's items, in the style of the old list; an entry of another type becomes a list. */
bool change_list(struct call *c, const struct note *n, const struct yaml_entry *e, struct texts items,
		 struct edits *out);
/* Removes an entry with its lines. */
bool remove_entry(struct call *c, const struct note *n, const struct yaml_entry *e, struct edits *out);
size_t behind_colon(const struct note *n, const struct yaml_entry *e);
bool has_comment(const struct note *n, const struct yaml_entry *e);
struct text single_quoted(struct call *c, struct text t);
bool refuse_front(struct call *c);
bool refuse_value(struct call *c, const char *key);

struct text newline_of(const struct note *n);
/* The line break to add if the file ends with the front matter's last line and that line has none. */
struct text front_gap(const struct note *n);
/* Removes blank lines at both ends. The first line keeps its indentation. */
struct text without_blank_lines(struct text text);
/* The text with the line ends that the note uses. */
struct text lines_like(struct arena *a, const struct note *n, struct text text);

#endif
