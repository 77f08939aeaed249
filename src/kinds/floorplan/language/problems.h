/* problems.h: what is wrong in a plan, as a list. problem.h makes the entries. */
#ifndef QUIRE_KINDS_FLOORPLAN_PROBLEMS_H
#define QUIRE_KINDS_FLOORPLAN_PROBLEMS_H
#include "base/text.h"

struct json;

enum { FIX_CANDIDATES = 4 };

struct problem {
	bool is_error;
	const char *type;      /* "parse", "overlap", ...: problem.h lists them */
	const char *message;   /* what was found and what is allowed */
	uint32_t line, column; /* from 1, column in code points */
	uint32_t from;         /* offset of the place in the source */
	struct text room;      /* absent: none */
	struct texts rooms;    /* those it is about, for warnings */
	/* Operations of modify_floorplan that may solve it, best first, not tried yet; NULL: no more. */
	const struct json *candidates[FIX_CANDIDATES];
	const struct json *fix; /* the first candidate that worked in fixes_offer(); NULL: none */
};

struct problems {
	struct problem *items;
	size_t n, cap;
	size_t errors, warnings;
};

#endif
