/* draft.h: stores edits before they are saved.
 *
 * A draft is a document's revision and the list of requests made on it, each durable before the call returns. Any
 * process can reopen a draft by replaying its requests on the same bytes; the document itself is not stored. Nothing is
 * written before the first request: reading needs no draft, and read-only servers have none. Undo and redo move the
 * mark in the list; a new request at the mark discards the requests after it. Saving is an ordinary commit. */
#ifndef QUIRE_WORK_DRAFT_H
#define QUIRE_WORK_DRAFT_H
#include "work/work.h"

struct draft {
	struct text id;             /* opaque, unguessable */
	struct text path, revision; /* of the base document; the path is absolute if it is not below the first root */
	struct text key;            /* as document_key(), even if the document no longer exists */
	struct text saved;          /* the document's revision after the draft was saved; absent: not saved */
	struct text first;          /* the first base's revision, if the draft was moved to another base; else absent */
	struct texts requests;
	size_t mark;     /* requests[0, mark) are applied */
	int64_t changed; /* ms since 1970; always later than in the previous state */
};

/* With the given id, or a generated one if absent. */
bool draft_new(struct call *c, struct document *base, struct text id, struct draft *out);
/* Reads mark, time and revisions only, to check whether another process changed it. *found: does the draft exist? */
bool draft_peek(struct call *c, struct text id, struct draft *out, bool *found);
bool draft_open(struct call *c, struct text id, struct draft *out);
bool draft_append(struct call *c, struct draft *d, struct text request);
bool draft_set_mark(struct call *c, struct draft *d, size_t mark);
/* The stored form of the draft's revisions once it was saved as `saved`: a commit writes it with its record (struct
 * change). */
struct text draft_revisions(struct arena *a, const struct draft *d, struct text saved);
/* Makes another revision of the document the base. The applied requests must have been tried on it. */
bool draft_set_base(struct call *c, struct draft *d, struct text revision);
/* Sets `changed` to now, because the draft is in use. Does nothing on a read-only server, and may be lost in a power
 * failure. */
bool draft_touch(struct call *c, struct draft *d);
bool draft_close(struct call *c, struct text id);
/* Lists drafts without their requests; absent path: all. */
bool draft_list(struct call *c, struct text path, struct draft **out, size_t *n);

#endif
