/* schedule.h: lists of the rooms, doors and windows of a plan.
 *
 * A schedule is a table of texts; the CSV file and the sheet show the same one. Lengths and areas are in the units that
 * the options ask for, else in the plan's; the heads say which. */
#ifndef QUIRE_KINDS_FLOORPLAN_SCHEDULE_H
#define QUIRE_KINDS_FLOORPLAN_SCHEDULE_H
#include "kinds/floorplan/draw/draw.h"

enum { SCHEDULE_COLUMNS_MAX = 12 };

struct schedule_column {
	struct text head; /* name and unit: width_m */
	const char *name, *unit;
	bool is_number; /* its cells are numbers of ours, never a caller's words */
};

struct schedule_table {
	struct schedule_column columns[SCHEDULE_COLUMNS_MAX];
	size_t column_count;
	ARRAY(struct text) cells; /* row by row */
};

/* Of the floor that the options name, or of all. */
void schedule_make(struct arena *a, const struct plan *p, const struct draw_options *o, enum schedule which,
		   struct schedule_table *out);

/* As RFC 4180 has it. A spreadsheet takes a cell that begins with = + - or @ for a formula: such words of the plan are
 * written after an apostrophe, with a warning. */
bool schedule_write(struct call *c, const struct plan *p, const struct draw_options *o, struct drawing *out);

#endif
