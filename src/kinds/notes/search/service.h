/* service.h: the reply of an embedding service, apart from the transport: it is foreign bytes. */
#ifndef QUIRE_KINDS_NOTES_SEARCH_SERVICE_H
#define QUIRE_KINDS_NOTES_SEARCH_SERVICE_H
#include "kinds/notes/search/embedder.h"

/* The n vectors of a reply in the order of the texts; NULL: c->error says what is wrong with it. */
float *service_vectors(struct call *c, struct text body, size_t n, size_t *dimension);

#endif
