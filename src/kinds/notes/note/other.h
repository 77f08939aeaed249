/* other.h: files beside the notes that link to them: canvases and bases.
 *
 * They are read into a struct note that has only links, each with its place in the file's bytes. So a rename rewrites
 * the bytes of a link and no others. A .canvas is JSON: paths of files, and texts in Markdown. A .base, and a block of
 * code with that name in a note, is a query: inFolder("..."), hasLink("..."), link("..."), file.path == "...", [[...]].
 */
#ifndef QUIRE_KINDS_NOTES_NOTE_OTHER_H
#define QUIRE_KINDS_NOTES_NOTE_OTHER_H
#include "kinds/notes/note/note.h"

enum node_sort { NODE_NOTE, NODE_CANVAS, NODE_BASE, NODE_FILE };
enum node_sort sort_of_file(struct text path);

/* Reads a file of any sort but NODE_FILE. */
void file_links_read(struct arena *a, struct text path, struct text bytes, struct note *out);
/* The links of a query in [from, to). */
void query_links(struct arena *a, struct note *n, size_t from, size_t to);

#endif
