/* problem.h: the errors and warnings of a plan, with their places.
 *
 * Every problem has a line and a column. The number of errors is limited, so that a text that is not a plan does not
 * give a very long result. The number of warnings is limited too. A problem is about a place in the source, given as a
 * byte offset. */
#ifndef QUIRE_KINDS_FLOORPLAN_PROBLEM_H
#define QUIRE_KINDS_FLOORPLAN_PROBLEM_H
#include "base/call.h"
#include "kinds/floorplan/language/problems.h"
#include "kinds/floorplan/language/words.h"
#include "tool/kind.h"

enum problem_type {
#define PROBLEM(id, text, meaning) PROBLEM_##id,
#include "kinds/floorplan/language/problem.def"
};

/* For docs/errors.md. */
extern const struct code problem_codes[];

enum { ERRORS_MAX = 100, WARNINGS_MAX = 1000 };

struct report {
	struct arena *arena;
	struct text source;
	struct problems *problems;
	uint32_t *lines; /* offset of each line's first byte */
	size_t line_count;
	struct call call; /* gives shown() its arena */
};

void report_open(struct report *r, struct arena *arena, struct text source, struct problems *problems);

/* Each returns the problem, so that the caller can add rooms or a fix. After the limit it returns a scratch problem
 * that is not reported. */
struct problem *report_error(struct report *r, enum problem_type type, uint32_t at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
struct problem *report_warning(struct report *r, enum problem_type type, uint32_t at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void problem_rooms(struct report *r, struct problem *p, struct text a, struct text b); /* b absent: one */

/* Sorts errors and warnings by place. Equal places keep their order. */
void report_sort(struct report *r);

void report_place(struct report *r, uint32_t at, uint32_t *line, uint32_t *column);

#endif
