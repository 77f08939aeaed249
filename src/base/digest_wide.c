/* The one file that is compiled for more than every processor has (see the Makefile): nothing but digest.c, which asks
 * first, may call it. */
#include "base/digest_words.h"

/* The loader has asked the processor already; to ask again is slow where the machine is a virtual one. */
#ifdef __AVX2__
#include <sys/platform/x86.h>
bool digest_wide_is_here(void) { return CPU_FEATURE_ACTIVE(AVX2); }
#else
bool digest_wide_is_here(void) { return false; }
#endif

struct digest_words digest_wide(const struct text *pieces, size_t n) { return digest_words(pieces, n); }
