/* coverage.h: which clauses of a standard the blocks of a manual name, for the tool and the command. */
#ifndef QUIRE_KINDS_DOCJL_TOOLS_COVERAGE_H
#define QUIRE_KINDS_DOCJL_TOOLS_COVERAGE_H
#include "kinds/docjl/block/clauses.h"
#include "kinds/docjl/tools/common.h"

bool coverage_find(struct manual *m, struct text csv, struct clauses *out);
void coverage_page(struct call *c, struct buffer *to, const struct clauses *list, struct text document);

#endif
