/* clauses.h: the clauses of a standard, and which blocks name them.
 *
 * The list is a CSV file with the columns clause and title. A block names a clause by its number in its compliance_note
 * ("ISO/IEC 17025, 8.3.2 a)"). A clause that no block names is covered partly if a clause below it is named. */
#ifndef QUIRE_KINDS_DOCJL_BLOCK_CLAUSES_H
#define QUIRE_KINDS_DOCJL_BLOCK_CLAUSES_H
#include "base/array.h"
#include "base/buffer.h"
#include "base/map.h"
#include "base/text.h"

enum { CLAUSES_MAX = 5000, CLAUSE_LABELS_MAX = 10 };
enum clause_state { CLAUSE_COVERED, CLAUSE_PARTLY, CLAUSE_MISSING, CLAUSE_STATES };
extern const char *const clause_states[]; /* "covered", "partly", "missing" */

struct clause {
	struct text number, title;
	ARRAY(struct text) labels; /* the first CLAUSE_LABELS_MAX blocks that name it */
	int64_t named, below;      /* how many blocks name it, and a clause below it */
};
struct clauses {
	struct arena *arena;
	ARRAY(struct clause) items;
	struct map at; /* by the number as it is compared */
};
/* `,` or `;` separates the columns; the first line may be a heading. False: *why says what is wrong, and in which line.
 */
bool clauses_read(struct arena *a, struct text csv, struct clauses *out, struct text *why);
/* Counts one block. */
void clauses_see(struct clauses *list, struct text note, struct text label);
enum clause_state clause_state(const struct clause *c);
/* The list as CSV: clause, title, state, blocks. */
void clauses_csv(struct buffer *to, const struct clauses *list);

#endif
