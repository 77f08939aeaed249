/* digest_words.h: the hash function of revisions, compiled where it is included: in digest.c for every processor, in
 * digest_wide.c for those with wide registers. Both give the same words. */
#ifndef QUIRE_BASE_DIGEST_WORDS_H
#define QUIRE_BASE_DIGEST_WORDS_H
#include "base/text.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

struct digest_words {
	uint64_t low, high;
};

/* Hashes all the pieces, one after the other. */
static inline struct digest_words digest_words(const struct text *pieces, size_t n)
{
	XXH128_hash_t hash;
	XXH3_state_t state;

	if (n == 1) {
		hash = XXH3_128bits(pieces[0].at, pieces[0].len);
	} else {
		XXH3_INITSTATE(&state);
		XXH3_128bits_reset(&state);
		for (size_t i = 0; i < n; i++)
			if (pieces[i].len)
				XXH3_128bits_update(&state, pieces[i].at, pieces[i].len);
		hash = XXH3_128bits_digest(&state);
	}
	return (struct digest_words){hash.low64, hash.high64};
}

bool digest_wide_is_here(void);
struct digest_words digest_wide(const struct text *pieces, size_t n); /* call it only if digest_wide_is_here() */

#endif
