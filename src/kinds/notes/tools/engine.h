/* engine.h: the tools' access to the search engine. It is filled at the first search; then the vault keeps it up to
 * date. */
#ifndef QUIRE_KINDS_NOTES_TOOLS_ENGINE_H
#define QUIRE_KINDS_NOTES_TOOLS_ENGINE_H
#include "kinds/notes/vault/vault.h"

/* Brings the vault and the engine up to date. Must not be called inside the vault's lock. */
bool engine_ready(struct call *c, struct search **out);
/* Restricts the query to notes that the caller may see. */
void engine_grant(struct call *c, struct search_query *query);
bool engine_is_offered(const void *config);
const char *engine_advice(const void *config); /* why search finds by words only, for `quire doctor`; NULL: it is */

#endif
