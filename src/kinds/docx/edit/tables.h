/* tables.h: the height of rows and the margins of cells. */
#ifndef QUIRE_KINDS_DOCX_EDIT_TABLES_H
#define QUIRE_KINDS_DOCX_EDIT_TABLES_H
#include "kinds/docx/story/story.h"
#include "tool/field.h"

/* Numbers from 0, as read_file shows them (_tbl_0, td(row,col)); an empty list means all. */
struct table_choice {
	struct numbers tables, rows, cells;
};

/* Heights and margins in twips. *count: number of changed rows or cells. Fails if a number names nothing. */
bool tables_row_height(struct call *c, struct story *s, const struct table_choice *which, int64_t twips,
		       const char *rule, int64_t *count);
enum { SIDE_TOP, SIDE_LEFT, SIDE_BOTTOM, SIDE_RIGHT, SIDES };
bool tables_cell_padding(struct call *c, struct story *s, const struct table_choice *which, const int64_t twips[SIDES],
			 int64_t *count); /* -1: unchanged */

#endif
