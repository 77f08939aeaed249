/* hnpx.h: shared by the tools of this kind: opening a book, finding a node, errors, committing.
 *
 * Every error has details: at least the file, usually also a hint about the next call. */
#ifndef QUIRE_KINDS_HNPX_HNPX_H
#define QUIRE_KINDS_HNPX_HNPX_H
#include "format/json.h"
#include "kinds/hnpx/tree/edits.h"
#include "tool/kind.h"
#include "work/work.h"

extern const struct format hnpx_format;
extern const struct tool hnpx_create_tools[], hnpx_inspect_tools[], hnpx_revise_tools[], hnpx_arrange_tools[],
	hnpx_render_tools[], hnpx_search_tools[], hnpx_replace_tools[], hnpx_export_tools[], hnpx_repair_tools[],
	hnpx_bible_tools[], hnpx_writing_tools[], hnpx_continuity_tools[];
extern const struct resource hnpx_resources[];
extern const struct prompt hnpx_prompts[];
extern const struct command hnpx_commands[];

/* An opened book, its document, and its path as the caller gave it. */
struct opened {
	struct text path;
	struct document *document;
	const struct book *book;
};

bool book_read(struct call *c, struct text path, struct opened *out);
/* The same for a book that breaks rules, as far as it can be parsed. Misplaced elements are left out. *problems is the
 * number of problems. */
bool book_read_broken(struct call *c, struct text path, struct opened *out, size_t *problems);
/* The same, and of a file that is not XML whatever can be read (repair/rough.h). `missing`: what is broken and what is
 * not shown, one sentence each; absent: nothing. */
bool book_read_rest(struct call *c, struct text path, struct opened *out, struct texts *missing);
/* One of the two, as the argument `broken` says; with "skip" the result begins with what is missing. */
bool book_read_shown(struct call *c, struct text path, int broken, struct opened *out, size_t *problems);
extern const char *const broken_choices[];
/* Adds a warning to the result if there are problems. */
void book_tell_broken(struct call *c, size_t problems);
bool book_change(struct call *c, struct text path, struct opened *out); /* under the folder's lock */
/* The same for a document that was opened for a change together with others. */
bool book_changed(struct call *c, struct text path, struct document *d, struct opened *out);
bool book_node(struct call *c, const struct opened *o, struct text id, uint32_t *out); /* NODE_NOT_FOUND */

/* For a line of the history: level, id and title, or the summary if there is no title. */
const char *book_named_node(struct call *c, const struct book *b, uint32_t node);
struct change book_change_of(struct call *c, const struct opened *o, struct edits *p);
/* Writes the plan. A dry run and a plan without changes also return true. */
bool book_commit(struct call *c, const struct opened *o, struct edits *p, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

struct json *details_of(struct call *c, struct text path);
struct json *details_hint(struct call *c, struct text path, const char *hint);
struct json *details_advise(struct call *c, struct json *details,
			    const char *hint); /* sets the hint; returns details */
bool book_refuse(struct call *c, const struct json *details, const char *code, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Adds the file to the details of an error from a lower layer, and the root if the path was wrong. Returns false. */
bool book_refused(struct call *c, struct text path, const char *hint);
/* The same for a file that could not be created. Every message begins with the specification's words. */
#define FILE_NOT_MADE "Cannot create file at"
bool file_not_made(struct call *c, struct text path, const char *if_exists);

/* Fails if XML cannot contain the value, as an attribute or as text. */
bool writable_attribute(struct call *c, struct text path, const char *name, struct text value);
bool writable_words(struct call *c, struct text path, const char *name, struct text value);

/* The list of problems of a document that is not HNPX, for details of a refusal. */
const struct json *problems_json(struct call *c, const struct problems *problems, size_t most);

#define FILE_PATH(S) FIELD(S, file_path, TEXT, FIELD_REQUIRED | FIELD_PATH | FIELD_TERSE, "The .hnpx file")
/* Not listed: the refusal of a broken file names it. */
#define BROKEN(S)                                                                                                      \
	FIELD(S, broken, CHOICE, FIELD_UNLISTED, "skip: read a broken file as far as it goes; says what is missing",   \
	      .choices = broken_choices)
#define NODE_ID(S, PROSE) FIELD(S, node_id, TEXT, FIELD_REQUIRED | FIELD_EMPTY, PROSE)

#endif
