/* Compiled for AVX2 (see the Makefile). Only encoder.c may call it, after a check. */
#include "kinds/notes/search/encoder/forward.h"

#if defined __AVX2__ && defined __FMA__
#include <sys/platform/x86.h>
bool forward_wide_is_here(void) { return CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(FMA); }
#else
bool forward_wide_is_here(void) { return false; }
#endif

#define FORWARD forward_wide
#include "kinds/notes/search/encoder/forward_steps.h"
