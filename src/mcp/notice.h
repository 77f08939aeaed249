/* notice.h: sees every change of every document soon after it happened, for people who watch.
 *
 * While somebody watches quire://changes, the ticker looks ten times a second: at the number of the newest record,
 * which other quire processes write too, and at what the kernel reports of the files below the roots. A change by
 * another program is recorded in the history when it is seen, so that it can be undone. A read-only server records
 * nothing. While nobody watches, nothing is open and nothing is looked at. */
#ifndef QUIRE_MCP_NOTICE_H
#define QUIRE_MCP_NOTICE_H
#include <stdbool.h>

struct server;

#define CHANGES_URI "quire://changes"
enum { NOTICE_MS = 100 };

struct notices *notices_new(struct server *s);
void notices_free(struct notices *n); /* NULL is allowed */
/* One look. True: there is a record that was not there at the last look. */
bool notices_look(struct notices *n);

#endif
