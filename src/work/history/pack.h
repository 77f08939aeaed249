/* pack.h: how a record stores the bytes after it (store.h, enum record_form). */
#ifndef QUIRE_WORK_HISTORY_PACK_H
#define QUIRE_WORK_HISTORY_PACK_H
#include "work/history/store.h"

/* Chooses the form and sets delta, form and can_undo. `since`: records since the last whole bytes. */
void pack_document(struct arena *a, struct record_document *d, int64_t since);
/* Packs whole bytes; absent with FORM_NONE if they are too large for the history. */
struct text pack_whole(struct arena *a, struct text bytes, enum record_form *form);

static inline bool form_is_whole(enum record_form f) { return f == FORM_WHOLE || f == FORM_WHOLE_DEFLATED; }

/* Computes the bytes after a record from the bytes before it. Absent base: works for whole bytes only. False: damaged,
 * or made for another base. */
bool pack_apply(struct arena *a, enum record_form form, struct text delta, struct text base, struct text *out);

#endif
