/* sha1.h: SHA-1, where a format fixes it for names. Never for secrets. */
#ifndef QUIRE_BASE_SHA1_H
#define QUIRE_BASE_SHA1_H
#include "base/text.h"

void sha1(struct text bytes, unsigned char out[20]);

/* One block of 64 bytes, for every processor, and for those with instructions for it (sha1_wide.c). sha1() chooses. */
void sha1_block(uint32_t h[5], const unsigned char *p);
bool sha1_wide_is_here(void);
void sha1_wide_block(uint32_t h[5], const unsigned char *p);

#endif
