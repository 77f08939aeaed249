/* Compiled for AVX-512 (see the Makefile). Only encoder.c may call it, after a check. */
#include "kinds/notes/search/encoder/forward.h"

#ifdef __AVX512F__
#include <sys/platform/x86.h>
bool forward_widest_is_here(void) { return CPU_FEATURE_ACTIVE(AVX512F) && CPU_FEATURE_ACTIVE(FMA); }
#else
bool forward_widest_is_here(void) { return false; }
#endif

#define FORWARD forward_widest
#include "kinds/notes/search/encoder/forward_steps.h"
