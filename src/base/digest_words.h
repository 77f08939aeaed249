/* digest_words.h: the hash behind revisions, compiled where it is included: in digest.c for every processor, in
 * digest_wide.c for those with wide registers. Both give the same words. */
#ifndef QUIRE_BASE_DIGEST_WORDS_H
#define QUIRE_BASE_DIGEST_WORDS_H
#include "base/text.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

struct digest_words {
	uint64_t low, high;
};

static inline struct digest_words digest_words(struct text bytes)
{
	XXH128_hash_t hash = XXH3_128bits(bytes.at, bytes.len);

	return (struct digest_words){hash.low64, hash.high64};
}

bool digest_wide_is_here(void);
struct digest_words digest_wide(struct text bytes); /* only where it is */

#endif
