/* decision.h: which tracked changes a caller decides about.
 *
 * A change is named by the part that it is in and its w:id there: document/12, header1/3. The number alone will do if
 * only one part has it. Filters are joined by "and"; none means all changes. */
#ifndef QUIRE_KINDS_DOCX_TRACK_DECISION_H
#define QUIRE_KINDS_DOCX_TRACK_DECISION_H
#include "base/map.h"
#include "kinds/docx/session/session.h"
#include "kinds/docx/track/settle.h"

struct decide_args {
	struct target target;
	struct texts revision_ids, target_paragraph_ids;
	struct text author, kind, from_date, to_date;
};
extern const struct field decide_in[];

struct decision {
	struct settling settling;
	const struct decide_args *args;
	struct map ids, paragraphs; /* those wanted; empty: all */
	struct arena *arena;
	struct text part; /* the name of the story that is settled: document, header1 */
	uint32_t seen;    /* ids that were found; for a message */
};

/* Fails if a change or a paragraph does not exist, or a number means several changes. */
bool decision_read(struct call *c, struct session *s, const struct decide_args *args, enum settlement how,
		   struct decision *out);
/* Before each story. */
void decision_enter(struct decision *d, const struct story *s);
bool decision_has(const struct decision *d, const struct story *s,
		  uint32_t p); /* is this paragraph among the wanted? */
struct text decision_part(const struct story *s);

#endif
