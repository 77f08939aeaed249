/* SHA-1 with the processor's SHA instructions. Compiled for instructions that not every processor has (see the
 * Makefile). Only sha1.c may call it, after checking the processor. */
#include "base/sha1.h"

#ifdef __SHA__
#include <immintrin.h>
#include <sys/platform/x86.h>

bool sha1_wide_is_here(void) { return CPU_FEATURE_ACTIVE(SHA) && CPU_FEATURE_ACTIVE(SSE4_1); }

/* Four rounds use four words of the message. Words after the first sixteen are made from the last sixteen. The word e
 * of four rounds is the word a of the four rounds before, rotated. */
#define FOUR_ROUNDS(FUNCTION)                                                                                          \
	do {                                                                                                           \
		__m128i *w = &words[g & 3];                                                                            \
		if (g >= 4)                                                                                            \
			*w = _mm_sha1msg2_epu32(                                                                       \
				_mm_xor_si128(_mm_sha1msg1_epu32(*w, words[(g + 1) & 3]), words[(g + 2) & 3]),         \
				words[(g + 3) & 3]);                                                                   \
		__m128i in = g ? _mm_sha1nexte_epu32(e, *w) : _mm_add_epi32(e, *w);                                    \
		e = abcd;                                                                                              \
		abcd = _mm_sha1rnds4_epu32(abcd, in, FUNCTION);                                                        \
	} while (0)

void sha1_wide_block(uint32_t h[5], const unsigned char *p)
{
	const __m128i order = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
	__m128i words[4], abcd = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)h), 0x1B);
	__m128i e = _mm_set_epi32((int)h[4], 0, 0, 0), before = abcd, e_before = e;

	for (int i = 0; i < 4; i++)
		words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(p + 16 * i)), order);
	for (int g = 0; g < 5; g++)
		FOUR_ROUNDS(0);
	for (int g = 5; g < 10; g++)
		FOUR_ROUNDS(1);
	for (int g = 10; g < 15; g++)
		FOUR_ROUNDS(2);
	for (int g = 15; g < 20; g++)
		FOUR_ROUNDS(3);
	e = _mm_sha1nexte_epu32(e, e_before);
	abcd = _mm_add_epi32(abcd, before);
	_mm_storeu_si128((__m128i *)h, _mm_shuffle_epi32(abcd, 0x1B));
	h[4] = (uint32_t)_mm_extract_epi32(e, 3);
}
#else
bool sha1_wide_is_here(void) { return false; }
void sha1_wide_block(uint32_t h[5], const unsigned char *p) { sha1_block(h, p); }
#endif
