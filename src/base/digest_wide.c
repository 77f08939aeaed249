/* The one file that is compiled for more than every processor has (see the Makefile): nothing but digest.c, which asks
 * first, may call it. */
#include "base/digest_words.h"

bool digest_wide_is_here(void)
{
#ifdef __AVX2__
	return __builtin_cpu_supports("avx2");
#else
	return false;
#endif
}

struct digest_words digest_wide(struct text bytes) { return digest_words(bytes); }
