#include "kinds/notes/search/encoder/forward.h"

#define FORWARD forward_plain
#include "kinds/notes/search/encoder/forward_steps.h"

size_t forward_scratch(size_t n) { return n * (3 * WIDTH + WIDTH_INNER) + 2 * WIDTH + n + LANES; }
