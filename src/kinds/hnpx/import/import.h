/* import.h: makes a new book from a manuscript. */
#ifndef QUIRE_KINDS_HNPX_IMPORT_IMPORT_H
#define QUIRE_KINDS_HNPX_IMPORT_IMPORT_H
#include "kinds/hnpx/hnpx.h"

struct import_args {
	struct text file_path, source_path, text; /* one of source_path and text */
	int format;                               /* 0: Markdown; 1: plain text; -1: by the name of source_path */
};
struct import_answer {
	struct text id;
	int64_t chapters, sequences, beats, paragraphs;
};

/* Commits, and refuses like a tool. */
bool book_import(struct call *c, const struct import_args *args, struct import_answer *answer);

#endif
