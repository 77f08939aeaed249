/* trail_file.h: a copy of the trail as JSON lines, for auditors without the database.
 *
 * Lines are appended after the commit. The database is the source of truth: lines that are missing after a crash are
 * added when the kind opens. */
#ifndef QUIRE_KINDS_DOCJL_ROWS_TRAIL_FILE_H
#define QUIRE_KINDS_DOCJL_ROWS_TRAIL_FILE_H
#include "kinds/docjl/rows/manual.h"

enum { TRAIL_FILE_MODE = 0640 };                               /* of the database too: both have the same words */
void trail_file_keep(struct manual *m, const struct entry *e); /* for trail_file_write() */
void trail_file_write(struct manual *m);                       /* after the commit; an error becomes a warning */
void trail_file_catch_up(struct call *c, struct docjl *kind);

/* The content of the file; NULL: there is none. Read it before the transaction begins, so that each line belongs to an
 * entry that was committed earlier. */
const struct trail_file *trail_file_read(struct call *c, struct docjl *kind);
/* Lines of the document whose entries are missing in the database: entries were deleted, or an older copy was
 * restored. */
struct trail_difference {
	int64_t n, first; /* number of lines; seq of the first */
};
struct trail_difference trail_file_compare(struct manual *m, const struct trail_file *file);

#endif
