/* common.h: arguments and results that several tools share. */
#ifndef QUIRE_KINDS_DOCJL_TOOLS_COMMON_H
#define QUIRE_KINDS_DOCJL_TOOLS_COMMON_H
#include "kinds/docjl/edit/edit.h"
#include "kinds/docjl/tree/tree.h"

#define DOCUMENT_ID(S) FIELD(S, document_id, TEXT, FIELD_REQUIRED, "Id from list_documents", .limits = BETWEEN(1, 200))
#define LIMIT_MAX 1000

/* Parses the JSON in the buffer, as a value for an ANY row. */
const struct json *parsed(struct call *c, const struct buffer *b);
/* Reads a cursor, which is an offset that callers pass back. */
bool cursor_read(struct call *c, struct text cursor, int64_t *from);
struct text cursor_write(struct call *c, int64_t from);

struct label_pair {
	struct text before, after;
};
extern const struct shape pair_shape;      /* {old, new} */
struct objects pairs_of(struct manual *m); /* of the labels that changed; cut as shown_max() says */
enum { SHOWN_MAX = 50 };
/* How many of n changes an answer shows: at most SHOWN_MAX over MCP. The answer has their number beside them. */
size_t shown_max(struct call *c, size_t n);
struct maybe_int shown_count(struct call *c, int64_t n, bool brief); /* the number, if not all are shown */

/* Evaluates a MongoDB-style filter. Returns 1 if it matches, 0 if not, -1 if it is invalid (error set). */
int filter_holds(struct call *c, const struct json *filter, const struct json *document);

/* Asks for the consent to what the transaction deletes (m->loss), as the configuration requires it. Nothing else asks.
 * `confirm`: the caller says that the user agreed. `what` begins the question: "Delete sec:4 from d?". False: refused.
 * True with *waits: the user is asked, and the handler will run again. */
bool loss_agreed(struct manual *m, bool confirm, struct text what, bool *waits);

enum { ANSWER_MAX = 4 << 20 };

/* quire's effect bits for a write into the database: the revision is the document's, dry_run is ours. */
#define WRITES_ROWS (TOOL_WRITES | TOOL_NO_CHANGES)

#endif
