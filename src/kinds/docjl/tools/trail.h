/* trail.h: what the tools and the commands both do with the trail. */
#ifndef QUIRE_KINDS_DOCJL_TOOLS_TRAIL_H
#define QUIRE_KINDS_DOCJL_TOOLS_TRAIL_H
#include "kinds/docjl/rows/trail_file.h"
#include "kinds/docjl/tools/common.h"

struct verdict {
	bool valid;
	int64_t entries;
	struct text bad_entry, reason, head; /* head: hex of the newest hash, to be kept elsewhere */
};
/* Recomputes the chain. `anchor` (SEQ:HASH, absent: none) is a head that was printed earlier, `file` the copy as JSON
 * lines (NULL: none). */
bool trail_verify(struct manual *m, struct text anchor, const struct trail_file *file, struct verdict *out);

/* A revision number ("r12", "12"), or the last one before a date; false: neither. */
bool revision_at(struct manual *m, struct text given, int64_t otherwise, int64_t *out);
const struct json *trail_diff(struct manual *m, int64_t from, int64_t to);

#endif
