/* The encoder's AVX2 path without fused multiply-add, to measure what that gives (encoder_bench.c). */
#include "kinds/notes/search/encoder/forward.h"

#define FORWARD forward_uncontracted
#include "kinds/notes/search/encoder/forward_steps.h"
