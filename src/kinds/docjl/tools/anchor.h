/* anchor.h: signed copies of the newest hash of a trail, to be kept elsewhere.
 *
 * Who can write the whole database can rewrite the whole chain. An anchor shows that: it is one line of JSON with the
 * number and hash of an entry, signed by Ed25519. The secret key is in the state folder, never in the database. */
#ifndef QUIRE_KINDS_DOCJL_TOOLS_ANCHOR_H
#define QUIRE_KINDS_DOCJL_TOOLS_ANCHOR_H
#include "kinds/docjl/tools/common.h"

struct anchor {
	int64_t seq;
	unsigned char hash[32];
};
/* Reads NUMBER:HASH, or lines of anchors; those of other documents are left out. Fails if a line is not signed by a key
 * of anchor_keys (if there are none: by this state folder's own key). */
bool anchors_read(struct manual *m, struct text given, struct anchor **out, size_t *n);
/* The signed line of the newest entry. The first one makes the key. */
bool anchor_line(struct manual *m, struct text *out);
/* The public key of the state folder as anchor_keys takes it. Absent: there is none yet. */
struct text anchor_key(struct call *c);

#endif
