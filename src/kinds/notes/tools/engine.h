/* engine.h: the search engine as the tools use it: filled at the first search, then kept up to date by the vault. */
#ifndef QUIRE_KINDS_NOTES_TOOLS_ENGINE_H
#define QUIRE_KINDS_NOTES_TOOLS_ENGINE_H
#include "kinds/notes/vault/vault.h"

/* Brings the vault up to date and the engine with it. Must not be called inside the vault's lock. */
bool engine_ready(struct call *c, struct search **out);
/* Only notes that the caller may see. */
void engine_grant(struct call *c, struct search_query *query);
bool engine_is_offered(const void *config);
const char *engine_advice(const void *config); /* why search is missing, for `quire doctor`; NULL: it is not */

#endif
