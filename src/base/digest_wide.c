/* This file is compiled for instructions that not every processor has (see the Makefile). Only digest.c may call it,
 * after checking the processor. */
#include "base/digest_words.h"

/* The loader has already queried the processor; querying again is slow on virtual machines. */
#ifdef __AVX2__
#include <sys/platform/x86.h>
bool digest_wide_is_here(void) { return CPU_FEATURE_ACTIVE(AVX2); }
#else
bool digest_wide_is_here(void) { return false; }
#endif

struct digest_words digest_wide(const struct text *pieces, size_t n) { return digest_words(pieces, n); }
