/* pattern.h: searching by pattern, with bounded time.
 *
 * PCRE2 with limits on steps, depth and heap, so that no pattern stalls the server. Globs for grants are matched
 * without PCRE2. */
#ifndef QUIRE_BASE_PATTERN_H
#define QUIRE_BASE_PATTERN_H
#include "base/call.h"

struct pattern; /* lives in the arena it was made in */

struct pattern *pattern_new(struct call *c, struct text source, bool fold_case); /* NULL: error set, with the place */

/* For a pattern that outlives a call: call this once per call to restart its time limit. */
void pattern_renew(struct pattern *p);

/* 1: found, *from and *to set; 0: not found; -1: the limit was reached, error set. */
int pattern_find(struct call *c, struct pattern *p, struct text in, size_t start, size_t *from, size_t *to);

/* `*` within one path component, `**` over several, `?` one character; the whole path must match. */
bool glob_matches(struct text glob, struct text path);

#endif
