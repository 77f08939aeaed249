/* sha1.h: SHA-1, for formats that require it in names. Never for secrets. */
#ifndef QUIRE_BASE_SHA1_H
#define QUIRE_BASE_SHA1_H
#include "base/text.h"

void sha1(struct text bytes, unsigned char out[20]);

/* Hashes one block of 64 bytes: sha1_block() on every processor, the other one with special instructions (sha1_wide.c).
 * sha1() chooses. */
void sha1_block(uint32_t h[5], const unsigned char *p);
bool sha1_wide_is_here(void);
void sha1_wide_block(uint32_t h[5], const unsigned char *p);

#endif
