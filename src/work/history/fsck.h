/* fsck.h: is everything that quire keeps sound? Looks at the state folder, every record, commits that are not finished,
 * and temporary files below the roots. */
#ifndef QUIRE_WORK_HISTORY_FSCK_H
#define QUIRE_WORK_HISTORY_FSCK_H
#include "work/work.h"

/* REPAIRED: it was repaired just now. REPAIRABLE: --repair would. DAMAGED: it cannot be repaired. */
enum finding_kind { FINDING_REPAIRED, FINDING_REPAIRABLE, FINDING_DAMAGED };
struct finding {
	enum finding_kind kind;
	struct text words;
};
struct findings {
	struct finding *items;
	size_t n, cap;
	size_t records, documents; /* that were looked at */
};

bool history_check(struct call *c, bool repair, struct findings *out);

#endif
