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

#endif
