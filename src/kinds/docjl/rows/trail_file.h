/* trail_file.h: a copy of the trail as JSON lines, for auditors without the database.
 *
 * Lines are appended after the commit. The database is the truth: what a crash kept from the file is caught up when the
 * kind opens. */
#ifndef QUIRE_KINDS_DOCJL_ROWS_TRAIL_FILE_H
#define QUIRE_KINDS_DOCJL_ROWS_TRAIL_FILE_H
#include "kinds/docjl/rows/manual.h"

void trail_file_keep(struct manual *m, const struct entry *e); /* for trail_file_write() */
void trail_file_write(struct manual *m);                       /* after the commit; a fault is a warning */
void trail_file_catch_up(struct call *c, struct docjl *kind);

/* What the file holds; NULL: there is none. Read it before the transaction begins: then each of its lines is of an
 * entry that was committed earlier. */
const struct trail_file *trail_file_read(struct call *c, struct docjl *kind);
/* Lines of the document whose entries the database does not have: it was cut, or an older copy was put in its place. */
struct trail_difference {
	int64_t n, first; /* number of lines; seq of the first */
};
struct trail_difference trail_file_compare(struct manual *m, const struct trail_file *file);

#endif
