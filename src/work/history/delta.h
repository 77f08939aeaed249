/* delta.h: a step of a document's history, as the record keeps it, put to use. */
#ifndef QUIRE_WORK_DELTA_H
#define QUIRE_WORK_DELTA_H
#include "work/history/store.h"

/* The splices of a packed delta, if they fit a document of this length; NULL: damaged, or made for another. */
struct splice *delta_splices(struct arena *a, struct text packed, size_t len, size_t *n);

/* The bytes after (or before) a step, made from those before (or after) it; absent base: only whole bytes help.
 * False: it cannot be told. */
bool delta_forward(struct arena *a, const struct record_document *d, struct text base, struct text *out);
bool delta_back(struct arena *a, const struct record_document *d, struct text base, struct text *out);

#endif
