/* schedule.h: lists of the rooms, doors and windows of a plan.
 *
 * A schedule is a table of texts. The CSV file and the sheet show the same one. Lengths and areas are in the units of
 * the options, by default in the plan's units. The column heads name them. */
#ifndef QUIRE_KINDS_FLOORPLAN_SCHEDULE_H
#define QUIRE_KINDS_FLOORPLAN_SCHEDULE_H
#include "kinds/floorplan/draw/draw.h"

enum { SCHEDULE_COLUMNS_MAX = 12 };

struct schedule_column {
	struct text head; /* name and unit: width_m */
	const char *name, *unit;
	bool is_number; /* its cells are computed numbers, never text of a caller */
};

struct schedule_table {
	struct schedule_column columns[SCHEDULE_COLUMNS_MAX];
	size_t column_count;
	ARRAY(struct text) cells; /* row by row */
};

/* Makes a schedule of the floor that the options name, or of all floors. */
void schedule_make(struct arena *a, const struct plan *p, const struct draw_options *o, enum schedule which,
		   struct schedule_table *out);

/* Writes CSV as in RFC 4180. A spreadsheet would run a cell that begins with = + - or @ as a formula. Such texts of the
 * plan are written after an apostrophe, with a warning. */
bool schedule_write(struct call *c, const struct plan *p, const struct draw_options *o, struct drawing *out);

#endif
