/* page.h: the files of the page, which are linked into the program.
 *
 * web/build.mjs bundles web/ into one file: a line for each file with its address, type, entity tag, offset and length,
 * then an empty line, then the files, each deflated by gzip. A program that was built without npm has none. Nothing
 * here needs a key: the page has no documents in it. */
#ifndef QUIRE_MCP_HTTP_PAGE_H
#define QUIRE_MCP_HTTP_PAGE_H
#include "base/text.h"

struct page_file {
	struct text path, type, tag, bytes; /* bytes: a gzip file */
	bool lasts;                         /* its name changes with its content, so a browser may keep it */
};

bool page_is_here(void); /* false: the program was built without the page */
/* The file at an address such as /main-2KQ3.js. "/" and every address that the page itself shows (a document, the
 * graph) are the same file. */
bool page_find(struct text path, struct page_file *out);
/* The file as a client without gzip takes it; in the arena. */
struct text page_unpack(struct arena *a, const struct page_file *file);
/* The file that tells a person that there is nothing at an address, and leads home. */
bool page_missing(struct page_file *out);

/* Headers of every response with a file, as names and values; ends with a NULL name. */
extern const char *const page_headers[][2];

#endif
