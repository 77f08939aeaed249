/* fsck.h: checks everything that quire stores: the state folder, every record, unfinished commits, and temporary files
 * below the roots. */
#ifndef QUIRE_WORK_HISTORY_FSCK_H
#define QUIRE_WORK_HISTORY_FSCK_H
#include "work/work.h"

/* REPAIRED: it was repaired just now. REPAIRABLE: --repair would repair it. DAMAGED: it cannot be repaired. */
enum finding_kind { FINDING_REPAIRED, FINDING_REPAIRABLE, FINDING_DAMAGED };
struct finding {
	enum finding_kind kind;
	struct text words;
};
struct findings {
	struct finding *items;
	size_t n, cap;
	size_t records, documents; /* number checked */
};

bool history_check(struct call *c, bool repair, struct findings *out);

#endif
