/* sha1.h: SHA-1, where a format fixes it for names. Never for secrets. */
#ifndef QUIRE_BASE_SHA1_H
#define QUIRE_BASE_SHA1_H
#include "base/text.h"

void sha1(struct text bytes, unsigned char out[20]);

#endif
