/* service.h: parses the reply of an embedding service. Separate from the transport, because the reply is untrusted
 * input. */
#ifndef QUIRE_KINDS_NOTES_SEARCH_SERVICE_H
#define QUIRE_KINDS_NOTES_SEARCH_SERVICE_H
#include "kinds/notes/search/embedder.h"

/* Returns the n vectors of a reply in the order of the texts, or NULL with c->error set. */
float *service_vectors(struct call *c, struct text body, size_t n, size_t *dimension);

#endif
